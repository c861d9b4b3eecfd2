import { expect, it } from 'vitest'
import { areEqual } from './reads.ts'

const config = (members: string) => `<script>\napp.user = {${members}};\n</script><p>Orders`

it.each([
  ['members of an object in another order', config('"id":7,"name":"Ada, B."'), config('"name":"Ada, B.","id":7')],
  ['a measured time without a unit', '<p>Time to display: 0.084146 -', '<p>Time to display: 0.102813 -'],
  ['a token in a hidden field', '<input type="hidden" value="x1" name=a>', '<input type="hidden" value="y2" name=a>'],
  ['a token before the type of its field', "<input value='x1' type=hidden>", "<input value='y2' type=hidden>"],
  ['a nonce', '<script nonce="3q2-7wAB3q2-7wAB">', '<script nonce="9x1-8zCD9x1-8zCD">'],
  ['a page that says in how long it was made', '<p>Page generated in 0.0841', '<p>Page generated in 0.1028'],
])('equal: %s', (_name, before, after) => {
  expect(areEqual(before, after)).toBe(true)
})

it.each([
  ['another value of a member', config('"id":7,"name":"Ada"'), config('"name":"Ada","id":8')],
  ['what people type', '<input type=text value=x1>', '<input type=text value=y2>'],
  ['a long word', '<p>abcdefghijklmnopq', '<p>abcdefghijklmnopr'],
  ['a list in another order', config('"ids":[7,8]'), config('"ids":[8,7]')],
  ['rows in another order', '<li>{"id":7}\n<li>{"id":8}', '<li>{"id":8}\n<li>{"id":7}'],
  ['hours that were written down', '<td>Spent time: 1.50', '<td>Spent time: 2.50'],
  ['a price', '<td>Shown in 12.5000', '<td>Shown in 13.5000'],
])('not equal: %s', (_name, before, after) => {
  expect(areEqual(before, after)).toBe(false)
})

it.each([
  ['one long word', 'a'.repeat(400_000)],
  ['tags that do not end', '<input '.repeat(70_000)],
  ['one tag of many names', `<input ${'type=hidden '.repeat(40_000)}`],
])('a page of nothing but %s takes no time', (_name, page) => {
  expect(areEqual(page, `${page}.`)).toBe(false)
})
