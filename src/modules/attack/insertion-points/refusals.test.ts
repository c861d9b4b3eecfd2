/** Places of pages that something refuses to show: a firewall, a limit, the application itself. */
import { afterEach, describe, expect, it } from 'vitest'
import { EVERY_WAY, FILTERED } from './facts.ts'
import type { Plan } from './plan.ts'
import { firstOf } from './techniques.ts'
import { closeProbed, crawlOf, html, pointOf, probed } from './testing/probing.ts'

afterEach(closeProbed)

const QUERIES = Array.from({ length: 30 }, (_, index) => pointOf(`p${index}`, 'query', 'q', '1'))
const REFUSAL = '<title>Stop</title><h1>Your request looked odd and was stopped. Ask the owner of this site.</h1>'

describe('something in front', () => {
  it.each([
    ['403', 403, null],
    ['a page of refusal with success', 200, { status: 200, title: 'Stop', text: REFUSAL }],
  ] as const)('%s: places are blocked, and after twelve nobody is asked', async (_name, status, blockPage) => {
    const { ends, facts, asked } = await probed(
      (request, response) => {
        if (/q=-?\d+($|&)/.test(request.url ?? '')) response.end(html(request.url ?? ''))
        else response.writeHead(status).end(REFUSAL)
      },
      crawlOf(QUERIES),
      blockPage,
    )
    expect(new Set(ends)).toEqual(new Set(['blocked']))
    expect(asked).toBeLessThan(70)
    expect(facts.points.filter(({ requests }) => requests === 0).length).toBeGreaterThan(10)
  })

  it('a token that the application itself refuses hides no other field of its form', async () => {
    const fields = ['query', 'token', 'sort'].map((name) => pointOf('form', 'query', name, 'f00d'))
    const { hits, ends } = await probed((request, response) => {
      const asked = new URL(request.url ?? '', 'http://shop.test').searchParams
      if (![null, 'f00d'].includes(asked.get('token'))) response.writeHead(403).end('<title>Sorry</title>Try again.')
      else response.end(html(asked.get('sort')?.includes("'") ? 'boom' : 'fine'))
    }, crawlOf(fields))
    expect(hits).toEqual(['query sort'])
    expect(ends).toEqual(['tested', 'tested', 'tested'])
  })

  it('an ending that the application has no form of the answer for hides no other value of a path', async () => {
    const crawl = crawlOf([pointOf('users', 'path', '1', '7')])
    const requests = crawl.requests.map((one) => ({ ...one, url: 'http://shop.test/users/7' }))
    const { ends, hits } = await probed(
      (request, response) => {
        const [, , id = ''] = decodeURIComponent(request.url ?? '').split('/')
        response.writeHead(id.includes('.') ? 406 : 200).end(html(id.includes("'") ? 'boom' : ''))
      },
      { ...crawl, requests },
      null,
      null,
      {
        probe: async (probe, found) => {
          await probe.send('[7*7][0].x')
          if ((await probe.send(`${probe.point.value}'`)).text.includes('boom')) found('boom')
        },
      },
    )
    expect({ ends, hits }).toEqual({ ends: ['tested'], hits: ['path 1'] })
  })

  it('an application that takes no address without a name that it knows is no firewall', async () => {
    const { ends, hits } = await probed(
      (request, response) => {
        const to = new URL(request.url ?? '', 'http://shop.test').searchParams.get('to') ?? ''
        if (!to.includes('https://farm.test')) response.writeHead(406).end('Unknown partner')
        else response.writeHead(302, { location: to }).end()
      },
      crawlOf([pointOf('out', 'query', 'to', 'https://farm.test/cheese')]),
      null,
      null,
      {
        probe: async (probe, found) => {
          await probe.send('https://elsewhere.test/')
          const { location } = await probe.send(`https://elsewhere.test/?${probe.point.value}`)
          if (location.startsWith('https://elsewhere.test/')) found('away')
        },
      },
    )
    expect({ ends, hits }).toEqual({ ends: ['tested'], hits: ['query to'] })
  })

  it('what refuses everybody after a while is no answer of the application', async () => {
    let left = 3
    const probe: Plan<string>['probe'] = async (one) => {
      await one.baseline()
      await one.control()
      await one.send(`${one.point.value}'`)
    }
    const { ends } = await probed(
      (_request, response) => {
        left -= 1
        response.writeHead(left < 0 ? 403 : 200).end(html(''))
      },
      crawlOf(QUERIES.slice(0, 1)),
      null,
      null,
      { probe },
    )
    expect(ends).toEqual(['blocked'])
  })

  it('an application that refuses quotes is asked by what holds none, everywhere, and the rest is said', async () => {
    const { ends, hits, facts, asked } = await probed(
      (request, response) => {
        const value = new URL(request.url ?? '', 'http://shop.test').searchParams.get('q') ?? ''
        if (/['"<]/.test(value)) response.writeHead(406).end(html('Such signs are not accepted.'))
        else response.end(html(value.includes('(') ? 'boom' : 'fine'))
      },
      crawlOf(QUERIES),
      null,
      null,
      {
        groups: false,
        probe: async (probe, found) => {
          const send = (tail: string) => async () =>
            (await probe.send(`${probe.point.value}${tail}`)).text.includes('boom')
          const ways = [`'"`, `'`, `"x"`, '<b', '(1)'].map((tail) => async () => ((await send(tail)()) ? tail : null))
          const hit = await firstOf(ways)
          if (hit) found(hit)
        },
      },
    )
    expect(new Set(ends)).toEqual(new Set(['tested']))
    expect(hits).toHaveLength(QUERIES.length)
    expect(facts.points[0]?.leftWays).toEqual([{ way: EVERY_WAY, reason: FILTERED }])
    expect(asked).toBeLessThan(QUERIES.length * 12)
  })

  it('a page that is refused by itself is not blocked', async () => {
    const { ends } = await probed(
      (_request, response) => response.writeHead(403).end(html('')),
      crawlOf(QUERIES.slice(0, 2)),
    )
    expect(ends).toEqual(['tested', 'tested'])
  })
})
