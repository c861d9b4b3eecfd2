import { expect, it } from 'vitest'
import { beginsRecord, createLinkTokens, isStaff } from './signed-in.ts'

it.each([
  ['an administration that answers', 'https://a.test/wp-admin/edit.php', 200, true],
  ['a word with a suffix', 'https://a.test/administrator/', 200, true],
  ['one that sends away', 'https://a.test/admin', 302, false],
  ['a page about it', 'https://a.test/blog/administering-things', 200, false],
  ['none', 'https://a.test/notes', 200, false],
])('staff by its pages: %s', (_name, url, status, expected) => {
  expect(isStaff([{ url, status }])).toBe(expected)
})

it.each([
  ['a form for a new record', '/notes/new', true],
  ['what a parameter says', '/x.php?action=create', true],
  ['the key of an account, made where there is none', '/my/api_key', true],
  ['with an ending', '/my/api-key.json', true],
  ['of its feeds', '/profile/feed_token', true],
  ['of a person', '/me/personal_access_token', true],
  ['a list of keys', '/settings/api_keys', false],
  ['a folder of an interface', '/api/tokens', false],
  ['a page about keys', '/docs/about-api-key', false],
  ['what stands below a key', '/my/api_key/help', false],
])('whether opening it may begin a record: %s', (_name, path, expected) => {
  expect(beginsRecord(`https://a.test${path}`)).toBe(expected)
})

const ONE = '46abf01197cbce240c9089002e4978d1553ab20b'
const OTHER = 'ca45464fcf84ccff59131b57d5c6bdb01590fda1'

it.each([
  ['a nonce', 'https://a.test/e.php?action=trash&post=3&_wpnonce=0a1b', 'https://a.test/e.php?action=trash&post=3'],
  ['a token by its name', 'https://a.test/x?csrf_token=1&q=2', 'https://a.test/x?q=2'],
  ['the only parameter', 'https://a.test/x?sectok=1', 'https://a.test/x'],
  ['a token that is called no more than so', `https://a.test/n/4/publish?token=${ONE}`, 'https://a.test/n/4/publish'],
  ['a key to one post', `https://a.test/r.php?my_post_key=${ONE}&id=4`, 'https://a.test/r.php?id=4'],
  ['a word that is no token', 'https://a.test/x?token=newest', 'https://a.test/x?token=newest'],
  ['where the next page begins', `https://a.test/x?page_token=${ONE}`, `https://a.test/x?page_token=${ONE}`],
  ['the key of a feed', `https://a.test/atom?feed_token=${ONE}`, `https://a.test/atom?feed_token=${ONE}`],
  ['no address', 'a b', 'a b'],
])('a link without its token: %s', (_name, address, expected) => {
  expect(createLinkTokens().without(address)).toBe(expected)
})

it('a session that stands in every link stays, a token of some links does not', () => {
  const tokens = createLinkTokens()
  const pages = ['sales', 'customers', 'reports', 'settings', 'profile']
  tokens.note(pages.map((page) => `https://a.test/x?route=${page}&user_token=${ONE}`))
  const carried = `https://a.test/x?route=extension&user_token=${ONE}`
  expect(tokens.without(carried)).toBe(carried)
  // Many rows, each with a link that changes it, are one kind of link.
  const rows = Array.from({ length: 40 }, (_, row) => `https://a.test/notes/${row}/pin?token=${OTHER}`)
  tokens.note([...pages.map((page) => `https://a.test/${page}`), ...rows])
  expect(tokens.without(`https://a.test/notes/3/pin?token=${OTHER}`)).toBe('https://a.test/notes/3/pin')
})

it('a token that is known by its name goes, however many links have it', () => {
  const tokens = createLinkTokens()
  tokens.note(['a', 'b', 'c', 'd', 'e'].map((page) => `https://a.test/${page}?csrf_token=${ONE}`))
  expect(tokens.without(`https://a.test/a?csrf_token=${ONE}`)).toBe('https://a.test/a')
})
