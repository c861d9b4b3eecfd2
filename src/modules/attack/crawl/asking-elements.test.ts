import { expect, it } from 'vitest'
import { readHtml } from '../../../page/html.ts'
import { draftsOfElements } from './asking-elements.ts'
import { readPage } from './pages.ts'

const PAGE = 'https://shop.test/goods/list'
const draftsOf = (markup: string) => draftsOfElements(readHtml(markup, PAGE), PAGE)

it.each([
  ['an input asks with what stands in it', '<input name=q value=lamp hx-get="/goods/find">', 'GET /goods/find?q=lamp'],
  ['one of a form as well', '<form><input name=q value=lamp data-hx-get="find"></form>', 'GET /goods/find?q=lamp'],
  ['a row is loaded', '<table><tr hx-get="/goods/7/row"><td>Lamp</td></tr></table>', 'GET /goods/7/row'],
  [
    'a button posts what stands beside',
    `<button hx-post="/goods/7/like" hx-vals='{"by": 3}'>Like</button>`,
    'POST /goods/7/like by=3',
  ],
  ['an element alters', '<div hx-put="/goods/7" hx-vals="js:{a: 1}">On</div>', 'PUT /goods/7'],
  ['nothing is asked of another site', '<div hx-get="https://other.test/x">x</div>', ''],
  ['a form is one of its own', '<form hx-post="/goods"><input name=name></form>', ''],
  [
    'a button posts the form around it',
    '<form><textarea name=body>Hi</textarea><button type=button hx-post="/mail/preview">Look</button></form>',
    'POST /mail/preview body=Hi',
  ],
  [
    'and what it includes by its id',
    '<p id=who><input name=to value=Ada></p><form><input name=body value=Hi><button type=button hx-post="/mail" hx-include="#who">Look</button></form>',
    'POST /mail body=Hi to=Ada',
  ],
  [
    'an input that asks includes others by their name',
    '<select name=city><option>Ulm</select><input name=q value=a hx-get="/rows" hx-include="[name=city]">',
    'GET /rows?q=a&city=Ulm',
  ],
  [
    'what is around it says is included is its own',
    '<table hx-include="closest tr"><tr><td><input name=qty value=2><td><a hx-put="/rows/7">Set</a></tr><tr><td><input name=qty value=9></tr></table>',
    'PUT /rows/7 qty=2',
  ],
  ['this is what says so', `<div hx-include="this"><input name=q value=a><b hx-post="/x">Go</b></div>`, 'POST /x q=a'],
  [
    'what stands around it says more, and the nearer holds',
    `<div hx-vals='{"of": 1, "by": "all"}'><b hx-post="/x" hx-vals='"by": "me"'>Go</b></div>`,
    'POST /x by=me of=1',
  ],
  [
    'nothing that is not handed down',
    `<div hx-vals='{"of": 1}'><p hx-vals='{"a": 1}' hx-disinherit="hx-vals"><b hx-post="/x">Go</b></p></div>`,
    'POST /x',
  ],
  [
    'those that are named alone',
    '<form hx-params="not b"><input name=a value=1><input name=b value=2><b hx-post="/x">Go</b></form>',
    'POST /x a=1',
  ],
  ['a link that Turbo posts', '<a href="/goods/7/pick" data-turbo-method=put>Pick</a>', 'PUT /goods/7/pick'],
  ['one that Rails posts', '<a href="/goods/7/pick" data-method=patch>Pick</a>', 'POST /goods/7/pick _method=patch'],
])('%s', (_, markup, expected) => {
  const lines = draftsOf(markup).map(({ method, url, fields = [] }) =>
    [method, url.slice('https://shop.test'.length), ...fields.map(({ name, value }) => `${name}=${value}`)].join(' '),
  )
  expect(lines).toEqual(expected === '' ? [] : [expected])
})

it('what its label or a question before it tells of harm holds', () => {
  const harms = (markup: string) => draftsOf(markup).map(({ harm }) => harm)
  expect(harms('<button hx-post="/me/remove">Delete my account</button>')).not.toEqual([null])
  expect(harms('<li hx-post="/goods/7/pick" hx-confirm="Sure?">Pick</li>')).not.toEqual([null])
  expect(harms('<li hx-post="/goods/7/pick">Pick</li>')).toEqual([null])
})

it('is sent as the library sends it, and what may be a secret is kept from all facts', () => {
  const [draft] = draftsOf(
    `<body hx-headers='{"X-CSRF-Token": "a1b2", "X-Area": "stock"}'><form hx-encoding="multipart/form-data"><input name=a value=1><b hx-post="/x">Go</b></form>`,
  )
  expect(draft).toMatchObject({
    encoding: 'multipart',
    headers: [
      ['X-Area', 'stock'],
      ['HX-Request', 'true'],
    ],
    withheld: ['X-CSRF-Token'],
  })
  const [json] = draftsOf('<div hx-ext="json-enc"><form><input name=a value=1><b hx-post="/x">Go</b></form></div>')
  expect(json).toMatchObject({ encoding: 'json', body: '{"a":"1"}' })
})

it('what is sent elsewhere is not sent to the page', () => {
  const markup = '<input name=q hx-get="/rows" hx-include="[name=city]"><input name=city><input name=own>'
  const { forms } = readPage(markup, PAGE)
  expect(forms.map(({ url }) => url.slice(PAGE.length))).toContain('?own=test')
  expect(forms.filter(({ url }) => url.startsWith(PAGE))).toHaveLength(1)
})
