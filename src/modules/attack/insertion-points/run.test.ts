/** Places of real pages: refusals, a session that ends, time, faults. */
import type { RequestListener } from 'node:http'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { EgressError } from '../../../egress/door/egress.ts'
import type { CrawlFacts } from '../crawl/facts.ts'
import { caseCrawl } from '../crawl/testing/crawl-facts.ts'
import { FIRST_ONLY } from './facts.ts'
import { inventoryOf } from './inventory.ts'
import { byWorth } from './order.ts'
import type { Plan } from './plan.ts'
import { openProbedSession } from './session.ts'
import { closeProbed, crawlOf, html, pointOf, probed } from './testing/probing.ts'
import { judgeProbed } from './verdict.ts'

afterEach(closeProbed)

const QUERIES = Array.from({ length: 30 }, (_, index) => pointOf(`p${index}`, 'query', 'q', '1'))

it('no number is asked for that is larger than the one of the page: it may be a size', async () => {
  const sizes: number[] = []
  const probe: Plan<string>['probe'] = async (one) => {
    await one.baseline()
    await one.control()
    await one.send(`${one.point.value}'`)
  }
  await probed(
    (request, response) => {
      sizes.push(Number.parseInt(new URL(request.url ?? '', 'http://shop.test').searchParams.get('size') ?? '', 10))
      response.end(html(''))
    },
    crawlOf([pointOf('p', 'query', 'size', '32')]),
    null,
    null,
    { probe },
  )
  expect(sizes).toContain(-3_298_765)
  expect(Math.max(...sizes.filter((size) => !Number.isNaN(size)))).toBe(32)
})

describe('a session', () => {
  const live = (state: CrawlFacts['session']['state']): Partial<CrawlFacts> => ({
    session: { ...caseCrawl().session, state, canary: 'http://shop.test/account' },
  })
  const signedIn = (cookie: string | undefined): boolean => cookie?.includes('sid=1') ?? false
  const account = (yes: boolean): string =>
    html(yes ? 'Hello Robin, your orders: 1 and 2' : 'Please sign in with mail and password')

  it('that ends on the way: nothing since the last proof counts as tested', async () => {
    let left = 40
    const { ends, facts } = await probed(
      (request, response) => {
        left -= 1
        response.end(account(signedIn(request.headers.cookie) && left > 0))
      },
      crawlOf(QUERIES.slice(0, 8), live('live')),
      null,
      'sid=1',
    )
    expect(new Set(ends)).toEqual(new Set(['session-lost']))
    expect(facts.left).toBe(0)
  })

  it('that lasts', async () => {
    const { ends } = await probed(
      (request, response) => response.end(account(signedIn(request.headers.cookie))),
      crawlOf(QUERIES.slice(0, 3), live('live')),
      null,
      'sid=1',
    )
    expect(ends).toEqual(['tested', 'tested', 'tested'])
  })

  it('is asked for again after a minute, and no sooner', async () => {
    let proofs = 0
    const crawl = crawlOf([], live('live'))
    const { ctx } = await probed(
      (request, response) => {
        if (signedIn(request.headers.cookie)) proofs += 1
        response.end(account(signedIn(request.headers.cookie)))
      },
      crawlOf([]),
      null,
      'sid=1',
    )
    let now = 0
    const session = await openProbedSession(ctx, crawl, () => now)
    expect(await session.check()).toBe('assumed')
    now = 61_000
    expect(await session.check()).toBe('proven')
    expect(await session.check()).toBe('assumed')
    expect(proofs).toBe(3)
  })

  it('that lasts is told on a page whose tips change and whose list has grown, and by no error', async () => {
    const tips = ['drink some water', 'back up all your work', 'close every window', 'mind the gap']
    let [asked, status, list] = [0, 200, 'two tickets']
    const { ctx } = await probed(
      (request, response) => {
        const tip = tips[asked++ % tips.length] ?? ''
        const own = signedIn(request.headers.cookie) ? 'Profile' : 'Sign in'
        response.writeHead(status).end(html(`${own} ${list} tip of the moment: ${tip}`))
      },
      crawlOf([]),
      null,
      'sid=1',
    )
    let now = 0
    const session = await openProbedSession(ctx, crawlOf([], live('live')), () => now)
    const later = () => {
      now += 61_000
      return session.check()
    }
    list = 'sonde1 sonde2 sonde3 and many more that were filed meanwhile'
    for (let round = 0; round < 4; round += 1) expect(await later()).toBe('proven')
    status = 500
    expect(await later()).toBe('assumed')
    status = 200
    expect(await later()).toBe('proven')
  })
})

it('a budget that ends behind the places costs what follows, none of what was found, and is no pass', async () => {
  const { facts, hits } = await probed(
    (_request, response) => response.end(html('')),
    crawlOf(QUERIES.slice(0, 1)),
    null,
    null,
    {
      probe: async (probe, found) => {
        await probe.send(`${probe.point.value}a`)
        found('early')
      },
      afterwards: () => Promise.reject(new EgressError('budget', 'all is sent')),
    },
  )
  expect(hits).toEqual(['query q'])
  const reason = 'of 2 places: 1 not asked to the end afterwards, as its share of the requests was used up'
  expect(judgeProbed(facts, () => [])).toMatchObject({ state: 'inconclusive', reason })
})

it('as many are asked at once at the end as at the beginning, however their ends fall together', async () => {
  const many = Array.from({ length: 400 }, (_, index) => pointOf(`page${index}`, 'query', 'q', 'value'))
  const atOnce: number[] = []
  let running = 0
  await probed((_request, response) => response.end(html('')), crawlOf(many), null, null, {
    groups: false,
    probe: async () => {
      running += 1
      atOnce.push(running)
      for (let turn = 30 + ((atOnce.length * 7) % 29); turn > 0; turn -= 1) await null
      running -= 1
    },
  })
  expect(atOnce).toHaveLength(400)
  expect(Math.max(...atOnce.slice(-50))).toBe(Math.max(...atOnce.slice(0, 50)))
})

describe('the time for it', () => {
  const later: RequestListener = (_request, response) => setTimeout(() => response.end(html('')), 30)

  it('ends between two places: what was tested counts, the rest is counted', async () => {
    const time = { places: 0.1, grace: 5 }
    const { facts, ends } = await probed(later, crawlOf(QUERIES), null, null, { time })
    expect(new Set(ends)).toEqual(new Set(['tested']))
    expect(facts.left).toBe(QUERIES.length - ends.length)
    expect(facts.left).toBeGreaterThan(10)
    expect(judgeProbed(facts, () => [])).toMatchObject({
      state: 'inconclusive',
      reason: `of 30 places: ${facts.left} not reached, as the time for it was over`,
    })
  })

  it('ends before the last questions: only checks that rest on them have no answer', async () => {
    const asked: string[] = []
    let late = 0
    const now = performance.now.bind(performance)
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + late)
    const last: Plan<string>['last'] = {
      ways: ['slow'],
      unless: (hits) => hits.length > 0,
      probe: async ({ point }) => {
        asked.push(point.request.id)
        // The first takes all the time that there is.
        late = 1_000_000
      },
    }
    const { facts } = await probed((_request, response) => response.end(html('')), crawlOf(QUERIES), null, null, {
      ...{ last, time: { places: 500, grace: 1_000 } },
      probe: async (probe, found) => {
        if (probe.point.request.id === 'p0') found('boom')
      },
    })
    clock.mockRestore()
    expect(asked).not.toContain('p0')
    expect(asked.length).toBeGreaterThan(0)
    const known = QUERIES.length
    expect(judgeProbed(facts, () => [], ['quick'])).toEqual([])
    expect(judgeProbed(facts, () => [], ['slow'])).toMatchObject({
      state: 'inconclusive',
      reached: { asked: asked.length + 1, known, reasons: [{ reason: FIRST_ONLY }] },
    })
  })

  it('ends within a place: what was found there before is kept', async () => {
    let late = 0
    const now = performance.now.bind(performance)
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + late)
    const { facts, hits, ends } = await probed(later, crawlOf(QUERIES.slice(0, 1)), null, null, {
      time: { places: 500, grace: 1 },
      probe: async (probe, found) => {
        found('early')
        await probe.send(`${probe.point.value}a`)
        late = 1_000_000
        for (;;) await probe.send(`${probe.point.value}a`)
      },
    })
    clock.mockRestore()
    expect(ends).toEqual(['cut'])
    expect(hits).toEqual(['query q'])
    expect(facts.left).toBe(0)
  })

  it('leaves work for after the places to its own bounds', async () => {
    const { hits } = await probed(later, crawlOf(QUERIES), null, null, {
      time: { places: 0.1, grace: 0 },
      afterwards: async (at, [point]) => {
        if (point) await at(point).send('late')
        return point ? [{ point, hit: 'later' }] : []
      },
    })
    expect(hits).toEqual(['query q'])
  })
})

it('the first places of a name come first, the many of a name that every page has come last', () => {
  const pages = Array.from({ length: 8 }, (_, index) => [
    pointOf(`p${index}`, 'query', 'lang'),
    pointOf(`p${index}`, 'query', `own${index}`),
    pointOf(`p${index}`, 'header', 'Referer'),
  ]).flat()
  const order = byWorth(inventoryOf(crawlOf(pages))).map(({ request, name }) => `${request.id} ${name}`)
  expect(order.slice(0, 5)).toEqual(['p0 lang', 'p0 own0', 'p1 lang', 'p1 own1', 'p2 own2'])
  // Of headers that all requests have the first few are asked in every way, the others by one text.
  expect(order.slice(-6)).toEqual(['p6 lang', 'p7 lang', ...['p4', 'p5', 'p6', 'p7'].map((page) => `${page} Referer`)])
})

it('a form of a program has its first field before headers and cookies, whatever name others gave theirs', () => {
  const pages = Array.from({ length: 8 }, (_, index) => [
    pointOf(`p${index}`, 'form', 'name'),
    pointOf(`p${index}`, 'form', 'kind'),
    pointOf(`p${index}`, 'header', 'Referer'),
  ]).flat()
  const crawl = crawlOf(pages)
  const requests = crawl.requests.map((one) => ({
    ...one,
    method: 'POST',
    encoding: 'urlencoded' as const,
    effect: 'reads' as const,
  }))
  const order = byWorth(inventoryOf({ ...crawl, requests })).map(({ request, name }) => `${request.id} ${name}`)
  expect(order.slice(0, 10)).toEqual([
    ...['p0 name', 'p0 kind', 'p1 name', 'p1 kind'],
    ...['p2 name', 'p3 name', 'p4 name', 'p5 name', 'p6 name', 'p7 name'],
  ])
  for (const some of [order.slice(10, 14), order.slice(-4)])
    expect(some.every((one) => one.endsWith('Referer'))).toBe(true)
})

it('guesses come after everything else, and make no place of a page less worth', () => {
  const guesses = Array.from({ length: 8 }, (_, index) => ({
    ...pointOf(`g${index}`, 'query', 'id'),
    guessed: true as const,
  }))
  const order = byWorth(
    inventoryOf(crawlOf([...guesses, pointOf('p', 'header', 'Referer'), pointOf('p', 'query', 'id')])),
  )
  expect(order.slice(0, 3).map(({ request, name }) => `${request.id} ${name}`)).toEqual(['p id', 'p Referer', 'g0 id'])
})

describe('a fault of ours', () => {
  const failing =
    (on: (name: string) => boolean, error: () => unknown = () => new TypeError('of ours')) =>
    async (probe: Parameters<Plan<string>['probe']>[0], found: (hit: string) => void): Promise<void> => {
      const reply = await probe.send(`${probe.point.value}'`)
      if (reply.text.includes('boom')) found('boom')
      if (on(probe.point.name)) throw error()
    }
  const points = ['a', 'b', 'c'].map((name, index) => pointOf(`p${index}`, 'query', name))
  const site = (_request: unknown, response: { end: (text: string) => unknown }): unknown => response.end(html('boom'))

  it('costs its place alone, and that keeps what was found there', async () => {
    const { facts, hits, faults } = await probed(site, crawlOf(points), null, null, {
      groups: false,
      probe: failing((name) => name === 'b'),
    })
    expect(hits.toSorted()).toEqual(['query a', 'query b', 'query c'])
    const [{ where, error } = { where: '', error: null }] = faults
    expect({ where, error: String(error), told: faults.length }).toEqual({
      ...{ where: 'a place', error: 'TypeError: of ours', told: 1 },
    })
    const struck = facts.points.filter(({ end }) => end === 'fault')
    expect(struck).toMatchObject([{ at: { name: 'b' }, fault: expect.stringMatching(/^F-/) }])
    expect(judgeProbed(facts, () => [])).toMatchObject({ state: 'inconclusive', fault: struck[0]?.fault })
  })

  it('at a group of places has each asked alone', async () => {
    const fields = ['a', 'b', 'c'].map((name) => pointOf('form', 'query', name))
    const { ends, hits } = await probed(site, crawlOf(fields), null, null, {
      probe: failing((name) => name === 'b' || name.includes(',')),
    })
    expect(ends.toSorted()).toEqual(['fault', 'tested', 'tested'])
    expect(hits).toHaveLength(3)
  })

  it('after the places costs none of them, and nothing is called clean', async () => {
    const { facts, hits } = await probed(site, crawlOf(points), null, null, {
      groups: false,
      probe: failing(() => false),
      afterwards: async () => {
        throw new TypeError('of ours')
      },
    })
    expect(hits).toHaveLength(3)
    expect(judgeProbed(facts, () => [])).toMatchObject({ state: 'inconclusive', fault: facts.fault })
  })

  it.each<[string, unknown]>([
    ['thrown as a text', 'text'],
    ['thrown as nothing', undefined],
    ['of the system', Object.assign(new Error('too many open files'), { code: 'EMFILE' })],
  ])('%s is held too', async (_name, thrown) => {
    const { ends } = await probed(site, crawlOf(points), null, null, {
      groups: false,
      probe: failing(
        (name) => name === 'a',
        () => thrown,
      ),
    })
    expect(ends.toSorted()).toEqual(['fault', 'tested', 'tested'])
  })
})
