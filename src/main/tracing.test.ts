import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { trace } from '@opentelemetry/api'
import { afterEach, describe, expect, test } from 'vitest'
import { openApi } from '../../tests/support/api.ts'
import { openTestDatabase } from '../../tests/support/databases.ts'
import { seedDomain, seedRun } from '../../tests/support/seed.ts'
import { until } from '../../tests/support/until.ts'
import { KEY, memoryStorage, silentLogger, workerOptions } from '../../tests/support/worker.ts'
import { hasEnded } from '../contract/run.ts'
import { getAnyRun } from '../store/runs.ts'
import { sealCredentials } from '../store/seal.ts'
import { startWorker } from '../worker/loop.ts'
import { startTracing } from './tracing.ts'

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
  readonly status: { readonly code: number }
}
interface Batch {
  readonly resourceSpans: readonly {
    readonly resource: Pick<Span, 'attributes'>
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[]
  }[]
}

const SECRET = 'sid=of-a-member'
const logger = () => {
  const lines: string[] = []
  const warn = (fields: object, message: string) => void lines.push(`${message} ${JSON.stringify(fields)}`)
  return { lines, warn } as unknown as Parameters<typeof startTracing>[2] & { readonly lines: string[] }
}

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

/** What came, as it came; `status` null: it takes everything and answers nothing. */
const collector = async (status: number | null = 200) => {
  const bodies: string[] = []
  const heads: Record<string, unknown>[] = []
  server = createServer(async (request, response) => {
    heads.push({ ...request.headers, path: request.url })
    bodies.push(String(await buffer(request)))
    if (status !== null) response.writeHead(status, { 'Content-Type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const batches = () => bodies.map((body) => JSON.parse(body) as Batch).flatMap(({ resourceSpans }) => resourceSpans)
  return {
    ...{ bodies, heads, batches, url: `http://127.0.0.1:${port}/` },
    spans: () => batches().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  }
}
const settings = (url: string | null, ratio = 1) => ({ otlp: { collector: url, headers: { 'x-key': 'abc' }, ratio } })
const said = ({ attributes }: Pick<Span, 'attributes'>): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

/** One run of a worker whose child only plays a scan. */
const carriedOut = async (domain: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-fake-'))
  const t = await openTestDatabase()
  await t.empty()
  const worker = await startWorker(
    workerOptions(t.db, memoryStorage(), { logger: silentLogger(), childEnv: { FAKE_SCAN_FOLDER: folder } }),
  )
  try {
    const sealedCredentials = sealCredentials(KEY, { cookie: SECRET, header: null })
    const { id } = await seedRun(t.db, await seedDomain(t.db, { domain }), { sealedCredentials })
    await until(async () => hasEnded((await getAnyRun(t.db, id))?.status ?? 'queued'), 45_000)
    return { id, status: (await getAnyRun(t.db, id))?.status }
  } finally {
    await worker.drain()
    await t.drop()
    rmSync(folder, { recursive: true })
  }
}

describe('traces', () => {
  test('of a run: its scan, its modules within that, and what comes after', async () => {
    const { url, spans, heads, batches, bodies } = await collector()
    const tracing = await startTracing(settings(url), 'sonde-worker', logger())
    const { id, status } = await carriedOut('at-work.test')
    await tracing.stop()
    expect(status).toBe('done')
    expect(heads[0]).toMatchObject({ 'x-key': 'abc', path: '/v1/traces' })
    expect(said(batches()[0]?.resource ?? { attributes: [] })).toMatchObject({ 'service.name': 'sonde-worker' })
    const [run, scan] = ['run', 'scan'].map((name) => spans().find((span) => span.name === name))
    expect(said(run as Span)).toMatchObject({
      ...{ 'sonde.run.id': id, 'sonde.domain': 'at-work.test', 'sonde.run.attempt': 1, 'sonde.run.result': 'done' },
    })
    expect(scan?.parentSpanId).toBe(run?.spanId)
    const modules = spans().filter(({ name }) => name.startsWith('module '))
    expect(modules.map(({ name }) => name).toSorted()).toEqual(['module cookies', 'module headers', 'module site'])
    expect(new Set(modules.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([scan?.spanId]))
    expect(said(modules[0] as Span)).toMatchObject({ 'sonde.module.state': 'completed' })
    for (const name of ['judge', 'store audit log and evidence'])
      expect(spans().find((span) => span.name === name)).toMatchObject({ parentSpanId: run?.spanId })
    expect(new Set(spans().map(({ traceId }) => traceId)).size).toBe(1)
    expect(bodies.join()).not.toContain(SECRET)
  })

  test('of a run whose scan process dies', async () => {
    const { url, spans } = await collector()
    const tracing = await startTracing(settings(url), 'sonde', logger())
    const { status } = await carriedOut('crash.test')
    await tracing.stop()
    expect(status).toBe('failed')
    const run = spans().find(({ name }) => name === 'run')
    expect(said(run as Span)).toMatchObject({ 'sonde.run.result': 'failed' })
    expect(
      spans()
        .filter(({ name }) => name === 'scan')
        .map(said),
    ).toContainEqual(expect.objectContaining({ 'sonde.scan.end': 'crashed' }))
  })

  test('of requests: within the trace of who asks, by the pattern of the path; never of streams', async () => {
    const { url, spans, bodies } = await collector()
    const tracing = await startTracing(settings(url), 'sonde', logger())
    const api = await openApi()
    const traceId = '0af7651916cd43dd8448eb211c80319c'
    await api.send('GET', '/v1/scans?limit=3', { headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` } })
    await api.send('GET', `/v1/scans/${'0'.repeat(8)}-0000-4000-8000-000000000000/stream`)
    await api.app.close()
    await tracing.stop()
    const requests = spans().filter(({ kind }) => kind === 2)
    expect(requests.map(({ name }) => name)).toEqual(['GET /v1/scans'])
    expect(requests[0]).toMatchObject({ traceId, parentSpanId: 'b7ad6b7169203331' })
    expect(said(requests[0] as Span)).toMatchObject({
      ...{ 'http.request.method': 'GET', 'http.route': '/v1/scans', 'http.response.status_code': 200 },
      'sonde.organisation.id': expect.any(String),
    })
    expect(bodies.join()).not.toContain(api.mine.secret)
  })

  test.each([
    ['refuses', 503],
    ['answers nothing', null],
  ])('a collector that %s costs no run, is told of once, and holds up no end', async (_how, status) => {
    const { url, bodies } = await collector(status)
    const log = logger()
    const tracing = await startTracing(settings(url), 'sonde', log)
    expect((await carriedOut('ok.test')).status).toBe('done')
    const before = performance.now()
    await tracing.stop()
    expect(performance.now() - before).toBeLessThan(20_000)
    expect(bodies.length).toBeGreaterThan(0)
    expect(log.lines.filter((line) => line.startsWith('traces cannot be sent')).length).toBeLessThan(3)
  })

  test('without a collector nothing is recorded', async () => {
    const tracing = await startTracing(settings(null), 'sonde', logger())
    expect(trace.getTracer('sonde').startSpan('run').isRecording()).toBe(false)
    await tracing.stop()
  })
})
