/** Bodies of JSON that are merged into objects of a real server, and its safe twins. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { createContext, runInContext } from 'node:vm'
import { afterEach, describe, expect, it } from 'vitest'
import { judgeModule } from '../../../engine/judge.ts'
import { orderModules } from '../../../engine/plan.ts'
import { MODULES } from '../../index.ts'
import { collectContext, serveCase } from '../../testing/collecting.ts'
import { caseContext } from '../../testing/judge-cases.ts'
import { inventoryOf } from '../insertion-points/inventory.ts'
import type { Reply } from '../insertion-points/prober.ts'
import { baselineKey } from '../insertion-points/reached.ts'
import { SHARED } from '../insertion-points/shared.ts'
import { crawlOf, pointOf } from '../insertion-points/testing/probing.ts'
import { collectPrototypes } from './collect.ts'
import { prototypes } from './module.ts'

const cleanups: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const row = (path: string) => ({
  ...{ url: `http://shop.test${path}`, status: 200, contentType: 'application/json' },
  ...{ title: '', depth: 1, source: 'link' as const },
})

it('is what an active run asks last: a server may end by it', () => {
  const active = orderModules(MODULES).filter(({ conduct }) => conduct === 'active')
  expect(active.at(-1)?.id).toBe('prototypes')
  const others = active.map(({ id }) => id).filter((id) => id !== 'prototypes' && !EARLY.includes(id))
  expect([...(prototypes.uses ?? []), ...prototypes.needs].toSorted()).toEqual(others.toSorted())
})
/** What asks no application, or is what others need. */
const EARLY: readonly string[] = ['nameservers', 'mx', 'tls-deep', 'ports', 'services']

describe('a body of JSON that is merged', () => {
  /** In a realm of its own, whose objects the merge may change without harm to the test. */
  const merging = (merge: string, shown: string) => `
    const merge = ${merge}
    const settings = { spaces: undefined }
    const kept_ = {}
    const list_ = []
    const kept = JSON.stringify({ theme: 'green', panel: { open: true } })
    const answer = (method, body, path) => {
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
    spent = 0,
    isKnown = false,
  ) => {
    const context = createContext()
    const answer = runInContext(merging(merge, shown), context) as (
      method: string,
      body: string,
      path: string,
    ) => string
    const headers = runInContext(loop, context) as () => readonly [string, string][]
    const bodies: string[] = []
    let last = 0
    const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const body = await text(request)
      if (request.method === 'POST') bodies.push(body)
      response.setHeader('Content-Type', 'application/json')
      try {
        for (const [name, value] of headers()) response.setHeader(name, value)
        response.end(answer(request.method ?? '', body, request.url ?? ''))
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
      urls: [row('/status'), { ...row('/news'), contentType: 'text/html' }],
      requests: crawl.requests.map((one) => ({ ...one, ...form })),
    }
    const site = await serveCase(196, { http: (request, response) => void handle(request, response) })
    cleanups.push(site.close)
    const { ctx, close } = collectContext(site.address, { module: 'prototypes', requests: 1_000 })
    cleanups.push(close)
    const on = { ...ctx, target: { ...ctx.target, environment } }
    // What others were asked before has used up all but what is kept for the end.
    const { writes } = ctx.scope.of(SHARED)
    const [asked] = inventoryOf(known)
    for (let sent = 0; asked !== undefined && sent < spent; sent += 1)
      await writes.send(
        { kept: () => 0, used: new Map(), get: async () => Promise.reject(new Error('not asked')), careful: false },
        {
          request: asked.request,
          changes: false,
          pursues: true,
          work: async () => ({ status: 200 }),
          another: async () => undefined,
        },
      )
    const usual: Reply = {
      ...{ value: '', status: 200, text: '{}', contentType: 'application/json', location: '' },
      ...{ headers: [], ms: 1, replay: '' },
    }
    if (isKnown && asked) await ctx.scope.of(SHARED).baselines(baselineKey(asked), async () => [usual, usual])
    const facts = await collectPrototypes(on, { crawl: known })
    const { findings, coverage } = judgeModule(prototypes as never, facts, { crawl: known } as never, caseContext())
    return {
      found: findings.map(({ check_id, confidence }) => `${check_id} ${confidence}`),
      state: coverage.find(({ check_id }) => check_id === 'prototypes/pollution')?.state,
      why: coverage.find(({ check_id }) => check_id === 'prototypes/pollution')?.reason,
      said: findings.map(({ detail }) => detail).join(' '),
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
    expect(found).toEqual(['prototypes/pollution confirmed'])
    expect(said).toContain('set to 0')
    expect(bodies.findLast((body) => /spaces/.test(body))).toMatch(/"(?:sonde|json )spaces":0/)
  })

  it('is found with what a form is kept for the end', async () => {
    const { found } = await asking(DEEP, 'JSON.stringify(own)', 'test', '() => []', 32)
    expect(found).toEqual(['prototypes/pollution confirmed'])
  })

  /** By nothing but the answer to the next such request. */
  const ITSELF = `method === 'POST' ? JSON.stringify(own) : '{"up":true}'`

  it('is found with six requests where others know how it is answered', async () => {
    const { found } = await asking(DEEP, ITSELF, 'test', '() => []', 34, true)
    expect(found).toEqual(['prototypes/pollution confirmed'])
  })

  it.each([35, 39, 40])(
    'where others have used %i of the forty nothing is proven, and nothing is clean',
    async (spent) => {
      const { found, state } = await asking(DEEP, ITSELF, 'test', '() => []', spent, true)
      expect([found, state]).toEqual([[], 'inconclusive'])
    },
  )

  it('into what a server loops over shows in a header, and the server goes on', async () => {
    const { found, bodies, last } = await asking(DEEP, `'{"saved":true}'`, 'test', LOOPING)
    expect([found, last]).toEqual([['prototypes/pollution confirmed'], 200])
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

  it('a server that answers nothing at all is not clean', async () => {
    const { found, state } = await asking(DEEP, `(() => { throw new TypeError('dies') })()`)
    expect(found).toEqual([])
    expect(state).not.toBe('pass')
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

  it.each([
    ['merged', DEEP],
    ['left out', DEEP.replace('skip = []', "skip = ['__proto__', 'constructor', 'prototype']")],
  ])('whose members of the prototype are %s where no answer tells is not clean', async (_how, merge) => {
    // As libraries write it: what an object only inherits is not its own.
    const { found, state } = await asking(merge.replace('k in b', 'k of Object.keys(b)'), 'JSON.stringify({ ...own })')
    expect([found, state]).toEqual([[], 'inconclusive'])
  })

  it('that breaks a page, and shows nowhere else, is told', async () => {
    const page = `(() => { for (const name in {}) throw new TypeError('a list'); return '<h1>News</h1>' })()`
    const { state, why } = await asking(DEEP, `path === '/news' ? ${page} : '{"saved":true}'`)
    expect([state, why]).toEqual([
      'inconclusive',
      expect.stringMatching(/^pages that answered with errors .*: 1, for one \/news; start the server anew$/),
    ])
  })

  it('on a production system is not asked', async () => {
    const { state, bodies } = await asking(DEEP, INDENTED, 'production')
    expect([state, bodies]).toEqual(['not_tested', []])
  })
})
