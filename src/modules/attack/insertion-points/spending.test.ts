/** What the few requests of a form that may write are spent on, on a real site. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, expect, it } from 'vitest'
import type { Field } from '../crawl/facts.ts'
import { caseRequest } from '../crawl/testing/crawl-facts.ts'
import { COMPARED, SPARED } from './facts.ts'
import { isOwnSignInName, isSpared, requestOf } from './inventory.ts'
import type { Plan } from './plan.ts'
import { reachPartOf } from './reach-part.ts'
import { closeProbed, crawlOf, html, pointOf, probed } from './testing/probing.ts'

afterEach(closeProbed)

/** Finds "boom" with its tenth question, as a proof does. */
const late: Plan<string>['probe'] = async (probe, found) => {
  for (const end of 'abcdefghi') await probe.send(`${probe.point.value}${end}`)
  if ((await probe.send(`${probe.point.value}'`)).text.includes('boom')) found('boom')
}

const FIELDS: readonly Field[] = [
  { name: 'authenticity_token', value: 'tok-0123456789abcdef0123', type: 'hidden' },
  { name: 'send', value: 'Send', type: 'submit' },
  { name: 'act', value: 'add', type: 'hidden' },
  { name: 'of', value: '17', type: 'hidden' },
  { name: 'note', value: 'tents', type: 'textarea' },
]

const posted = async (flawed: string) => {
  const counts = new Map<string, number>()
  const request = caseRequest({
    ...{ id: 'form', method: 'POST', url: 'http://shop.test/notes', encoding: 'urlencoded', effect: 'writes' },
    ...{ fields: FIELDS, bound: 40 },
  })
  const points = [
    ...FIELDS.map(({ name, value }) => pointOf('form', 'form', name, value)),
    pointOf('form', 'header', 'User-Agent', 'x'),
  ]
  const crawl = crawlOf(points, { requests: [request] })
  const { facts, hits } = await probed(
    async (request: IncomingMessage, response: ServerResponse) => {
      const body = new URLSearchParams(await text(request))
      const changed = FIELDS.find(({ name, value }) => body.get(name) !== value)?.name ?? 'header'
      counts.set(changed, (counts.get(changed) ?? 0) + 1)
      response.end(html(body.get(flawed)?.includes("'") ? 'boom' : 'fine'))
    },
    crawl,
    null,
    null,
    { groups: false, probe: late },
  )
  return { facts, hits, counts, reach: reachPartOf(facts, crawl).entries }
}

it('what a person fills comes before what the page puts in, and nothing goes to a token', async () => {
  const { hits, counts, facts, reach } = await posted('note')
  expect(hits).toEqual(['form note'])
  expect(counts.get('note')).toBe(10)
  expect(counts.get('authenticity_token')).toBeUndefined()
  expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(40)
  const token = facts.points.find(({ at }) => at.name === 'authenticity_token')
  expect(token?.leftWays).toMatchObject([{ reason: SPARED }])
  expect(reach.find(({ parameter }) => parameter === 'authenticity_token')).toMatchObject({ fate: 'left_out' })
})

it('then what is another each time, before what is always the same and what is pressed', async () => {
  const { hits, counts } = await posted('of')
  expect(hits).toEqual(['form of'])
  expect(counts.get('of')).toBe(10)
  expect(counts.get('send') ?? 0).toBeLessThan(10)
})

it.each([
  ['which page of a program a form is sent to', { place: 'query', name: 'page', value: 'notes' }, true],
  ['whose note it is', { place: 'query', name: 'id', value: '7' }, false],
  ['a short token of a name of its own', { place: 'form', name: 'k', value: '9f3ac81b77de2046', role: 'hidden' }, true],
  ['the cookie that a token is compared with', { place: 'cookie', name: 'csrftoken', value: '9f3ac81b77de2046' }, true],
  ['what a person fills', { place: 'form', name: 'text', value: '9f3ac81b77de2046' }, false],
] as const)('none of the few is spent on %s: %o', (_what, at, spared) => {
  const request = requestOf(
    caseRequest({
      ...{ method: 'POST', url: 'http://shop.test/index.php?page=notes&id=7', encoding: 'urlencoded', bound: 40 },
      shape: 'http://shop.test/index.php?id&page=notes',
    }),
  )
  expect(isSpared({ request, ...at })).toBe(spared)
  expect(isSpared({ request: { ...request, method: 'GET' }, ...at })).toBe(spared && at.place === 'form')
})

it.each([
  ['the address of mail that the run signs in by', { bound: 40 }, 'Ada@shop.test', true],
  ['another one', { bound: 40 }, 'grace@shop.test', false],
  ['where nothing is written', {}, 'ada@shop.test', false],
])('the place of its own account keeps its value: %s', (_what, change, value, expected) => {
  const request = requestOf(
    caseRequest({
      ...{ id: 'me', method: 'PUT', url: 'http://shop.test/me', encoding: 'json', body: `{"mail":"${value}"}` },
      ...change,
    }),
  )
  const point = { request, place: 'json', name: '/mail', value } as const
  expect(isOwnSignInName(point, 'ada@shop.test')).toBe(expected)
  expect(isOwnSignInName(point, undefined)).toBe(false)
})

it.each<[string, (token: string) => readonly [status: number, page: string], number, string | null]>([
  ['refused, whatever it is', () => [403, html('Wrong token')], 3, COMPARED],
  [
    'looked up',
    (token: string) => [403, html(token.includes("'") ? `${'boom '.repeat(9)}<i></i>` : 'No such token')],
    10,
    null,
  ],
  ['not looked at', () => [200, html('fine')], 10, null],
])('a token of a form that reads: another one is %s', async (_what, answer, least, left) => {
  let asked = 0
  const fields = FIELDS.filter(({ name }) => name === 'authenticity_token' || name === 'note')
  const request = caseRequest({
    ...{ id: 'form', method: 'POST', url: 'http://shop.test/find', encoding: 'urlencoded', effect: 'reads', fields },
  })
  const [token = ''] = fields.map(({ value }) => value)
  const crawl = crawlOf([pointOf('form', 'form', 'authenticity_token', token)], { requests: [request] })
  const { facts } = await probed(
    async (request: IncomingMessage, response: ServerResponse) => {
      const sent = new URLSearchParams(await text(request)).get('authenticity_token') ?? ''
      if (sent !== token) asked += 1
      const [status, page] = sent === token ? [200, html('fine')] : answer(sent)
      response.writeHead(status, { 'Content-Type': 'text/html' }).end(page)
    },
    crawl,
    null,
    null,
    { groups: false, probe: late },
  )
  if (left === null) expect(asked).toBeGreaterThanOrEqual(least)
  else expect(asked).toBeLessThanOrEqual(least)
  expect(reachPartOf(facts, crawl).entries.map(({ reason }) => reason)).toEqual([left])
})

it('a cookie that is compared with the token of a form is asked by itself, so that the others are heard', async () => {
  const token = 'tok-0123456789abcdef0123'
  const forms = ['a', 'b', 'c', 'd']
  const requests = forms.map((id) =>
    caseRequest({
      ...{ id, method: 'POST', url: `http://shop.test/${id}`, encoding: 'urlencoded', effect: 'reads' },
      fields: [{ name: 'note', value: 'tents', type: 'text' }],
    }),
  )
  const cookies = forms.flatMap((id) => [
    pointOf(id, 'cookie', 'csrftoken', token),
    pointOf(id, 'cookie', 'theme', 'light'),
    pointOf(id, 'cookie', 'lang', 'en'),
  ])
  let refused = 0
  const { hits, facts } = await probed(
    (request: IncomingMessage, response: ServerResponse) => {
      const cookie = request.headers.cookie ?? ''
      const isRefused = /csrftoken=(?!tok-0123456789abcdef0123(?:;|$))/.test(cookie)
      if (isRefused) refused += 1
      const page = /theme=[^;]*(?:'|%27)/.test(cookie) ? 'boom' : 'fine'
      response.writeHead(isRefused ? 403 : 200, { 'Content-Type': 'text/html' }).end(html(isRefused ? 'No.' : page))
    },
    crawlOf(cookies, { requests }),
    null,
    null,
    { groups: true, probe: late },
  )
  expect(hits.toSorted()).toEqual(forms.map(() => 'cookie theme'))
  expect(refused).toBeLessThanOrEqual(3 * forms.length)
  const tokens = facts.points.filter(({ at }) => at.name === 'csrftoken')
  expect(tokens.map(({ leftWays }) => leftWays?.map(({ reason }) => reason))).toEqual(forms.map(() => [COMPARED]))
})
