import type { Page, Request, Route } from 'playwright-core'
import { expect, it } from 'vitest'
import { type Around, decide, WRITES_PER_FORM } from '../../../../safety/policy.ts'
import { createRequests } from '../requests.ts'
import type { Shared } from './parts.ts'
import { type Gate, judgeRoute } from './requests.ts'

const PAGE = 'https://shop.test/notes'
const AROUND: Around = { environment: 'test', signedIn: false, staff: false, excludes: () => false }

/** Presses a button whose script posts, so many times; what was let through, and what the inventory knows of it. */
const press = async (
  times: number,
  around: Around = AROUND,
  url = 'https://shop.test/api/notes',
  statuses: readonly number[] = [],
  {
    method = 'POST',
    clicked = true,
    body = null as string | null,
    headers = {} as Readonly<Record<string, string>>,
    type = 'fetch',
  } = {},
) => {
  const requests = createRequests(() => around)
  const elsewhere = new Set<string>()
  let asked = 0
  const counts = { let: 0, stopped: 0 }
  const count = (what: keyof typeof counts): void => {
    counts[what] += 1
  }
  const request = {
    ...{ method: () => method, url: () => url, resourceType: () => type },
    ...{
      headers: () => ({ 'content-type': 'application/json', ...headers }),
      postData: () => body ?? `{"kind":"${asked}"}`,
    },
    ...{
      isNavigationRequest: () => false,
      redirectedFrom: () => null,
      response: async () => ({ status: () => statuses[asked++] ?? 400 }),
    },
  } as unknown as Request
  const route = {
    request: () => request,
    abort: async () => count('stopped'),
    fallback: async () => count('let'),
  } as unknown as Route
  const page = { url: () => PAGE } as unknown as Page
  const gate: Gate = { clicked, pending: 0, streams: false, spoke: 0, news: 0, requests: 0, arrivals: 0 }
  const parts = {
    ...{ inScope: ({ host }: URL) => host === 'shop.test', dead: new Set(), passed: new WeakSet(), writes: new Map() },
    decide: (...asked: [Parameters<typeof decide>[0], Parameters<typeof decide>[1]]) => decide(...asked, around),
    request: (draft: Parameters<typeof requests.add>[0]) => void requests.add(draft),
    elsewhere: ({ url: to }: { readonly url: string }) => void elsewhere.add(to),
  } as unknown as Shared
  for (let time = 0; time < times; time += 1) await judgeRoute(route, page, PAGE, gate, parts)
  return { ...counts, template: requests.all()[0], elsewhere: [...elsewhere], underWay: gate.pending }
}

it('a message that a library waits for is nothing under way', async () => {
  const by = { method: 'GET', clicked: false }
  expect((await press(1, AROUND, 'https://shop.test/api/notes?page=2', [200], by)).underWay).toBe(1)
  const polled = 'https://shop.test/socket.io/?EIO=4&transport=polling&t=x1&sid=A'
  expect(await press(1, AROUND, polled, [200], by)).toMatchObject({ let: 1, underWay: 0 })
})

it('what a press may have written is counted with the form, and bounded as its probes are', async () => {
  const { let: passed, stopped, template } = await press(WRITES_PER_FORM + 5)
  expect([passed, stopped]).toEqual([WRITES_PER_FORM, 5])
  expect(template).toMatchObject({ tried: WRITES_PER_FORM, bound: WRITES_PER_FORM })
})

it('on a production system it is stopped, and nothing is counted', async () => {
  const { let: passed, template } = await press(3, { ...AROUND, environment: 'production' })
  expect(passed).toBe(0)
  expect(template).not.toHaveProperty('tried')
})

it.each([
  ['https://shop.test/socket.io/?EIO=4&transport=polling&t=PkQ&sid=9', false],
  ['https://shop.test/echo/123/k3v0x5qa/xhr_send', false],
  ['https://shop.test/api/transport?transport=polling', true],
  ['https://shop.test/orders/123/k3v0x9qa', true],
])('what carries messages for a library is let through, and no request of the site: %s', async (url, noted) => {
  const { let: passed, template } = await press(1, AROUND, url)
  expect(passed).toBe(1)
  expect(template !== undefined).toBe(noted)
})

it('of several it keeps the values that were taken', async () => {
  const { template } = await press(3, AROUND, undefined, [404, 201, 404])
  expect(template).toMatchObject({ body: '{"kind":"1"}', tried: 3 })
})

it('headers that a script has set belong to its request, whatever they are called; what browsers send and secrets do not', async () => {
  const { template } = await press(1, AROUND, PAGE, [], {
    headers: {
      ...{ tenant: 'north', 'x-part': '7', 'api-key': 'f00d', origin: 'https://shop.test', 'user-agent': 'x' },
      ...{ 'sec-fetch-mode': 'cors', accept: '*/*', 'if-none-match': 'W/"1"', 'cache-control': 'no-cache' },
    },
  })
  expect(template?.headers).toEqual([
    ['Content-Type', 'application/json'],
    ['tenant', 'north'],
    ['x-part', '7'],
  ])
})

it.each([
  ['script', '/js/add-to-cart.js', 1],
  ['stylesheet', '/css/subscribe.css', 1],
  ['fetch', '/cart/add', 0],
])('what a page is made of comes from other hosts whatever it is called: %s %s', async (type, path, most) => {
  for (const clicked of [true, false]) {
    const url = `https://cdn.other.test${path}`
    const { let: passed } = await press(1, AROUND, url, [], { method: 'GET', clicked, type })
    expect([clicked, passed]).toEqual([clicked, most])
  }
})

const QUERY = '{"query":"query { dishes { name } }"}'
it.each([
  ['POST', '/v1/orders', null, true, 0],
  ['DELETE', '/v1/orders/7', null, true, 0],
  ['PUT', '/v1/children/3', null, true, 0],
  ['DELETE', '/v1/orders/7', null, false, 0],
  ['GET', '/v1/orders/7/cancel', null, true, 0],
  ['GET', '/v1/orders', null, true, 1],
  ['POST', '/graphql', QUERY, true, 1],
  ['POST', '/v1/session', null, false, 1],
] as const)(
  'another host is asked what reads alone once something was pressed: %s %s %s, pressed: %s',
  async (method, path, body, clicked, most) => {
    for (const environment of ['test', 'production'] as const) {
      const around = { ...AROUND, environment }
      const url = `https://api.shop.test${path}`
      const { let: passed, elsewhere } = await press(1, around, url, [], { method, clicked, body })
      expect([environment, passed]).toEqual([environment, most])
      // What was stopped is told as well: it is what the page would ask.
      expect(elsewhere).toEqual([url])
    }
  },
)

it.each([
  ['by a browser', { 'sec-purpose': 'prefetch' }],
  ['by a router', { 'next-router-prefetch': '1', rsc: '1' }],
  ['a part by a router', { 'next-router-segment-prefetch': '/_tree', rsc: '1' }],
])('what is asked for ahead, %s, does not leave and is no request of its own', async (_by, headers) => {
  const ahead = await press(1, AROUND, 'https://shop.test/notes?_rsc=1r34m', [200], {
    ...{ method: 'GET', clicked: false, body: '', headers },
  })
  expect(ahead).toMatchObject({ let: 0, template: undefined })
})
