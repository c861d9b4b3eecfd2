/**
 * The whole program: a passive run of a site with an old library, an update of a feed from a mirror, and without a word typed at the
 * site again a new version, a message and a line of history. With SONDE_LONG=1.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Domain } from '../src/contract/domain.ts'
import { FindingsFile } from '../src/contract/findings-file.ts'
import { RunCreated, RunState } from '../src/contract/run.ts'
import { copyTemplate } from './support/databases.ts'
import { command, type Serving, serve } from './support/sonde.ts'
import { until } from './support/until.ts'

const ADDRESS = '127.0.23.31'
const CODE = '/*! jQuery v3.4.1 | (c) JS Foundation and other contributors | jquery.org/license */\n'
const PAGE = '<!doctype html><html lang="en"><title>Shop</title><script src="/jquery-3.4.1.min.js"></script>'

let home: string
let site: Server
let others: Server
let asked = 0
let exploited: readonly string[] = ['CVE-1999-0001']
const messages: { type: string; data: { judged_again?: { feeds: Record<string, string> } } }[] = []
let service: Serving
let env: Record<string, string>

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'sonde-feed-news-'))
  site = createServer(({ url = '' }, response) => {
    asked += 1
    if (url.endsWith('.js')) response.setHeader('content-type', 'text/javascript').end(CODE)
    else if (url === '/') response.setHeader('content-type', 'text/html').end(PAGE)
    else response.writeHead(404).end('Not found')
  })
  await new Promise<void>((resolve) => site.listen(80, ADDRESS, resolve))
  others = createServer(async (request, response) => {
    if (request.method === 'POST') {
      messages.push(JSON.parse(await text(request)))
      return void response.writeHead(204).end()
    }
    if (request.url !== '/feeds/kev/known_exploited_vulnerabilities.json') return void response.writeHead(404).end()
    response.end(JSON.stringify({ vulnerabilities: exploited.map((cveID) => ({ cveID, dateAdded: '2026-11-20' })) }))
  })
  await new Promise<void>((resolve) => others.listen(0, '127.0.23.32', resolve))
  const { port } = others.address() as AddressInfo
  env = { SONDE_DATA: join(home, 'data'), SONDE_FEEDS: `http://127.0.23.32:${port}/feeds/` }
  await copyTemplate(join(home, 'data'))
  service = await serve([], {
    ...env,
    SONDE_LOG_LEVEL: 'info',
    SONDE_HOSTS: `shop.test=${ADDRESS} hooks.test=127.0.23.32`,
    SONDE_ALLOW_NETWORKS: `${ADDRESS}/32 127.0.23.32/32`,
  })
})
afterAll(async () => {
  await service?.end('SIGKILL')
  for (const server of [site, others]) {
    server?.closeAllConnections()
    server?.close()
  }
  rmSync(home, { recursive: true, force: true })
})

const send = async (method: string, path: string, body?: object): Promise<unknown> => {
  const response = await fetch(`${service.ready.base_url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${service.ready.api_key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response.json()
}
/** A run may be read once in 5 s. */
const EVERY = 5_000
const state = async (id: string): Promise<RunState> => {
  await delay(EVERY)
  return RunState.parse(await send('GET', `/v1/scans/${id}`))
}

test.runIf(process.env.SONDE_LONG)(
  'an update of a feed reaches a stored run by itself, and nobody asks the site',
  async () => {
    const feeds = async (): Promise<string> => (await command(['feeds', 'list'], env)).out
    await until(async () => /^kev .* 1 /m.test(await feeds()), 60_000)
    const { port } = others.address() as AddressInfo
    await send('POST', '/v1/webhooks', { url: `http://hooks.test:${port}/hook`, events: ['finding.changed'] })
    const domain = Domain.parse(await send('POST', '/v1/domains', { domain: 'shop.test' }))
    const { id } = RunCreated.parse(
      await send('POST', '/v1/scans', { domain_id: domain.id, privacy: false, cve_include_possible: true }),
    )
    await until(async () => (await state(id)).status === 'done', 240_000)
    const before = asked
    expect(before).toBeGreaterThan(0)

    exploited = ['CVE-1999-0001', 'CVE-2020-11022']
    const began = Date.now()
    expect((await command(['feeds', 'update', 'kev'], env)).code).toBe(0)
    await until(async () => {
      const { report, judged_again } = await state(id)
      return judged_again !== undefined && report.state !== 'pending'
    }, 240_000)
    // Minutes that the task allows; here it is a matter of one look.
    expect(Date.now() - began).toBeLessThan(5 * 60_000)
    const { judged_again: judged, report, counts, grade } = await state(id)
    expect([judged?.version, Object.keys(judged?.feeds ?? {}), report.version]).toEqual([2, ['kev'], 2])
    const link = (await send('GET', `/v1/scans/${id}/artifacts/findings_json/url`)) as { url: string }
    const file = FindingsFile.parse(await (await fetch(link.url)).json())
    expect(file).toMatchObject({ version: 2, counts, grade: { grade }, judged_again: { feeds: judged?.feeds } })
    expect(
      file.findings.flatMap(({ cve }) => cve.filter(({ id: name, kev }) => name === 'CVE-2020-11022' && kev)),
    ).toHaveLength(1)
    const sarif = (await send('GET', `/v1/scans/${id}/findings?format=sarif`)) as { runs: { results: unknown[] }[] }
    expect(sarif.runs[0]?.results).toHaveLength(file.findings.length)
    await until(() => messages.length > 0, 60_000)
    expect(messages.map(({ type, data }) => [type, data.judged_again])).toEqual([
      ['finding.changed', { version: 2, feeds: judged?.feeds }],
    ])
    expect(asked).toBe(before)
  },
  900_000,
)
