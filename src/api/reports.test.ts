import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  addFindings,
  createTenant,
  finishWith,
  keyWith,
  openApi,
  startNext,
  type Tenant,
  type TestApi,
} from '../../tests/support/api.ts'
import { until } from '../../tests/support/until.ts'
import { memoryStorage, silentLogger, workerOptions } from '../../tests/support/worker.ts'
import { FINDINGS_SCHEMA_VERSION, type FindingsFile } from '../contract/findings-file.ts'
import { renderCsv } from '../report/csv.ts'
import { renderDefectDojo } from '../report/defectdojo.ts'
import { renderJunit } from '../report/junit.ts'
import { renderSarif } from '../report/sarif.ts'
import { createKey } from '../store/api-keys.ts'
import { allFindings } from '../store/findings.ts'
import { MAX_VERSIONS } from '../store/reports.ts'
import { startWorker, type Worker } from '../worker/loop.ts'
import { ReportUnavailable } from '../worker/report-writer.ts'

let api: TestApi
let tenant: Tenant
let worker: Worker | null = null
beforeAll(async () => {
  const render = { sarif: renderSarif, defectdojo: renderDefectDojo, csv: renderCsv, junit: renderJunit }
  api = await openApi({ render })
  tenant = await createTenant(api.db, 'reports.example.com')
})
afterEach(async () => {
  await worker?.drain()
  worker = null
})
afterAll(() => api.close())
const send = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object, secret = tenant.secret) =>
  api.send(method, path, { secret, ...(body ? { body } : {}) })

/** A run that is done, with its findings file and perhaps a report; the id. */
const doneRun = async (pdf: boolean): Promise<string> => {
  await send('POST', '/v1/scans', { domain_id: tenant.domainId, make_pdf: pdf })
  const run = await startNext(api.db)
  await addFindings(api.db, run, [{ severity: 'high' }, { severity: 'low', check_id: 'headers/b' }])
  const findings = await allFindings(api.db, run.runId)
  const counts = { critical: 0, high: 1, medium: 0, low: 1, info: 0 }
  const at = new Date().toISOString()
  const file: FindingsFile = {
    schema_version: FINDINGS_SCHEMA_VERSION,
    run: {
      ...{ id: run.runId, tier: 'passive', context: null, options: run.options, scanner: 'Sonde 0.0.0', requests: 1 },
      ...{ created_at: at, started_at: at, finished_at: at },
    },
    target: { domain: run.domain, url: null, addresses: [] },
    grade: { grade: 'B', score: 80, provisional: false, caps: [], parts: [] },
    ...{ counts, open_counts: counts, findings, coverage: [], resolved: [], tables: [], knowledge: {} },
  }
  await finishWith(api, run, [
    { kind: 'findings_json', filename: 'findings.json', body: JSON.stringify(file) },
    { kind: 'report_html', filename: 'report.html', body: '<!doctype html>' },
    { kind: 'audit_log', filename: 'audit-log.jsonl', body: '{}\n' },
    ...(pdf ? [{ kind: 'report_pdf', filename: 'report.pdf', body: '%PDF-1.7' } as const] : []),
  ])
  return run.runId
}
const problem = async (path: string): Promise<readonly [number, string, string]> => {
  const response = await send('GET', path)
  const { code, detail } = response.json()
  return [response.statusCode, code, detail]
}
const report = async (id: string) => (await send('GET', `/v1/scans/${id}`)).json().report
const work = async (pdf: Parameters<typeof workerOptions>[2] = {}): Promise<void> => {
  const options = workerOptions(api.db, memoryStorage(), { ...pdf, storage: api.storage, logger: silentLogger() })
  worker = await startWorker(options)
}

describe('the state of the report', { timeout: 120_000 }, () => {
  test('of a run that goes on, of one without a PDF, of one with it', async () => {
    const made = (await send('POST', '/v1/scans', { domain_id: tenant.domainId })).json()
    expect(await report(made.id)).toEqual({ state: 'none', reason: null, version: null })
    await send('POST', `/v1/scans/${made.id}/cancel`)
    expect(await report(await doneRun(false))).toEqual({ state: 'none', reason: null, version: 1 })
    expect(await report(await doneRun(true))).toEqual({ state: 'ready', reason: null, version: 1 })
  })

  test('where there is no file, the 404 says why', async () => {
    const url = (id: string, kind: string, query = '') => `/v1/scans/${id}/artifacts/${kind}/url${query}`
    const bare = await doneRun(false)
    const [status, code, detail] = await problem(url(bare, 'report_pdf'))
    expect([status, code]).toEqual([404, 'artifact_not_found'])
    expect(detail).toMatch(/not asked for.*POST \/v1\/scans\/\{id\}\/report/)
    expect((await problem(url(bare, 'report_html', '?version=7')))[2]).toContain('of version 7')
    expect((await problem(url(bare, 'evidence', '?version=1')))[2]).toContain('it has no versions')
    expect((await problem(url(await doneRun(true), 'report_tex')))[2]).toContain('the browser printed the PDF')
    expect((await problem(url(bare, 'report_md')))[2]).toContain('made before there were any')
    expect((await problem(url(bare, 'signature')))[2]).toContain('signed within a minute')
    const queued = (await send('POST', '/v1/scans', { domain_id: tenant.domainId })).json()
    expect((await problem(url(queued.id, 'report_pdf')))[2]).toContain('yet: it is queued')
    await send('POST', `/v1/scans/${queued.id}/cancel`)
    expect((await problem(url(queued.id, 'findings_json')))[2]).toContain('it ended canceled')
  })
})

describe('making it again', { timeout: 120_000 }, () => {
  test('what cannot be asked', async () => {
    const id = await doneRun(false)
    const ask = async (body: object) => (await send('POST', `/v1/scans/${id}/report`, body)).statusCode
    expect(await ask({ language: 'tlh' })).toBe(400)
    expect(await ask({ sections: ['summary'] })).toBe(400)
    expect(await ask({ sections: ['checks', 'checks'] })).toBe(400)
    expect(await ask({ sections: ['method', 'tables'] })).toBe(202)
    expect(await ask({ texts: { introduction: 'a\u0000b' } })).toBe(400)
    expect(await ask({ texts: { authoriser: 'A\nB' } })).toBe(400)
    expect(await ask({ texts: { history: [{ version: '1', date: 'yesterday', changes: 'x' }] } })).toBe(400)
    expect(await ask({ colours: { accent: '#ffee00' } })).toBe(400)
    expect(await ask({ colours: { accent: 'red' } })).toBe(400)
    expect(
      await ask({
        texts: { scope: 'The shop.', history: [{ version: '1', date: '2026-11-26', changes: 'First' }] },
        colours: { accent: '#1b7a78', dark: '#14253d' },
      }),
    ).toBe(202)
    expect(await ask({ texts: { introduction: 'x'.repeat(4001) } })).toBe(400)
    const reader = await createKey(api.db, keyWith(tenant.organisationId, ['scans:read']))
    expect((await send('POST', `/v1/scans/${id}/report`, {}, reader.secret)).json().code).toBe(
      'api_key_scope_insufficient',
    )
    const stranger = await createTenant(api.db, 'other-reports.example.com')
    expect((await send('POST', `/v1/scans/${id}/report`, {}, stranger.secret)).json().code).toBe('scan_not_found')
    const queued = (await send('POST', '/v1/scans', { domain_id: tenant.domainId })).json()
    const refused = await send('POST', `/v1/scans/${queued.id}/report`, {})
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'scan_not_reportable'])
    await send('POST', `/v1/scans/${queued.id}/cancel`)
  })

  test('a version with the decisions as they stand; formats of one version agree, the old one stays', async () => {
    const id = await doneRun(true)
    const [first] = (await send('GET', `/v1/scans/${id}/findings`)).json().items
    const owner = { owner: 'J. Weber', reason: 'Known.', expires_at: null }
    await send('PUT', `/v1/scans/${id}/findings/${first.id}/triage`, { state: 'accepted', ...owner })
    const asked = await send('POST', `/v1/scans/${id}/report`, { texts: { introduction: 'One.\n\nTwo: ü' } })
    expect([asked.statusCode, asked.json()]).toEqual([202, { state: 'pending', reason: null, version: 2 }])
    expect((await send('GET', `/v1/scans/${id}/artifacts/report_pdf/url`)).json().version).toBe(1)
    await work()
    await until(async () => (await report(id)).state === 'ready', 60_000)

    const fetched = async (version: string): Promise<FindingsFile & { version: number }> => {
      const signed = (await send('GET', `/v1/scans/${id}/artifacts/findings_json/url${version}`)).json()
      const { pathname, search } = new URL(signed.url)
      return { ...(await api.send('GET', pathname + search, {})).json(), version: signed.version }
    }
    const [newest, old] = [await fetched(''), await fetched('?version=1')]
    expect([newest.version, old.version]).toEqual([2, 1])
    expect([newest.open_counts.high, old.open_counts.high]).toEqual([0, 1])
    for (const [version, file] of [
      [1, old],
      [2, newest],
    ] as const) {
      const sarif = (await send('GET', `/v1/scans/${id}/findings?format=sarif&version=${version}`)).json()
      const [{ results, properties }] = sarif.runs
      expect(properties.open_counts).toEqual(file.open_counts)
      const suppressed = results.filter((each: { suppressions?: unknown[] }) => each.suppressions).length
      expect(suppressed).toBe(file.findings.filter(({ triage }) => triage.state !== 'open').length)
    }
    const { items } = (await send('GET', `/v1/scans/${id}/artifacts`)).json()
    const versions = items.map((item: { kind: string; version: number }) => `${item.kind} ${item.version}`)
    expect(versions).toEqual(
      expect.arrayContaining([
        ...['report_html 1', 'report_html 2', 'report_md 2', 'report_pdf 1', 'report_pdf 2', 'signature 2'],
      ]),
    )
    expect((await problem(`/v1/scans/${id}/findings?format=sarif&version=3`))[2]).toContain('of version 3')
    expect((await problem(`/v1/scans/${id}/findings?version=1`))[0]).toBe(400)
  })

  test('what could not be made says why, in the state and in the 404', async () => {
    const id = await doneRun(false)
    const said = 'The PDF needs xelatex. No Chromium is installed.'
    await work({
      report: {
        ...workerOptions(api.db, memoryStorage()).report,
        pdf: () => Promise.reject(new ReportUnavailable(said)),
      },
    })
    await send('POST', `/v1/scans/${id}/report`, {})
    await until(async () => (await report(id)).state === 'failed', 60_000)
    expect(await report(id)).toEqual({ state: 'failed', reason: said, version: 2 })
    expect((await problem(`/v1/scans/${id}/artifacts/report_pdf/url`))[2]).toContain(said)
    expect((await send('GET', `/v1/scans/${id}/artifacts/report_html/url`)).json().version).toBe(2)
    expect((await send('GET', `/v1/scans/${id}`)).json().status).toBe('done')
  })

  test('not after the retention, and not without end', async () => {
    const id = await doneRun(false)
    await api.db.query(
      `insert into reports (run_id, version, state) select $1, n, 'none' from generate_series(2, $2::int) n`,
      [id, MAX_VERSIONS],
    )
    expect((await send('POST', `/v1/scans/${id}/report`, {})).json().code).toBe('scan_not_reportable')
    await api.db.query(`update artifacts set expires_at = clock_timestamp() - interval '1 second' where run_id = $1`, [
      id,
    ])
    expect((await send('POST', `/v1/scans/${id}/report`, {})).json().code).toBe('artifact_expired')
  })
})
