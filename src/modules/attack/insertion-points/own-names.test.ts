/** Programs that look through their parameters for a value that they know, and work with its name. */
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, expect, it } from 'vitest'
import { caseRequest } from '../crawl/testing/crawl-facts.ts'
import { jsonRenamed } from './body.ts'
import { withName } from './compose.ts'
import { namesWithin } from './member-names.ts'
import type { Plan } from './plan.ts'
import { pointsOf } from './points.ts'
import { closeProbed, crawlOf, html, pointOf, probed } from './testing/probing.ts'

afterEach(closeProbed)

const ADDRESS = 'http://shop.test/list?color=picked&page=2'

/** Finds a quote that the page shows, or fails at. */
const asked = async (answer: (sent: URLSearchParams) => string, form = false, plan: Partial<Plan<string>> = {}) => {
  const request = caseRequest(
    form
      ? {
          ...{ id: 'a', method: 'POST', url: 'http://shop.test/list', encoding: 'urlencoded', effect: 'reads' },
          fields: [{ name: 'color', value: 'picked', type: 'text' }],
        }
      : { id: 'a', url: ADDRESS },
  )
  const names: string[] = []
  const result = await probed(
    async (incoming: IncomingMessage, response) => {
      const query = incoming.url?.split('?')[1] ?? ''
      const sent = new URLSearchParams(form ? await text(incoming) : query)
      names.push(...sent.keys())
      response.end(html(answer(sent)))
    },
    crawlOf([pointOf('a', 'own-name', 'color', 'color')], { requests: [request] }),
    null,
    null,
    plan,
  )
  return { ...result, names }
}

const pickedIn = (sent: URLSearchParams): string => [...sent].find(([, value]) => value === 'picked')?.[0] ?? 'none'

it.each([
  ['of an address', false],
  ['of a form', true],
])('the name %s that belongs to a known value', async (_name, form) => {
  const { hits } = await asked((sent) => (pickedIn(sent).includes("'") ? 'boom' : pickedIn(sent)), form)
  expect(hits).toEqual(['own-name color'])
})

it.each<[string, (sent: URLSearchParams) => string, readonly string[]]>([
  ['it is shown', (sent) => pickedIn(sent).replace('none', 'color'), ['own-name color']],
  ['nothing is shown', () => 'color', []],
])('whether the name of a known value is worth looking at, by what shows: %s', async (_name, page, expected) => {
  const shown = (sent: URLSearchParams): string => (page(sent).includes("'x") ? `${page(sent)} boom` : page(sent))
  const probe: Plan<string>['probe'] = async (one, found) => {
    if ((await one.send("color'x")).text.includes('boom')) found('boom')
  }
  const { hits } = await asked(shown, true, { shows: true, probe })
  expect(hits).toEqual(expected)
})

it('a name that is looked up, and found nowhere as none is', async () => {
  const { hits } = await asked((sent) => {
    const picked = pickedIn(sent)
    if (picked.includes("'")) return picked.endsWith("'") ? 'boom' : 'failed'
    return picked === 'color' ? 'some' : 'nothing'
  })
  expect(hits).toEqual(['own-name color'])
})

it.each([
  ['of an address', false],
  ['of a form', true],
])(
  'a name %s that is looked up, where what finds nothing, what fails and none are answered alike',
  async (_name, form) => {
    const { hits } = await asked((sent) => {
      const picked = pickedIn(sent)
      return picked.endsWith("'") ? 'boom' : picked === 'color' ? 'some' : 'nothing'
    }, form)
    expect(hits).toEqual(['own-name color'])
  },
)

it('a name whose value nobody looks for is left after two questions', async () => {
  const { hits, names } = await asked((sent) => (sent.has('color') ? 'some' : 'all'))
  expect(hits).toEqual([])
  expect(new Set(names.filter((name) => name !== 'color' && name !== 'page')).size).toBe(2)
})

it('are places where name and value are words, and nothing says what is to be done', () => {
  const url = 'http://shop.test/list?color=picked&page=2&action=show&csrf_token=Zq81kxPw0a&q='
  const found = pointsOf([caseRequest({ id: 'a', url, effect: 'reads' })], new Map())
  expect(found.filter(({ place }) => place === 'own-name').map(({ name }) => name)).toEqual(['color'])
})

it('come before headers, which every request has', () => {
  const found = pointsOf([caseRequest({ id: 'a', url: ADDRESS, effect: 'reads', sent: true })], new Map())
  const places = found.map(({ place }) => place)
  expect(places).toContain('header')
  expect(places.indexOf('own-name')).toBeLessThan(places.indexOf('header'))
})

it('cookies of the site come before headers, and what scripts keep for all pages behind them', () => {
  const request = caseRequest({ id: 'a', url: ADDRESS, effect: 'reads', sent: true })
  const found = pointsOf([request], () => [
    { name: 'kept', value: 'on', byScript: true },
    { name: 'theme', value: 'dark' },
  ])
  const names = found.map(({ name }) => name)
  const order = ['theme', 'User-Agent', 'Accept-Language', '', 'kept'].map((name) => names.indexOf(name))
  expect(order).toEqual(order.toSorted((a, b) => a - b))
  expect(order).not.toContain(-1)
})

it('headers of what a form is posted to come before those of a second request of its page', () => {
  const one = (id: string, url: string, method = 'GET') => caseRequest({ id, url, method, effect: 'reads', sent: true })
  const requests = [
    one('a', ADDRESS),
    one('b', 'http://shop.test/list?page=2'),
    one('c', 'http://shop.test/list', 'POST'),
  ]
  const found = pointsOf(requests, new Map()).filter(({ name }) => name === 'User-Agent')
  expect(found.map(({ request }) => request)).toEqual(['a', 'c', 'b'])
})

it('cookies that the site sets are asked of a second request of a program, too, however many programs there are', () => {
  const requests = Array.from({ length: 601 }, (_, at) =>
    caseRequest({
      id: `p${at}`,
      url: `http://shop.test/part/${'ab'.repeat(1 + (at % 9))}x${at}`,
      shape: `http://shop.test/part/w${at}`,
      effect: 'reads',
      sent: true,
    }),
  )
  const [first] = requests
  const second = caseRequest({
    id: 'second',
    url: `${first?.url}?go=1`,
    shape: `${first?.shape}?go`,
    effect: 'reads',
    sent: true,
  })
  const found = pointsOf([...requests, second], () => [{ name: 'theme', value: 'dark' }])
  const asked = found.filter(({ request }) => request === 'second').map(({ place, name }) => `${place} ${name}`)
  expect(asked).toContain('cookie theme')
  expect(asked).not.toContain('header User-Agent')
})

it('keep value, order and what stands beside them', () => {
  const headers = [['Content-Type', 'application/x-www-form-urlencoded']] as const
  const form = { method: 'POST', url: 'http://a.test/?b=1', headers, body: 'a=1&b=2%203&b=4&c' }
  expect(withName(form, 'b', "x'")?.body).toBe('a=1&x%27=2%203&x%27=4&c')
  expect(withName(form, 'b', null)?.body).toBe('a=1&c')
  expect(withName({ method: 'GET', url: ADDRESS }, 'color', 'x y')?.url).toBe(
    'http://shop.test/list?x%20y=picked&page=2',
  )
  expect(withName({ method: 'GET', url: 'http://a.test/?b=1' }, 'b', null)?.url).toBe('http://a.test/')
  expect(withName({ method: 'GET', url: ADDRESS }, 'size', 'x')).toBeNull()
})

it('within a list are what something is looked for by, whatever stands there', () => {
  const url = 'http://shop.test/list?filter[price]=10&filter[kind]=tent&ids[]=4&page=2'
  const found = pointsOf([caseRequest({ id: 'a', url, effect: 'reads' })], new Map())
  expect(found.filter(({ place }) => place === 'own-name').map(({ name, example }) => [name, example])).toEqual([
    ['filter[price]', 'price'],
    ['filter[kind]', 'kind'],
  ])
})

it.each([
  [
    'within an object',
    '{"page":1,"filters":{"lane":"A","to":{"city":"y"}}}',
    ['/filters/lane lane', '/filters/to/city city'],
  ],
  ['of an object that is empty', '{"since":"0","filters":{}}', ['/filters/ ']],
  ['in the first of a list', '{"where":[{"kind":"a"},{"kind":"b"}]}', ['/where/0/kind kind']],
  ['of the body alone', '{"kind":"a","page":2}', []],
  ['of an empty body', '{}', []],
  ['of a document', '{"query":"{ boats { id } }","variables":{"a":"b"}}', []],
  ['of a call', '{"jsonrpc":"2.0","method":"find","params":{"kind":"a"}}', []],
])('of members %s', (_name, body, expected) => {
  expect(namesWithin(body).map((one) => one.join(' '))).toEqual(expected)
})

it('of members keep value, order and what stands beside them', () => {
  const body = '{"a":{"b":1,"c":[2]},"d":{}}'
  expect(jsonRenamed(body, '/a/b', "x'")).toBe('{"a":{"x\'":1,"c":[2]},"d":{}}')
  expect(jsonRenamed(body, '/a/b', null)).toBe('{"a":{"c":[2]},"d":{}}')
  expect(jsonRenamed(body, '/d/', 'x')).toBe('{"a":{"b":1,"c":[2]},"d":{"x":"1"}}')
  expect(jsonRenamed(body, '/d/', null)).toBe(body)
  expect(jsonRenamed(body, '/a/', 'x')).toBeNull()
  expect(jsonRenamed('no', '/a/b', 'x')).toBeNull()
})

const found = async (
  body: string,
  pointer: string,
  example: string,
  answer: (filters: Record<string, string>) => string,
) => {
  const request = caseRequest({
    ...{ id: 'a', method: 'POST', url: 'http://shop.test/report', encoding: 'json', effect: 'reads', body },
    headers: [['Content-Type', 'application/json']],
  })
  const { hits } = await probed(
    async (incoming: IncomingMessage, response) => {
      const sent = JSON.parse((await text(incoming)) || '{}') as { filters?: Record<string, string> }
      response.end(html(answer(sent.filters ?? {})))
    },
    crawlOf([pointOf('a', 'json-name', pointer, example)], { requests: [request] }),
  )
  return hits
}
const failing = (filters: Record<string, string>): string =>
  Object.keys(filters).some((name) => name.includes("'")) ? 'boom' : `${Object.keys(filters).length} filters`

it('of a member that a statement holds', async () => {
  expect(await found('{"filters":{"lane":"A"}}', '/filters/lane', 'lane', failing)).toEqual(['json-name /filters/lane'])
})
it('of a member that an empty object was given', async () => {
  expect(await found('{"filters":{}}', '/filters/', '', failing)).toEqual(['json-name /filters/'])
})
it('of a member that nobody reads', async () => {
  expect(await found('{"filters":{"lane":"A"}}', '/filters/lane', 'lane', () => 'all')).toEqual([])
})
