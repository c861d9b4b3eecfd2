import { createHash, createPublicKey } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { finishWith, openApi, startNext, type TestApi } from '../../tests/support/api.ts'
import { until } from '../../tests/support/until.ts'
import { StorageError } from '../artifacts/artifacts.ts'
import { PROBLEM_CODES } from '../contract/problem.ts'
import { oneKey } from '../contract/secret-keys.ts'
import { countFault } from '../store/faults.ts'
import { replaceSigningKey, revokeSigningKey } from '../store/signing-keys.ts'
import { DOC_PATHS } from './docs.ts'

let api: TestApi
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())
const get = (url: string) => api.send('GET', url, { secret: null })

describe('public endpoints', () => {
  test('health and readiness', async () => {
    expect((await get('/healthz')).json()).toEqual({ status: 'ok', version: '0.1.0' })
    expect((await get('/readyz')).json()).toEqual({ status: 'ready', checks: { database: 'ok', storage: 'ok' } })
  })
  test('the signing key, made when it is first asked for, and those before it', async () => {
    const read = async () => (await get('/.well-known/sonde-signing-key')).json()
    const first = await read()
    expect(first).toMatchObject({ algorithm: 'Ed25519', former: [] })
    const der = createPublicKey(first.public_key).export({ format: 'der', type: 'spki' })
    expect(createHash('sha256').update(der).digest('hex')).toBe(first.fingerprint)
    expect(await read()).toEqual(first)
    await replaceSigningKey(api.db, oneKey(Buffer.alloc(32, 1)))
    const second = await read()
    expect(second.fingerprint).not.toBe(first.fingerprint)
    const { algorithm: _a, former: _f, ...before } = first
    expect(second.former).toEqual([{ ...before, retired_at: expect.stringMatching(/^\d{4}-.*Z$/) }])
    expect(JSON.stringify(second)).not.toMatch(/PRIVATE|MC4CAQ/)
    await revokeSigningKey(api.db, oneKey(Buffer.alloc(32, 1)), { fingerprint: first.fingerprint, because: 'leaked' })
    expect((await read()).former).toMatchObject([{ fingerprint: first.fingerprint, revoked: { because: 'leaked' } }])
  })
  test('not ready while the database does not answer, in bounded time', async () => {
    const { query } = api.db
    Object.assign(api.db, { query: () => new Promise(() => undefined) })
    try {
      const response = await get('/readyz')
      expect([response.statusCode, response.json().code, response.headers['retry-after']]).toEqual([
        503,
        'unavailable',
        '5',
      ])
      expect((await get('/healthz')).statusCode).toBe(200)
    } finally {
      Object.assign(api.db, { query })
    }
  })
  test('not ready while the storage does not work, and it says which', async () => {
    const check = api.storage.check
    const say = async (error: Error) => {
      Object.assign(api.storage, { check: () => Promise.reject(error) })
      const response = await get('/readyz')
      expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '5'])
      return response.json().detail
    }
    try {
      expect(await say(new StorageError('full', 'Only 3 MiB are free for /var/lib'))).toBe(
        'The disk that keeps the files of runs is full.',
      )
      expect(await say(new StorageError('unavailable', 'connect ECONNREFUSED 10.0.0.1'))).toBe(
        'The storage that keeps the files of runs does not answer.',
      )
    } finally {
      Object.assign(api.storage, { check })
    }
    expect((await get('/readyz')).statusCode).toBe(200)
  })
  test('metrics count by endpoint, never by address', async () => {
    await get('/v1/scans?q=secret')
    const { body, headers } = await get('/metrics')
    expect(headers['content-type']).toMatch(/^text\/plain/)
    expect(body).toMatch(/sonde_http_requests_total\{endpoint="\/v1\/scans",method="GET",status="401"\} 1/)
    expect(body).toContain('sonde_event_streams 0')
    expect(body).not.toContain('secret')
  })
  test('metrics of the queue, of all processes', async () => {
    const metrics = await openApi()
    try {
      await metrics.send('POST', '/v1/scans', { body: { domain_id: metrics.mine.domainId } })
      await metrics.send('POST', '/v1/scans', { body: { domain_id: metrics.mine.domainId } })
      await finishWith(metrics, await startNext(metrics.db), [])
      await countFault(metrics.db, 'xss', 'F-00000001')
      const { body } = await metrics.send('GET', '/metrics', { secret: null })
      expect(body).toContain('sonde_scanner_faults_total{module="xss"} 1')
      expect(body).toContain('sonde_database_up 1')
      expect(body).toContain('sonde_runs{status="queued",phase="queued"} 1')
      expect(body).toMatch(/^sonde_queue_oldest_seconds \d/m)
      expect(body).toContain('sonde_runs_ended_last_hour{status="done"} 1')
      expect(body).toMatch(/^sonde_run_seconds_last_hour\{status="done"\} \d/m)
      expect(body).toContain('sonde_target_requests_last_hour{status="done"} 0')
    } finally {
      await metrics.close()
    }
  })
  test('without a database there are metrics still, and no figure is made up', async () => {
    const dark = await openApi()
    const { query } = dark.db
    Object.assign(dark.db, { query: () => Promise.reject(new Error('away')) })
    try {
      const { statusCode, body } = await dark.send('GET', '/metrics', { secret: null })
      expect(statusCode).toBe(200)
      expect(body).toContain('sonde_database_up 0')
      expect(body).not.toMatch(/^sonde_(runs|queue)\w*[{ ]/m)
    } finally {
      Object.assign(dark.db, { query })
      await dark.close()
    }
  })
  test('traffic is ours or not', async () => {
    expect((await get('/v1/verify-traffic?sonde_run=genuine')).json()).toEqual({
      ...{ ours: true, run_id: expect.any(String), sent_at: '2026-09-21T14:13:20.000Z' },
    })
    expect((await get('/v1/verify-traffic?sonde_run=forged')).json()).toEqual({
      ours: false,
      run_id: null,
      sent_at: null,
    })
    expect((await get('/v1/verify-traffic')).json().errors).toEqual([{ path: 'sonde_run', message: 'is required' }])
  })
  test('the OpenAPI document', async () => {
    expect((await get('/openapi.json')).json().openapi).toMatch(/^3\.1/)
  })
})

describe('pages', () => {
  test.each(DOC_PATHS)('%s has a policy that allows nothing inline and nothing from outside', async (path) => {
    const response = await get(path)
    expect(response.statusCode).toBe(200)
    const policy = String(response.headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    if (!String(response.headers['content-type']).startsWith('text/html')) return
    expect(response.body).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=|https?:\/\//)
  })
  test("every problem's type leads to its place on the page", async () => {
    const { body } = await get('/docs/problems')
    for (const code of PROBLEM_CODES) expect(body).toContain(`id="${code}"`)
  })
})

test('an app that stops ends its streams and finishes what is under way', async () => {
  const stopping = await openApi({
    verifyDomain: async () => {
      void stopping.close()
      await delay(50)
      return []
    },
  })
  const base = await stopping.app.listen({ port: 0, host: '127.0.0.1' })
  const { id } = (await stopping.send('POST', '/v1/scans', { body: { domain_id: stopping.mine.domainId } })).json()
  const headers = { authorization: `Bearer ${stopping.mine.secret}` }
  const stream = await fetch(`${base}/v1/scans/${id}/stream`, { headers })
  let text = ''
  const reading = (async () => {
    for await (const chunk of stream.body ?? []) text += Buffer.from(chunk).toString()
  })()
  await until(() => text.includes('event: progress'))
  const verify = await fetch(`${base}/v1/domains/${stopping.mine.domainId}/verify`, { method: 'POST', headers })
  expect(verify.status).toBe(200)
  await reading
})
