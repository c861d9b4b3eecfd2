/** Rows of the truth table by what real sites are: banks, shops, content, administration, interfaces, in several languages. */
import {
  CHANGES_STATE,
  CONFIGURES,
  CREATES,
  DELETES,
  DELETES_ACCOUNTS,
  ENDS_SESSION,
  FILLS_CART,
  PAYS,
  SAVES,
  STOPS,
  SWITCHES,
} from './deeds.ts'
import { SETS_NAME, SETS_PASSWORD } from './form-effect.ts'
import { list, named, type Row, rows } from './policy.table.ts'
import { BY_METHOD, UNPROVEN, WROTE } from './policy.ts'
import { ACCOUNT, CHANGES, SENDS, STORES, UPLOADS } from './storing.ts'

const IN = { signedIn: true } as const
const SAID = 'it is said to whoever listens'

export const SECTORS: readonly Row[] = [
  // What is said over a WebSocket, by the page itself and by what somebody has pressed.
  ...rows(BY_METHOD, 'bounded', {}, ['WS /live name', 'WS /socket.io/?EIO=4&transport=websocket']),
  ...rows(BY_METHOD, 'send', { seen: 'reads' }, ['WS /live name']),
  ...[null, 'reads' as const].flatMap((seen) => rows(SAID, 'bounded', { told: SAID, seen }, ['WS /chat text'])),
  ...rows(PAYS, PAYS, {}, ['WS /payments/pay amount:number']),
  // A bank.
  ...rows(
    'send',
    'send',
    IN,
    list(`
    GET /accounts/DE02/statements?from=2026-01
    GET /transfers?state=pending
    GET /standing-orders
    GET /cards/3/limits
    GET /api/v2/balances
    GET /loans/calculator?amount=1000`),
  ),
  ...rows('once', 'bounded', {}, [
    'POST /loans/calculator years:number rate:number',
    'POST /rates currency:select-one=EUR',
  ]),
  // Fields of money are those of a transfer as well.
  ...rows(SENDS, 'bounded', {}, ['POST /wire amount:number to', 'POST /x iban name']),
  ...rows(CHANGES_STATE, 'bounded', IN, ['POST /transfer/confirm id:hidden=3', 'GET /beneficiaries/3/approve']),
  ...rows(PAYS, PAYS, {}, ['POST /payments/pay amount:number', 'GET /pay-now/3', 'POST /invoices/3/pay']),
  ...rows(PAYS, PAYS, { json: '{"to":{"paymentId":7}}' }, ['POST /cart/3/checkout', 'POST /checkout card_number']),
  ...named(PAYS, PAYS, 'POST /x', ['Pay', 'Jetzt bezahlen', 'Payer', 'Comprar ahora']),
  // A shop.
  ...rows(
    'send',
    'send',
    {},
    list(`
    GET /products/42?colour=red&size=m
    GET /catalogue?sort=price&order=desc
    GET /wishlist
    GET /orders/17/invoice.pdf
    GET /compare?ids=1,2,3
    GET /deals/black-friday
    GET /basket
    GET /kasse`),
  ),
  ...rows(FILLS_CART, 'bounded', {}, [
    'GET /basket/add?sku=1',
    'POST /cart/add sku:hidden=1 qty:number=1',
    'GET /?add-to-cart=17',
  ]),
  ...named(FILLS_CART, 'bounded', 'POST /x sku:hidden=1', [
    'Add to bag',
    'In den Warenkorb',
    'Ajouter au panier',
    'Añadir al carrito',
  ]),
  ...rows('once', 'bounded', {}, [
    'POST /shipping/estimate zip country:select-one=DE',
    'POST /availability sku:hidden=3',
    'POST /filter colour:checkbox=red',
  ]),
  ...rows(STORES, 'bounded', {}, ['POST /products/42/reviews stars:radio=5 title', 'POST /product/42/comment name']),
  // Content and forums.
  ...rows(
    'send',
    'send',
    {},
    list(`
    GET /2026/05/04/why-we-delete-old-logs
    GET /tag/how-to-install-a-shelf
    GET /install/readme.html
    GET /install/LICENSE
    GET /install/docs/requirements.php
    GET /install/help/
    GET /setup/changelog.txt
    GET /install/css/look.css
    GET /wiki/How_to_remove_a_stain
    GET /forum/topic/4711-cannot-log-out
    GET /news/company-to-shut-down-plant
    GET /docs/api/users/delete
    GET /faq/reset-password
    GET /feed.xml
    GET /author/jane?page=3`),
  ),
  ...rows(STORES, 'bounded', {}, ['POST /topics/new title', 'POST /wp-comments-post.php author']),
  ...named(STORES, 'bounded', 'POST /x title', ['Reply', 'Kommentieren', 'Hinzufügen', 'Commenter', 'Comentar']),
  ...rows(DELETES, 'bounded', IN, [
    'GET /posts/17/delete',
    'POST /comments/3/delete',
    'GET /wp-admin/post.php?post=3&action=trash',
    'GET /node/3/delete',
    'GET /repository?p=alpha.git;a=3;action=delete_entry',
    'GET /admin.cgi?id=3;__mode=delete_post',
  ]),
  ...named(DELETES, 'bounded', 'POST /x id:hidden=3', ['Entfernen', 'Borrar', 'Verwijderen', 'Elimina']),
  // An administration.
  ...rows(
    'send',
    'send',
    IN,
    list(`
    GET /admin/users?role=editor
    GET /admin/plugins
    GET /admin/logs?level=error
    GET /admin/backups
    GET /admin/settings?tab=mail
    GET /phpmyadmin/index.php?route=/sql&db=a`),
  ),
  ...rows(DELETES_ACCOUNTS, DELETES_ACCOUNTS, IN, [
    'GET /admin/users/3/delete',
    'POST /admin/users/delete id:hidden=3',
    'GET /admin/backup/delete?id=3',
    'POST /admin/database/drop name',
  ]),
  ...rows(CONFIGURES, CONFIGURES, IN, [
    'GET /admin/install',
    'GET /install/',
    'GET /install/index.php',
    'GET /install/step2.html',
    'GET /install/readme.php?step=2',
    'GET /install/guide/3',
    'GET /plugins/install/akismet',
    'POST /admin/setup a',
    'GET /admin/config/reset',
    'GET /plugins/install?slug=a',
    'GET /maintenance/on',
    'GET /wp-admin/plugins.php?action=activate&plugin=seo%2Fseo.php&_wpnonce=3f',
    'GET /wp-admin/plugins.php?action=deactivate&plugin=seo%2Fseo.php',
    'GET /wp-admin/themes.php?action=activate&stylesheet=harbour',
    'GET /admin.php?do=disable&plugin=firewall',
    'POST /index.php view:hidden=x newConfig[LANGUAGE] newConfig[USE_AUTH]:hidden=1',
    'POST /save conf.mail.host conf.mail.port',
    'POST /index.php?view=config a b',
    'POST /x page:hidden=configuration a',
    'POST /admin/settings name',
    'POST /wp-admin/options.php siteurl',
    'POST /admin/plugins/settings.php a',
  ]),
  ...rows(ACCOUNT, 'bounded', IN, ['POST /settings theme', 'POST /account/options theme', 'POST /admin/users name']),
  ...rows('once', 'bounded', IN, ['POST /orders config[color] size number a b']),
  ...rows('send', 'send', IN, ['GET /list?config[columns]=a', 'GET /admin/settings?tab=mail']),
  ...rows(STOPS, STOPS, IN, ['POST /admin/reboot', 'GET /system/shutdown', 'POST /service/restart name:hidden=web']),
  ...rows(SWITCHES, 'bounded', IN, ['GET /editactive.php?table=alias&id=info&active=0', 'GET /edit?id=3&enabled=off']),
  ...rows('send', 'send', IN, [
    'GET /edit.php?table=alias&id=3',
    'GET /stores?active=1',
    'GET /settings?enabled=on',
    'GET /edit?id=3&status=7',
  ]),
  ...rows(SWITCHES, 'bounded', IN, ['GET /admin/features/3/toggle', 'GET /plugins/3/enable', 'POST /rules/3/activate']),
  ...rows(CHANGES_STATE, 'bounded', IN, ['GET /wp-admin/comment.php?c=3&action=spamcomment']),
  ...rows('send', 'send', IN, ['GET /themes?action=list', 'GET /mail/spam', 'GET /comments.php?comment_status=spam']),
  ...rows(CREATES, 'bounded', IN, ['GET /jobs/run?id=3', 'GET /cron/run']),
  // The end of a session, however it is written.
  ...rows(
    ENDS_SESSION,
    ENDS_SESSION,
    IN,
    list(`
    GET /users/sign_out
    GET /account/logoff
    GET /auth/signout
    GET /index.php?logout=1
    GET /?do=logout
    GET /session/end?logout
    POST /api/auth/logout
    DELETE /logout
    GET /deconnexion
    GET /cerrar-sesion
    GET /abmelden`),
  ),
  ...named(ENDS_SESSION, ENDS_SESSION, 'GET /x', ['Sign out', 'Log off', 'Déconnexion', 'Uitloggen']),
  // Interfaces.
  ...rows(
    'send',
    'send',
    {},
    list(`
    GET /api/v1/users/3
    GET /api/items?filter[state]=deleted
    GET /api/search?q=drop%20table
    HEAD /api/items
    OPTIONS /api/items
    PROPFIND /dav/
    GET /odata/Orders?$filter=Total%20gt%2010
    GET /graphql?query={users{name}}`),
  ),
  ...rows(BY_METHOD, 'bounded', {}, [
    'PUT /api/v1/profile',
    'PATCH /api/items/3',
    'PUT /dav/a.txt',
    'MOVE /dav/a',
    'COPY /dav/a',
    'LOCK /dav/a',
  ]),
  ...rows(DELETES, 'bounded', {}, ['DELETE /api/v1/posts/3', 'DELETE /api/items/3/tags/4']),
  ...rows(DELETES_ACCOUNTS, DELETES_ACCOUNTS, {}, ['DELETE /api/v1/users/3', 'DELETE /api/databases/main']),
  ...rows(
    'send',
    'send',
    { json: '{"query":"query Q($id: ID!) { order(id: $id) { total } }","variables":{"id":"3"}}' },
    ['POST /graphql', 'POST /v1/graphql'],
  ),
  ...rows(CHANGES, 'bounded', { json: '{"query":"mutation M { removeItem(id: 3) { id } }"}' }, ['POST /graphql']),
  ...rows('once', 'bounded', { json: '{"jsonrpc":"2.0","method":"getStock","params":[3],"id":1}' }, ['POST /rpc']),
  ...rows('once', 'bounded', { json: '{"page":1,"filters":{"state":"open"}}' }, [
    'POST /api/orders/search',
    'POST /api/list',
  ]),
  ...rows(DELETES, 'bounded', { json: '{"jsonrpc":"2.0","method":"delete","params":[3],"id":1}' }, ['POST /rpc']),
  ...rows('once', 'bounded', { xml: '<s:Envelope><s:Body><GetOrder><id>3</id></GetOrder></s:Body></s:Envelope>' }, [
    'POST /ws/orders',
  ]),
  ...rows(
    CHANGES,
    'bounded',
    { xml: '<s:Envelope><s:Body><UpdateOrder><id>3</id></UpdateOrder></s:Body></s:Envelope>' },
    ['POST /ws/orders'],
  ),
  // What was seen stands over what is unknown, and words over what was seen.
  ...rows('send', 'send', { seen: 'reads' }, [
    'POST /rates currency:select-one=EUR',
    'POST /filter colour:checkbox=red',
    'POST /quote symbol',
  ]),
  ...rows(WROTE, 'bounded', { seen: 'writes' }, ['POST /rates currency:select-one=EUR', 'GET /counter']),
  ...rows(UNPROVEN, 'bounded', { seen: 'unclear' }, ['POST /rates currency:select-one=EUR']),
  ...rows(DELETES, 'bounded', { seen: 'reads' }, ['POST /notes/3/remove']),
  ...rows(ENDS_SESSION, ENDS_SESSION, { seen: 'reads' }, ['POST /logout', 'GET /logout']),
  // Sent away, kept, put up.
  ...rows(SENDS, 'bounded', {}, [
    'POST /kontakt name nachricht:textarea',
    'POST /support subject text:textarea',
    'POST /tell-a-friend email:email',
  ]),
  ...rows(UPLOADS, 'bounded', {}, ['POST /import f:file', 'POST /cv name f:file']),
  ...rows(SAVES, 'bounded', {}, ['POST /profile/save bio', 'GET /draft/save?id=3']),
  ...rows(ACCOUNT, 'bounded', IN, [
    'POST /profile city',
    'POST /account/address street',
    'POST /settings/language lang:select-one=de',
  ]),
  ...rows('send', 'send', {}, ['GET /table/structure?table=db&field=Insert_priv']),
  ...named('send', 'send', 'GET /sql?table=a', ['`information_schema`.`INNODB_CMPMEM_RESET`']),
  ...named(DELETES, 'bounded', 'GET /sql?table=a', ['Delete `a_b`.`c`', '`Delete`', 'Drop `a_b`.`c`']),
  // What a parameter bids, and what ends an address behind its thing.
  ...rows(CHANGES_STATE, 'bounded', {}, [
    'GET /ticket/show.html?Action=Take&id=7',
    'GET /queue?do=claim_ticket&id=3',
    'GET /x?cmd=ticket.close&id=3',
    'GET /tickets/3/close',
    'GET /issues/7f0c1a52-7a0e-4c55-9c7b-0d6f4e4d1a11/resolve',
    'POST /jobs/3/retry',
  ]),
  ...rows('send', 'send', {}, [
    'GET /tickets?status=close&sort=take',
    'GET /x?action=popup.close.edit',
    'GET /index.php?page=release',
    'GET /close/3',
    'GET /release',
    'GET /take-away',
  ]),
  // A page may be about a deed; what a body is sent to does it, with a prefix of the application's own and without.
  ...rows(DELETES, 'bounded', {}, [
    'POST /xy-delete file',
    'POST /api/xyRemove id:hidden=3',
    'POST /wiki/xy_purge.php title',
    'POST /docs/xy-delete file',
  ]),
  ...rows(DELETES_ACCOUNTS, DELETES_ACCOUNTS, {}, ['POST /members/xy-delete id']),
  ...rows(CHANGES_STATE, 'bounded', {}, ['POST /xy-approve id:hidden=3']),
  ...rows('once', 'bounded', {}, ['POST /undeleted-things-of-all-the-years/list q', 'POST /deleted q']),
  ...rows('send', 'send', {}, ['GET /docs/xy-delete', 'GET /xy-delete']),
  // A topic of help and the name of a thing are no deeds; what stands beside them is judged all the same.
  ...rows(DELETES, 'bounded', {}, [
    'GET /x?action=help&do=delete',
    'GET /x?action=help&delete=3',
    'GET /help-desk/3/delete',
    'GET /help/tickets/3/delete',
    'GET /self-help/entries/3/delete',
    'POST /x action:hidden=help modules:hidden=delete',
  ]),
  ...rows(DELETES_ACCOUNTS, DELETES_ACCOUNTS, {}, [
    'GET /x?table=orders&action=drop_table',
    'GET /x?drop-table=orders&table=orders',
    'GET /x?db=shop&route=/database/drop',
  ]),
  ...rows(ENDS_SESSION, ENDS_SESSION, {}, ['GET /x?action=help&logout', 'GET /x?table=a&do=logout']),
  // The password of whoever is signed in, told by the path alone, or by names in the address.
  ...rows(SETS_PASSWORD, SETS_PASSWORD, IN, [
    'GET /api/user/change-password?current=&new=1&repeat=1',
    'GET /me?old_password=a&new_password=b',
    'GET /password/update?value=1',
    'POST /api/changePassword a b',
    'POST /account/password-change.php a',
    'POST /konto/passwort-ändern a',
    'PUT /me/setPassword a',
    // One alone, put in the place of the one before.
    'PUT /api/account/password password',
    'PATCH /api/users/7 name password',
    'PUT /me pwd',
    'PUT /customers/7 email password',
    'POST /account/password password',
    'POST /my-account/passwort a',
  ]),
  ...rows(SETS_PASSWORD, SETS_PASSWORD, { json: '{"password":"a"}', ...IN }, [
    'PUT /api/account/password',
    'PATCH /api/customers/7',
  ]),
  // What the account signs in by.
  ...rows(SETS_NAME, SETS_NAME, IN, [
    'POST /account/email email',
    'POST /my-account/change-email.php mail',
    'POST /settings/username value',
    'POST /user/email/update address',
  ]),
  ...rows(SETS_NAME, SETS_NAME, { json: '{"email":"a"}', ...IN }, ['PUT /v1/people/frida/email', 'PATCH /me/email']),
  ...rows('send', 'send', IN, ['GET /account/email', 'GET /users/7/email']),
  // What is told to an address, or the whole of a profile.
  ...rows(BY_METHOD, 'bounded', { json: '{"name":"a","email":"b"}', ...IN }, [
    'PUT /api/account',
    'PUT /orders/7/email',
  ]),
  ...rows('send', 'send', IN, ['GET /account/password', 'GET /account/password?lang=de']),
  ...rows('send', 'send', IN, [
    'GET /change-password',
    'GET /change-password?lang=de&returnUrl=/me',
    'GET /help/change-password?v=2',
    'GET /how-to-change-password?v=2',
    'GET /change-password-of-the-month?v=2',
  ]),
  ...rows('send', 'send', {}, ['GET /api/user/change-password?current=&new=1&repeat=1']),
  // Reset with nothing but an account, it is the password of that one; else the application.
  ...rows(CHANGES_STATE, 'bounded', {}, [
    'POST /partner/reset email:email',
    'POST /api/reset user_name csrf_token:hidden=x',
    // Of whoever asks alone: how a page stands.
    'POST /layout/restore state',
    'POST /service/state/restore state',
    'POST /view/reset',
    'POST /prefs/v1/restore state',
    'POST /cart/restore items',
  ]),
  ...rows(CONFIGURES, CONFIGURES, {}, [
    'POST /reset',
    'POST /reset confirm:hidden=yes',
    'POST /application/state/restore',
    'POST /backup/restore file',
    'POST /api/v1/restore',
    'POST /users/v1/reset',
    'POST /system/v1/restore file',
    'POST /lab/reset email:email keep:hidden=no',
  ]),
  // A script's own GET that bids something to be kept, with what somebody has written.
  ...rows(STORES, 'send', {}, [
    'GET /Helpers/AddTimeWorked?id=3&seconds=3&comment=test',
    'GET /tickets/addComment?id=3&comment=test',
    'GET /tickets/add-note.php?id=3&note=call',
    'GET /ajax/postReply?topic=3&text=hello',
    'GET /guestbook/add?text=hello',
  ]),
  ...rows('send', 'send', {}, [
    'GET /tickets/addComment?id=3',
    'GET /tickets/add?comment=3',
    'GET /guestbook/add?text=',
    'GET /post?comment=first',
    'GET /edit?message=saved',
    'GET /comments?text=hello',
    'GET /search/notes?note=hello',
    'GET /address-book?note=hello',
  ]),
]
