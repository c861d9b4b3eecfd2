import { expect, it } from 'vitest'
import { readHtml } from '../../../page/html.ts'
import { draftsOfElements } from './asking-elements.ts'

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
