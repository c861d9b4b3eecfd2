/** A run from POST to the last byte of its last file, through the real service against a site that does its worst. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ARTIFACT_KINDS } from '../src/contract/artifact.ts'
import { type Client, createClient, everyItem } from '../src/contract/client.ts'
import type { Domain } from '../src/contract/domain.ts'
import type { RunEvent } from '../src/contract/event.ts'
import { watchScan } from '../src/contract/event-stream.ts'
import { type Finding, SEVERITIES } from '../src/contract/finding.ts'
import { FindingsFile } from '../src/contract/findings-file.ts'
import { CHALLENGE_PATH } from '../src/contract/verification.ts'
import { type CaseServers, caseAddress, serveCase } from '../src/modules/testing/collecting.ts'
import { openDatabase } from '../src/store/open-database.ts'
import { copyTemplate } from './support/databases.ts'
import { type Serving, serve, sonde } from './support/sonde.ts'
import { until } from './support/until.ts'

const COOKIE = 'session=kanarie-VOGEL/7+8&<9>"x"'
const HEADER_VALUE = 'geheim/Wort+17&<b>"tief"'
/** What of the two must appear nowhere, in any spelling. */
const SECRETS = ['kanarie-VOGEL/7+8&<9>"x"', HEADER_VALUE]
const TEST_TIME = 480_000

let site: CaseServers
let service: Serving
let client: Client
let folder = ''
let runId = ''
/** Where the files lie as they were fetched. */
let fetched = ''
let fingerprint = ''
const events: RunEvent[] = []
/** Every output of the run by its name, as text. */
const outputs = new Map<string, string>()
let file: FindingsFile
let findings: Finding[] = []
/** What proves that the site is ours. */
let challenge = ''

beforeAll(async () => {
  site = await serveCase(31, { http: toHttps, https: echo })
  folder = mkdtempSync(join(tmpdir(), 'sonde-whole-'))
  fetched = join(folder, 'fetched')
  mkdirSync(fetched)
  const data = join(folder, 'data')
  await copyTemplate(data)
  chmodSync(data, 0o700)
  service = await serve([], {
    SONDE_DATA: data,
    SONDE_HOSTS: `shop.test=${caseAddress(31)}`,
    SONDE_ALLOW_NETWORKS: '127.0.0.0/8',
  })
  client = createClient({ baseUrl: service.ready.base_url, apiKey: service.ready.api_key ?? '' })
  const domain = await client.createDomain({ body: { domain: 'shop.test', context: 'shop' } })
  const login = { auth_cookie: COOKIE, auth_header: `X-Api-Token: ${HEADER_VALUE}` }
  await storeLogin(domain, login)
  const started = await client.startScan({ body: { domain_id: domain.id, auth_stored: true } })
  // The other way in, for a run that never starts: what it brought is wiped.
  const given = await client.startScan({ body: { domain_id: domain.id, ...login } })
  await client.cancelScan({ params: { id: given.id } })
  runId = started.id
  for await (const event of watchScan(client, runId)) events.push(event)
  await gather()
  await service.end('SIGTERM')
  await gatherDatabase(data)
  outputs.set('log', service.log())
}, TEST_TIME)

afterAll(async () => {
  service?.child.kill('SIGKILL')
  await site?.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('a whole run', () => {
  test('ends done, and says so in the last event of its stream', () => {
    const last = events.at(-1)
    expect(last).toMatchObject({ type: 'done', data: { status: 'done', progress: 100, phase: 'finished' } })
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1))
    const shown = events.flatMap((event) => (event.type === 'progress' ? [event.data.progress] : []))
    expect(shown).toEqual(shown.toSorted((a, b) => a - b))
  })

  test('the credentials were really used, and the site really echoed them', () => {
    expect(seen.cookies.has(COOKIE)).toBe(true)
    expect(seen.headers.has(HEADER_VALUE)).toBe(true)
    expect(seen.clear).toEqual([])
    expect(outputs.get('evidence.zip')).toContain('[redacted]')
  })

  test.each([
    ...ARTIFACT_KINDS.filter((kind) => kind !== 'branding_logo'),
    'status',
    'stored login',
    'login test',
    'findings',
    'sarif',
    'defectdojo',
    'csv',
    'junit',
  ])('there is output to look at: %s', (name) =>
    expect((outputs.get(NAMES[name] ?? name) ?? '').length).toBeGreaterThan(100),
  )

  test('no output holds a credential in any spelling', () => {
    const leaks = [...outputs].flatMap(([name, text]) =>
      SECRETS.flatMap((secret) => spellings(secret)).flatMap((spelling) =>
        text.includes(spelling) || text.replaceAll(/\s+/g, '').includes(spelling) ? [`${name}: ${spelling}`] : [],
      ),
    )
    expect(leaks).toEqual([])
  })

  test('nor in another case, order or spacing', () => {
    const bare = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
    const leaks = [...outputs].flatMap(([name, text]) => {
      const skin = bare(text)
      return SECRETS.map(bare)
        .flatMap((secret) => [secret, [...secret].reverse().join('')])
        .flatMap((variant) =>
          skin.includes(variant) || skin.includes(variant.slice(0, 12)) ? [`${name}: ${variant}`] : [],
        )
    })
    expect(leaks).toEqual([])
  })

  test('API, counts, findings.json, SARIF, DefectDojo, page, Markdown and PDF show the same findings', () => {
    const fingerprints = findings.map((one) => one.fingerprint).toSorted()
    expect(fingerprints.length).toBeGreaterThan(5)
    expect(file.findings.map((one) => one.fingerprint).toSorted()).toEqual(fingerprints)
    const sarif = JSON.parse(outputs.get('sarif') ?? '')
    const results: { partialFingerprints: Record<string, string> }[] = sarif.runs[0].results
    const whole = results.flatMap((one) =>
      Object.values(one.partialFingerprints).filter((value) => value.length === 64),
    )
    expect(whole.toSorted()).toEqual(fingerprints)
    const dojo: { unique_id_from_tool: string }[] = JSON.parse(outputs.get('defectdojo') ?? '').findings
    expect(dojo.map((one) => one.unique_id_from_tool).toSorted()).toEqual(fingerprints)
    const counted = Object.fromEntries(
      SEVERITIES.map((severity) => [severity, findings.filter((one) => one.severity === severity).length]),
    )
    expect(file.counts).toEqual(counted)
    expect(file.open_counts).toEqual(counted)
    expect(JSON.parse(outputs.get('status') ?? '').counts).toEqual(counted)
    const pdf = (outputs.get('report.pdf') ?? '').replaceAll(/\s+/g, ' ')
    for (const { title } of findings) expect(pdf.replaceAll('- ', '-'), title).toContain(title.slice(0, 30))
    expect(outputs.get('report.html')?.match(/<article /g)).toHaveLength(fingerprints.length)
    expect(outputs.get('report.md')?.match(/^\*\*Finding \d+\*\*/gm)).toHaveLength(fingerprints.length)
  })

  test('its files are verified without the service; one byte more, and the file is named', async () => {
    const verify = async (...words: string[]) => {
      const { code, out } = await sonde(['verify', fetched, '--json', ...words], { SONDE_DATA: join(folder, 'none') })
      return { code, ...JSON.parse(out) }
    }
    const set = { run_id: runId, target: 'shop.test', version: 1, missing: [] }
    expect(await verify('--key', fingerprint)).toMatchObject({ code: 0, outcome: 'verified', sets: [set] })
    expect(await verify()).toMatchObject({ code: 4, outcome: 'unknown_signer' })
    const page = join(fetched, 'report.html')
    expect(readFileSync(page, 'utf8')).toContain(fingerprint)
    writeFileSync(page, `${readFileSync(page, 'utf8')} `)
    const altered = await verify('--key', fingerprint)
    expect(altered).toMatchObject({ code: 1, outcome: 'altered' })
    const wrong = altered.files.filter(({ state }: { state: string }) => state === 'altered' || state === 'foreign')
    expect(wrong).toMatchObject([{ path: page, state: 'altered' }])
  })

  test('the audit log is a chain without a gap, and its requests are those of the report', () => {
    const lines = (outputs.get('audit-log.jsonl') ?? '').trimEnd().split('\n')
    let previous = '0'.repeat(64)
    for (const [index, line] of lines.entries()) {
      expect(JSON.parse(line)).toMatchObject({ seq: index + 1, prev: previous })
      previous = createHash('sha256').update(line).digest('hex')
    }
    const streamed = events.flatMap((event) => (event.type === 'audit' ? [event.data.seq] : []))
    expect(streamed).toEqual(lines.map((_, index) => index + 1))
    const requests = lines.filter((line) => JSON.parse(line).event === 'request').length
    expect(requests).toBeGreaterThan(5)
    expect(requests).toBeLessThanOrEqual(file.run.requests)
  })
})

const NAMES: Readonly<Record<string, string>> = {
  report_pdf: 'report.pdf',
  report_html: 'report.html',
  report_tex: 'report.tex',
  findings_json: 'findings.json',
  audit_log: 'audit-log.jsonl',
  evidence: 'evidence.zip',
  report_md: 'report.md',
  signature: 'signature.json',
}

/** Stored with the domain and tried out there, on a site that gives back whatever it gets. */
const storeLogin = async (domain: Domain, login: { auth_cookie: string; auth_header: string }): Promise<void> => {
  const params = { id: domain.id }
  challenge = domain.verification.http_file.content
  await client.verifyDomain({ params })
  outputs.set('stored login', JSON.stringify(await client.setLogin({ params, body: { ...login, page: '/echo' } })))
  await client.testLogin({ params })
  await until(async () => {
    const test = await client.readLoginTest({ params })
    outputs.set('login test', JSON.stringify(test))
    return test.finished_at !== null
  }, 20_000)
}

const gather = async (): Promise<void> => {
  outputs.set('events', JSON.stringify(events))
  // A busy machine may take longer for it than the run waits.
  await until(async () => (await client.readScan({ params: { id: runId } })).report.state === 'ready', 120_000)
  outputs.set('status', JSON.stringify(await client.readScan({ params: { id: runId } })))
  findings = []
  outputs.set('activity', JSON.stringify(await client.listActivity({})))
  const list = (cursor: string | undefined) =>
    client.listFindings({ params: { id: runId }, query: { limit: 10, ...(cursor ? { cursor } : {}) } })
  for await (const one of everyItem(list)) findings.push(one)
  outputs.set('findings', JSON.stringify(findings))
  for (const format of ['sarif', 'defectdojo', 'csv', 'junit'] as const) {
    const answer = await client.request('listFindings', { params: { id: runId }, query: { format } })
    outputs.set(format, await answer.text())
  }
  const { items } = await client.listArtifacts({ params: { id: runId } })
  outputs.set('artifacts', JSON.stringify(items))
  for (const kind of ARTIFACT_KINDS.filter((each) => each !== 'branding_logo')) {
    const signed = await client.signArtifactUrl({ params: { id: runId, kind } })
    const body = Buffer.from(await (await fetch(signed.url)).arrayBuffer())
    outputs.set(signed.filename, readable(signed.filename, body))
  }
  // One file of evidence, as it is fetched by itself.
  const single = items.find(({ kind, filename }) => kind === 'evidence' && filename !== 'evidence.zip')
  const query = { artifact_id: single?.id }
  const one = await client.signArtifactUrl({ params: { id: runId, kind: 'evidence' }, query })
  writeFileSync(join(fetched, one.filename), Buffer.from(await (await fetch(one.url)).arrayBuffer()))
  fingerprint = (await client.readSigningKey()).fingerprint
  file = FindingsFile.parse(JSON.parse(outputs.get('findings.json') ?? ''))
  const report = items.find((item) => item.kind === 'report_pdf')
  expect(report?.page_count).toBeGreaterThan(3)
}

/** The text of a file as its reader sees it. */
const readable = (filename: string, body: Buffer): string => {
  const path = join(fetched, filename)
  writeFileSync(path, body)
  const limits = { encoding: 'utf8', timeout: 20_000, maxBuffer: 1 << 28 } as const
  if (filename.endsWith('.pdf')) return execFileSync('pdftotext', ['-layout', path, '-'], limits)
  if (!filename.endsWith('.zip')) return body.toString()
  return execFileSync('unzip', ['-p', path], limits)
}

/** Every row of every table: what a copy of the database would give away. */
const gatherDatabase = async (dataDir: string): Promise<void> => {
  const db = await openDatabase({ dataDir })
  try {
    const tables = await db.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
      [],
    )
    for (const { name } of tables) {
      const rows = await db.query<{ row: string }>(`select t::text as row from "${name}" t`, [])
      outputs.set(`table ${name}`, rows.map(({ row }) => row).join('\n'))
    }
  } finally {
    await db.close()
  }
}

const spellings = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  encodeURIComponent(secret).replaceAll(/%../g, (code) => code.toLowerCase()),
  new URLSearchParams({ '': secret }).toString().slice(1),
  Buffer.from(secret).toString('base64'),
  Buffer.from(secret).toString('base64url'),
  Buffer.from(secret).toString('hex'),
  escapeHtml(secret),
  JSON.stringify(secret).slice(1, -1),
  JSON.stringify(JSON.stringify(secret)).slice(1, -1),
  // The part without special characters is the same in most spellings.
  secret.split(/[^\w-]/)[0] ?? secret,
]

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const seen = { cookies: new Set<string>(), headers: new Set<string>(), clear: [] as string[] }

const toHttps = (request: IncomingMessage, response: ServerResponse): void => {
  if (request.headers.cookie !== undefined || request.headers['x-api-token'] !== undefined) {
    seen.clear.push(request.url ?? '')
  }
  response.writeHead(301, { location: `https://shop.test${request.url}` }).end()
}

/** Gives back whatever it was given, in every spelling and place it can think of. */
const echo = (request: IncomingMessage, response: ServerResponse): void => {
  if (request.url === CHALLENGE_PATH) {
    response.writeHead(200, { 'content-type': 'text/plain' }).end(challenge)
    return
  }
  const cookie = request.headers.cookie ?? ''
  const token = String(request.headers['x-api-token'] ?? '')
  seen.cookies.add(cookie)
  seen.headers.add(token)
  const given = `${cookie} ${token}`
  if (request.url?.startsWith('/missing')) {
    response.writeHead(500, { 'content-type': 'text/plain' }).end(`Error: ${given}\n    at handle (/srv/app.js:1:2)`)
    return
  }
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'x-echo': encodeURIComponent(given),
    'x-shout': encodeURIComponent(given.toUpperCase()),
    'x-mirror': encodeURIComponent([...given].reverse().join('')),
    'x-base64': Buffer.from(given).toString('base64'),
    'set-cookie': [`session=${encodeURIComponent(cookie)}; Path=/`, `seen=${Buffer.from(token).toString('base64url')}`],
    server: `Echo/1.0 (${encodeURIComponent(token)})`,
  })
  response.end(`<!doctype html><title>${escapeHtml(given)}</title><!-- ${given} password=${token} -->
    <p>${given}</p><p>${escapeHtml(given.toUpperCase())} ${escapeHtml([...given].join(' '))}</p>
    <p>${escapeHtml([...given].reverse().join(''))} ${escapeHtml(given.slice(0, 24))}…</p><a href="/a?q=${encodeURIComponent(cookie)}">${escapeHtml(token)}</a><a href="/missing">x</a>
    <script>const given = ${JSON.stringify(given)}; const hex = "${Buffer.from(token).toString('hex')}"</script>
    <form method="post" action="/login?t=${encodeURIComponent(token)}"><input name="password" type="password"></form>`)
}
