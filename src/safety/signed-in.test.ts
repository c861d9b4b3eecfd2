import { expect, it } from 'vitest'
import { isStaff, withoutToken } from './signed-in.ts'

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
  ['a nonce', 'https://a.test/e.php?action=trash&post=3&_wpnonce=0a1b', 'https://a.test/e.php?action=trash&post=3'],
  ['a token by its name', 'https://a.test/x?csrf_token=1&q=2', 'https://a.test/x?q=2'],
  ['the only parameter', 'https://a.test/x?sectok=1', 'https://a.test/x'],
  ['a session in every link stays', 'https://a.test/x?user_token=1', 'https://a.test/x?user_token=1'],
  ['no address', 'a b', 'a b'],
])('a link without its token: %s', (_name, address, expected) => {
  expect(withoutToken(address)).toBe(expected)
})
