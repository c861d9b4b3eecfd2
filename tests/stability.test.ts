/**
 * The same site scanned again and again gives the same findings with the same fingerprints and the same proofs, whatever
 * came in which order and whatever the scanner made up: a decision about any of them holds. Every module but privacy looks,
 * the active ones at what they find. Five times, with SONDE_LONG=1; web-injection.test.ts replaces what was made up always.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEgress } from '../src/egress/door/create-egress.ts'
import { launchBrowser } from '../src/engine/browser/launch.ts'
import { type JudgedFinding, judgeModule } from '../src/engine/judge.ts'
import type { FromChild, RunSpec } from '../src/engine/protocol.ts'
import { scan } from '../src/engine/scan.ts'
import { MODULES } from '../src/modules/index.ts'
import { type CaseServers, serveCase } from '../src/modules/testing/collecting.ts'
import { caseContext } from '../src/modules/testing/judge-cases.ts'
import { page } from '../testbed/web/case.ts'
import { WEB_CASES } from '../testbed/web/cases.ts'
import { serveCases } from '../testbed/web/server.ts'
import { DATABASES, type Sql } from '../testbed/web/sql.ts'
import { linesOf, otherwise } from './support/same-findings.ts'

const LONG = Boolean(process.env.SONDE_LONG)
const SCANS = 5
const LOOKING = MODULES.filter(({ conduct }) => conduct !== 'privacy')
/** Seconds for a scan on a machine that does much else. */
const DEADLINE = 900
/** Found here: of every module that asks actively, and every kind of proof that is made up anew. */
const FOUND = [
  ...['sqli/boolean', 'sqli/error'],
  ...['injection/code', 'injection/command', 'injection/ldap', 'injection/nosql', 'injection/path-traversal'],
  ...['injection/template', 'injection/xpath'],
  ...['xss/reflected', 'xss/reflected-click', 'xss/open-redirect', 'xss/fragment', 'xss/dom', 'xss/stored'],
  ...['xss/header-injection', 'exposure/credentials', 'exposure/repository', 'waf/absent'],
]
/** Asked to their end, whatever they found. */
const COMPLETED = ['tls-deep', 'ports', 'services', 'templates', 'crawl', 'rate-limit']
const SHOWN = [
  'xss-text',
  'xss-script-single',
  'xss-link-address',
  'redirect-plain',
  'onward-refresh',
  'fragment-markup',
  'dom-query',
  'dom-message-member',
  'head-any-break',
  'sqlite-number-hidden',
  'sqlite-number-shown',
  'command-bare',
  'code-expression',
  'template-braces',
  'path-joined',
  'ldap-filter',
  'xpath-single',
  'nosql-query',
]
/** Addresses that nobody links to. */
const LEFT_BEHIND: Readonly<Record<string, string>> = {
  '/.git/HEAD': 'ref: refs/heads/main\n',
  '/.env': 'APP_ENV=production\nDB_PASSWORD=correct-horse-battery\nAPP_KEY=base64:c2Vzc2lvbg==\n',
}
const STORING = 'stored-text-quiet'

let folder: string
let server: CaseServers
let sqlite: Sql
const cleanups: (() => Promise<void>)[] = []

const site = (serve: RequestListener): RequestListener => {
  const values = new Map(WEB_CASES.map(({ id, value }) => [id, encodeURIComponent(value)]))
  const links = SHOWN.flatMap((id) =>
    ['careless', 'careful'].map((twin) => `<a href="/${twin}/${id}?q=${values.get(id)}">${id}</a>`),
  )
  const form = `<a href="/careless/${STORING}">Reviews</a><form method="post" action="/careless/${STORING}"><textarea name="q"></textarea></form>`
  return (request, response) => {
    const left = LEFT_BEHIND[request.url ?? '']
    if (left !== undefined) return response.writeHead(200, { 'Content-Type': 'text/plain' }).end(left)
    if (request.url !== '/') return serve(request, response)
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(page(links.join(' ') + form))
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sonde-stability-'))
  const cases = WEB_CASES.filter(({ id }) => [...SHOWN, STORING].includes(id))
  await writeFile(join(folder, 'terms.txt'), 'Goods remain ours until they are paid for.\n')
  sqlite = await DATABASES.sqlite()
  cleanups.push(sqlite.close)
  const shop = site(serveCases(cases, { databases: { sqlite }, folder }))
  server = await serveCase(95, { http: shop, https: shop })
  cleanups.push(server.close)
})

afterAll(async () => {
  for (const close of cleanups.reverse()) await close()
  await rm(folder, { recursive: true, force: true })
})

interface Scanned {
  readonly findings: readonly JudgedFinding[]
  readonly facts: ReadonlyMap<string, unknown>
}

const scanned = async (): Promise<Scanned> => {
  const { target, options } = caseContext()
  const spec: RunSpec = {
    runId: '00000000-0000-4000-8000-00000000000d',
    // What stores is asked there alone.
    target: { ...target, tier: 'active', environment: 'test' },
    options: { ...options, active: true },
    egress: {
      hosts: { [target.host]: [server.address] },
      allowNetworks: ['127.0.0.0/8'],
      resolvers: [`${server.address}:9`],
      requestsPerSecond: 500,
      concurrency: 10,
      contact: 'ops@example.org',
      trafficKey: Buffer.from('test key').toString('base64url'),
    },
    // What else listens on the machine is none of this test's business.
    settings: { ports: '80,443' },
    credentials: { cookie: null, header: null },
    now: Date.now(),
    deadline: DEADLINE,
    activeRefused: null,
    completed: {},
  }
  const messages: FromChild[] = []
  await scan(spec, {
    modules: LOOKING,
    openEgress: (audit, signal, answered) =>
      createEgress({
        settings: spec.egress,
        runId: spec.runId,
        version: '0.0.0',
        target: spec.target,
        credentials: spec.credentials,
        answered,
        audit,
        signal,
      }),
    launchBrowser,
    send: async (message) => {
      messages.push(message)
    },
    signal: new AbortController().signal,
    log: (line) => process.stderr.write(`${line}\n`),
  })
  expect(messages.at(-1)).toEqual({ type: 'ended', result: 'completed' })
  const modules = messages.filter((message) => message.type === 'module')
  return {
    findings: modules.flatMap(({ findings }) => findings),
    facts: new Map(modules.flatMap(({ module, facts }) => (facts === null ? [] : [[module, facts] as const]))),
  }
}

let first: Scanned

it.runIf(LONG)('finds what every kind of proof stands for', { timeout: DEADLINE * 1000 }, async () => {
  first = await scanned()
  const lines = linesOf(first.findings)
  expect(FOUND.filter((check) => !lines.some((line) => line.startsWith(check)))).toEqual([])
  expect(COMPLETED.filter((id) => !first.facts.has(id))).toEqual([])
  expect(lines.filter((line) => line.includes('/careful/') && /^(?:sqli|injection|xss)/.test(line))).toEqual([])
})

const eachTime = 'gives the same findings with the same proofs each time'
it.runIf(LONG)(eachTime, { timeout: SCANS * DEADLINE * 1000 }, async () => {
  const lines = linesOf(first.findings)
  for (let again = 1; again < SCANS; again += 1) expect(linesOf((await scanned()).findings)).toEqual(lines)
})

it.runIf(LONG)('nothing that the scanner made up reaches identity or proof', () => {
  const judged = (change: (facts: unknown) => unknown): string[] =>
    linesOf(
      ['sqli', 'injection', 'xss', 'templates'].flatMap((id) => {
        const module = MODULES.find((one) => one.id === id)
        if (!module) throw new Error(`There is no module ${id}`)
        const about = caseContext()
        return judgeModule(module, change(first.facts.get(id)), Object.fromEntries(first.facts), {
          ...about,
          target: { ...about.target, tier: 'active' },
        }).findings
      }),
    )
  const told = judged((facts) => facts)
  expect(told.length).toBeGreaterThan(15)
  expect(judged(otherwise)).toEqual(told)
})
