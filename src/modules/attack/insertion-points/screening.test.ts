/** An application with more places than there is time for, on a real site. */
import { afterEach, expect, it } from 'vitest'
import type { CrawlFacts } from '../crawl/facts.ts'
import type { Part } from './plan.ts'
import { byAnySign, byWhatShows } from './screening.ts'
import { closeProbed, crawlOf, html, type plan, pointOf, probed } from './testing/probing.ts'
import { breakOut } from './word.ts'

afterEach(closeProbed)

/** `/p0?q=p0v`, each with a word of its own. */
const crawled = (count: number): CrawlFacts => {
  const points = Array.from({ length: count }, (_, index) => pointOf(`p${index}`, 'query', 'q', `p${index}v`))
  const crawl = crawlOf(points)
  return {
    ...crawl,
    requests: crawl.requests.map((one) => ({ ...one, url: `http://shop.test/${one.id}?q=${one.id}v` })),
  }
}

/** What was sent, `/p0 value`, to a site on which one program breaks, one repeats its value, one looks it up, one puts it into a header, and the others do nothing. */
const asked = async (
  count: number,
  [breaks, repeats, looks, heads, grows]: readonly number[],
  change: Partial<typeof plan> = {},
  timeFactor = 1,
) => {
  const sent: string[] = []
  const seen = new Set<string>()
  const answer = (at: string, value: string): string => {
    if (at === `/p${grows}`) return [...seen.add(value)].map((_, index) => `Somebody looked for thing ${index}`).join()
    if (at === `/p${breaks}` && /['"]/.test(value)) return 'boom'
    if (at === `/p${repeats}`) return `You said ${value}`
    if (at === `/p${looks}`) return value === `${at.slice(1)}v` ? 'Three of them' : 'Nothing'
    return `Page ${at}`
  }
  const { facts } = await probed(
    (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://shop.test')
      const value = searchParams.get('q') ?? ''
      sent.push(`${pathname} ${value}`)
      if (pathname === `/p${heads}`) response.setHeader('Content-Language', encodeURI(value))
      response.setHeader('Content-Type', 'text/html').end(html(answer(pathname, value)))
    },
    crawled(count),
    null,
    null,
    { groups: false, ...change },
    0,
    timeFactor,
  )
  const whole = sent.flatMap((line) => /^\/(p\d+) p\d+va$/.exec(line)?.[1] ?? [])
  return { sent, whole, facts }
}

it.each([
  ['what breaks, and then what moves', {}, ['p128', 'p129'], 'p127'],
  [
    'what breaks, and then whatever tells of the value',
    { promising: byAnySign },
    ['p128', 'p126', 'p127', 'p129'],
    null,
  ],
  ['what shows the value, where the module goes by that', { promising: byWhatShows }, ['p126', 'p127'], null],
])('asks first in full %s', async (_, change, first, late) => {
  const { sent, whole, facts } = await asked(130, [128, 127, 129, 126], change)
  expect(new Set(whole.slice(0, first.length))).toEqual(new Set(first))
  if (late !== null) expect(whole.indexOf(late)).toBeGreaterThan(100)
  expect(new Set(whole)).toHaveProperty('size', 130)
  // Modules take the answers from the memory of the run.
  expect(sent.filter((line) => line === `/p5 ${breakOut('p5v')}`)).toHaveLength(1)
  expect(facts.points.map(({ at }) => at.url).slice(0, 2)).toEqual(['http://shop.test/p0', 'http://shop.test/p1'])
})

it.each([
  ['fewer as through many in a run of a third of the usual time', 0.325, [0]],
  ['the same in their order in one of the usual time', 1, [48]],
])('goes through %s', async (_, timeFactor, expected) => {
  const { whole } = await asked(50, [48, 47, 49, 46], {}, timeFactor)
  expect(expected).toContain([...new Set(whole)].indexOf('p48'))
})

it('asks first what a quote breaks and a condition that holds does not, and last what is read as a number alone', async () => {
  const order: string[] = []
  const crawl = crawled(130)
  const values: Readonly<Record<string, string>> = { p127: '7', p128: '7' }
  const of = (id: string): string => values[id] ?? `${id}v`
  const answer = (at: string, value: string): string => {
    // Quotes alone tell of nothing but of quotes.
    if (at === 'p126') return /['"]/.test(value) ? 'boom' : 'Fine'
    if (at === 'p127') return Number.parseInt(value, 10) === 7 ? 'Three of them' : 'Nothing'
    if (at === 'p128') return /['"]/.test(value) ? 'boom' : /^7(-0)?$/.test(value) ? 'Three of them' : 'Nothing'
    if (at === 'p129') return /^\w+('and\(\d+\*\d+=\d+\)and'q'='q)?$/.test(value) ? 'Nothing' : 'boom'
    return 'A page'
  }
  await probed(
    ({ url = '' }, response) => {
      const { pathname, searchParams } = new URL(url, 'http://shop.test')
      response.setHeader('Content-Type', 'text/html').end(html(answer(pathname.slice(1), searchParams.get('q') ?? '')))
    },
    {
      ...crawl,
      requests: crawl.requests.map((one) => ({ ...one, url: `http://shop.test/${one.id}?q=${of(one.id)}` })),
      points: crawl.points.map((point) => ({ ...point, example: of(point.request) })),
    },
    null,
    null,
    { groups: false, probe: async ({ request }) => void order.push(request.id) },
  )
  expect(new Set(order.slice(0, 2))).toEqual(new Set(['p128', 'p129']))
  expect(order[2]).toBe('p126')
  expect(order.indexOf('p127')).toBeGreaterThan(100)
})

it('takes no page for broken that is another each time', async () => {
  const { whole } = await asked(130, [128, 127, 129, 126, 125])
  expect(whole.indexOf('p125')).toBeGreaterThan(100)
})

it('goes through few places in their order', async () => {
  const { whole, sent } = await asked(30, [28, 27, 29])
  expect(whole.indexOf('p28')).toBeGreaterThan(20)
  expect(sent.filter((line) => line.endsWith(breakOut('p5v')))).toHaveLength(0)
})

it('a word of a path waits behind what pages send, and a record there does not', async () => {
  const crawl = crawled(130)
  const path = (name: string, example: string) => ({ ...pointOf('p0', 'path', name, example) })
  const order: string[] = []
  await probed(
    ({ url = '' }, response) => {
      const isFound = !url.startsWith('/p120') || url.endsWith('q=p120v')
      response.setHeader('Content-Type', 'text/html').end(html(isFound ? 'Three of them' : 'Nothing'))
    },
    {
      ...crawl,
      requests: crawl.requests.map((one) =>
        one.id === 'p0' ? { ...one, url: 'http://shop.test/shelf/12/p0?q=p0v' } : one,
      ),
      points: [path('0', 'shelf'), path('1', '12'), ...crawl.points],
    },
    null,
    null,
    {
      groups: false,
      probe: async ({ point }) => void order.push(`${point.place} ${point.value}`),
    },
  )
  const at = ['path 12', 'query p120v', 'path shelf'].map((one) => order.indexOf(one))
  expect(at).toEqual(at.toSorted((a, b) => a - b))
  expect(at.slice(0, 2)).toEqual([0, 1])
})

it('ends early where something in front refuses whatever is not known', async () => {
  let refused = 0
  await probed(
    (request, response) => {
      const isKnown = /q=p\d+v$/.test(request.url ?? '')
      if (!isKnown) refused += 1
      response.writeHead(isKnown ? 200 : 503, { 'Content-Type': 'text/html' }).end(html(isKnown ? 'A page' : 'No'))
    },
    crawled(400),
    null,
    null,
    { groups: false },
  )
  expect(refused).toBeLessThan(100)
})

it.each([
  [
    'many places all are asked a first part before the rest of any',
    130,
    [...Array(130).fill('first'), ...Array(130).fill('rest')],
  ],
  ['few places each is asked the whole at once', 30, Array(30).fill('whole')],
])('of %s', async (_, count, expected) => {
  const parts: Part[] = []
  const { facts } = await asked(count, [], {
    inParts: 'all',
    probe: async (_probe, _found, part) => void parts.push(part),
  })
  expect(parts).toEqual(expected)
  expect(facts.points.filter(({ leftWays }) => leftWays !== undefined)).toEqual([])
})

it('looks at the few fields of a form each by itself, asks those that tell, and all others as one behind everything', async () => {
  const fields = ['q', 'page', 'lang'] as const
  const points = Array.from({ length: 130 }, (_, index) =>
    fields.map((name) => pointOf(`p${index}`, 'query', name, `${name}v`)),
  ).flat()
  const crawl = crawlOf(points)
  const sent: string[] = []
  await probed(
    (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://shop.test')
      sent.push(`${pathname} ${fields.map((name) => searchParams.get(name)).join(' ')}`)
      response.setHeader('Content-Type', 'text/html').end(html(`You said ${searchParams.get('q')}`))
    },
    {
      ...crawl,
      requests: crawl.requests.map((one) => ({
        ...one,
        url: `http://shop.test/${one.id}?q=qv&page=pagev&lang=langv`,
      })),
    },
  )
  const of = sent.filter((line) => line.startsWith('/p5 '))
  // As it is twice, and of each field two values that mean nothing.
  expect(of.slice(0, 8).filter((line) => line === '/p5 qv pagev langv')).toHaveLength(2)
  expect(new Set(of.slice(0, 8))).toHaveProperty('size', 7)
  const alone = sent.flatMap((line, at) => (/ qv[a-e] pagev langv$/.test(line) ? [at] : []))
  const together = sent.flatMap((line, at) => (/ qv pagev[a-e] langv[a-e]$/.test(line) ? [at] : []))
  expect([alone.length, together.length]).toEqual([130 * 5, 130 * 5])
  // The last of some at once.
  expect(alone[600]).toBeLessThan(together[0] ?? 0)
})

it.each([
  ['an expression', '3*12', byAnySign],
  ['a file', 'terms.txt', byAnySign],
  ['an address', '/about', byWhatShows],
])('%s that is answered otherwise than a word comes before what shows its value', async (_, value, promising) => {
  const order: string[] = []
  const crawl = crawled(130)
  const of = (id: string): string => (id === 'p129' ? value : `${id}v`)
  await probed(
    ({ url = '' }, response) => {
      const { pathname, searchParams } = new URL(url, 'http://shop.test')
      const sent = searchParams.get('q') ?? ''
      const isTheOne = pathname === '/p129'
      const text = isTheOne
        ? sent === value
          ? 'Three of them'
          : 'Sorry'
        : promising === byAnySign
          ? `You said ${sent}`
          : 'A page'
      response.setHeader('Content-Type', 'text/html').end(html(text))
    },
    {
      ...crawl,
      requests: crawl.requests.map((one) => ({
        ...one,
        url: `http://shop.test/${one.id}?q=${encodeURIComponent(of(one.id))}`,
      })),
      points: crawl.points.map((point) => ({ ...point, example: of(point.request) })),
    },
    null,
    null,
    { groups: false, promising, probe: async ({ request }) => void order.push(request.id) },
  )
  expect(order[0]).toBe('p129')
})

it('what people fill in a form that may be sent a few times comes before what moves alone', async () => {
  const order: string[] = []
  const crawl = crawled(130)
  const answer = (at: string, value: string): string => (value === `${at}v` ? 'Three of them' : 'Nothing')
  await probed(
    ({ url = '' }, response) => {
      const { pathname, searchParams } = new URL(url, 'http://shop.test')
      response.setHeader('Content-Type', 'text/html').end(html(answer(pathname.slice(1), searchParams.get('q') ?? '')))
    },
    {
      ...crawl,
      requests: crawl.requests.map((one) =>
        one.id === 'p129'
          ? {
              ...one,
              ...{
                method: 'POST',
                url: 'http://shop.test/p129',
                encoding: 'urlencoded' as const,
                bound: 40,
                source: 'form' as const,
              },
              fields: [{ name: 'q', value: 'p129v', type: 'text' }],
            }
          : one,
      ),
      points: crawl.points.map((point) => (point.request === 'p129' ? { ...point, place: 'form' as const } : point)),
    },
    null,
    null,
    { groups: false, probe: async ({ request }) => void order.push(request.id) },
  )
  expect(order[0]).toBe('p129')
})
