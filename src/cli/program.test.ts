import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import * as domainExample from '../contract/domain-finding-examples.ts'
import * as example from '../contract/examples.ts'
import { OperatorError } from '../contract/operator.ts'
import { runSwitches } from '../contract/run-switches.ts'
import type { CliDeps } from './deps.ts'
import { type Answers, type FakeService, fakeService, problem } from './testing/fake-service.ts'
import { type Result, runWords } from './testing/run-words.ts'

const RUN = example.runState.id
const BASE = '0198f2c4-5f7e-7c3a-9a51-2b8d1c6e4fff'
const DONE = {
  ...example.runState,
  status: 'done',
  ...{ progress: 100, phase: 'finished', error_kind: null, error_detail: null },
}
const FAILED = { ...DONE, status: 'failed', error_kind: 'report_failed', error_detail: 'xelatex is not installed' }
const HIGH = { ...example.finding, severity: 'high', title: 'A high one', status: 'recurring' }
const LOW = {
  ...example.finding,
  ...{ severity: 'low', status: 'new', fingerprint: 'b'.repeat(64), title: 'A low one \u001b[31m\u202e' },
}
const PDF = '%PDF-1.7 the report'
const PDF_SHA = createHash('sha256').update(PDF).digest('hex')

let folder = ''
let service: FakeService | null = null
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-cli-'))
})
afterEach(async () => {
  await service?.close()
  service = null
  rmSync(folder, { recursive: true })
})

const run = (words: readonly string[], more: Partial<CliDeps> = {}): Promise<Result> =>
  runWords(words, {
    ...(service === null ? {} : { env: { SONDE_URL: service.url, SONDE_API_KEY: 'sonde_key' } }),
    ...more,
  })

const UNSEEN = { module: 'sqli', check_id: 'sqli/error', state: 'inconclusive', reason: 'of 7 places: 1 not read' }
const answers =
  (more: Answers = {}, last: unknown = DONE): ((url: string) => Answers) =>
  (url) => ({
    'POST /v1/domains': problem(409, 'domain_exists', 'Registered already'),
    'GET /v1/domains': { json: { items: [{ ...example.domain, domain: 'shop.example' }], next_cursor: null } },
    'POST /v1/scans': { status: 202, json: { ...example.runCreated, id: RUN } },
    [`GET /v1/scans/${RUN}/stream`]: {
      events: [
        {
          type: 'progress',
          data: {
            phase: 'discover',
            phase_detail: 'site: pages',
            progress: 10,
            counts: DONE.counts,
            status: 'running',
          },
        },
        { type: 'audit', data: {} },
        { type: 'done', data: last },
      ],
    },
    [`GET /v1/scans/${RUN}/coverage`]: { json: { items: [UNSEEN], tables: [], reach: null, sending: null } },
    [`GET /v1/scans/${RUN}/findings`]: (seen) =>
      seen.query.format === 'sarif'
        ? { type: 'application/sarif+json', text: '{"version":"2.1.0"}' }
        : seen.query.cursor === 'two'
          ? { json: { items: [LOW], next_cursor: null } }
          : { json: { items: [HIGH], next_cursor: 'two' } },
    [`GET /v1/domains/${example.domain.id}`]: { json: { ...example.domain, domain: 'shop.example' } },
    [`GET /v1/scans/${BASE}`]: { json: { ...DONE, id: BASE, domain: 'shop.example', retest_of: null } },
    [`GET /v1/scans/${BASE}/findings`]: { json: { items: [HIGH], next_cursor: null } },
    [`GET /v1/scans/${RUN}/artifacts`]: {
      json: { items: [{ ...example.artifact, kind: 'report_pdf', filename: 'report.pdf', sha256: PDF_SHA }] },
    },
    [`GET /v1/scans/${RUN}/artifacts/report_pdf/url`]: {
      json: { ...example.signedUrl, filename: 'report.pdf', url: `${url}/files/report.pdf` },
    },
    'GET /files/report.pdf': { type: 'application/pdf', text: PDF },
    ...more,
  })

describe('after a run', () => {
  const FINDING = example.ids.finding
  const path = `PUT /v1/scans/${RUN}/findings/${FINDING}/triage`
  test('a decision names who, why and until when', async () => {
    service = await fakeService(answers({ [path]: { json: { ...example.finding, triage: example.triage } } }))
    const words = ['--accept', '--owner', 'J. Weber', '--reason', 'gone in spring', '--days', '30']
    const { code, out } = await run(['triage', RUN, FINDING, ...words])
    expect(code).toBe(0)
    expect(out).toContain('accepted by J. Weber')
    expect(service.seen[0]?.body).toMatchObject({ state: 'accepted', owner: 'J. Weber', reason: 'gone in spring' })
    const { expires_at } = z.object({ expires_at: z.coerce.date() }).parse(service.seen[0]?.body)
    expect(expires_at.getTime()).toBeGreaterThan(Date.now())
  })
  test.each([
    ['no decision', []],
    ['two decisions', ['--accept', '--reopen']],
  ])('%s is a matter of usage', async (_, words) => {
    expect((await run(['triage', RUN, FINDING, ...words])).code).toBe(3)
  })
  test('a comparison', async () => {
    service = await fakeService(answers({ [`GET /v1/scans/${RUN}/diff`]: { json: example.comparison } }))
    const { code, out } = await run(['diff', RUN])
    expect(code).toBe(0)
    expect(out).toMatch(/^Against run [\s\S]*New \(1\)\n {2}\+ high .*\n\n9 unchanged\.\n$/)
  })
})

describe('words and exit codes', () => {
  test.each([
    ['help', ['--help'], 0, /Exit codes: 0 clean/],
    ['help of a command, with examples', ['scan', '--help'], 0, /Examples:[\s\S]*--fail-on high/],
    ['version', ['--version'], 0, /^1\.2\.3$/m],
    ['no words', [], 3, /Usage: sonde/],
    ['an unknown command', ['scna', 'x'], 3, /unknown command/],
    ['an unknown option', ['runs', '--jsno'], 3, /unknown option/],
    ['a missing word', ['scan'], 3, /missing required argument/],
    ['a word too many', ['runs', 'x'], 3, /too many arguments/],
    ['a bad id', ['status', '42'], 3, /id of a run/],
    [
      'a bad baseline',
      ['scan', 'x', '--fail-on', 'high', '--baseline', 'last'],
      3,
      /accepted, none, or the id of a run/,
    ],
    ['a bad severity', ['scan', 'x', '--fail-on', 'hgih'], 3, /one of critical, high/],
    ['too many writes', ['scan', 'x', '--writes-per-form', '9999'], 3, /whole number from 1 to 2000/],
    ['a bad kind', ['download', RUN, 'pdf'], 3, /one of report_pdf/],
    ['a bad port', ['serve', '--port', '70000'], 3, /0 to 65535/],
    ['no service', ['runs'], 3, /Set SONDE_URL and SONDE_API_KEY/],
    ['nothing to set', ['org', 'set', 'x'], 3, /Say what to change/],
    ['a status that there is not', ['runs', '--status', 'foo'], 3, /It is some of queued, leased/],
    ['a state that there is not', ['findings', '--state', 'open,foo'], 3, /It is some of open, reopened/],
    ['a file in no folder', ['scan', 'shop.test', '--sarif', '/nowhere/x.sarif'], 3, /^\/nowhere: there is no such/],
    ['a folder for a file', ['scan', 'shop.test', '--pdf', '/tmp'], 3, /that is a folder/],
  ])('%s', async (_trick, words, code, message) => {
    const result = await run(words)
    expect(result.out + result.err).toMatch(message)
    expect(result.code).toBe(code)
  })

  test('half of the settings is no setting', async () => {
    const result = await run(['runs'], { env: { SONDE_URL: 'http://127.0.0.1:1' } })
    expect(result).toMatchObject({ code: 3, err: expect.stringContaining('SONDE_API_KEY is not set') })
    const nowhere = await run(['runs'], { env: { SONDE_URL: 'sonde.example', SONDE_API_KEY: 'sonde_key' } })
    expect(nowhere).toMatchObject({ code: 3, err: expect.stringContaining('SONDE_URL is no address') })
  })

  test.each([
    ['a bad key', problem(401, 'unauthenticated', 'A key is needed'), 3, /SONDE_API_KEY/],
    ['too many requests', problem(429, 'rate_limited', 'Slow down'), 2, /Slow down/],
    ['a fault', problem(500, 'internal', 'It failed'), 2, /It failed/],
    ['another kind of server', { status: 502, type: 'text/html', text: '<h1>' }, 2, /not as a Sonde service/],
  ] as const)('%s', async (_trick, answer, code, message) => {
    service = await fakeService(() => ({ 'GET /v1/scans': answer }))
    const result = await run(['runs'])
    expect(result.err).toMatch(message)
    expect(result.code).toBe(code)
  })

  test('nobody there is exit 2', async () => {
    const env = { SONDE_URL: 'http://127.0.0.1:1', SONDE_API_KEY: 'x' }
    expect((await run(['runs'], { env })).code).toBe(2)
  })

  test('a refusal of the operator interface is exit 3, a fault 2', async () => {
    const failing = (error: Error) => async () => ({ call: () => Promise.reject(error), close: async () => undefined })
    expect(await run(['org', 'list'], { operator: failing(new OperatorError('no')) })).toMatchObject({
      code: 3,
      err: 'no\n',
    })
    expect(await run(['org', 'list'], { operator: failing(new Error('oh')) })).toMatchObject({ code: 2, err: 'oh\n' })
  })
})

describe('scan', () => {
  test('starts and prints the id', async () => {
    service = await fakeService(answers())
    expect(await run(['scan', 'SHOP.example', '--active', '--no-privacy'])).toEqual({
      code: 0,
      out: `${RUN}\n`,
      err: '',
    })
    const start = service.seen.find((seen) => seen.path === '/v1/scans')
    expect(start?.body).toMatchObject({ domain_id: example.domain.id, active: true, privacy: false, make_pdf: true })
    expect(start?.authorization).toBe('Bearer sonde_key')
  })

  test('a new name is registered, and that is said apart from the result', async () => {
    service = await fakeService(answers({ 'POST /v1/domains': { status: 201, json: example.domain } }))
    expect(await run(['scan', 'new.example', '--json'])).toMatchObject({ code: 0, err: 'Registered new.example.\n' })
  })

  test('who pastes an address begins where it leads, and is told', async () => {
    service = await fakeService(answers())
    const { err } = await run(['scan', 'https://shop.example/wiki/?p=1', '--start-path', '/en/'])
    expect(err).toContain('The run begins at /wiki/?p=1 as well.\n')
    const start = service.seen.find((seen) => seen.path === '/v1/scans')
    expect(start?.body).toMatchObject({ start_paths: ['/en/', '/wiki/?p=1'] })
  })

  test('waits, draws lines, prints findings by severity, harmless', async () => {
    service = await fakeService(answers())
    const { code, out } = await run(['scan', 'shop.example', '--watch'])
    expect(code).toBe(0)
    expect(out).toMatch(/\[0:00\] {2}10 % {2}discover {2}site: pages \(critical/)
    expect(out).toMatch(/HIGH \(1\)[\s\S]*A high one[\s\S]*LOW \(1\)[\s\S]*A low one/)
    expect(out).toMatch(/Not looked at: 1 of 1 check that applies\n +1 {2}sqli: of 7 places: 1 not read/)
    for (const harmful of ['\u001b', '\u202e']) expect(out).not.toContain(harmful)
  })

  test('of a dry run prints what would be sent, as JSON too', async () => {
    const planned = [{ method: 'GET', url: 'http://a.test/', places: 3, decision: 'send', most: null, reason: null }]
    const sending = { planned, marker: null, written: [] }
    const coverage = { items: [], tables: [], reach: null, sending }
    service = await fakeService(
      answers({ [`GET /v1/scans/${RUN}/coverage`]: { json: coverage } }, { ...DONE, tier: 'active', grade: null }),
    )
    const dry = ['scan', 'shop.example', '--active', '--dry-run']
    const { out } = await run(dry)
    expect(out).toContain('http://a.test/')
    expect(out).not.toContain('grade')
    expect(JSON.parse((await run([...dry, '--json'])).out)).toMatchObject({ sending: { planned } })
  })

  test.each([
    ['reached', ['--fail-on', 'high'], 1],
    ['not reached', ['--fail-on', 'critical'], 0],
    ['reached as often as the job is repeated', ['--fail-on', 'high', '--baseline', 'accepted'], 1],
    ['reached by what the run of the baseline had', ['--fail-on', 'high', '--baseline', BASE], 0],
    ['reached by what it had not', ['--fail-on', 'low', '--baseline', BASE], 1],
    ['of all', ['--fail-on', 'high', '--baseline', 'none'], 1],
  ])('a gate %s', async (_trick, words, code) => {
    service = await fakeService(answers())
    expect((await run(['scan', 'shop.example', ...words])).code).toBe(code)
  })

  test('what the owners accepted does not reach the gate', async () => {
    const triage = { ...example.triage, owner: 'J. Weber' }
    const items = [{ ...HIGH, triage }]
    service = await fakeService(answers({ [`GET /v1/scans/${RUN}/findings`]: { json: { items, next_cursor: null } } }))
    const { code, out } = await run(['scan', 'shop.example', '--fail-on', 'high'])
    expect(code).toBe(0)
    expect(out).toContain('accepted by J. Weber')
    expect((await run(['scan', 'shop.example', '--fail-on', 'high', '--baseline', 'none'])).code).toBe(1)
  })

  test.each([
    ['of another domain', { domain: 'other.example' }, /is a run of other.example, not of/],
    ['that is not done', { status: 'running' }, /is running: it takes a run that is done/],
    ['that asked one place', { hypothesis: 'sqli' }, /is a hypothesis/],
    ['that looked for one finding', { retest_of: { scan_id: RUN, finding_id: RUN } }, /is a retest/],
  ])('a baseline %s is refused before anything is started', async (_trick, change, message) => {
    service = await fakeService(
      answers({
        [`GET /v1/scans/${BASE}`]: { json: { ...DONE, id: BASE, domain: 'shop.example', retest_of: null, ...change } },
      }),
    )
    const result = await run(['scan', 'shop.example', '--fail-on', 'high', '--baseline', BASE])
    expect([result.code, result.err]).toEqual([3, expect.stringMatching(message)])
    expect(service.seen.some(({ path, method }) => `${method} ${path}` === 'POST /v1/scans')).toBe(false)
  })

  test('a problem that has become graver since the baseline reaches the gate', async () => {
    const milder = [{ ...HIGH, severity: 'medium' }]
    service = await fakeService(
      answers({ [`GET /v1/scans/${BASE}/findings`]: { json: { items: milder, next_cursor: null } } }),
    )
    expect((await run(['scan', 'shop.example', '--fail-on', 'high', '--baseline', BASE])).code).toBe(1)
  })

  test.each(['failed', 'canceled'])('a run that ends %s is exit 2, whatever the gate', async (status) => {
    service = await fakeService(answers({}, { ...FAILED, status }))
    const sarif = join(folder, 'x.sarif')
    const result = await run(['scan', 'shop.example', '--fail-on', 'high', '--sarif', sarif])
    expect(result.code).toBe(2)
    expect(result.out).toContain('report_failed: xelatex is not installed')
    expect(readdirSync(folder)).toEqual([])
  })

  test('one JSON document, nothing else on the output', async () => {
    service = await fakeService(answers())
    const { code, out } = await run(['scan', 'shop.example', '--fail-on', 'medium', '--json'])
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject({
      run: { id: RUN, status: 'done' },
      findings: [{}, {}],
      gate: 'medium',
      baseline: 'accepted',
      gate_hits: 1,
    })
  })

  test('keeps the SARIF file', async () => {
    service = await fakeService(answers())
    const sarif = join(folder, 'out.sarif')
    expect((await run(['scan', 'shop.example', '--sarif', sarif])).code).toBe(0)
    expect(JSON.parse(readFileSync(sarif, 'utf8'))).toEqual({ version: '2.1.0' })
  })

  test('keeps the report', async () => {
    service = await fakeService(answers())
    expect((await run(['scan', 'shop.example', '--pdf', join(folder, 'r.pdf')])).code).toBe(0)
    expect(readFileSync(join(folder, 'r.pdf'), 'utf8')).toBe(PDF)
  })

  test('a file that arrives damaged is not kept', async () => {
    service = await fakeService(answers({ 'GET /files/report.pdf': { type: 'application/pdf', text: PDF.slice(1) } }))
    const result = await run(['scan', 'shop.example', '--pdf', join(folder, 'r.pdf')])
    expect(result).toMatchObject({ code: 2, err: expect.stringContaining('damaged') })
    expect(readdirSync(folder)).toEqual([])
  })

  test.each(runSwitches)('%s is said by its flag', async (name, { flag }) => {
    service = await fakeService(answers())
    await run(['scan', 'shop.example', flag.name])
    const start = service.seen.find((seen) => seen.path === '/v1/scans')
    expect(start?.body).toMatchObject({ [name]: !flag.name.startsWith('--no-') })
  })

  test('credentials come from the environment', async () => {
    service = await fakeService(answers())
    const env = { SONDE_URL: service.url, SONDE_API_KEY: 'k', SONDE_AUTH_COOKIE: 'sid=1' }
    await run(['scan', 'shop.example'], { env })
    const start = service.seen.find((seen) => seen.path === '/v1/scans')
    expect(start?.body).toMatchObject({ auth_cookie: 'sid=1', auth_header: null })
  })
})

describe('runs that exist', () => {
  test('a local service needs no settings', async () => {
    service = await fakeService(() => ({
      'GET /v1/scans': { json: { items: [example.runListItem], next_cursor: null } },
    }))
    const { url } = service
    const result = await run(['runs', '--status', 'queued,running'], {
      env: {},
      localService: async () => ({ url, apiKey: 'k' }),
    })
    expect(result.out).toContain(example.runListItem.domain)
    expect(service.seen[0]?.query.status).toBe('queued,running')
  })

  test.each([
    ['done', DONE, 0],
    ['running', { ...DONE, status: 'running' }, 0],
    ['failed', FAILED, 2],
  ])('the status of a run that is %s', async (_state, state, code) => {
    service = await fakeService(() => ({ [`GET /v1/scans/${RUN}`]: { json: state } }))
    expect((await run(['status', RUN])).code).toBe(code)
    expect(JSON.parse((await run(['status', RUN, '--json'])).out)).toEqual(state)
  })

  test('findings, one severity, as JSON and long', async () => {
    service = await fakeService(answers())
    const json = await run(['findings', RUN, '--severity', 'low', '--json'])
    expect(JSON.parse(json.out)).toEqual([LOW])
    const { out } = await run(['findings', RUN, '--long'])
    for (const part of ['Fix: ', `Finding ${HIGH.id}`, '    $ curl -sI https://shop.example.com/\n'])
      expect(out).toContain(part)
  })

  test('findings over all domains: those that are open, page after page', async () => {
    const asked: Readonly<Record<string, string>>[] = []
    const { finding: one } = domainExample
    service = await fakeService(() => ({
      'GET /v1/findings': (seen) => {
        asked.push(seen.query)
        return { json: { items: [one], next_cursor: asked.length === 1 ? 'next' : null } }
      },
    }))
    const text = await run(['findings', '--severity', 'high'])
    expect(text.out).toContain(one.domain)
    expect(asked).toEqual([
      expect.objectContaining({ state: 'open,reopened', severity: 'high' }),
      expect.objectContaining({ cursor: 'next' }),
    ])
    const json = await run(['findings', '--state', 'accepted', '-q', 'tls', '--json'])
    expect(JSON.parse(json.out)).toEqual([one])
    expect(asked[2]).toMatchObject({ q: 'tls', state: 'accepted' })
    expect((await run(['findings', '--state', 'gone'])).code).toBe(3)
    expect((await run(['findings', RUN, '--state', 'open'])).code).toBe(3)
  })

  test('cancelling what has ended is refused', async () => {
    service = await fakeService(() => ({
      [`POST /v1/scans/${RUN}/cancel`]: problem(409, 'scan_not_cancelable', 'It has ended'),
    }))
    expect(await run(['cancel', RUN])).toMatchObject({ code: 3, err: expect.stringContaining('It has ended') })
  })
})
