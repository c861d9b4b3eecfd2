import { expect, test } from 'vitest'
import { createLinkedValues } from '../../../page/linked-values.ts'
import type { CollectContext } from '../../module.ts'
import { caseAnswer } from '../../testing/answers.ts'
import { caseRequest } from '../crawl/testing/crawl-facts.ts'
import { readAnswer } from './answers.ts'
import { type Operation, operationOf, type Slot } from './operations.ts'
import { linksIn, pagesOfAsked, partiesOf } from './parties.ts'

const shown = (html: string) => {
  const values = createLinkedValues()
  for (const [address, text] of linksIn(html, 'https://shop.test/app/start')) values.saw(address, text)
  return values
}

test.each([
  ['in the query of a page', '<a href="/orders.php?ref=1001&amp;tab=2">An order</a>', 'ref', 'orders.php', '1001'],
  ['in a query that is meant from the page', "<a href='letter?id=MQ=='>A letter</a>", 'id', 'letter', 'MQ=='],
  ['behind a folder', '<a href="/api/orders/5101/print">Print</a>', 'id', 'orders', '5101'],
  ['without quotes', '<li><a href=/claims/C-2001>C-2001</a>', 'id', 'claims', 'C-2001'],
  [
    'without quotes, behind other attributes',
    '<a class=row href=/claims?ref=17 id=a>A claim</a>',
    'ref',
    'claims',
    '17',
  ],
  ['behind a folder, from the page', '<a href="../notes/n-7">A note</a>', 'id', 'notes', 'n-7'],
])('a link names an object %s', (_where, html, name, of, value) => {
  expect(shown(html).all(name, of)).toEqual([value])
})

test('a form names what it offers to be chosen, to whoever is shown it', () => {
  const form =
    '<form action=/tickets><select name=Owner><option value=31>Ada<option value=45>Ben</select><input name=Queue value=7>'
  const ctx = { identities: [{ name: 'ben', role: 'agent', as: null }], egress: {} } as unknown as CollectContext
  const [ben] = partiesOf(ctx).identities
  ben?.learn({} as Operation, readAnswer(caseAnswer({ path: '/desk', type: 'text/html', body: form })))
  const slot = (name: string): Slot => ({ place: 'form', at: name, name, of: null, value: '31' })
  expect(ben?.objects(slot('Owner'))).toEqual(['31', '45'])
  expect(ben?.objects(slot('Queue'))).toEqual([])
})

test('of another site names nothing', () => {
  expect(linksIn('<a href="https://other.test/orders?id=7">An order</a>', 'https://shop.test/')).toEqual([])
})

test.each<[string, string, string, string, readonly string[]]>([
  ['below it', '/notes/3', '/notes/7', '/notes/3/edit', ['/notes/7/edit', '/notes/7']],
  ['at it', '/notes/3/edit', '/notes/7/edit', '/notes/3/edit', ['/notes/7/edit']],
  ['nowhere else for the same object', '/notes/3', '/notes/3', '/notes/3/edit', []],
  ['where a visit does no harm', '/notes/3/delete', '/notes/7/delete', '/notes', []],
])('the token for an object stands %s', (_where, url, asked, page, expected) => {
  const at = (path: string): string => `https://shop.test${path}`
  expect(pagesOfAsked({ url: at(asked) }, { url: at(url), seenOn: [at(page)] })).toEqual(expected.map(at))
})

test.each<[string, string, boolean]>([
  ['the same page with a parameter more says nothing else', 'https://shop.test/admin/payments?since=2026-01-01', false],
  ['another page does', 'https://shop.test/admin/people', true],
])('what is shown is known by what else shows it: %s', (_name, beside, isKnown) => {
  const ctx = { identities: [{ name: 'ben', role: 'agent', as: null }], egress: {} } as unknown as CollectContext
  const [ben] = partiesOf(ctx).identities
  const of = (url: string) => operationOf(caseRequest({ method: 'GET', url, sent: true }), 'test')
  const payments = of('https://shop.test/admin/payments')
  const body = '<table><tr><td>ada.lovelace@shop.test</td></tr></table>'
  for (const one of [payments, of(beside)])
    ben?.learn(one, readAnswer(caseAnswer({ path: '/x', type: 'text/html', body })))
  expect(ben?.knows('ada.lovelace@shop.test', payments)).toBe(isKnown)
})

test('whoever is shown the addresses of others has one of their own to look things up by', () => {
  const ctx = { identities: [{ name: 'ben', role: 'customer', as: null }], egress: {} } as unknown as CollectContext
  const [ben] = partiesOf(ctx).identities
  const list = operationOf(caseRequest({ method: 'GET', url: 'https://shop.test/customers' }), 'test')
  const body = JSON.stringify([{ email: 'ada@post.example' }, { email: 'ben@post.example' }])
  ben?.learn(list, readAnswer(caseAnswer({ path: '/customers', type: 'application/json', body })))
  const slot: Slot = { place: 'query', at: 'email', name: 'email', of: 'orders', value: 'test' }
  expect(ben?.objects(slot)).toEqual(['ada@post.example', 'ben@post.example'])
  ben?.learnOwn([{ url: 'https://shop.test/login', text: '{"user":{"email":"ben@post.example"}}' }])
  expect(ben?.objects(slot)).toEqual(['ben@post.example'])
})
