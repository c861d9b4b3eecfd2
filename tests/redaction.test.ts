/** Whole scans with cookies of ordinary words and of real secrets: what is found, what is sent, and what is told. */
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEgress } from '../src/egress/door/create-egress.ts'
import { createRedactor } from '../src/egress/redaction/redact.ts'
import { REDACTED } from '../src/egress/redaction/redacted.ts'
import { hiddenOf } from '../src/egress/redaction/secrets-of.ts'
import { launchBrowser } from '../src/engine/browser/launch.ts'
import { judgeStored } from '../src/engine/judge-stored.ts'
import { VOCABULARY } from '../src/engine/product.ts'
import type { FromChild, RunSpec } from '../src/engine/protocol.ts'
import { scan } from '../src/engine/scan.ts'
import { ModuleEnding } from '../src/modules/endings.ts'
import { MODULES } from '../src/modules/index.ts'
import { type CaseServers, serveCase } from '../src/modules/testing/collecting.ts'
import { caseContext } from '../src/modules/testing/judge-cases.ts'

/** Behind --long all modules that a host without zones and services has something for. */
const LONG = process.env.SONDE_LONG === '1'
const SMALL = ['site', 'headers', 'cookies', 'markup', 'disclosure', 'crawl', 'injection']
const UNSUITED = [
  'ports',
  'services',
  'dns',
  'mail',
  'mx',
  'names',
  'nameservers',
  'tls',
  'tls-deep',
  'cve',
  'templates',
]
const wanted = LONG ? MODULES.filter(({ id }) => !UNSUITED.includes(id)).map(({ id }) => id) : SMALL
const needed = (one: string): readonly string[] => [
  one,
  ...(MODULES.find((module) => module.id === one)?.needs ?? []).flatMap(needed),
]
const taking = new Set(wanted.flatMap(needed))
/** Of those that a module only uses, the ones that are left out here are no part of it. */
const modules = MODULES.filter(({ id }) => taking.has(id)).map((module) => ({
  ...module,
  uses: (module.uses ?? []).filter((id) => taking.has(id)),
}))

const TEST_TIME = LONG ? 3_600_000 : 400_000
/** Words under each name of a cookie: with --long all twenty have a run, ten under either name. */
const TRIED = LONG ? 10 : 1
const NEUTRAL = 'qualm'
const WORDS = [
  ...['medium', 'headers', 'high', 'admin', 'script', 'content', 'cookie', 'secure', 'passed', 'title'],
  ...['critical', 'completed', 'severity', 'location', 'session', 'token', 'password', 'redacted', 'facts', 'module'],
]

let site: CaseServers
/** Everything that reached the site in the present scan, as it came. */
let asked: string[] = []

beforeAll(async () => {
  site = await serveCase(61, { http: answer })
})
afterAll(() => site?.close())

/**
 * A small shop that hands the visitor's own cookie back: in its form, in its text and in a cookie. In no address: words
 * of addresses rightly decide what a crawl asks first.
 */
const answer = (request: IncomingMessage, response: ServerResponse): void => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const url = new URL(request.url ?? '', 'http://shop.test')
    const body = Buffer.concat(chunks).toString('latin1')
    asked.push(`${request.method} ${request.url} ${JSON.stringify(request.rawHeaders)} ${body}`)
    const value = /(?:theme|session)=([^;]*)/.exec(request.headers.cookie ?? '')?.[1] ?? 'none'
    const known = PAGES[url.pathname]
    const headers = { 'Content-Type': 'text/html', 'X-Theme': value, 'Set-Cookie': `theme=${value}; Path=/` }
    response.writeHead(known ? 200 : 404, headers).end(page(known?.(value, url) ?? 'There is nothing here.', value))
  })
}

const page = (body: string, value: string): string =>
  `<!doctype html><html lang="en" class="${value}"><title>Shop</title><!-- theme=${value} -->
<a href="/">Start</a> <a href="/search?q=tent">Tents</a> <a href="/about">About</a>
<form action="/find"><input name="token" type="hidden" value="${value}"><input name="q" value="tent"></form>
<p>${value.toUpperCase()} ${[...value].join(' ')} ${[...value].reverse().join('')}</p>${body}</html>`

const PAGES: Readonly<Record<string, (value: string, url: URL) => string>> = {
  '/': () => '<p>Welcome to the shop.</p>',
  '/about': (value) => `<p>Error: severity medium, state passed (${value})</p>`,
  '/search': (_, url) => `<p>Results for ${url.searchParams.get('q')?.replaceAll('<', '&lt;')}</p>`,
  // Only who sends the token back sees the flaw: a template engine that reckons.
  '/find': (value, url) =>
    url.searchParams.get('token') === value
      ? `<p>Found: ${(url.searchParams.get('q') ?? '')
          .replace(/\{\{(\d+)\*(\d+)\}\}/g, (_, a, b) => String(Number(a) * Number(b)))
          .replaceAll('<', '&lt;')}</p>`
      : '<p>Your form has expired.</p>',
}

interface Scanned {
  readonly messages: readonly FromChild[]
  readonly log: readonly string[]
  readonly asked: readonly string[]
}

const scanWith = async (cookie: string, completed: RunSpec['completed'] = {}): Promise<Scanned> => {
  asked = []
  const { target, options } = caseContext()
  const spec: RunSpec = {
    ...{ runId: '00000000-0000-4000-8000-00000000000e', options: { ...options, active: true }, now: SINCE, completed },
    ...{
      target: { ...target, tier: 'active' },
      credentials: { cookie, header: null },
      deadline: 300,
      activeRefused: null,
    },
    egress: {
      ...{ hosts: { [target.host]: [site.address] }, allowNetworks: ['127.0.0.0/8'], resolvers: [`${site.address}:9`] },
      ...{ requestsPerSecond: 1_000, concurrency: 1, contact: 'ops@example.org', trafficKey: 'dGVzdA' },
    },
  }
  const messages: FromChild[] = []
  const log: string[] = []
  await scan(spec, {
    modules,
    openEgress: (audit, signal, answered) =>
      createEgress({
        ...{ settings: spec.egress, runId: spec.runId, version: '0.0.0', target: spec.target, answered, audit, signal },
        ...{ credentials: spec.credentials, vocabulary: VOCABULARY },
      }),
    launchBrowser: LONG
      ? launchBrowser
      : async () => {
          throw new ModuleEnding('skipped', 'no browser in this test')
        },
    send: async (message) => {
      messages.push(structuredClone(message))
    },
    signal: new AbortController().signal,
    log: (line) => log.push(line),
  })
  expect(messages.at(-1), log.join('\n')).toEqual({ type: 'ended', result: 'completed' })
  return { messages, log, asked }
}
const SINCE = Date.UTC(2026, 0, 1)

const modulesOf = ({ messages }: Scanned) =>
  messages
    .flatMap((message) => (message.type === 'module' ? [message] : []))
    .toSorted((a, b) => (a.module < b.module ? -1 : 1))

/** What a run comes to, the cookie's value aside where the site hands it back. */
const resultOf = (scanned: Scanned, value: string) => {
  const neutral = (text: string | undefined): string => (text ?? '').replaceAll(`token=${value}`, 'token=VALUE')
  const found = modulesOf(scanned).flatMap(({ findings }) => findings)
  return {
    findings: found
      .map((one) =>
        [one.check_id, one.severity, one.confidence, neutral(one.location.url), one.location.parameter].join(' '),
      )
      .toSorted(),
    counts: Object.fromEntries(
      Map.groupBy(found, ({ severity }) => severity)
        .entries()
        .map(([key, list]) => [key, list.length]),
    ),
    states: modulesOf(scanned).map(({ module, outcome }) => `${module} ${outcome.state} ${outcome.reason}`),
    // Probes share answers: which of them asks first, and has the request on its account, is chance; how many there are is not.
    sent: modulesOf(scanned).reduce((sum, { outcome }) => sum + outcome.requests, 0),
    coverage: modulesOf(scanned).flatMap(({ coverage }) => coverage.map((line) => `${line.check_id} ${line.state}`)),
    // Payloads, and names of pages that cannot be there, are drawn by lot: where they go is what can be compared.
    requests: Object.fromEntries(
      Map.groupBy(scanned.asked, (line) =>
        line
          .split(/[ ?]/, 2)
          .join(' ')
          // Also within a folder of that kind, and packed in base64.
          .replace(/\bqx[0-9a-f]{8,}|\b[0-9a-f]{10,}(?:\/[0-9a-f]{4}(?=\.))?|\bcX[gh][\w+/-]{11,}/g, 'NAME')
          .replace(/(?<= )\S*%\S*/, 'PAYLOAD'),
      )
        .entries()
        .map(([key, list]) => [key, list.length]),
    ),
  }
}

describe('an ordinary word as the value of a cookie', () => {
  test.each(['theme', 'session'])(
    'changes nothing of a run: %s',
    async (name) => {
      const expected = await scanWith(`${name}=${NEUTRAL}`)
      const neutral = resultOf(expected, NEUTRAL)
      expect(neutral.findings.length).toBeGreaterThan(5)
      expect(neutral.findings.join()).toContain('injection/template')
      expect(expected.asked.filter((line) => line.includes(`token=${NEUTRAL}`)).length).toBeGreaterThan(1)
      for (const word of WORDS.slice(name === 'theme' ? 0 : 10).slice(0, TRIED)) {
        const scanned = await scanWith(`${name}=${word}`)
        expect(resultOf(scanned, word), word).toEqual(neutral)
        expect(scanned.asked.join('\n')).not.toContain(REDACTED)
      }
    },
    TEST_TIME,
  )
})

describe('a real secret', () => {
  const SECRET = 'kV8nQ2-xR47tLw.Zp3Jd'
  let scanned: Scanned
  beforeAll(async () => {
    scanned = await scanWith(`session=${SECRET}`)
  }, TEST_TIME)

  test('goes back to the site as it came, and never as what stands for it', () => {
    expect(scanned.asked.some((line) => line.includes(`token=${SECRET}`))).toBe(true)
    expect(scanned.asked.join('\n')).not.toContain(REDACTED)
  })

  test('costs no finding and no request', () => {
    const told = modulesOf(scanned).flatMap(({ findings }) => findings)
    expect(told.map(({ check_id }) => check_id).join()).toContain('injection/template')
  })

  test('is in no message and no line of the log, in any variant', () => {
    const texts = [
      ...scanned.messages.map((message) =>
        message.type === 'evidence' ? Buffer.from(message.body).toString('latin1') : JSON.stringify(message),
      ),
      ...scanned.log,
    ]
    const skin = texts
      .join('\n')
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, '')
    const bare = SECRET.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
    expect(texts.join()).toContain(REDACTED)
    for (const variant of [bare, [...bare].reverse().join('')]) {
      for (let at = 0; at + 9 <= variant.length; at += 1) expect(skin).not.toContain(variant.slice(at, at + 9))
    }
  })

  test('judging again what was stored finds the same', () => {
    const stored = modulesOf(scanned).map(({ module, facts, outcome }) => ({ module, facts, outcome }))
    const { target, options } = caseContext()
    const spec = { target: { ...target, tier: 'active' as const }, options: { ...options, active: true }, now: SINCE }
    const again = judgeStored(stored, spec, modules)
    expect(again.failures).toEqual([])
    const lines = (list: readonly { check_id: string; fingerprint: string; detail: string }[]) =>
      list.map((one) => `${one.check_id} ${one.fingerprint} ${one.detail}`).toSorted()
    expect(lines(again.findings)).toEqual(lines(modulesOf(scanned).flatMap(({ findings }) => findings)))
  })

  test(
    'is true again in a next attempt',
    async () => {
      const completed = Object.fromEntries(
        modulesOf(scanned)
          .filter(({ module }) => module !== 'injection')
          .map(({ module, facts, outcome }) => [module, { facts, outcome }]),
      )
      const again = await scanWith(`session=${SECRET}`, completed)
      expect(again.asked.join('\n')).not.toContain(REDACTED)
      expect(again.asked.some((line) => line.includes(`token=${SECRET}`))).toBe(true)
      expect(modulesOf(again).map(({ module }) => module)).toContain('crawl')
      expect(modulesOf(again).map(({ module }) => module)).not.toContain('headers')
    },
    TEST_TIME,
  )
})

describe('words of people and of the product', () => {
  const prose = ['../docs/findings.md', '../docs/openapi.json', '../docs/operations.md'].map((file) =>
    readFileSync(new URL(file, import.meta.url), 'utf8'),
  )
  const words = [
    ...new Set([
      ...VOCABULARY,
      ...prose.flatMap((text) =>
        [...text.matchAll(/(?<![\w/.-])[a-zA-Z]+(?:[-_][a-zA-Z]+){0,2}(?![\w/.-])/g)].map(([word]) => word),
      ),
    ]),
  ].filter((word) => word.length >= 4)
  const readsLikeChance = (name: string) => (word: string) =>
    hiddenOf({ cookie: `${name}=${word}`, header: null }, VOCABULARY).secrets.length > 0

  test.each(['theme', 'session', 'auth_token'])('are no secrets: %s', (name) => {
    expect(words.length).toBeGreaterThan(2_000)
    // Abbreviations and names run together do: "pdfinfo", "X-WebKit-CSP". The product's own words never do.
    const taken = words.filter(readsLikeChance(name))
    expect(taken.length / words.length, taken.join(' ')).toBeLessThan(0.002)
    expect(taken.filter((word) => VOCABULARY.has(word))).toEqual([])
  })

  test(
    'leave recorded facts and exchanges as they are, but for their own place',
    async () => {
      const recorded = await scanWith('other=1')
      const facts = modulesOf(recorded).map((message) => message.facts)
      const text = [...recorded.asked, page(PAGES['/about']?.('x', new URL('http://shop.test/')) ?? '', 'x')].join('\n')
      expect(JSON.stringify(facts).length).toBeGreaterThan(5_000)
      const step = Math.max(1, Math.floor(words.length / 500))
      const readable = words.filter((word) => !readsLikeChance('session')(word))
      for (const word of readable.filter((_, index) => index % step === 0)) {
        const { value, text: told } = createRedactor(
          { cookie: `zzsession=${word}; zztheme=${word}`, header: null },
          VOCABULARY,
        )
        expect(value(facts), word).toBe(facts)
        expect(told(text), word).toBe(text)
        expect(told(`${word} zztheme=${word}; ${word}`)).toBe(`${word} zztheme=${REDACTED}; ${word}`)
      }
    },
    TEST_TIME,
  )
})
