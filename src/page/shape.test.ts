import { expect, it } from 'vitest'
import { hashRouteOf, inOneForm, mayShow, shapeOf } from './shape.ts'
import { distance, likeness, simhash } from './similarity.ts'

it.each([
  ['number', '/item/42', '/item/{n}'],
  ['uuid', '/o/0f9a3c52-6b1e-4c7d-9b60-2f54c1a7d001', '/o/{id}'],
  ['hash', '/c/9f86d081884c7d65', '/c/{id}'],
  ['token', '/t/AbCdEf0123456789Gh', '/t/{id}'],
  ['a key in base 32', '/message/NYKK2CBZEH7EUDUDRH2FH5GDWZXPCEDE/', '/message/{id}/'],
  ['a ULID', '/o/01ARZ3NDEKTSV4RRFFQ69G5FAV', '/o/{id}'],
  ['a key in base 36', '/o/clh3am1f30000udocbhqg9x2n', '/o/{id}'],
  [
    'a long name in one case',
    '/HTTP2SERVERSETTINGS/release2024final15/sqlinjection3test',
    '/HTTP2SERVERSETTINGS/release2024final15/sqlinjection3test',
  ],
  ['a mailbox', '/list/ada@lists.shop.test/latest/a%40b.example', '/list/{mailbox}/latest/{mailbox}'],
  ['no mailboxes', '/img/logo@2x.png/@ada/react@18.2.0/a@b', '/img/logo@2x.png/@ada/react@18.2.0/a@b'],
  [
    'a long name with a number',
    '/Reports-By-Region-GET-200Pages/getUser2Settings',
    '/Reports-By-Region-GET-200Pages/getUser2Settings',
  ],
  ['date', '/log/2026-05-04', '/log/{date}'],
  ['number at the end of a word', '/page-12.html', '/page-{n}.html'],
  ['numbers at the end of a word', '/archive-2026-11', '/archive-{n}'],
  ['a title behind a number', '/goods/42-blue-tent.html', '/goods/{n}-{title}.html'],
  ['a route in the query', '/index.php?/goods/42&b=2&a=1', '/index.php?/goods/{n}&a&b'],
  ['words stay', '/about/team', '/about/team'],
  ['a number that is part of a word', '/3d-view/2fa', '/3d-view/2fa'],
  ['a word that is hexadecimal', '/facade', '/facade'],
  ['a slash too many', '/admin//users///list?next=//a', '/admin/users/list?next'],
  ['an address within the path', '/go/https://a.example', '/go/https://a.example'],
  ['values of the query go, names are sorted', '/s?b=2&a=1&b=3', '/s?a&b'],
  ['a moment as a name keeps caches away', '/s?id=start&1795783510', '/s?id&{n}'],
  ['a list is one name, however many it has', '/s?f[0]=a&f[17]=b&r[3][id]=1&r[x]=2', '/s?f[]&r[][id]&r[x]'],
])('shape: %s', (_name, path, expected) => {
  expect(shapeOf(`https://shop.test${path}`)).toBe(`https://shop.test${expected}`)
})

it('alike pages have near hashes, others far ones', () => {
  const calendar = (day: number) =>
    `<h1>Calendar</h1>${'<td>No events on this day of the month</td>'.repeat(30)}<b>${day}</b>`
  const article = `<p>${'Tents are sewn from three layers of coated cloth and tested in the wind. '.repeat(9)}</p>`
  expect(distance(simhash(calendar(1)), simhash(calendar(17)))).toBeLessThanOrEqual(3)
  expect(distance(simhash(calendar(1)), simhash(article))).toBeGreaterThan(10)
  expect(likeness('<p>a b c</p>', '<i>a b c</i>')).toBe(1)
  expect(likeness('', '')).toBe(1)
  expect(likeness('a b', 'c d')).toBe(0)
})

it.each([
  ['https://h.test/#/item/42', '/item/42'],
  ['https://h.test/#!/item', '!/item'],
  ['https://h.test/a#item/42?b=1', 'item/42?b=1'],
  ['https://h.test/a#top', null],
  ['https://h.test/a#:~:text=a/b', null],
  ['https://h.test/a/b', null],
])('the route behind the # of %s', (address, route) => {
  expect(hashRouteOf(address)).toBe(route)
})

it.each([
  ['order', '/a?x=1&y=2', '/a?y=2&x=1', true],
  ['encoding', '/a?q=a%20b%3A', '/a?q=a+b:', true],
  ['slashes', '/a//b?x=1', '/a/b?x=1', true],
  ['a sign that would end the value', '/a?q=1%26y=2', '/a?q=1&y=2', false],
  ['no value', '/a?x', '/a?x=', false],
  ['a name twice', '/a?x=1&x=2', '/a?x=2&x=1', false],
  ['a route', '/?/a/b&x=1', '/?x=1&/a/b', false],
  ['bytes that are no text', '/a?q=%FF', '/a?q=%FE', false],
  ['the path', '/a%20b', '/a+b', false],
])('one address or two: %s', (_, one, other, same) => {
  expect(inOneForm(`https://h.test${one}`) === inOneForm(`https://h.test${other}`)).toBe(same)
})

it.each([
  ['/orders', true],
  ['/orders.json', true],
  ['/openapi/orders', true],
  ['/assets/app.js', false],
  ['/openapi.json', false],
  ['/v3/api-docs', false],
  ['/api/swagger.yaml', false],
])('what is stored may show at %s: %s', (path, may) => {
  expect(mayShow(`https://h.test${path}`)).toBe(may)
})
