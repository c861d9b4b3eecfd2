import { expect, test } from 'vitest'
import { createLinkedValues } from '../../../page/linked-values.ts'
import { caseCrawl, caseRequest } from '../crawl/testing/crawl-facts.ts'
import { operationsOf } from './operations.ts'
import { linksIn } from './parties.ts'

/** As the crawl lists an address whose parameters `page` and `action` choose what answers. */
const routed = (query: string, shape: string, change = {}) =>
  caseRequest({
    ...{ id: query, url: `https://club.test/index.php?${query}`, shape: `https://club.test/index.php?${shape}` },
    ...change,
  })

const READ = routed('page=letters&action=read&id=7', 'action=read&id&page=letters')
const LIST = routed('page=notes', 'page=notes')

test('what chooses the part of a program names an operation as a path would', () => {
  const { operations } = operationsOf(caseCrawl({ requests: [READ, LIST] }))
  expect(operations.map(({ name, area, thing, words }) => ({ name, area, thing, words }))).toEqual([
    {
      name: 'GET /index.php?action=read&id&page=letters',
      ...{ area: 'letters', thing: 'read', words: ['letters', 'read'] },
    },
    { name: 'GET /index.php?page=notes', area: 'notes', thing: 'notes', words: ['notes'] },
  ])
  expect(operations[0]?.slots).toEqual([{ place: 'query', at: 'id', name: 'id', of: 'letters read', value: '7' }])
})

test('a number of one part is none of another', () => {
  const { routed: known } = operationsOf(caseCrawl({ requests: [READ, LIST] }))
  const values = createLinkedValues()
  const page = '<a href="?page=letters&amp;action=read&amp;id=7">A letter</a><a href="?page=notes&amp;id=9">A note</a>'
  for (const [address, text] of linksIn(page, 'https://club.test/index.php', known)) values.saw(address, text)
  expect(values.all('id', 'letters read')).toEqual(['7'])
  expect(values.all('id', 'notes')).toEqual(['9'])
})

test('a token against forged requests names nothing', () => {
  const token = 'sectok=bc741d7fb7c0c39f04b834f31bf927b1'
  const link = routed(`page=files&image=logo.png&${token}`, 'image&page=files&sectok')
  expect(operationsOf(caseCrawl({ requests: [link] })).operations[0]?.slots).toEqual([])
})

test('in a program of its own it is what it was', () => {
  const shop = caseRequest({
    url: 'https://shop.test/orders?view=short&id=3',
    shape: 'https://shop.test/orders?id&view=short',
  })
  const [one] = operationsOf(caseCrawl({ requests: [shop] })).operations
  expect(one).toMatchObject({ name: 'GET /orders?id&view', area: 'orders', thing: 'orders' })
})

test('a form holds what it is about in a field that nobody sees', () => {
  const form = routed('page=drafts&action=keep', 'action=keep&page=drafts', {
    ...{ method: 'POST', encoding: 'urlencoded', effect: 'writes' },
    fields: [
      { name: 'id', value: '4', type: 'hidden' },
      { name: 'k', value: 'a8f3c2d19b7e6f50', type: 'hidden' },
      { name: 'number', value: '12', type: 'text' },
    ],
  })
  const [one] = operationsOf(caseCrawl({ requests: [form] })).operations
  expect(one?.slots.map(({ place, at, value }) => [place, at, value])).toEqual([['form', 'id', '4']])
})
