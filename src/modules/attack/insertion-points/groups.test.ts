/** Places that are probed as one, on real pages. */
import { afterEach, describe, expect, it, test } from 'vitest'
import { caseRequest } from '../crawl/testing/crawl-facts.ts'
import { encodeCookie } from './body.ts'
import { Deviation, deviants, grouped, groupOf, showsSentinel } from './groups.ts'
import type { ProbePoint, ProbeRequest } from './inventory.ts'
import type { Prober, Reply } from './prober.ts'
import { probeAll } from './run.ts'
import { fakeProbe } from './testing/fake-probe.ts'
import { closeProbed, cookiesOf, crawlOf, html, plan, pointOf, probed } from './testing/probing.ts'
import { sentinel } from './word.ts'

afterEach(closeProbed)

const AROUND = [
  pointOf('home', 'header', 'Referer', 'http://example.org/'),
  pointOf('home', 'header', 'User-Agent', 'Mozilla/5.0'),
  pointOf('home', 'cookie', 'theme', 'light'),
  pointOf('home', 'cookie', 'visitor', 'f00d'),
  pointOf('home', 'cookie', 'page', '7'),
  pointOf('home', 'cookie', 'size', '12'),
]

describe('headers and cookies', () => {
  it('that nobody reads cost a few requests together', async () => {
    const { hits, ends, asked } = await probed((_request, response) => response.end(html('')), crawlOf(AROUND))
    expect(hits).toEqual([])
    expect(ends).toEqual(Array(6).fill('tested'))
    // Each alone would have cost nine.
    expect(asked).toBeLessThanOrEqual(9)
  })

  const words =
    'ash bread craft evening field garden hearth morning north paper river salt stone table tide winter'.split(' ')
  let turn = 0
  /** Other words each time, as an offer of the day has. */
  const offer = (): string => {
    turn += 1
    return Array.from({ length: 24 }, (_, at) => words[(at * at + 5 * turn * (at + 3)) % words.length]).join(' ')
  }
  const changing = (more: string): string =>
    html(`<h1>Press</h1><p>${offer()}</p><h2>Contact</h2><p>Write to us. ${more}</p>`)

  it('of a page that changes by itself cost little more', async () => {
    const { hits, asked } = await probed((_request, response) => response.end(changing('')), crawlOf(AROUND))
    expect(hits).toEqual([])
    // One more baseline, which tells what changes.
    expect(asked).toBeLessThanOrEqual(12)
  })

  it('one among many is found on a page that changes by itself', async () => {
    const { hits } = await probed(
      (request, response) =>
        response.end(changing(cookiesOf(request.headers.cookie).theme?.includes("'") ? 'boom' : 'fine')),
      crawlOf(AROUND),
    )
    expect(hits).toEqual(['cookie theme'])
  })

  it.each(['theme', 'page'])('one among many is found: %s', async (name) => {
    const { hits } = await probed(
      (request, response) =>
        response.end(html(cookiesOf(request.headers.cookie)[name]?.includes("'") ? 'boom' : 'fine')),
      crawlOf(AROUND),
    )
    expect(hits).toEqual([`cookie ${name}`])
  })

  it('one that is not decoded, and repeated as it was sent, costs no more', async () => {
    const { asked, hits } = await probed(
      (request, response) => response.end(html(`Yours is ${cookiesOf(request.headers.cookie).theme ?? ''}.`)),
      crawlOf(AROUND),
    )
    expect(hits).toEqual([])
    // One more than where nothing of them shows.
    expect(asked).toBeLessThanOrEqual(10)
  })

  it('a session that is broken by any change does not hide what is read behind it', async () => {
    const { hits } = await probed((request, response) => {
      const { visitor, theme } = cookiesOf(request.headers.cookie)
      if (visitor !== undefined && visitor !== 'f00d') response.end('<title>Sign in</title>Who are you?')
      else response.end(html(theme?.includes("'") ? 'boom' : 'fine'))
    }, crawlOf(AROUND))
    expect(hits).toEqual(['cookie theme'])
  })

  const around = Array.from({ length: 6 }, (_, index) =>
    AROUND.slice(0, 4).map((point) => ({ ...point, request: `p${index}`, id: `p${index}:${point.id}` })),
  ).flat()

  it('on the fifth address one probe is enough for what shows', async () => {
    const { hits, facts } = await probed((request, response) => {
      const reads = request.url?.startsWith('/p5') && cookiesOf(request.headers.cookie).theme?.includes("'")
      response.end(html(reads ? 'boom' : 'fine'))
    }, crawlOf(around))
    expect(hits).toEqual(['cookie theme'])
    expect(facts.points.find(({ hits }) => hits.length > 0)?.at.url).toContain('/p5')
  })

  it('one that a late address alone reads, and answers alike whatever else it gets, is asked there', async () => {
    const { hits, facts, asked } = await probed((request, response) => {
      const theme = request.url?.startsWith('/p5') ? cookiesOf(request.headers.cookie).theme : undefined
      if (theme !== undefined && theme !== 'light') response.statusCode = 500
      response.end(html(theme === "light'" ? 'boom' : response.statusCode === 500 ? 'wrong' : 'fine'))
    }, crawlOf(around))
    expect(hits).toEqual(['cookie theme'])
    expect(facts.points.find(({ hits }) => hits.length > 0)?.at.url).toContain('/p5')
    expect(asked).toBeLessThanOrEqual(5 * 9 + 30)
  })

  it('one that changes every address is asked alone on two of them', async () => {
    const { asked } = await probed((request, response) => {
      const { theme } = cookiesOf(request.headers.cookie)
      response.end(html(theme === undefined || theme === 'light' ? 'fine' : 'dark is what you like'))
    }, crawlOf(around))
    expect(asked).toBeLessThanOrEqual(2 * 30 + 4 * 16)
  })

  it.each(['Referer', 'c7', 'c18'])(
    'one of many that a late address reads is looked for by halves: %s',
    async (name) => {
      const many = [
        ...AROUND.slice(0, 2),
        ...Array.from({ length: 20 }, (_, index) => pointOf('home', 'cookie', `c${index}`, 'x')),
      ]
      const crawl = crawlOf(
        Array.from({ length: 5 }, (_, index) =>
          many.map((one) => ({ ...one, request: `p${index}`, id: `p${index}:${one.id}` })),
        ).flat(),
      )
      const { hits, asked } = await probed((request, response) => {
        const value = name === 'Referer' ? request.headers.referer : cookiesOf(request.headers.cookie)[name]
        const isOwn = [undefined, 'x', 'http://example.org/'].includes(value)
        if (request.url?.startsWith('/p4') && !isOwn) response.statusCode = 500
        response.end(html(response.statusCode === 200 ? 'fine' : value?.endsWith("'") ? 'boom' : 'wrong'))
      }, crawl)
      expect(hits).toEqual([`${name === 'Referer' ? 'header' : 'cookie'} ${name}`])
      // Each alone would have cost 22 times nine.
      expect(asked).toBeLessThanOrEqual(4 * 9 + 45)
    },
  )

  it('a page that repeats them is no reason to ask each alone', async () => {
    const { asked } = await probed(
      (request, response) => response.end(html(`You came from ${request.headers.referer ?? 'nowhere'}.`)),
      crawlOf(AROUND.slice(0, 2)),
    )
    expect(asked).toBeLessThanOrEqual(12)
  })
})

describe('fields of one address', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  const fields = names.map((name) => pointOf('form', 'query', name, name === 'h' ? '' : 'test'))

  it('that do nothing cost together what one costs', async () => {
    const { asked, ends } = await probed((_request, response) => response.end(html('')), crawlOf(fields))
    expect(ends).toEqual(Array(8).fill('tested'))
    expect(asked).toBeLessThanOrEqual(20)
  })

  const mixed = names.map((name, index) => pointOf('form', 'query', name, ['test', '7', ''][index % 3]))

  it('numbers, texts and empty ones cost together what one costs', async () => {
    const { asked, ends } = await probed((_request, response) => response.end(html('')), crawlOf(mixed))
    expect(ends).toEqual(Array(8).fill('tested'))
    expect(asked).toBeLessThanOrEqual(10)
  })

  it.each(['d', 'e', 'f'])('and each of them is found among the others: %s', async (name) => {
    const { hits } = await probed((request, response) => {
      const value = new URL(request.url ?? '', 'http://shop.test').searchParams.get(name)
      response.end(html(value?.endsWith("'") ? 'boom' : 'fine'))
    }, crawlOf(mixed))
    expect(hits).toEqual([`query ${name}`])
  })

  it('one among many is found, though another changes the page by any value', async () => {
    const { hits } = await probed((request, response) => {
      const asked = new URL(request.url ?? '', 'http://shop.test').searchParams
      if (!['test', null].includes(asked.get('b'))) response.end('<title>Nothing</title>No tents of this kind.')
      else response.end(html(asked.get('f')?.includes("'") ? 'boom' : 'fine'))
    }, crawlOf(fields))
    expect(hits).toEqual(['query f'])
  })

  it.each(['query', 'form', 'json', 'multipart'] as const)(
    'of the few requests that a form may be sent none is left out: %s',
    async (place) => {
      const crawl = crawlOf(names.map((name) => pointOf('form', place, place === 'json' ? `/${name}` : name, 'test')))
      const fields = names.map((name) => ({ name, value: 'test', type: 'text' }))
      const encoding = place === 'form' ? 'urlencoded' : place === 'query' ? 'none' : place
      const body = place === 'json' ? JSON.stringify(Object.fromEntries(names.map((name) => [name, 'test']))) : null
      const change = { method: 'POST', effect: 'unknown', bound: 40, encoding, body } as const
      const url = `http://shop.test/form?${place === 'query' ? names.map((name) => `${name}=test`).join('&') : ''}`
      const requests = crawl.requests.map((one) => ({
        ...{ ...one, ...change, url },
        fields: place === 'form' || place === 'multipart' ? fields : [],
      }))
      const { hits, asked } = await probed(
        async (request, response) => {
          let text = decodeURIComponent(request.url ?? '')
          for await (const chunk of request) text += decodeURIComponent(String(chunk))
          const f = /(?:[?&]f=|"f":"|name="f"\r\n\r\n)([^&"\r]*)/.exec(text.replace('POST', ''))?.[1] ?? ''
          response.end(html(f.includes("'") ? 'boom' : 'fine'))
        },
        { ...crawl, requests },
      )
      expect(hits).toEqual([`${place} ${place === 'json' ? '/f' : 'f'}`])
      expect(asked).toBeLessThanOrEqual(40)
    },
  )

  it('what is stored is told apart: no words of a form share a request', async () => {
    const crawl = crawlOf(fields)
    const requests = crawl.requests.map((one) => ({ ...one, method: 'POST' }))
    const bodies: string[] = []
    await probed(
      (request, response) => {
        bodies.push(request.url ?? '')
        response.end(html(''))
      },
      { ...crawl, requests },
    )
    expect(bodies.filter((url) => (url.match(/%27/g) ?? []).length > 1)).toEqual([])
  })
})

describe('names that a page was not seen with', () => {
  const guesses = ['q', 'sort', 'page', 'lang', 'id'].map((name, index) => ({
    ...pointOf('about', 'query', name, ['test', '7', ''][index % 3]),
    guessed: true as const,
  }))

  it('are asked by one text for all modules', async () => {
    let asked = 0
    const crawl = crawlOf(guesses)
    const { ctx } = await probed((_request, response) => {
      asked += 1
      response.end(html(''))
    }, crawl)
    const alone = asked
    const { points } = await probeAll(ctx, crawl, plan)
    expect(points.map(({ end }) => end)).toEqual(Array(5).fill('tested'))
    expect(asked).toBe(alone)
  })

  it('cost a few requests together where it reads none', async () => {
    const { asked, ends } = await probed((_request, response) => response.end(html('')), crawlOf(guesses))
    expect(ends).toEqual(Array(5).fill('tested'))
    expect(asked).toBeLessThanOrEqual(6)
  })

  it('and where it repeats its own address', async () => {
    const { asked } = await probed(
      (request, response) => response.end(html(`You are at ${request.url}`)),
      crawlOf(guesses),
    )
    expect(asked).toBeLessThanOrEqual(12)
  })

  it.each([
    ['breaks by a quote', (value: string) => (value.includes("'") ? 'boom' : ''), {}],
    ['shows it as it was sent', (value: string) => (value.endsWith("'") ? 'boom' : value), { shows: true }],
  ])('are asked alone where it %s', async (_name, answer, change) => {
    const { hits } = await probed(
      (request, response) =>
        response.end(html(answer(new URL(request.url ?? '', 'http://shop.test').searchParams.get('sort') ?? ''))),
      crawlOf(guesses),
      null,
      null,
      change,
    )
    expect(hits).toEqual(['query sort'])
  })
})

it('a document at the end of a path has ways of its own where others are answered by no page', async () => {
  const word = { ...pointOf('goods', 'path', '0', 'terms.txt'), guessed: true as const }
  const requests = crawlOf([word]).requests.map((one) => ({ ...one, url: 'http://shop.test/terms.txt' }))
  const { hits } = await probed(
    (request, response) => {
      const known = request.url === '/terms.txt'
      response.writeHead(known ? 200 : 404).end(html(request.url?.endsWith('out') ? 'boom' : 'fine'))
    },
    { ...crawlOf([word]), requests },
    null,
    null,
    {
      named: async (probe, found) => {
        if ((await probe.send('../out')).text.includes('boom')) found('boom')
      },
    },
  )
  expect(hits).toEqual(['path 0'])
})

describe('a lone word of a path', () => {
  const word = { ...pointOf('goods', 'path', '0', 'goods'), guessed: true as const }

  it.each([
    ['is a name where no other is known', (path: string) => (path === '/goods' ? [200, 'fine'] : [404, 'boom']), false],
    ['is a name where all words are answered alike', () => [200, 'fine'], false],
    ['is a value where the page repeats it', (path: string) => [200, path.includes("'") ? 'boom' : path], true],
    [
      'is a value where the page changes with it',
      (path: string) => [200, path === '/goods' ? 'all of them' : 'boom'],
      true,
    ],
  ] as const)('%s', async (_name, answer, asked) => {
    const { hits, facts } = await probed(
      (request, response) => {
        const path = decodeURIComponent(new URL(request.url ?? '', 'http://shop.test').pathname)
        const [status, text] = answer(path)
        response.writeHead(Number(status)).end(html(String(text)))
      },
      crawlOf([word]),
    )
    expect(hits).toEqual(asked ? ['path 0'] : [])
    expect(facts.points.map(({ requests }) => requests > 1)).toEqual([asked])
  })
})

describe('a numbered page', () => {
  const within = { steps: ['number'], whole: 'part-3.html' }
  const page = { ...pointOf('parts', 'path', '0', '3'), within, guessed: true as const }

  it.each([
    ['is a file where another number is missed as any other name is', /^$/, false],
    ['is a value where a rule hands it to a program', /^\/part-(.*)\.html$/, true],
  ] as const)('%s', async (_name, rule, asked) => {
    const { hits, facts } = await probed(
      (request, response) => {
        const path = decodeURIComponent(new URL(request.url ?? '', 'http://shop.test').pathname)
        const part = rule.exec(path)?.[1]
        if (path === '/part-3.html') response.end(html('The third part.'))
        else if (part === undefined) response.writeHead(404).end(html(`No file is called ${path}.`))
        else response.writeHead(part.includes("'") ? 500 : 404).end(html(part.includes("'") ? 'boom' : 'No such part.'))
      },
      crawlOf([page]),
    )
    expect(hits).toEqual(asked ? ['path 0'] : [])
    expect(facts.points[0]?.requests).toBeLessThanOrEqual(asked ? 14 : 7)
  })
})

it('a text that quotes and brackets make unreadable is known as it was sent, in a cookie too', () => {
  const shown = (text: string): boolean => showsSentinel({ text: `<p>${text}</p>` } as Reply)
  const sent = encodeCookie(sentinel('light'))
  expect([shown(sentinel('light')), shown(sent), shown(sent.replaceAll('<', '&lt;'))]).toEqual([true, true, false])
})

test('of what may be sent a few times only a field that holds an object is asked alone', () => {
  const request = { ...caseRequest({ method: 'POST', encoding: 'urlencoded' }), bound: 40 } as unknown as ProbeRequest
  const of = (name: string, value: string): ProbePoint => ({ request, place: 'form', name, value })
  const state = of('state', 'rO0ABXNyABFqYXZhLnV0aWwuSGFzaE1hcAUH2sHDFmDRAwACRgAKbG9hZEZhY3RvckkACXRocmVzaG9sZHhw')
  const units = grouped([state, of('month', 'May'), of('year', '2031')])
  expect(units.map(({ name, members }) => members?.map((one) => one.name) ?? name)).toEqual([
    'state',
    ['month', 'year'],
  ])
})

test('nor an address that the server may call, beside what people fill in', () => {
  const request = { ...caseRequest({ method: 'POST', encoding: 'json' }), bound: 40 } as unknown as ProbeRequest
  const of = (name: string, value: string): ProbePoint => ({ request, place: 'json', name, value })
  const site = of('/homepage', 'https://ida.example/')
  const units = grouped([of('/dealer_api', 'https://example.org/'), of('/seats', '2'), site])
  const names = units.map(({ name, members }) => members?.map((one) => one.name) ?? name)
  expect(names).toEqual(['/dealer_api', ['/seats', '/homepage']])
})

it('halves of what stood out are sent it around their own values, whatever stood for those of all', async () => {
  const request = { ...{ id: 'join', method: 'POST', url: 'http://shop.test/join', headers: [], body: '' } }
  const form = { ...request, effect: 'writes' as const, bound: 40, seenOn: [] }
  const members = Object.entries({ mail: 'ida@shop.test', name: 'Ida', seats: '7' }).map(
    ([name, value]): ProbePoint => ({ request: form, place: 'form', name, value }),
  )
  const group = groupOf(members)
  const sent: { readonly value: string; readonly own: string }[] = []
  const at = (point: ProbePoint) => {
    const { probe } = fakeProbe(() => ({ text: 'usual' }), point)
    const send = (value: string) => {
      sent.push({ value, own: point.value })
      return probe.send(value)
    }
    return { ...probe, send }
  }
  const prober: Pick<Prober, 'at'> = { at }
  expect(await deviants(prober, group, new Deviation(`${group.value}'`, {}))).toEqual([])
  expect(sent.length).toBeGreaterThan(1)
  for (const { value, own } of sent) expect(value).toBe(`${own}'`)
})
