/** Forms of an account against a server that keeps whatever it is sent, and one that keeps what the form has. */
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { collectContext, serveCase } from '../../../testing/collecting.ts'
import type { RequestTemplate } from '../../crawl/facts.ts'
import { caseRequest } from '../../crawl/testing/crawl-facts.ts'
import type { AssignedHit } from '../facts.ts'
import { accountAddresses, formAssignmentWork, isAssignableForm, shownIn } from './form-assignment.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const NAME = { name: 'name', value: 'Ida', type: 'text' }
const FORM: Partial<RequestTemplate> = {
  ...({ method: 'POST', url: 'http://shop.test/account/edit', encoding: 'urlencoded', source: 'form' } as const),
  ...{ body: null, fields: [NAME], seenOn: ['http://shop.test/account'], harm: null },
}

/** `keeps`: which names a form may set. */
const asked = async (
  last: number,
  keeps: (name: string) => boolean,
  page: 'page' | 'interface' = 'page',
  form: Partial<RequestTemplate> = FORM,
) => {
  const record: Record<string, string> = { name: 'Ida', role: 'tenant', isAdmin: 'false' }
  const posts: string[] = []
  const site = await serveCase(last, {
    http: async (request, response) => {
      const sent = await text(request)
      const parts = [...sent.matchAll(/name="(\w+)"\r\n\r\n(.*)\r\n/g)].map(
        ([, name = '', value = '']): [string, string] => [name, value],
      )
      const body = new URLSearchParams(/^--/.test(sent) ? parts : sent)
      if (request.method === 'POST') {
        posts.push(body.toString())
        for (const [name, value] of body) if (keeps(name)) record[name.replace(/^member\[(\w+)\]$/, '$1')] = value
        return void response.writeHead(303, { Location: '/account' }).end()
      }
      if (request.url === '/api/me')
        return void response
          .setHeader('Content-Type', 'application/json')
          .end(JSON.stringify({ name: record.name, isAdmin: record.isAdmin === 'true' }))
      const role = page === 'page' ? `<dt>Role</dt><dd>${record.role}</dd>` : ''
      response.setHeader('Content-Type', 'text/html').end(`<dl><dt>Name</dt><dd>${record.name}</dd>${role}</dl>`)
    },
  })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'api', requests: 100 })
  cleanups.push(close)
  const request = caseRequest(form)
  const me = caseRequest({ method: 'GET', url: 'http://shop.test/api/me', source: 'browser' })
  const hits: AssignedHit[] = []
  const addresses = page === 'page' ? [] : accountAddresses([me, request])
  await formAssignmentWork(ctx, addresses)({ request, operation: null }, (hit) => void hits.push(hit))
  return { names: hits.map(({ name, stays }) => [name, stays]), record, posts }
}

test('a form that is sent in parts is asked as well', async () => {
  const form = { ...FORM, encoding: 'multipart' } as const
  const { names, record, posts } = await asked(80, () => true, 'page', form)
  expect(names).toEqual([['role', true]])
  expect(record.role).toBe('tenant')
  expect(posts.every((body) => body.startsWith('name=Ida&role='))).toBe(true)
  expect((await asked(79, (name) => name === 'name', 'page', form)).names).toEqual([])
  expect(isAssignableForm(caseRequest({ ...form, effect: 'writes' }))).toBe(true)
})

test('what a page shows beside its label is sent along, proven by the page, and set back', async () => {
  const { names, record, posts } = await asked(81, () => true)
  expect(names).toEqual([['role', true]])
  expect(record).toEqual({ name: 'Ida', role: 'tenant', isAdmin: 'false' })
  expect(posts).toHaveLength(2)
})

test('a form whose fields belong to one record is sent the property within it', async () => {
  const fields = [
    { name: 'utf8', value: '1', type: 'hidden' },
    { ...NAME, name: 'member[name]' },
  ]
  const { names, record, posts } = await asked(92, (name) => name.startsWith('member['), 'page', { ...FORM, fields })
  expect(names).toEqual([['role', true]])
  expect(record.role).toBe('tenant')
  expect(posts.every((post) => post.includes('member%5Brole%5D='))).toBe(true)
})

test('what an interface tells of the account, likewise', async () => {
  const { names, record } = await asked(82, () => true, 'interface')
  expect(names).toEqual([['isAdmin', true]])
  expect(record.isAdmin).toBe('false')
})

/** A profile that says what somebody is in words alone. `says`: of what is kept, for its page. */
const worded = async (
  last: number,
  says: (record: Readonly<Record<string, string>>) => string,
  may: (name: string) => boolean,
) => {
  const record: Record<string, string> = { name: 'Ida', role: 'member', rank: '1' }
  const site = await serveCase(last, {
    http: async (request, response) => {
      if (request.method === 'POST') {
        for (const [name, value] of new URLSearchParams(await text(request)))
          if (may(name)) record[name] = name === 'rank' ? String(Number.parseInt(value, 10) || 0) : value
        return void response.writeHead(303, { Location: '/account' }).end()
      }
      response.setHeader('Content-Type', 'text/html').end(`<p>${record.name}</p><p>${says(record)}</p>`)
    },
  })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'api', requests: 100 })
  cleanups.push(close)
  const hits: AssignedHit[] = []
  await formAssignmentWork(ctx, [])({ request: caseRequest(FORM), operation: null }, (hit) => void hits.push(hit))
  return { hits: hits.map(({ name, stays, excerpt }) => [name, stays, excerpt.includes('afterwards')]), record }
}
const SENTENCE = ({ role }: Readonly<Record<string, string>>): string => `You are a ${role}.`
const RANKED = ({ rank }: Readonly<Record<string, string>>): string =>
  `Rank: ${Number(rank) > 4 ? 'Moderator' : 'Member'}`

test('what a sentence says is sent along by the names it may have, and set back', async () => {
  const { hits, record } = await worded(87, SENTENCE, () => true)
  expect(hits).toEqual([['role', true, true]])
  expect(record.role).toBe('member')
})

test('a role that is named in a sentence, likewise', async () => {
  const { hits, record } = await worded(
    93,
    ({ role = 'member' }) => `ida@shop.test, role ${role}`,
    () => true,
  )
  expect(hits).toEqual([['role', true, true]])
  expect(record.role).toBe('member')
})

const CREDIT = ({ credit = '20.00' }: Readonly<Record<string, string>>): string =>
  `ida@shop.test, credit <b>${Number.parseFloat(credit).toFixed(2)}</b>`

test('what a sentence counts is sent along as a number of its kind, and set back', async () => {
  const { hits, record } = await worded(84, CREDIT, () => true)
  expect(hits).toEqual([['credit', true, true]])
  expect(record.credit).toBe('20.00')
})

test('a word that stands for a number is told by two of them, and set back', async () => {
  const { hits, record } = await worded(88, RANKED, () => true)
  expect(hits).toEqual([['rank', true, true]])
  expect(record.rank).toBe('1')
})

test.each([
  ['a sentence', 89, SENTENCE],
  ['a word for a number', 90, RANKED],
  ['a number in a sentence', 93, CREDIT],
] as const)('where the form sets its own alone, %s proves nothing', async (_name, last, says) => {
  const { hits, record } = await worded(last, says, (name) => name === 'name')
  expect([hits, record]).toEqual([[], { name: 'Ida', role: 'member', rank: '1' }])
})

test('where the form sets what it has alone, one request shows that', async () => {
  const { names, posts } = await asked(83, (name) => name === 'name')
  expect([names, posts.length]).toEqual([[], 1])
})

test('what is shown is read from labels, disabled fields and JSON', () => {
  const page =
    '<tr><th>Access level:</th><td> basic </td></tr><input disabled name="credits" value="40"><p><b>Role</b>: clerk</p><label>Role of the day</label><input name=x>'
  expect(shownIn(page, 'u').map(({ name, value }) => `${name} ${value}`)).toEqual([
    'access_level basic',
    'role clerk',
    'credits 40',
  ])
  expect(shownIn('{"user":{"role":"a","age":4}}', 'u').map(({ name, value, type }) => [name, value, type])).toEqual([
    ['role', 'a', 'text'],
    ['age', '4', 'number'],
  ])
})

test('a sign-in, a search and a link are no such forms', () => {
  const form = (change: object): boolean => isAssignableForm(caseRequest({ ...FORM, ...change }))
  expect(form({})).toBe(true)
  expect(form({ effect: 'reads' })).toBe(false)
  expect(form({ source: 'link' })).toBe(false)
  expect(form({ method: 'GET', encoding: 'none', url: 'http://shop.test/search?q=a', fields: [] })).toBe(false)
  const fields = [NAME, { name: 'password', value: '', type: 'password' }]
  expect(form({ url: 'http://shop.test/login', fields })).toBe(false)
})

test('interfaces for programs come before pages of the account', () => {
  const at = (path: string) => caseRequest({ url: `https://shop.test${path}` })
  const found = accountAddresses([
    at('/account'),
    at('/office/profile?tab=1'),
    at('/api/user'),
    at('/who/me'),
    at('/basket'),
  ])
  expect(found.map((url) => new URL(url).pathname)).toEqual(['/api/user', '/who/me', '/account', '/office/profile'])
})
