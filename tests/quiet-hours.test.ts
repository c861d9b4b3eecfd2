/** Quiet hours as a target meets them: a run that is at work when they begin sends nothing more, and ends with what it has seen. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from '../src/contract/client.ts'
import { copyTemplate } from './support/databases.ts'
import { type Serving, serve } from './support/sonde.ts'
import { until } from './support/until.ts'

const NETWORK = `127.${200 + (process.pid % 20)}.${(process.pid >> 8) % 256}`
const ADDRESS = `${NETWORK}.7`
/** Milliseconds: a heartbeat of a worker, and what a busy machine adds. */
const TOLD_WITHIN = 5_000 + 5_000

let site: Server
let service: Serving
let folder = ''
/** When requests came, in milliseconds. */
const calls: number[] = []

beforeAll(async () => {
  site = createServer((request, response) => {
    calls.push(Date.now())
    const links = Array.from({ length: 20 }, (_, n) => `<a href="${request.url}${n}/">${n}</a>`).join(' ')
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><title>Site</title>${links}`)
  })
  await new Promise<void>((resolve) => site.listen(80, ADDRESS, resolve))
  folder = mkdtempSync(join(tmpdir(), 'sonde-quiet-'))
  await copyTemplate(join(folder, 'data'))
  chmodSync(join(folder, 'data'), 0o700)
  service = await serve([], {
    SONDE_DATA: join(folder, 'data'),
    SONDE_HOSTS: `quiet.test=${ADDRESS}`,
    SONDE_ALLOW_NETWORKS: `${NETWORK}.0/24`,
    SONDE_RESOLVERS: `${NETWORK}.8`,
    SONDE_LOG_LEVEL: 'warn',
    SONDE_LIMIT_REQUESTS_PER_MINUTE: '100000',
  })
}, 300_000)
afterAll(async () => {
  await service.end('SIGTERM')
  site.closeAllConnections()
  await new Promise((resolve) => site.close(resolve))
  rmSync(folder, { recursive: true, force: true })
})

/** HH:MM in UTC, so many minutes from now. */
const clock = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString().slice(11, 16)

test('they begin while a run goes on, and another waits for their end', async () => {
  const client = createClient({ baseUrl: service.ready.base_url, apiKey: service.ready.api_key ?? '' })
  const { id } = await client.createDomain({ body: { domain: 'quiet.test' } })
  const params = { id }
  await client.updateDomain({ params, body: { requests_per_second: 1 } })
  const start = async () => (await client.startScan({ body: { domain_id: id, privacy: false, make_pdf: false } })).id
  const run = await start()
  await until(() => calls.length >= 3, 180_000)

  await client.updateDomain({
    params,
    body: { quiet_hours: { from: clock(-2), to: clock(120), time_zone: 'UTC' } },
  })
  const set = Date.now()
  await until(async () => {
    await delay(250)
    const { items } = await client.listScans({ query: { status: 'done' } })
    return items.length === 1
  }, 180_000)
  expect(calls.filter((at) => at > set + TOLD_WITHIN)).toEqual([])
  const { items } = await client.listFindings({ params: { id: run }, query: {} })
  expect(items.length).toBeGreaterThan(0)
  const coverage = await client.readCoverage({ params: { id: run }, query: {} })
  const muted = coverage.modules.flatMap(({ module, reason }) => (reason?.includes('the quiet hours') ? [module] : []))
  expect(muted).not.toEqual([])
  const judged = coverage.items.filter(({ module }) => muted.includes(module)).map(({ state }) => state)
  expect(new Set(judged)).toEqual(new Set(['not_tested']))

  const next = await start()
  await until(async () => {
    await delay(5_000)
    const { phase_detail: detail } = await client.readScan({ params: { id: next } })
    return detail.startsWith('Waiting, as the quiet hours of the domain last until')
  }, 60_000)
  const before = calls.length
  await client.updateDomain({ params, body: { quiet_hours: null } })
  await until(() => calls.length > before, 180_000)
}, 600_000)
