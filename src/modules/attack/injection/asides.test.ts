/** What is asked beside places: names with a null byte, prototypes of objects. Real servers, and their safe twins. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createContext, runInContext } from 'node:vm'
import { afterEach, describe, expect, it } from 'vitest'
import { collectContext, serveCase } from '../../testing/collecting.ts'
import { inventoryOf } from '../insertion-points/inventory.ts'
import { crawlOf, pointOf } from '../insertion-points/testing/probing.ts'
import { collect } from './collect.ts'
import { askNullBytes } from './probes/null-byte.ts'
import { askPrototypes } from './probes/prototypes.ts'
import { bodyOf, close, row, scan } from './testing/asides.ts'

afterEach(close)

describe('a folder that hands out some kinds of files', () => {
  const FILES: Readonly<Record<string, string>> = { 'plans.md': 'Plans', 'users.bak': 'robin:4711' }
  const asking = async (fileOf: (segment: string) => string | null) => {
    const handle: RequestListener = (request, response) => {
      const segment = /^\/kept\/([^/?]+)$/.exec(request.url ?? '')?.[1]
      const name = segment === undefined ? null : fileOf(segment)
      if (name === null) response.writeHead(403).end('Only .md and .pdf files are handed out')
      else if (FILES[name] === undefined) response.writeHead(404).end('There is none')
      else response.end(FILES[name])
    }
    const crawl = {
      ...crawlOf([]),
      urls: [row('/kept/plans.md'), row('/kept/users.bak', 403), row('/kept/none.bak', 404)],
    }
    const { found, stateOf, said } = await scan(handle, crawl, 'production', async (ctx) => ({
      nullBytes: await askNullBytes(ctx, crawl),
    }))
    return { found, state: stateOf('injection/null-byte'), said }
  }
  const isAllowed = (name: string): boolean => /\.(?:md|pdf)$/.test(name)

  it.each([
    ['decodes once more behind the check', (name: string) => (isAllowed(name) ? (name.split('%00')[0] ?? '') : null)],
    [
      'ends the name as what is written in C does',
      (name: string) => (isAllowed(name) ? (name.split('\0')[0] ?? '') : null),
    ],
  ])('and %s is found', async (_how, fileOf) => {
    const { found, said } = await asking((segment) => fileOf(decodeURIComponent(segment)))
    expect(found).toEqual(['injection/null-byte confirmed'])
    expect(said).toMatch(/users\.bak is refused, and handed out as \/kept\/users\.bak%/)
  })

  it('and takes names as they are is safe', async () => {
    const { found, state } = await asking((segment) => (isAllowed(decodeURIComponent(segment)) ? segment : null))
    expect([found, state]).toEqual([[], 'pass'])
  })

  it('and answers every name with one page is safe', async () => {
    const { found, state } = await asking((segment) => (isAllowed(decodeURIComponent(segment)) ? 'plans.md' : null))
    expect([found, state]).toEqual([[], 'pass'])
  })
})

describe('a body of JSON that is merged', () => {
  /** In a realm of its own, whose objects the merge may change without harm to the test. */
  const merging = (merge: string, shown: string) => `
    const merge = ${merge}
    const settings = { spaces: undefined }
    const kept_ = {}
    const list_ = []
    const kept = JSON.stringify({ theme: 'green', panel: { open: true } })
    const answer = (method, body) => {
      const own = merge(JSON.parse(kept), method === 'POST' ? JSON.parse(body) : {})
      return ${shown}
    }
    answer`
  const DEEP = `(a, b, skip = []) => { for (const k in b) { if (skip.includes(k)) continue; if (b[k] && typeof b[k] === 'object' && a[k] && (typeof a[k] === 'object' || typeof a[k] === 'function')) merge(a[k], b[k], skip); else a[k] = b[k] } return a }`
  const INDENTED = `JSON.stringify({ saved: true }, null, settings['json spaces'])`

  /** As a server sets several headers at once. */
  const LOOPING = `() => { const own = { 'x-own': '1' }, all = []; for (const name in own) all.push([name, String(own[name])]); return all }`

  const asking = async (
    merge: string,
    shown: string,
    environment: 'test' | 'production' = 'test',
    loop = '() => []',
  ) => {
    const context = createContext()
    const answer = runInContext(merging(merge, shown), context) as (method: string, body: string) => string
    const headers = runInContext(loop, context) as () => readonly [string, string][]
    const bodies: string[] = []
    let last = 0
    const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const body = await bodyOf(request)
      if (request.method === 'POST') bodies.push(body)
      response.setHeader('Content-Type', 'application/json')
      try {
        for (const [name, value] of headers()) response.setHeader(name, value)
        response.end(answer(request.method ?? '', body))
        last = 200
      } catch (error) {
        last = 500
        if (/dies/.test(String(error))) response.destroy()
        else response.writeHead(500).end(JSON.stringify({ error: String(error) }))
      }
    }
    const crawl = crawlOf([pointOf('a', 'json', '/theme', 'dark'), pointOf('a', 'json', '/panel/open', 'false')])
    const body = JSON.stringify({ theme: 'dark', panel: { open: false } })
    const form = { method: 'POST', url: 'http://shop.test/prefs', encoding: 'json', body, bound: 40 } as const
    const known = {
      ...crawl,
      urls: [row('/status', 200, 'application/json')],
      requests: crawl.requests.map((one) => ({ ...one, ...form })),
    }
    const scanned = await scan(
      (request, response) => void handle(request, response),
      known,
      environment,
      async (ctx, prober) => ({ prototypes: await askPrototypes(ctx, known, inventoryOf(known), prober.at) }),
    )
    return {
      found: scanned.found,
      state: scanned.stateOf('injection/prototype-pollution'),
      said: scanned.said,
      bodies,
      last,
    }
  }

  it.each([
    ['shows in what is merged next', DEEP, 'JSON.stringify(own)'],
    ['shows in how answers are written', DEEP, INDENTED],
    ['goes by the constructor alone', DEEP.replace('skip = []', "skip = ['__proto__']"), INDENTED],
  ])('into the prototype is found where it %s, and set back', async (_where, merge, shown) => {
    const { found, said, bodies } = await asking(merge, shown)
    expect(found).toEqual(['injection/prototype-pollution confirmed'])
    expect(said).toContain('set to 0')
    expect(bodies.findLast((body) => /spaces/.test(body))).toMatch(/"(?:sonde|json )spaces":0/)
  })

  it('into what a server loops over shows in a header, and the server goes on', async () => {
    const { found, bodies, last } = await asking(DEEP, `'{"saved":true}'`, 'test', LOOPING)
    expect([found, last]).toEqual([['injection/prototype-pollution confirmed'], 200])
    expect(bodies.filter((body) => body.includes('json spaces'))).toEqual([])
  })

  it.each([
    ['answers with errors', 'Invalid name'],
    ['answers nothing', 'dies'],
  ])('where the server %s from then on nothing more is asked, and nothing is clean', async (_how, why) => {
    const fails = `(() => { for (const name in {}) if (name.includes(' ')) throw new TypeError('${why}'); return '{"saved":true}' })()`
    const { found, state, bodies } = await asking(DEEP, fails)
    expect([found, state]).toEqual([[], 'inconclusive'])
    expect(bodies.filter((body) => body.includes('json spaces'))).toHaveLength(1)
  })

  it.each([
    ['by known members', `(a, b) => ({ ...a, theme: b.theme })`, 'JSON.stringify(own)'],
    [
      'without the names of prototypes',
      DEEP.replace('skip = []', "skip = ['__proto__', 'constructor', 'prototype']"),
      INDENTED,
    ],
    ['into a copy by its own members', '(a, b) => Object.assign({}, a, b)', INDENTED],
    [
      'and kept as it was sent, to be shown',
      `(a, b) => Object.assign(kept_, { last: JSON.stringify(b) })`,
      `(method === 'POST' && (list_.push(body)), '[' + list_.join(',') + ']')`,
    ],
    ['and repeated whole', '(a, b) => b', `method === 'POST' ? body : '{"saved":true}'`],
  ])('%s is safe', async (_how, merge, shown) => {
    const { found, state } = await asking(merge, shown)
    expect([found, state]).toEqual([[], 'pass'])
  })

  it('is sent into no prototype before all places were asked', async () => {
    const bodies: string[] = []
    const own = '{"theme":"dark"}'
    const site = await serveCase(183, {
      http: async (request, response) => {
        if (request.method === 'POST') bodies.push(await bodyOf(request))
        response.setHeader('Content-Type', 'application/json').end('{"saved":true}')
      },
    })
    const { ctx, close: end } = collectContext(site.address, { module: 'injection', requests: 2_000 })
    const crawl = crawlOf([pointOf('a', 'json', '/theme', 'dark')])
    const form = {
      method: 'POST',
      url: 'http://shop.test/prefs',
      encoding: 'json',
      body: own,
      effect: 'writes',
    } as const
    const requests = crawl.requests.map((one) => ({ ...one, ...form }))
    const test = { ...ctx, target: { ...ctx.target, environment: 'test' } } as const
    const { prototypes } = await collect(test, { crawl: { ...crawl, requests } }, 0)
    await end()
    await site.close()
    expect(prototypes).toMatchObject({ known: 1, asked: 1 })
    const first = bodies.findIndex((body) => body.includes('"__proto__"'))
    expect(bodies.slice(0, first).filter((body) => body !== own).length).toBeGreaterThan(10)
    expect(bodies.slice(first).filter((body) => body !== own && !body.includes('"__proto__"'))).toEqual([])
    expect(bodies.length).toBeLessThanOrEqual(40)
  })

  it('on a production system is not asked', async () => {
    const { state, bodies } = await asking(DEEP, INDENTED, 'production')
    expect([state, bodies]).toEqual(['not_tested', []])
  })
})
