import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  addFindings,
  createTenant,
  FILE_SECRET,
  finishWith,
  keyWith,
  openApi,
  startNext,
  type Tenant,
  type TestApi,
} from '../../tests/support/api.ts'
import { signFilePath } from '../artifacts/signed-url.ts'
import { createKey } from '../store/api-keys.ts'
import type { LeasedRun } from '../store/lease.ts'

let api: TestApi
let tenant: Tenant
let run: LeasedRun
let files: string[]
beforeAll(async () => {
  api = await openApi()
  tenant = await createTenant(api.db, 'results.example.com')
  await api.send('POST', '/v1/scans', { secret: tenant.secret, body: { domain_id: tenant.domainId } })
  run = await startNext(api.db)
  await addFindings(api.db, run, [
    { severity: 'low', check_id: 'headers/b' },
    { severity: 'critical', check_id: 'headers/z' },
    { severity: 'high', check_id: 'headers/a', confidence: 'firm' },
    { severity: 'high', check_id: 'headers/a' },
    { severity: 'info', check_id: 'headers/c', confidence: 'tentative' },
  ])
})
afterAll(() => api.close())
const get = (path: string, more: object = {}) => api.send('GET', path, { secret: tenant.secret, ...more })
const scan = (path = '') => `/v1/scans/${run.runId}${path}`

describe('findings', () => {
  test('are readable while the run goes on, the gravest first, page by page', async () => {
    expect((await get(scan())).json().status).toBe('running')
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: { items: { severity: string }[]; next_cursor: string | null } = (
        await get(scan(`/findings?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`))
      ).json()
      seen.push(...page.items.map(({ severity }) => severity))
      cursor = page.next_cursor
    } while (cursor !== null)
    expect(seen).toEqual(['critical', 'high', 'high', 'low', 'info'])
  })
  test('filter', async () => {
    const count = async (query: string) => (await get(scan(`/findings?${query}`))).json().items.length
    expect(await count('severity=high')).toBe(2)
    expect(await count('severity=high&confidence=firm')).toBe(1)
    expect(await count('module=headers')).toBe(5)
    expect(await count('module=tls')).toBe(0)
  })
  test('one by its id', async () => {
    const [first] = (await get(scan('/findings'))).json().items
    expect((await get(scan(`/findings/${first.id}`))).json()).toEqual(first)
    expect((await get(scan('/findings/42'))).json().code).toBe('finding_not_found')
    expect((await get(scan(`/findings/${run.runId}`))).json().code).toBe('finding_not_found')
  })
  test('as a file only once the run is done', async () => {
    const response = await get(scan('/findings?format=sarif'))
    expect([response.statusCode, response.json().code]).toEqual([404, 'artifact_not_found'])
  })
  test('as a file take no filter', async () => {
    const response = await get(scan('/findings?format=sarif&severity=high&limit=3'))
    expect(response.json().errors.map(({ path }: { path: string }) => path)).toEqual(['severity', 'limit'])
  })
})

describe('artifacts of the done run', () => {
  beforeAll(async () => {
    files = await finishWith(api, run, [
      { kind: 'report_pdf', filename: 'report.pdf', body: '%PDF-1.7 0123456789', contentType: 'application/pdf' },
      { kind: 'findings_json', filename: 'findings.json', body: '{"findings": []}', contentType: 'application/json' },
      { kind: 'evidence', filename: 'evidence.zip', body: 'zip' },
      {
        kind: 'evidence',
        filename: 'headers-page.html',
        body: '<script>alert(1)</script>',
        module: 'headers',
        contentType: 'text/html',
      },
      { kind: 'evidence', filename: 'näme "quoted".txt', body: 'text', module: 'headers' },
    ])
  })
  const sign = (kind: string, query = '') => get(scan(`/artifacts/${kind}/url${query}`))
  const fetchSigned = async (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    api.send(method, url.replace('http://sonde.test', ''), { secret: null, headers })

  test('are listed with their metadata', async () => {
    const { items } = (await get(scan('/artifacts'))).json()
    expect(items).toHaveLength(5)
    expect(items.find(({ kind }: { kind: string }) => kind === 'report_pdf')).toEqual({
      ...{ id: files[0], kind: 'report_pdf', filename: 'report.pdf', content_type: 'application/pdf', size_bytes: 19 },
      ...{ sha256: expect.stringMatching(/^[0-9a-f]{64}$/), page_count: 3, version: 1, deleted: false },
      ...{ created_at: expect.any(String), expires_at: expect.any(String) },
    })
  })
  test('give an address that lives 300 seconds, or as long as asked', async () => {
    const body = (await sign('report_pdf')).json()
    expect(body).toMatchObject({ filename: 'report.pdf', watermarked: true })
    expect(Math.abs(Date.parse(body.expires_at) - Date.now() - 300_000)).toBeLessThan(5_000)
    const short = (await sign('report_pdf', '?expires_in=30')).json()
    expect(Math.abs(Date.parse(short.expires_at) - Date.now() - 30_000)).toBeLessThan(5_000)
    expect((await sign('report_pdf', '?expires_in=29')).statusCode).toBe(400)
    expect((await sign('report_pdf', '?expires_in=3601')).statusCode).toBe(400)
  })
  test('are fetched without a key, as an attachment that no browser runs', async () => {
    const { url } = (await sign('evidence', `?artifact_id=${files[3]}`)).json()
    const response = await fetchSigned(url)
    expect(response.statusCode).toBe(200)
    expect(response.body).toBe('<script>alert(1)</script>')
    expect(response.headers).toMatchObject({
      'content-type': 'text/html',
      'content-length': '25',
      'content-disposition': expect.stringMatching(/^attachment; filename="headers-page.html"/),
      'content-security-policy': expect.stringContaining('sandbox'),
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
    })
  })
  test('keep a hostile name in its place', async () => {
    const { url } = (await sign('evidence', `?artifact_id=${files[4]}`)).json()
    expect((await fetchSigned(url)).headers['content-disposition']).toContain(
      "filename*=UTF-8''n%C3%A4me%20%22quoted%22.txt",
    )
  })
  test('evidence without an id is the archive', async () => {
    expect((await fetchSigned((await sign('evidence')).json().url)).body).toBe('zip')
  })

  const ranges: readonly [header: string, status: number, body: string, range: string | undefined][] = [
    ['bytes=0-3', 206, '%PDF', 'bytes 0-3/19'],
    ['bytes=9-', 206, '0123456789', 'bytes 9-18/19'],
    ['bytes=-4', 206, '6789', 'bytes 15-18/19'],
    ['bytes=17-99', 206, '89', 'bytes 17-18/19'],
    ['bytes=-99', 206, '%PDF-1.7 0123456789', 'bytes 0-18/19'],
    ['bytes=3-1', 200, '%PDF-1.7 0123456789', undefined],
    ['bytes=0-1,4-5', 200, '%PDF-1.7 0123456789', undefined],
    ['pages=1-2', 200, '%PDF-1.7 0123456789', undefined],
  ]
  test.each(ranges)('range %s', async (range, status, body, contentRange) => {
    const response = await fetchSigned((await sign('report_pdf')).json().url, { range })
    expect([response.statusCode, response.body, response.headers['content-range']]).toEqual([
      status,
      body,
      contentRange,
    ])
    expect(response.headers['content-length']).toBe(String(body.length))
  })
  test.each(['bytes=19-', 'bytes=-0', 'bytes=500-600'])('range %s is outside', async (range) => {
    const response = await fetchSigned((await sign('report_pdf')).json().url, { range })
    expect([response.statusCode, response.json().code]).toEqual([416, 'range_not_satisfiable'])
    expect(response.headers['content-range']).toBe('bytes */19')
  })
  test('HEAD tells the size and sends nothing', async () => {
    const response = await fetchSigned((await sign('report_pdf')).json().url, {}, 'HEAD')
    expect([response.statusCode, response.body, response.headers['content-length']]).toEqual([200, '', '19'])
  })
  test('an address that was altered, is over, or is of another file gives 403', async () => {
    const { url } = (await sign('report_pdf')).json()
    const other = (await sign('findings_json')).json().url
    const path = (address: string) => new URL(address).pathname
    for (const altered of [
      url.replace(/signature=(.)/, (_: string, first: string) => `signature=${first === '_' ? '-' : '_'}`),
      url.replace(/expires=\d+/, 'expires=9999999999'),
      url.replace('report.pdf', 'report.exe'),
      url.replace('application%2Fpdf', 'text%2Fhtml'),
      url.replace(path(url), path(other)),
      url.replace(path(url), '/files/../../etc/passwd'),
      url.replace(path(url), '/files/%2e%2e%2fetc%2fpasswd'),
      path(url),
    ]) {
      const response = await fetchSigned(altered)
      expect([altered, [403, 400, 404].includes(response.statusCode)]).toEqual([altered, true])
      expect(response.body).not.toContain('PDF')
    }
  })
  test('kinds that the run has not, or that are none', async () => {
    expect((await sign('branding_logo')).json().code).toBe('artifact_not_found')
    expect((await sign('passwords')).json().code).toBe('artifact_not_found')
    expect((await sign('report_pdf', `?artifact_id=${files[3]}`)).json().code).toBe('artifact_not_found')
  })
  test('findings as SARIF and for DefectDojo', async () => {
    const sarif = await get(scan('/findings?format=sarif'), { headers: { accept: 'application/sarif+json' } })
    expect(sarif.headers['content-type']).toBe('application/sarif+json; charset=utf-8')
    expect(sarif.json().version).toBe('2.1.0')
    expect((await get(scan('/findings?format=defectdojo'))).json()).toEqual({ findings: [] })
  })
  test('after retention: 410, swept or not, and the row stays', async () => {
    const { url } = (await sign('report_pdf')).json()
    await api.db.query(
      "update artifacts set expires_at = clock_timestamp() - interval '1 second' where id = any ($1::uuid[])",
      [files],
    )
    expect((await sign('report_pdf')).json().code).toBe('artifact_expired')
    await api.db.query('update artifacts set deleted_at = clock_timestamp() where id = any ($1::uuid[])', [files])
    await api.storage.delete(`runs/${run.runId}/${files[0]}`)
    expect((await sign('report_pdf')).statusCode).toBe(410)
    expect((await fetchSigned(url)).statusCode).toBe(410)
    expect((await get(scan('/findings?format=sarif'))).statusCode).toBe(410)
    expect((await get(scan('/artifacts'))).json().items[0].deleted).toBe(true)
  })
  test('need their scope', async () => {
    const { secret } = await createKey(api.db, keyWith(tenant.organisationId, ['scans:read']))
    expect((await api.send('GET', scan('/artifacts'), { secret })).json().code).toBe('api_key_scope_insufficient')
  })
})

test('a file larger than the buffers goes over a real socket, and a reader that leaves does no harm', async () => {
  const base = await api.app.listen({ port: 0, host: '127.0.0.1' })
  const body = Buffer.alloc(8 << 20, 'x')
  await api.storage.put('runs/big', body, { contentType: 'text/plain' })
  const path = signFilePath(FILE_SECRET, {
    ...{ key: 'runs/big', filename: 'big.txt', contentType: 'text/plain', expires: Math.ceil(Date.now() / 1000) + 60 },
  })
  const url = `${base}${path}`
  expect((await (await fetch(url)).arrayBuffer()).byteLength).toBe(body.length)
  await new Promise<void>((resolve, reject) => {
    const request = httpRequest(url, (response) => response.once('data', () => request.destroy()))
    request.on('close', resolve).on('error', reject).end()
  })
  expect((await fetch(url, { headers: { range: 'bytes=-1' } })).status).toBe(206)
})
