/**
 * The same site scanned again and again gives the same findings with the same fingerprints, whatever came in which order.
 * Twice here; five times with SONDE_LONG=1.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEgress } from '../src/egress/create-egress.ts'
import { launchBrowser } from '../src/engine/browser/launch.ts'
import type { FromChild, RunSpec } from '../src/engine/protocol.ts'
import { scan } from '../src/engine/scan.ts'
import { MODULES } from '../src/modules/index.ts'
import { type CaseServers, serveCase } from '../src/modules/testing/collecting.ts'
import { caseContext } from '../src/modules/testing/judge-cases.ts'
import { page } from '../testbed/web/case.ts'
import { WEB_CASES } from '../testbed/web/cases.ts'
import { serveCases } from '../testbed/web/server.ts'

const SCANS = process.env.SONDE_LONG ? 5 : 2
const LOOKED_AT = ['site', 'waf', 'crawl', 'sqli', 'injection', 'xss']
const SHOWN = [
  'xss-text',
  'xss-script-single',
  'xss-link-address',
  'redirect-plain',
  'onward-refresh',
  'fragment-markup',
  'dom-query',
  'dom-message-member',
]
const STORING = 'stored-text-quiet'

let folder: string
let server: CaseServers
const cleanups: (() => Promise<void>)[] = []

const site = (serve: RequestListener): RequestListener => {
  const links = SHOWN.flatMap((id) =>
    ['careless', 'careful'].map((twin) => `<a href="/${twin}/${id}?q=tent">${id}</a>`),
  )
  const form = `<a href="/careless/${STORING}">Reviews</a><form method="post" action="/careless/${STORING}"><textarea name="q"></textarea></form>`
  return (request, response) => {
    if (request.url !== '/') return serve(request, response)
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(page(links.join(' ') + form))
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sonde-stability-'))
  const cases = WEB_CASES.filter(({ id }) => [...SHOWN, STORING].includes(id))
  server = await serveCase(95, { http: site(serveCases(cases, { databases: {}, folder })) })
  cleanups.push(server.close)
})

afterAll(async () => {
  for (const close of cleanups.reverse()) await close()
  await rm(folder, { recursive: true, force: true })
})

const findings = async (): Promise<readonly string[]> => {
  const { target, options } = caseContext()
  const spec: RunSpec = {
    runId: '00000000-0000-4000-8000-00000000000d',
    target: { ...target, tier: 'active' },
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
    credentials: { cookie: null, header: null },
    now: Date.now(),
    deadline: 200,
    activeRefused: null,
    completed: {},
  }
  const messages: FromChild[] = []
  await scan(spec, {
    modules: MODULES.filter(({ id }) => LOOKED_AT.includes(id)),
    openEgress: (audit, signal) =>
      createEgress({
        settings: spec.egress,
        runId: spec.runId,
        version: '0.0.0',
        target: spec.target,
        credentials: spec.credentials,
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
  return messages
    .flatMap((message) => (message.type === 'module' ? message.findings : []))
    .map(({ check_id, severity, confidence, location, fingerprint }) =>
      [check_id, severity, confidence, location.url ?? location.host, location.parameter ?? '', fingerprint].join(' '),
    )
    .toSorted()
}

it('gives the same findings each time', { timeout: 300_000 }, async () => {
  const first = await findings()
  for (const check of ['reflected', 'reflected-click', 'open-redirect', 'fragment', 'dom', 'stored'])
    expect(first.join('\n')).toContain(`xss/${check} `)
  expect(first.filter((line) => line.includes('/careful/'))).toEqual([])
  for (let again = 1; again < SCANS; again += 1) expect(await findings()).toEqual(first)
})
