/** A batch of small sites through the program: from a file to the results, with a pause, a run in between and a cancel. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setInterval } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Batch, BatchResult } from '../src/contract/batch.ts'
import { type Client, createClient } from '../src/contract/client.ts'
import { watchScan } from '../src/contract/event-stream.ts'
import type { RunState } from '../src/contract/run.ts'
import { type CaseServers, caseAddress, serveCase } from '../src/modules/testing/collecting.ts'
import { onPostgres } from './support/postgres.ts'
import { command, type Env, type Serving, serve } from './support/sonde.ts'

/** More than run at once, so that some wait. */
const SITES = process.env.SONDE_LONG ? 30 : 6
/** Milliseconds for all of them, on a machine that does much else. */
const LIMIT = 480_000
const NAMES = Array.from({ length: SITES }, (_, n) => `site${n}.test`)

let site: CaseServers
let database: Awaited<ReturnType<typeof onPostgres>> | null = null
let service: Serving
let client: Client
let folder = ''
let env: Env = {}

beforeAll(async () => {
  site = await serveCase(47, {
    http: ({ headers }, reply) => {
      reply.writeHead(200, { 'content-type': 'text/html', 'x-powered-by': 'PHP/5.6.40' })
      reply.end(`<!doctype html><html lang=en><title>${headers.host}</title><p>Welcome</p></html>`)
    },
  })
  folder = mkdtempSync(join(tmpdir(), 'sonde-batches-'))
  database = await onPostgres()
  service = await serve([], {
    ...database.settings,
    SONDE_DATA: join(folder, 'data'),
    SONDE_HOSTS: [...NAMES, 'alone.test'].map((name) => `${name}=${caseAddress(47)}`).join(' '),
    SONDE_ALLOW_NETWORKS: '127.0.0.0/8',
    SONDE_RESOLVERS: `${caseAddress(47)}:9`,
    SONDE_CONCURRENCY: '2',
  })
  env = { SONDE_URL: service.ready.base_url, SONDE_API_KEY: service.ready.api_key ?? '' }
  client = createClient({ baseUrl: service.ready.base_url, apiKey: service.ready.api_key ?? '' })
})
afterAll(async () => {
  await service?.end('SIGKILL')
  await database?.drop()
  await site?.close()
  rmSync(folder, { recursive: true, force: true })
})

const say = async (...words: readonly string[]): Promise<string> => {
  const { code, out, err } = await command(['batch', ...words], env)
  expect([words[0], code, err]).toEqual([words[0], 0, ''])
  return out
}
const start = async (): Promise<string> => {
  const file = join(folder, 'names.csv')
  writeFileSync(file, `domain,owner\r\n${NAMES.map((name) => `${name},"us, too"\r\n`).join('')}`)
  return Batch.parse(JSON.parse(await say('start', file, '--survey', '--json'))).id
}
const show = async (id: string): Promise<Batch> => Batch.parse(JSON.parse(await say('show', id, '--json')))
const results = async (id: string): Promise<BatchResult[]> =>
  (await say('results', id))
    .trimEnd()
    .split('\n')
    .map((line) => BatchResult.parse(JSON.parse(line)))
const runAlone = async (): Promise<RunState> => {
  const { items } = await client.listDomains({ query: { domain: 'alone.test' } })
  const domain_id = items[0]?.id ?? (await client.createDomain({ body: { domain: 'alone.test' } })).id
  const { id } = await client.startScan({ body: { domain_id, survey: true } })
  for await (const event of watchScan(client, id)) if (event.type === 'done') return event.data
  throw new Error('The stream ended before the run')
}
/** Looks as often as a key may ask. */
const come = async (id: string, condition: (batch: Batch) => boolean): Promise<void> => {
  for await (const began of setInterval(LOOK_EVERY, performance.now())) {
    if (condition(await show(id))) return
    if (performance.now() - began > LIMIT) throw new Error(`Not within ${LIMIT} ms: ${condition}`)
  }
}
const LOOK_EVERY = 400

test('from the file to the results; paused it holds, and a run started alone overtakes it', {
  timeout: LIMIT,
}, async () => {
  const id = await start()
  await come(id, ({ counts }) => counts.running > 0)
  expect(JSON.parse(await say('pause', id, '--json'))).toMatchObject({ state: 'paused' })
  await come(id, ({ counts }) => counts.running === 0)
  const held = (await show(id)).counts
  expect(held.waiting).toBeGreaterThan(0)
  // A worker had a place and took this one.
  expect((await runAlone()).status).toBe('done')
  expect((await show(id)).counts).toEqual(held)

  await say('resume', id)
  const between = await runAlone()
  await come(id, ({ finished_at }) => finished_at !== null)
  const rows = await results(id)
  expect(rows.map(({ domain, status }) => [domain, status])).toEqual(NAMES.map((name) => [name, 'done']))
  for (const { grade, counts } of rows) {
    expect(grade).toMatch(/^[A-F]\+?$/)
    expect(counts?.low ?? 0).toBeGreaterThan(0)
  }
  const last = await client.readScan({ params: { id: rows.at(-1)?.scan_id ?? '' } })
  expect(Date.parse(between.started_at ?? '')).toBeLessThan(Date.parse(last.created_at))

  const csv = (await say('results', id, '--csv')).trimEnd().split('\r\n')
  expect(csv).toHaveLength(SITES + 1)
  expect(csv[1]).toMatch(new RegExp(`^site0\\.test,${rows[0]?.scan_id},done,`))

  // What a survey is, and what it says of itself.
  expect(last).toMatchObject({ report: { state: 'none' } })
  const { items: checks } = await client.readCoverage({ params: { id: last.id } })
  expect(checks.filter(({ reason }) => reason?.includes('a survey')).map(({ module }) => module)).toEqual(
    expect.arrayContaining(['disclosure', 'technology', 'cve', 'names', 'privacy']),
  )
})

test('cancelled, what waits never starts', { timeout: LIMIT }, async () => {
  const id = await start()
  const { state, counts } = Batch.parse(JSON.parse(await say('cancel', id, '--json')))
  expect(state).toBe('canceled')
  expect(counts.waiting).toBe(0)
  await come(id, ({ finished_at }) => finished_at !== null)
  const rows = await results(id)
  expect(rows.filter(({ scan_id }) => scan_id === null).length).toBeGreaterThan(0)
  expect(rows.filter(({ status }) => status === 'canceled').length).toBe((await show(id)).counts.canceled)
  expect(await say('list')).toContain(id)
})
