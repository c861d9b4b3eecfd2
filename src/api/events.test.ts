import { get as httpGet, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTenant, finishWith, openApi, startNext, type Tenant, type TestApi } from '../../tests/support/api.ts'
import { until } from '../../tests/support/until.ts'
import { createClient } from '../contract/client.ts'
import type { RunEvent } from '../contract/event.ts'
import { parseBlock, watchScan } from '../contract/event-stream.ts'
import { appendAudit } from '../store/events.ts'
import { type LeasedRun, progress } from '../store/lease.ts'

let api: TestApi
let base: string
let tenant: Tenant
beforeAll(async () => {
  api = await openApi()
  base = await api.app.listen({ port: 0, host: '127.0.0.1' })
  tenant = await createTenant(api.db, 'events.example.com')
})
afterAll(() => api.close())

interface Stream {
  readonly response: IncomingMessage
  readonly events: RunEvent[]
  text: string
  ended: boolean
}

const open = (id: string, { query = '', ...headers }: Record<string, string> = {}): Promise<Stream> =>
  new Promise((resolve, reject) => {
    const options = { headers: { authorization: `Bearer ${tenant.secret}`, accept: 'text/event-stream', ...headers } }
    httpGet(`${base}/v1/scans/${id}/stream${query}`, options, (response) => {
      const stream: Stream = { response, events: [], text: '', ended: false }
      let rest = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        stream.text += chunk
        const blocks = (rest + chunk).split('\n\n')
        rest = blocks.pop() ?? ''
        for (const block of blocks) {
          const event = parseBlock(block)
          if (event !== null) stream.events.push(event)
        }
      })
      response.on('close', () => {
        stream.ended = true
      })
      resolve(stream)
    }).on('error', reject)
  })

const startRun = async (): Promise<LeasedRun> => {
  await api.send('POST', '/v1/scans', { secret: tenant.secret, body: { domain_id: tenant.domainId } })
  return startNext(api.db)
}
const audit = (held: LeasedRun, count: number, filler = '') =>
  appendAudit(
    api.db,
    held,
    Array.from({ length: count }, () => ({
      ...{
        ts: '2026-11-20T09:00:00.000Z',
        module: 'site',
        event: 'request',
        url: `https://events.example.com/${filler}`,
      },
    })),
  )
const seqs = (stream: Stream): number[] => stream.events.map(({ seq }) => seq)
const upTo = (last: number, first = 1): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)
const lastSeq = async (held: LeasedRun): Promise<number> =>
  (await api.db.query<{ n: number }>('select event_seq as n from runs where id = $1', [held.runId]))[0]?.n ?? 0

describe('a stream', () => {
  test('replays, goes on live, and closes after done', async () => {
    const held = await startRun()
    const stream = await open(held.runId)
    expect(stream.response.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    expect(stream.response.headers['x-request-id']).toBeDefined()
    expect(stream.response.headers.ratelimit).toMatch(/^"key"/)
    await until(() => stream.events.length === 3)
    expect(stream.text).toMatch(/^retry: 3000\n\n/)
    await progress(api.db, held, { phase: 'passive', detail: 'tls: 3 of 4', progress: 40 })
    await until(() => stream.events.length === 4)
    expect(stream.events[3]).toEqual({
      seq: 4,
      type: 'progress',
      data: {
        ...{ phase: 'passive', phase_detail: 'tls: 3 of 4', progress: 40, status: 'running' },
        counts: { critical: 0, high: 0, medium: 0, low: 0, info: 0 },
      },
    })
    await audit(held, 1)
    await finishWith(api, held, [])
    await until(() => stream.ended)
    expect(stream.events.map(({ type }) => type)).toEqual([
      'progress',
      'progress',
      'progress',
      'progress',
      'audit',
      'done',
    ])
    expect(stream.events.at(-1)?.data).toMatchObject({ id: held.runId, status: 'done', progress: 100 })
  })

  test('of a finished run is replayed whole and closes', async () => {
    const held = await startRun()
    await audit(held, 450)
    await finishWith(api, held, [])
    const stream = await open(held.runId)
    await until(() => stream.ended)
    expect(seqs(stream)).toEqual(upTo(await lastSeq(held)))
    expect(stream.events.at(-1)?.type).toBe('done')
  })

  test('resumes by header, by query, and the header wins', async () => {
    const held = await startRun()
    await finishWith(api, held, [])
    const end = await lastSeq(held)
    const cases: [Record<string, string>, number][] = [
      [{ 'last-event-id': '2' }, 3],
      [{ query: '?after=3' }, 4],
      [{ query: '?after=1', 'last-event-id': '3' }, 4],
    ]
    for (const [headers, first] of cases) {
      const stream = await open(held.runId, headers)
      await until(() => stream.ended)
      expect(seqs(stream)).toEqual(upTo(end, first))
    }
    const after = await open(held.runId, { 'last-event-id': String(end) })
    await until(() => after.ended)
    expect(after.events).toEqual([])
  })

  test('that breaks at every second event loses and repeats nothing, through the client', async () => {
    const held = await startRun()
    const client = createClient({ baseUrl: base, apiKey: tenant.secret })
    const seen: number[] = []
    const writing = (async () => {
      for (let round = 0; round < 20; round += 1) await audit(held, 3)
      await finishWith(api, held, [])
    })()
    let after = 0
    let done = false
    while (!done) {
      let here = 0
      for await (const event of watchScan(client, held.runId, { after, pause: 1 })) {
        seen.push(event.seq)
        after = event.seq
        done = event.type === 'done'
        here += 1
        if (here === 2) break
      }
    }
    await writing
    expect(seen).toEqual(upTo(await lastSeq(held)))
  })

  test('fifty of one run see the same, whenever they came', async () => {
    const held = await startRun()
    const streams: Stream[] = []
    for (let round = 0; round < 50; round += 1) {
      if (round % 3 === 0) await audit(held, 2)
      streams.push(await open(held.runId))
    }
    await finishWith(api, held, [])
    await until(() => streams.every(({ ended }) => ended))
    const all = upTo(await lastSeq(held))
    for (const stream of streams) expect(seqs(stream)).toEqual(all)
  })

  test('whose reader stops reading holds no memory, and goes on where it was', async () => {
    const held = await startRun()
    const slow = await open(held.runId)
    const quick = await open(held.runId)
    await until(() => slow.events.length === 3)
    slow.response.pause()
    // 40 MB: far over what sockets buffer.
    for (let round = 0; round < 40; round += 1) await audit(held, 100, 'x'.repeat(10_000))
    await finishWith(api, held, [])
    await until(() => quick.ended, 60_000)
    expect(slow.ended).toBe(false)
    slow.response.resume()
    await until(() => slow.ended, 60_000)
    const all = upTo(await lastSeq(held))
    expect(seqs(quick)).toEqual(all)
    expect(seqs(slow)).toEqual(all)
  }, 180_000)

  test.each(['-1', '1.5', 'x', '9'.repeat(30)])('refuses Last-Event-ID %s', async (id) => {
    const held = await startRun()
    const stream = await open(held.runId, { 'last-event-id': id })
    expect(stream.response.statusCode).toBe(400)
  })

  test('needs the run to be ours', async () => {
    const held = await startRun()
    const response = await api.send('GET', `/v1/scans/${held.runId}/stream`)
    expect([response.statusCode, response.json().code]).toEqual([404, 'scan_not_found'])
  })
})

test('over the limit of streams: 503 with Retry-After', async () => {
  const { UNLIMITED } = await import('../../tests/support/api.ts')
  const small = await openApi({ limits: { ...UNLIMITED, streams: 0 } })
  try {
    const { id } = (await small.send('POST', '/v1/scans', { body: { domain_id: small.mine.domainId } })).json()
    const response = await small.send('GET', `/v1/scans/${id}/stream`)
    expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '30'])
  } finally {
    await small.close()
  }
})
