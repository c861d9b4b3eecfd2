/** Rows of the truth table about accounts: what they may do, and how they get a new password. */
import { CHANGES_STATE, CONFIGURES, DELETES, DELETES_ACCOUNTS, ENDS_SESSION, PAYS } from './deeds.ts'
import { SETS_NAME, SETS_PASSWORD } from './form-effect.ts'
import { OTHER_LANGUAGE } from './language.ts'
import { type Row, rows } from './policy.table.ts'
import { BY_METHOD } from './policy.ts'
import { SETS_RIGHTS } from './rights.ts'
import { ACCOUNT, CHANGES, STORES } from './storing.ts'

const IN = { signedIn: true } as const

const MAIL = { ...IN, account: 'ada@shop.test' } as const

const mutation = (production: string, test: string, text: string): readonly Row[] =>
  rows(production, test, { json: JSON.stringify({ query: `mutation ${text}`, variables: {} }), ...IN }, [
    'POST /graphql',
  ])

export const ACCOUNTS: readonly Row[] = [
  // A script of the page writes down which control was used.
  ...rows(ENDS_SESSION, ENDS_SESSION, IN, [
    'POST /list.aspx __EVENTTARGET=ctl00$lnkSignOut __EVENTARGUMENT',
    'POST /list.aspx __EVENTTARGET:submit=ctl00$Login1$LoginStatus1$ctl00 q',
  ]),
  ...rows(SETS_PASSWORD, SETS_PASSWORD, IN, [
    'POST /profile.aspx ctl00$Main$txtNewPassword:password ctl00$Main$txtPhone',
  ]),
  // What a button deletes are the records that its page is called after.
  ...rows(DELETES_ACCOUNTS, DELETES_ACCOUNTS, { ...IN, labels: ['Delete'] }, [
    'POST /admin/users.aspx __EVENTTARGET:submit=ctl00$Main$rows __EVENTARGUMENT:submit=Delete$2',
    'POST /admin/users delete:submit=3',
  ]),
  ...rows(DELETES, 'bounded', { ...IN, labels: ['Delete'] }, [
    'POST /claims/list.aspx __EVENTTARGET:submit=ctl00$Main$rows __EVENTARGUMENT:submit=Delete$2',
    'POST /account/notes delete:submit=3',
  ]),
  ...rows('once', 'bounded', { ...IN, labels: ['2'] }, [
    'POST /claims/list.aspx __EVENTTARGET:submit=ctl00$Main$rows __EVENTARGUMENT:submit=Page$2',
  ]),
  // What other accounts may do, and nothing else.
  ...rows(SETS_RIGHTS, SETS_RIGHTS, IN, [
    'POST /members.php id:hidden=3 role:select-one=member save:submit=Set',
    'POST /admin/users.php csrf_token:hidden=a1b2 user_id:hidden=3 is_admin:checkbox=1',
    'POST /team users[]:checkbox=3 new_role:select-one=editor',
    'POST /accounts/3/role role:select-one=reader',
    'POST /accounts/3/role value',
  ]),
  ...rows(SETS_RIGHTS, SETS_RIGHTS, { json: '{"role":"clerk"}', ...IN }, [
    'PUT /api/users/3',
    'POST /api/admin/users/3/role',
  ]),
  ...rows(SETS_RIGHTS, SETS_RIGHTS, { json: '{"userId":3,"permissions":["read"]}', ...IN }, ['POST /api/grants']),
  // Another language than that of the page that names it.
  ...rows(OTHER_LANGUAGE, OTHER_LANGUAGE, { ...IN, told: OTHER_LANGUAGE }, [
    'GET /start?lang=de',
    'GET /?locale=pt-BR',
  ]),
  ...rows('send', 'send', { told: OTHER_LANGUAGE }, ['GET /start?lang=de']),
  ...rows('send', 'send', IN, ['GET /start?lang=en']),
  // Nobody is signed in who could lose them.
  ...rows(SETS_RIGHTS, 'bounded', {}, ['POST /members.php id:hidden=3 role:select-one=member']),
  // A picture of whoever is signed in, however it is brought.
  ...rows(ACCOUNT, 'bounded', IN, ['POST /avatar.php url', 'POST /members/photo src:url']),
  // What one has is given to another by a link as well.
  ...rows(CHANGES, 'send', {}, ['GET /member/give.php?to=ben&credits=5', 'GET /gift?recipient=ben&amount=5']),
  ...rows('send', 'send', {}, ['GET /rates?from=EUR&to=USD&amount=5', 'GET /list?to=2026-05-04', 'GET /bids?amount=5']),
  // An account with more than its rights, accounts of a kind, and what a module of theirs is called.
  ...rows('once', 'bounded', IN, ['POST /people name role:select-one=editor', 'POST /people role:select-one=editor']),
  ...rows(STORES, 'bounded', IN, ['POST /people/new email:email role:select-one=editor']),
  ...rows('send', 'send', IN, ['GET /members.php?id=3&role=member']),
  ...rows(
    'send',
    'send',
    {
      json: '{"query":"query($id:Int,$role:String){user(id:$id,role:$role){name}}","variables":{"id":3,"role":"a"}}',
      ...IN,
    },
    ['POST /graphql'],
  ),
  ...rows(
    SETS_RIGHTS,
    SETS_RIGHTS,
    {
      json: '{"query":"mutation($user:Int,$role:String){setRole(user:$user,role:$role){ok}}","variables":{"user":3,"role":"a"}}',
      ...IN,
    },
    ['POST /graphql'],
  ),
  // A mutation is named by the fields of its root, whatever the operation is called, and by their arguments.
  ...mutation(DELETES_ACCOUNTS, DELETES_ACCOUNTS, 'Leave { deleteAccount { id } }'),
  ...mutation(DELETES_ACCOUNTS, DELETES_ACCOUNTS, '{ gone: deleteUser(id: 3) { id } }'),
  ...mutation(ENDS_SESSION, ENDS_SESSION, 'L @log(as: "x") { logout }'),
  ...mutation(PAYS, PAYS, '{ pay(cart: 3) { id } }'),
  ...mutation(CONFIGURES, CONFIGURES, '{ note(text: "x") { id } resetDatabase }'),
  ...mutation(SETS_PASSWORD, SETS_PASSWORD, 'X($p: String!) { changePassword(input: {password: $p}) { ok } }'),
  ...mutation(SETS_PASSWORD, SETS_PASSWORD, '{ save(password: "x", newPassword: "y") { ok } }'),
  ...mutation(CHANGES, 'bounded', 'A { addNote(text: "delete account") { ...deleteAccount deleteAccount } }'),
  ...mutation(CHANGES, 'bounded', '{ login(email: "a", password: "b") { token } }'),
  ...rows(CHANGES, 'bounded', { seen: 'reads', ...IN, json: '{"query":"mutation { rename(to: \\"a\\") { id } }"}' }, [
    'POST /graphql',
  ]),
  // A profile that a script or a page has sent: nothing tells the types of its fields.
  ...rows(SETS_PASSWORD, SETS_PASSWORD, IN, [
    'POST /panel/profile.php token from checkuser_id nickname email description pass1 pass2 action user_id',
    'POST /users/edit user_id name email password password_confirmation',
    'POST /account name email password password2',
    'POST /settings.php email passwd passwd_again',
    'POST /api/profile/save email password confirm_password',
    'POST /ajax.php action=update_profile name email password',
  ]),
  ...rows(SETS_PASSWORD, SETS_PASSWORD, { json: '{"method":"user.update","params":{"id":3,"password":"a"}}', ...IN }, [
    'POST /rpc',
  ]),
  ...mutation(SETS_PASSWORD, SETS_PASSWORD, '{ updateMe(input: {name: "x", password: "y"}) { id } }'),
  ...mutation(CHANGES, 'bounded', '{ createUser(input: {name: "x", password: "y"}) { id } }'),
  // One's own profile, with another name in the place of the one that the run signs in by.
  ...rows(SETS_NAME, SETS_NAME, { ...MAIL, json: '{"name":"x","email":"test@example.org"}' }, [
    'PUT /api/me',
    'POST /api/account/update',
  ]),
  ...rows(SETS_NAME, SETS_NAME, { ...IN, account: 'ada' }, ['PATCH /profile username']),
  ...rows(BY_METHOD, 'bounded', { ...MAIL, json: '{"name":"x","email":"Ada@shop.test"}' }, ['PUT /api/me']),
  ...rows(BY_METHOD, 'bounded', { ...IN, account: 'ada', json: '{"email":"test@example.org"}' }, ['PUT /api/me']),
  ...rows(BY_METHOD, 'bounded', { ...MAIL, json: '{"email":"test@example.org"}' }, ['PUT /api/orders/7']),
  ...rows('send', 'send', MAIL, ['GET /profile?email=test@example.org']),
  // Another account that is made, and one's own where nobody is signed in.
  ...rows(STORES, 'bounded', IN, ['POST /panel/new-person.php login email pass1 pass2']),
  ...rows('once', 'bounded', {}, ['POST /account name email password password2']),
  // The password of another, who can sign in no more.
  ...rows(SETS_PASSWORD, SETS_PASSWORD, IN, [
    'GET /panel/users.php?action=resetpassword&users=2&nonce=a1b2',
    'GET /admin/users/3/reset-password',
    'POST /users/3/password/reset',
    'POST /api/members/7c9e6679-7425-40de-944b-e07fc1f90ae7/resetPassword',
    'POST /staff/list do:hidden=send_password_reset ids[]:checkbox=3',
  ]),
  ...rows('send', 'send', IN, ['GET /help/reset-password', 'GET /posts/3', 'GET /threads/12?q=reset+password']),
  ...rows(CHANGES_STATE, 'bounded', IN, ['POST /reset-password email']),
  ...rows(CHANGES_STATE, 'bounded', {}, ['POST /users/3/reset-password']),
  // The page of a forgotten password, by what shows it, and what asks for a new one.
  ...rows('send', 'send', {}, [
    'GET /index.php?page=reset',
    'GET /index.php?option=com_users&view=reset',
    'GET /?lang=de&page=reset',
  ]),
  ...rows(CHANGES_STATE, 'bounded', {}, ['POST /index.php?page=reset email:email csrf:hidden=x']),
  ...rows(CONFIGURES, CONFIGURES, {}, [
    'GET /index.php?action=reset',
    'GET /admin/index.php?page=reset',
    'GET /index.php?page=reset&id=3',
    'GET /index.php?page=reset&table=users',
    'GET /database.php?page=reset',
    'POST /index.php?page=reset',
    'POST /index.php?page=reset go:submit=Go',
  ]),
]
