import { expect, test } from 'vitest'
import type { CollectContext } from '../../module.ts'
import { caseAnswer } from '../../testing/answers.ts'
import { caseCrawl, caseRequest } from '../crawl/testing/crawl-facts.ts'
import { readAnswer } from './answers.ts'
import { linkedOperations } from './linked.ts'
import { linkedForms } from './linked-forms.ts'
import { operationsOf } from './operations.ts'
import type { Party } from './parties.ts'

const { operations } = operationsOf(
  caseCrawl({
    requests: ['/', '/orders?id=1'].map((path) => caseRequest({ id: path, url: `https://shop.test${path}` })),
  }),
)
/** As the start page is shown to them. */
const party = (name: string, body: string): Party => {
  const first = readAnswer(caseAnswer({ path: '/', body }))
  const own = new Map(
    operations.slice(0, 1).map((one) => [one, { request: { url: one.template.url }, values: new Map(), first }]),
  )
  return { name, own } as unknown as Party
}
const LINKS = `<h1>Start, for ida</h1><a href="/orders?id=7">One</a><a href="/admin/users.php">Users</a><a href="/admin/users.php#top">Top</a>
  <a href="/logout">Sign out</a><a href="/admin/users/new">New</a><a href="/items/3/delete">Delete</a><a href="/site.css">Style</a>
  <a href="https://other.test/admin">Elsewhere</a>`

test('what another is shown the way to, and would do no harm, is asked as all', () => {
  const found = linkedOperations([party('first', '<h1>Start, for tom</h1>'), party('other', LINKS)], operations, 'test')
  expect(found.map(({ name, reads }) => [name, reads])).toEqual([['GET /admin/users.php', true]])
})

test('what the first is shown the crawl has seen', () => {
  expect(linkedOperations([party('first', LINKS)], operations, 'test')).toEqual([])
})

test('what leads on from there is found when that was asked', () => {
  const [users] = linkedOperations([party('first', ''), party('other', LINKS)], operations, 'test')
  if (users === undefined) throw new Error('the first step finds it')
  const first = readAnswer(
    caseAnswer({ path: '/admin/users.php', body: '<h1>Users</h1><a href="/admin/export.csv">Export</a>' }),
  )
  const other = {
    name: 'other',
    own: new Map([[users, { request: { url: users.template.url }, values: new Map(), first }]]),
  }
  const found = linkedOperations([party('first', ''), other as unknown as Party], [...operations, users], 'test')
  expect(found.map(({ name }) => name)).toEqual(['GET /admin/export.csv'])
})

test('records of a list that the first is shown as well are for all', () => {
  const list = Array.from({ length: 9 }, (_, at) => `<a href="/plots/${at}">Plot</a>`).join('')
  const found = linkedOperations(
    [party('first', list), party('other', `${list}<a href="/plots/2/lease">Mine</a>`)],
    operations,
    'test',
  )
  expect(found.map(({ template }) => template.url)).toEqual(['https://shop.test/plots/2/lease'])
})

test('what lies behind a page for another is asked, though the first was shown that page as well', () => {
  const [users] = linkedOperations([party('first', ''), party('other', LINKS)], operations, 'test')
  if (users === undefined) throw new Error('the first step finds it')
  const list = Array.from({ length: 9 }, (_, at) => `<a href="/admin/users/${at + 1}">One</a>`).join('')
  const first = readAnswer(
    caseAnswer({ path: '/admin/users.php', body: `<h1>Users</h1><a href="/admin/log.php">Log</a>${list}` }),
  )
  const shown = (name: string) =>
    ({
      name,
      own: new Map([[users, { request: { url: users.template.url }, values: new Map(), first }]]),
    }) as unknown as Party
  const found = linkedOperations([shown('first'), shown('other')], [...operations, users], 'test')
  expect(found.map(({ template }) => new URL(template.url).pathname)).toEqual([
    ...['/admin/log.php', '/admin/users/1', '/admin/users/2'],
  ])
})

test('a form that the first is shown as well is known, though it only reads', () => {
  const form = '<form method=post action="/find"><input name=q><input type=submit value=Find></form>'
  const other = '<form method=post action="/team"><input name=note><input type=submit value=Find></form>'
  const known = operationsOf(
    caseCrawl({
      requests: [
        caseRequest({
          ...{ id: 'find', method: 'POST', url: 'https://shop.test/find', encoding: 'urlencoded', effect: 'reads' },
          fields: [{ name: 'q', value: 'x', type: 'text' }],
        }),
      ],
    }),
  ).operations
  const ctx = {
    target: { environment: 'test' },
    egress: { excludes: () => false },
    options: {},
    scope: { of: () => ({}) },
  }
  const forms = linkedForms(
    ctx as unknown as CollectContext,
    [party('first', form), party('other', `<h1>Start, for ida</h1>${form}${other}`)],
    [...operations, ...known],
    () => [],
  )
  expect(forms.map(({ name }) => name)).toEqual(['POST /team'])
})
