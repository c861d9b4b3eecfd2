/**
 * The truth table of the policy: one request a line, with what becomes of it in production and on a test system. `send`, `once`
 * (with its own values, to learn what it does), `bounded`, or the reason why never. A word, a rule, an exception comes with its
 * lines here.
 */
import {
  CHANGES_STATE,
  CONFIGURES,
  CREATES,
  DELETES,
  DELETES_ACCOUNTS,
  ENDS_SESSION,
  FILLS_CART,
  ORDERS,
  PAYS,
  SAVES,
  STOPS,
  SWITCHES,
} from './deeds.ts'
import { ASKS_FIRST, REGISTERS, SETS_PASSWORD, type Writes } from './form-effect.ts'
import { ALTERS, BEGINS, BY_METHOD, EXCLUDED, GUESSED, type Seen, SIGNS_IN, STAFF, UNPROVEN, WROTE } from './policy.ts'
import { ACCOUNT, CHANGES, SENDS, STORES, UPLOADS } from './storing.ts'

/** `POST /path name:type=value …`; the type is text where none is said. */
export interface Row {
  readonly request: string
  readonly production: string
  readonly test: string
  readonly labels?: readonly string[]
  readonly names?: string
  readonly told?: string
  readonly writes?: Writes
  readonly seen?: Seen
  readonly signedIn?: boolean
  readonly staff?: boolean
  /** What the run signs in by. */
  readonly account?: string
  readonly json?: string
  readonly xml?: string
  readonly onDemand?: boolean
}

type More = Omit<Row, 'request' | 'production' | 'test'>

export const rows = (production: string, test: string, more: More, requests: readonly string[]): readonly Row[] =>
  requests.map((request) => ({ request, production, test, ...more }))
export const named = (production: string, test: string, request: string, labels: readonly string[], more: More = {}) =>
  labels.map((label): Row => ({ request, production, test, ...more, labels: [label] }))
export const list = (text: string): readonly string[] => text.trim().split(/\s*\n\s*/)

const SUBSCRIBES = 'it changes a subscription'
const INVITES = 'it sends messages or invites people'
const IN: More = { signedIn: true }
const AS_STAFF: More = { signedIn: true, staff: true }

export const POLICY: readonly Row[] = [
  // What is read.
  ...rows(
    'send',
    'send',
    {},
    list(`
    GET /
    GET /index.php?page=news
    GET /users/list?page=2&sort=name
    GET /users/3?view=full
    GET /orders?status=cancel&q=tent
    GET /search?q=delete
    GET /help?topic=delete-an-account
    GET /docs/install?lang=en
    GET /blog/how-to-reset-a-password
    GET /settings?tab=mail
    GET /trash?page=1
    GET /export?format=csv
    GET /watch?v=abc
    GET /login?next=/logout
    GET /x?cancel_url=/
    GET /extensions?installstatus=ok&name=tents
    GET /orders?payment_status=open
    GET /level/3
    HEAD /files/report.pdf
    OPTIONS /api/users
    GET /cart
    GET /checkout
    GET /transfer
    GET /comments?post=3
    GET /newsletter
    GET /js-delete
    GET /api?action=help&modules=delete
    GET /index.php?page=manual&entry=log-out
    GET /index/Special:ApiHelp/delete
    GET /api-docs/users/delete
    GET /sql?db=performance_schema&table=setup_actors
    GET /browse?table=user&column=Insert_priv
    GET /routines?item_name=DropGeometryColumn&item_type=PROCEDURE
    GET /api?action=query&prop=duplicatefiles
    GET /items?fields=reset_date,clear_text&expand=backup`),
  ),
  ...rows(
    'send',
    'send',
    IN,
    list(`
    GET /account
    GET /wp-admin/post.php?post=1&action=edit
    GET /profile?tab=settings
    GET /news?page=2`),
  ),
  // What nothing is known of: sent once with its own values, to learn.
  ...rows(
    'once',
    'bounded',
    {},
    list(`
    POST /search q
    POST /process q
    POST /index.php
    POST /report year:number month:number
    POST /api/things kind:select-one size:number
    POST /calc a:number b:number op:select-one=plus
    POST /lookup.jsp id:hidden=7
    POST /login user pass:password
    POST /session login password:password remember:checkbox=on
    POST /list filter:select-one=open page:hidden=1
    POST /find.asp word kind:radio=all go:submit=Go
    POST /quote symbol
    POST /view messageId address_type
    POST /lists-of-things-to-post-and-share/a/b/view q
    POST /all-that-people-comment-on/find.php q
    POST /stock productId:hidden=1 storeId:select-one=2`),
  ),
  ...rows('once', 'bounded', { writes: 'said' }, ['GET /list?a=1', 'GET /x.jsp?word=test', 'GET /edit?a=b']),
  ...rows(
    'send',
    'send',
    { seen: 'reads' },
    list(`
    POST /search q
    POST /process q
    POST /login user pass:password
    POST /api/things kind:select-one`),
  ),
  ...rows('send', 'send', { seen: 'reads', writes: 'said' }, ['GET /list?a=1', 'GET /x.jsp?word=test']),
  ...rows(
    WROTE,
    'bounded',
    { seen: 'writes' },
    list(`
    POST /search q
    POST /process q
    GET /list?a=1
    POST /api/things kind:select-one`),
  ),
  ...rows(
    UNPROVEN,
    'bounded',
    { seen: 'unclear' },
    list(`
    POST /search q
    POST /process q
    POST /login user pass:password`),
  ),
  // GraphQL and bodies that name what they do.
  ...rows('send', 'send', { json: '{"query":"query { users { name } }"}' }, ['POST /graphql', 'POST /api/data']),
  ...rows('send', 'send', { json: '{"operationName":"A","query":"{a}"}', ...AS_STAFF }, ['POST /graphql']),
  ...rows(CHANGES, 'bounded', { json: '{"query":"mutation { seen }"}' }, ['POST /graphql', 'POST /gql']),
  ...rows(CHANGES, 'bounded', { json: '{"query":"query a {b} mutation c {d}"}' }, ['POST /graphql']),
  ...rows('once', 'bounded', { json: '{"kind":"tent","size":3}' }, ['POST /api/find', 'POST /api/v1/query']),
  ...rows(SAVES, 'bounded', { json: '{"method":"profile.update","id":1}' }, ['POST /rpc']),
  ...rows(CHANGES, 'bounded', { json: '{"method":"rows.edit","id":1}' }, ['POST /rpc']),
  ...rows(DELETES_ACCOUNTS, DELETES_ACCOUNTS, { json: '{"action":"delete_user","id":1}' }, ['POST /rpc']),
  ...rows(DELETES, 'bounded', { json: '{"action":"delete","id":1}' }, ['POST /rpc']),
  ...rows(SENDS, 'bounded', { json: '{"email":"a@example.org"}' }, ['POST /api/x']),
  ...rows('once', 'bounded', { json: '{"email":"a@example.org","password":"a"}' }, ['POST /api/login']),
  ...rows('once', 'bounded', { xml: '<e:Envelope><e:Body><GetPrice><i>1</i></GetPrice></e:Body></e:Envelope>' }, [
    'POST /soap',
  ]),
  ...rows(STORES, 'bounded', { xml: '<e:Envelope><e:Body><AddPrice><i>1</i></AddPrice></e:Body></e:Envelope>' }, [
    'POST /soap',
  ]),
  ...rows(CHANGES, 'bounded', { xml: '<setPrice><i>1</i></setPrice>' }, ['POST /xml']),
  // By the method.
  ...rows(BY_METHOD, 'bounded', {}, ['PUT /api/items/3', 'PATCH /api/users/3', 'PUT /files/a.txt', 'MKCOL /dav/a']),
  ...rows(DELETES, 'bounded', {}, ['DELETE /api/items/3', 'DELETE /notes/1']),
  ...rows(DELETES_ACCOUNTS, DELETES_ACCOUNTS, {}, ['DELETE /api/users/3', 'DELETE /accounts/me', 'DELETE /db/main']),
  // The end of the session.
  ...rows(
    ENDS_SESSION,
    ENDS_SESSION,
    {},
    list(`
    GET /logout
    GET /api/logOut
    GET /?action=sign-out
    GET /konto/abmelden
    GET /log%6Fut
    GET /x?logout
    GET /a?page=logout
    POST /logout
    POST /user do:hidden=logout
    GET /index.php/Special:UserLogout`),
  ),
  ...named(ENDS_SESSION, ENDS_SESSION, 'POST /x', ['Log out', 'Abmelden', 'Se déconnecter', 'Cerrar sesión'], IN),
  // Deletion.
  ...rows(
    DELETES_ACCOUNTS,
    DELETES_ACCOUNTS,
    {},
    list(`
    GET /users/3/delete
    GET /userdelete?id=3
    GET /userDelete/3
    POST /account/delete
    GET /x?deleteUser=3
    GET /admin.php?do=drop-table
    GET /index.php?route=/database/drop
    POST /db do:hidden=truncate_table
    GET /delete?user=3`),
  ),
  ...rows(
    DELETES,
    'bounded',
    {},
    list(`
    GET /items/3/delete
    GET /articles/delete/3
    GET /trash/3
    POST /items id:hidden=3 action:hidden=delete
    POST /notes/3/remove
    GET /delete1?id=1`),
  ),
  ...named(DELETES, 'bounded', 'POST /x id:hidden=3', ['Delete', 'Remove', 'Löschen', 'Supprimer', 'Eliminar']),
  ...named(DELETES_ACCOUNTS, DELETES_ACCOUNTS, 'POST /x', ['Delete my account', 'Konto löschen', 'Drop database']),
  // Payments and carts.
  ...rows(PAYS, PAYS, {}, ['GET /buy-now/3', 'GET /checkout/confirm', 'POST /checkout/pay', 'POST /pay amount:number']),
  ...named(PAYS, PAYS, 'POST /order', ['Pay now', 'Buy now', 'Place order', 'Jetzt kaufen', 'Acheter', 'Pagar']),
  ...rows(FILLS_CART, 'bounded', {}, ['GET /cart/add?id=1', 'POST /cart/add id:hidden=1']),
  ...named(FILLS_CART, 'bounded', 'POST /cart id:hidden=3', ['Add to cart', 'Add to basket']),
  // Set-up, reconfiguration, stops.
  ...rows(
    CONFIGURES,
    CONFIGURES,
    {},
    list(`
    GET /setup.php
    GET /install
    GET /createdb
    GET /create_db.php
    GET /reset.php
    GET /database/reset
    GET /difficulty/hard
    GET /x?security=low
    GET /set_level?level=2
    GET /set/level/3
    GET /configure
    POST /setup.php step:hidden=2
    POST /page security_level:select-one=0
    POST /page difficulty:hidden=x set_level:submit=Set`),
  ),
  ...named(
    CONFIGURES,
    CONFIGURES,
    'POST /x',
    list(`
    Create / Reset Database
    Set difficulty: hard
    Install
    Reset
    Reset database
    Initialize`),
  ),
  ...rows(STOPS, STOPS, {}, ['GET /shutdown?now=1', 'POST /admin/restart', 'GET /server/reboot']),
  ...named(STOPS, STOPS, 'POST /x', ['Restart', 'Shut down', 'Lock the gallery', 'Disable this site']),
  ...rows(STOPS, STOPS, {}, ['GET /admin.php?page=maintenance&action=lock_gallery', 'GET /board?do=lock_board']),
  // What changes state, and is in scope on a test system.
  ...rows(
    CHANGES_STATE,
    'bounded',
    {},
    list(`
    POST /transfer/3
    POST /password/reset
    POST /articles/3/publish
    POST /orders/3/approve
    POST /orders/3/cancel
    GET /orders/3/approve
    POST /keys/3/revoke
    GET /users/resetPassword?id=3`),
  ),
  ...named(CHANGES_STATE, 'bounded', 'POST /x id:hidden=3', ['Approve', 'Publish', 'Transfer', 'Revoke', 'Sperren']),
  ...rows(ORDERS, 'bounded', {}, ['GET /rules.php?action=item_moveup&id=3', 'GET /menu/3/move-down']),
  ...rows(SWITCHES, 'bounded', {}, ['GET /users/3/toggle', 'GET /x?toggle=3', 'GET /poll/vote?id=2']),
  ...named(SWITCHES, 'bounded', 'POST /x id:hidden=3', ['Enable', 'Vote', 'Like', 'Follow', 'Aktivieren']),
  ...rows(CREATES, 'bounded', {}, ['GET /cron.php', 'GET /backup/run?name=a', 'POST /users/3/duplicate']),
  ...rows(SUBSCRIBES, 'bounded', {}, ['GET /newsletter/unsubscribe', 'GET /newsletter/leave/1', 'POST /subscribe a']),
  ...named(INVITES, 'bounded', 'POST /x', ['Send message', 'Invite', 'Resend']),
  ...rows(SAVES, 'bounded', {}, ['GET /save', 'POST /save a', 'POST /index.php?do=save a']),
  ...named(SAVES, 'bounded', 'POST /x a', ['Save', 'Speichern', 'Enregistrer', 'Guardar']),
  ...named(SAVES, 'bounded', 'GET /x?a=1', ['Save', 'Opslaan'], { writes: 'said' }),
  // Words that forbid a body in production alone.
  ...rows(
    SENDS,
    'bounded',
    {},
    list(`
    POST /contact name message:textarea
    POST /feedback q
    POST /forgot email:email
    POST /x message:textarea
    POST /x subject body:textarea
    POST /x phone:tel
    POST /kontakt text:textarea`),
  ),
  ...rows(
    STORES,
    'bounded',
    {},
    list(`
    POST /comments text:textarea
    POST /guestbook.php name entry:textarea
    POST /register name
    POST /signup name
    POST /articles/new title
    POST /reviews stars:radio=5
    POST /tickets title
    POST /bewertung stars:radio=5`),
  ),
  ...rows(
    CHANGES,
    'bounded',
    {},
    list(`
    POST /items/3/edit title
    POST /update id:hidden=3 name
    POST /x cmd:hidden=change name
    POST /rename from to
    POST /modifier nom`),
  ),
  ...named(STORES, 'bounded', 'POST /x title', ['Add', 'Create', 'Post', 'Anlegen', 'Ajouter', 'Añadir']),
  ...named(CHANGES, 'bounded', 'POST /x title', ['Update', 'Change', 'Ändern', 'Modifier', 'Cambiar']),
  ...named(SENDS, 'bounded', 'POST /x title', ['Send', 'Share']),
  // Passwords and files.
  ...rows(SETS_PASSWORD, 'bounded', { told: SETS_PASSWORD }, ['POST /x old:password new:password', 'GET /p?a=1&b=1']),
  ...rows(SETS_PASSWORD, SETS_PASSWORD, { told: SETS_PASSWORD, ...IN }, [
    'POST /x old:password new:password',
    'GET /p?a=1&b=1',
  ]),
  // By the names alone, as a script sends them.
  ...rows(SETS_PASSWORD, SETS_PASSWORD, IN, [
    'POST /me current_password new_password',
    'POST /profile nickname new_password',
    'POST /me pass1 pass2',
  ]),
  ...rows(REGISTERS, 'bounded', { told: REGISTERS, ...IN }, ['POST /x user new:password again:password']),
  ...rows(UPLOADS, 'bounded', {}, ['POST /x f:file', 'POST /avatar title f:file']),
  ...rows(ASKS_FIRST, 'bounded', { told: ASKS_FIRST }, ['GET /orders/12/x?go=1', 'POST /x id:hidden=3']),
  // Signed in, what belongs to the account.
  ...rows(
    ACCOUNT,
    'bounded',
    IN,
    list(`
    POST /profile bio
    POST /account/x a
    POST /settings/y a
    POST /index.php?route=/sql a`),
  ),
  ...rows(SIGNS_IN, 'bounded', IN, ['POST /login user pass:password']),
  ...rows(SIGNS_IN, 'send', IN, ['GET /login?user=a&password=b']),
  ...rows('send', 'send', {}, ['GET /login?user=a&password=b']),
  ...rows('once', 'bounded', IN, ['POST /search q', 'POST /process q', 'POST /report year:number']),
  ...rows('once', 'bounded', {}, ['POST /profile bio', 'POST /users/find q', 'POST /tables name']),
  ...rows(
    BEGINS,
    'send',
    IN,
    list(`
    GET /wp-admin/post-new.php?post_type=page
    GET /x.php?action=create
    GET /notes/new
    GET /my/api_key`),
  ),
  ...rows('send', 'send', IN, ['GET /settings/api_keys']),
  ...rows(ALTERS, 'bounded', { ...IN, writes: 'likely' }, ['GET /nick?nick=Robin', 'GET /me?city=Rome']),
  ...rows(ALTERS, 'bounded', { ...IN, writes: 'likely' }, ['POST /nick nick:text=Robin', 'POST /me city:text=Rome']),
  ...rows(GUESSED, 'bounded', { writes: 'guessed' }, ['POST /rooms day:text=mon', 'POST /search q:text=pump']),
  ...rows(GUESSED, 'bounded', { ...IN, writes: 'guessed' }, ['POST /rooms day:text=mon']),
  ...rows(ALTERS, 'send', { ...IN, writes: 'likely', seen: 'reads' }, ['POST /me city:text=Rome']),
  ...rows(STAFF, 'bounded', AS_STAFF, ['POST /search q', 'POST /process q', 'POST /report year:number']),
  ...rows('send', 'send', AS_STAFF, ['GET /admin/users?page=2', 'GET /search?q=a']),
  ...rows(STAFF, 'send', { ...AS_STAFF, seen: 'reads', json: '{"a":1}' }, ['POST /api/rows']),
  // The operator's patterns stand over everything.
  ...rows(EXCLUDED, EXCLUDED, {}, ['GET /excluded', 'POST /excluded q', 'GET /excluded?q=1', 'DELETE /excluded']),
  ...rows(EXCLUDED, EXCLUDED, { seen: 'reads' }, ['POST /excluded q', 'GET /excluded?a=1']),
  // Names of elements tell the gravest alone.
  ...rows(DELETES, 'bounded', { names: 'row-3 btn btn-delete' }, ['GET /']),
  ...rows(PAYS, PAYS, { names: 'buy' }, ['GET /']),
  ...rows('send', 'send', { names: 'navbar-toggle reset-zoom' }, ['GET /']),
]
