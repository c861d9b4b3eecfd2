import { describe, expect, it } from 'vitest'
import { caseRequest } from '../modules/attack/crawl/testing/crawl-facts.ts'
import { BEGINS, CHANGES, isAlteration, isStaff, leftAlone, STAFF, withoutToken } from './signed-in.ts'

const post = (url: string, names: readonly string[], types: Readonly<Record<string, string>> = {}) =>
  caseRequest({
    ...{ method: 'POST', url, encoding: 'urlencoded', sent: false },
    fields: names.map((name) => ({ name, value: 'test', type: types[name] ?? 'text' })),
  })

describe('a form of an account', () => {
  it.each([
    ['a comment', post('https://a.test/articles/3/comments', ['text', 'csrf']), null],
    ['a comment in a script of that name', post('https://a.test/wp-comments-post.php', ['comment', 'author']), null],
    ['a note', post('https://a.test/notes', ['q']), null],
    ['a search', post('https://a.test/find', ['q']), null],
    ['a search by its field', post('https://a.test/index', ['keywords']), null],
    ['a GET form that saves', caseRequest({ url: 'https://a.test/me?nick=a', effect: 'writes' }), CHANGES],
    ['a page that opens a record by its parameter', caseRequest({ url: 'https://a.test/x.php?action=create' }), BEGINS],
    ['a GET form', caseRequest({ url: 'https://a.test/profile?tab=settings' }), null],
    [
      'a page that opens an empty post',
      caseRequest({ url: 'https://a.test/wp-admin/post-new.php?post_type=page' }),
      BEGINS,
    ],
    ['a page of news', caseRequest({ url: 'https://a.test/news?page=2' }), null],
    ['a profile', post('https://a.test/profile', ['display_name', 'bio']), CHANGES],
    ['a note that is edited', post('https://a.test/notes/3/edit', ['note']), CHANGES],
    ['settings behind a front controller', post('https://a.test/?do=saveSettings', ['message']), CHANGES],
    ['a hidden action', post('https://a.test/ajax', ['comment', 'update']), CHANGES],
    ['a password', post('https://a.test/messages', ['message', 'secret'], { secret: 'password' }), CHANGES],
    ['a statement', post('https://a.test/index.php?route=/sql', ['sql_query', 'comments']), CHANGES],
    ['anything else', post('https://a.test/things', ['a', 'b']), CHANGES],
    ['a note replaced with PUT', { ...post('https://a.test/notes/3', ['q']), method: 'PUT' }, CHANGES],
  ])('%s', (_name, request, expected) => {
    expect(leftAlone(request, false)).toBe(expected)
  })

  it('what harms anyway keeps its reason', () => {
    expect(leftAlone({ ...post('https://a.test/x', ['q']), harm: 'it deletes' }, true)).toBe('it deletes')
  })

  it('staff write nothing, and look things up', () => {
    expect(leftAlone(post('https://a.test/notes', ['text']), true)).toBe(STAFF)
    expect(leftAlone(post('https://a.test/search', ['q']), true)).toBeNull()
  })
})

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
  ['a read', 'GET', '/api?action=options', '', false],
  ['a GET that deletes', 'GET', '/api/rows/3/delete', '', true],
  ['a GET that switches', 'GET', '/api/flags/beta/activate', '', true],
  ['a page that loads its list by POST', 'POST', '/api/rows', '{"options":{"page":2},"user":7}', false],
  ['a form that asks', 'POST', '/api.php', 'action=query&meta=userinfo', false],
  ['a text that names a deed', 'POST', '/api.php', 'q=action and options', false],
  ['a preference', 'POST', '/api.php', 'format=json&action=options&optionname=seen', true],
  ['by its address', 'POST', '/index.php?route=/config/set', 'key=a', true],
  ['JSON that names a method', 'POST', '/rpc', '{"id":1,"method":"profile.saveSeen"}', true],
  ['a part of a multipart body', 'POST', '/api.php', 'name="action"\r\n\r\noptions\r\n', true],
  ['a mutation', 'POST', '/graphql', '{"query":"mutation { seen }"}', true],
  ['a stray percent sign', 'POST', '/api', 'action=100%&a=1', false],
  ['another method', 'PUT', '/api/rows', '{}', true],
])('a page sends by itself: %s', (_name, method, path, body, expected) => {
  expect(isAlteration(method, `https://a.test${path}`, body)).toBe(expected)
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
