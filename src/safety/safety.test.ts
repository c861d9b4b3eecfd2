import { expect, it } from 'vitest'
import { harmOf, harmOfAddress, harmOfLink, harmOfNames } from './safety.ts'

it.each([
  ['log out', '/logout'],
  ['log out in camel case', '/api/logOut'],
  ['log out behind a parameter', '/?action=sign-out'],
  ['in German', '/konto/abmelden'],
  ['percent-coded', '/log%6Fut'],
  ['delete', '/users/3/delete'],
  ['delete with a suffix', '/items?do=deleteall'],
  ['remove', '/cart/remove/4'],
  ['put into the cart', '/cart/add?id=1'],
  ['buy', '/buy-now/3'],
  ['place an order', '/checkout/confirm'],
  ['unsubscribe', '/newsletter/unsubscribe?u=1'],
  ['reset', '/settings/reset'],
  ['a deed and its thing in one word', '/createdb'],
  ['in one word, the other way round', '/userdelete?id=3'],
  ['in camel case', '/userDelete/3'],
  ['with an underscore', '/create_db.php'],
  ['numbered', '/delete1'],
  ['shouted', '/DELETE_user'],
  ['setup', '/setup.php'],
  ['install', '/install'],
  ['a setting and its value', '/difficulty/hard'],
  ['a setting and its value, as a parameter', '/x?security=low'],
  ['set and what is set', '/set_level?level=2'],
  ['set and what is set, as segments', '/set/level/3'],
  ['toggle behind the record', '/users/3/toggle'],
  ['a parameter of that name', '/x?toggle=3'],
  ['a state that an edit is told', '/editactive.php?table=alias&id=info%40a.test&active=0'],
  ['a state by its word', '/members/edit?id=3&status=disabled'],
  ['a parameter with its thing', '/x?deleteUser=3'],
  ['a parameter without a value', '/x?logout'],
  ['a parameter that says what is to be done', '/admin.php?do=drop-table'],
  ['a front controller', '/index.php?route=/database/drop'],
  ['a page of that name', '/a?page=logout'],
  ['an overridden method', '/x?_method=DELETE'],
  ['a statement', '/x?sql_query=DROP+TABLE+a'],
  ['a record of a writing', '/articles/delete/3'],
  ['a noun with something it is done to', '/trash/3'],
  ['a special page', '/index.php/Special:UserLogout'],
  ['configure', '/configure'],
  ['a vote', '/poll/vote?id=2'],
  ['a job', '/cron.php'],
  ['one place up', '/rules.php?action=moveup&id=3'],
  ['a thing one place down', '/rules.php?action=item_movedown&id=3'],
  ['a cache that is filled anew', '/device.php?action=repopulate&device_id=3'],
  ['a cache that is filled anew, behind its name', '/tools.php?action=cache_rebuild'],
  ['tables that are put right', '/tables?do=repair&name=orders'],
  ['what an approval is taken back by', '/list-comments.php?ids=3&action=unapprove'],
  ['what comes out of the bin', '/items/3/untrash'],
  ['a branch one place up', '/menu.php?action=branch_up&id=3'],
  ['a favourite, by a parameter of that name', '/list?ajax=1&favorite_table=3&add_favorite=1'],
  ['what is kept for later', '/films/3/add-to-watchlist'],
  ['a draft, in one word', '/page.php?id=3&do=draftdel'],
  ['up, as two words', '/menu/3/move-up'],
  ['a record of a list', '/items/3/move'],
  ['a new order', '/tasks/reorder?ids=2,1'],
  ['money that goes back', '/orders/3/refund'],
  ['what goes back', '/loans/7/return'],
  ['a program of a folder, told how much', '/purchase/tariffs.do?method=list&amount=5'],
  ['a program of a folder, told of what', '/transfer/internal.jsp?account=3'],
  ['the last step of a deed, as a program', '/transfer/confirm.jsp'],
  ['what stands for the folder itself', '/purchase/index.jsp?method=list'],
  ['what is no program', '/purchase/tariffs?method=list'],
])('harmful: %s', (_name, path) => {
  expect(harmOfAddress(`https://shop.test${path}`)).not.toBeNull()
})

it.each([
  ['start', '/'],
  ['cart to look at', '/cart'],
  ['checkout to look at', '/checkout'],
  ['orders to look at', '/orders/12'],
  ['blog about logistics', '/blog/logistics-outlook'],
  ['model that holds a word', '/product/delta-dropper'],
  ['payments help', '/help/payments'],
  ['cancellation terms', '/cancellation-policy'],
  ['a page about a word', '/js-delete'],
  ['a handbook', '/docs/install'],
  ['a page about moving', '/services/moving'],
  ['what a shop repairs', '/services/repair'],
  ['a form to sign up', '/index.php?action=sign_up'],
  ['a list of favourites', '/list?favorites=1'],
  ['drafts', '/page.php?do=drafts'],
  ['a draft', '/drafts/3'],
  ['a title about a move', '/blog/move-your-office-with-us'],
  ['a film', '/films/the-next-move'],
  ['an order of a list', '/items?sort=up&order=name'],
  ['a title in a blog', '/blog/create-your-first-app'],
  ['a title', '/how-to-delete-a-page'],
  ['a search', '/search?q=delete'],
  ['a filter', '/orders?status=cancel'],
  ['what a list is ordered by', '/list?sort=delete'],
  ['where to go on to', '/login?next=/logout'],
  ['an address in a parameter', '/x?cancel_url=/'],
  ['a list of what is in the bin', '/trash'],
  ['a set', '/set/3'],
  ['a film', '/watch?v=abc'],
  ['settings', '/settings'],
  ['a form for a new record', '/users/create'],
  ['a form to edit', '/wp-admin/post.php?post=1&action=edit'],
  ['a list of plugins to install', '/wp-admin/plugin-install.php'],
  ['an export', '/export?format=csv'],
  ['news', '/updates'],
  ['levels of something', '/level/3'],
  ['what was deleted', '/x?deleted=1'],
  ['where money goes back', '/account/refunds'],
  ['one that went back', '/account/return/3'],
  ['what is mended by hand', '/workshop/repair/3'],
  ['what went back', '/account/returns'],
  ['where it leads afterwards', '/login?return=/home'],
  ['a program of a folder that is called after a deed', '/purchase/tariffs.do?method=list&filter=a'],
  ['a program of it with a session in its address', '/purchase/tariffs.do;jsessionid=A1?method=list'],
  ['a page of it, by its type', '/transfer/overview.jsp?type=open&sort=day'],
])('harmless: %s', (_name, path) => {
  expect(harmOfAddress(`https://order.test${path}`)).toBeNull()
})

it('labels count as addresses do', () => {
  expect(harmOf('Delete my account')).toBe('it deletes accounts or databases')
  expect(harmOf('Jetzt kaufen')).toBe('it buys or pays')
  expect(harmOf('Show more')).toBeNull()
})

it.each([
  ['Delete my account', 'it deletes accounts or databases'],
  ['Yes, delete it', 'it deletes'],
  ['Konto löschen', 'it deletes accounts or databases'],
  ['×\nRemove the list', 'it deletes'],
  ['Create / Reset Database', 'it sets up or reconfigures the application'],
  ['Set difficulty: hard', 'it sets up or reconfigures the application'],
  ['Passwort zurücksetzen', 'it changes state for good'],
  ['Seed demo', 'it sets up or reconfigures the application'],
  ['Seed database', 'it sets up or reconfigures the application'],
  ['Turn off', 'it sets or switches something'],
  ['Dismiss the welcome panel', 'it sets or switches something'],
  ['Don’t show again', 'it sets or switches something'],
  ['Log out', 'it ends the session'],
  ['Search', null],
  ['Cancel', null],
  ['Reset filters', null],
  ['Order history', null],
  ['How to delete a branch', null],
  ['Submit', null],
])('a button called %s: %s', (label, reason) => expect(harmOf(label)).toBe(reason))

it.each(['Setup', 'Install plugins', 'Configure', 'Trash', 'Import', 'Edit', 'Watch', 'Set of knives', 'Seed swap'])(
  'a link called %s leads to a page',
  (label) => expect(harmOfLink(label)).toBeNull(),
)

it('what is not to be shown again is kept, by a link as well', () => {
  expect(harmOfLink('Dismiss')).toBe('it sets or switches something')
  expect(harmOfAddress('https://shop.test/admin/notices.php?dismiss=welcome')).toBe('it sets or switches something')
})

it('ids and classes tell the gravest alone', () => {
  expect(harmOfNames('row-3 btn btn-delete')).toBe('it deletes')
  expect(harmOfNames('buy')).toBe('it buys or pays')
  expect(harmOfNames('navbar-toggle reset-zoom')).toBeNull()
})
