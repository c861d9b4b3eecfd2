/** What other tools run: the script of the CI jobs against the real interface, and the files that they read. */
import { spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { FindingsFile } from '../src/contract/findings-file.ts'
import { ErrorKind } from '../src/contract/run.ts'
import { openCounts, UNDECIDED } from '../src/contract/triage.ts'
import { renderDefectDojo } from '../src/report/defectdojo.ts'
import { renderJunit } from '../src/report/junit.ts'
import { renderSarif } from '../src/report/sarif.ts'
import { sampleFile } from '../src/report/testing/sample.ts'
import { allFindings, type NewFinding } from '../src/store/findings.ts'
import { fail } from '../src/store/lease.ts'
import { addFindings, finishWith, openApi, startNext, type TestApi } from './support/api.ts'
import { until } from './support/until.ts'

const HOME = new URL('../integrations/', import.meta.url)
const read = (name: string): string => readFileSync(new URL(name, HOME), 'utf8')

let api: TestApi
let url = ''
let out = ''
beforeAll(async () => {
  const render = { sarif: renderSarif, defectdojo: renderDefectDojo, csv: () => '', junit: renderJunit }
  api = await openApi({ render })
  url = await api.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => api.close())
beforeEach(() => {
  out = mkdtempSync(join(tmpdir(), 'sonde-ci-'))
})
afterEach(() => rmSync(out, { recursive: true, force: true }))

interface Ended {
  readonly code: number | null
  readonly err: string
}
/** The job, and beside it a worker that ends its run as told. */
const job = async (settings: Readonly<Record<string, string>>, end: (() => Promise<void>) | null): Promise<Ended> => {
  const child = spawn('bash', [new URL('wait-and-gate.sh', HOME).pathname], {
    env: {
      PATH: process.env.PATH,
      SONDE_URL: url,
      SONDE_API_KEY: api.mine.secret,
      SONDE_DOMAIN: 'mine.example.com',
      SONDE_OUT: out,
      SONDE_POLL: '1',
      ...settings,
    },
    stdio: ['ignore', 'inherit', 'pipe'],
    timeout: 60_000,
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [err, code] = await Promise.all([text(child.stderr), ended, end?.()])
  return { code, err }
}
const queued = async (): Promise<boolean> => {
  const { items } = (await api.send('GET', '/v1/scans?status=queued')).json()
  return items.length > 0
}
const endWith = (file: FindingsFile) => async (): Promise<void> => {
  await until(queued, 30_000)
  const body = JSON.stringify(file)
  await finishWith(api, await startNext(api.db), [{ kind: 'findings_json', filename: 'findings.json', body }])
}
const sample = (change: (finding: FindingsFile['findings'][number]) => object): FindingsFile => {
  const file = sampleFile()
  const findings = file.findings.map((finding) => ({ ...finding, ...change(finding) }))
  return { ...file, findings, open_counts: openCounts(findings) }
}
/** A run with one grave finding that is stored as well, so that decisions find it. */
const seeing = (change: Partial<NewFinding>) => async (): Promise<void> => {
  await until(queued, 60_000)
  const held = await startNext(api.db)
  await addFindings(api.db, held, [{ severity: 'high', check_id: 'headers/a', confidence: 'firm', ...change }])
  const findings = await allFindings(api.db, held.runId)
  const counts = openCounts(findings.map((finding) => ({ ...finding, triage: UNDECIDED })))
  const body = JSON.stringify({ ...sampleFile(), findings, counts, open_counts: openCounts(findings) })
  await finishWith(api, held, [{ kind: 'findings_json', filename: 'findings.json', body }])
}
const lastRun = async (): Promise<string> => (await api.send('GET', '/v1/scans?limit=1')).json().items[0].id
const acceptAll = async (run: string): Promise<void> => {
  for (const { id } of (await api.send('GET', `/v1/scans/${run}/findings`)).json().items) {
    const body = { state: 'accepted', owner: 'J. Weber', reason: 'until spring' }
    expect((await api.send('PUT', `/v1/scans/${run}/findings/${id}/triage`, { body })).statusCode).toBe(200)
  }
}
const PATIENT = { timeout: 300_000 }
const allNew = sample(() => ({ status: 'new' }))
const allOld = sample(() => ({ status: 'recurring' }))

describe('the job of a CI', () => {
  test('a new finding at the severity fails it; SARIF and JUnit are kept', async () => {
    const { code, err } = await job({}, endWith(allNew))
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/findings that fail this job \(baseline: accepted\):\n(?:critical|high) /),
    ])
    expect(JSON.parse(readFileSync(join(out, 'sonde.sarif'), 'utf8')).version).toBe('2.1.0')
    expect(readFileSync(join(out, 'sonde.junit.xml'), 'utf8')).toMatch(/^<\?xml/)
    expect(err).not.toContain(api.mine.secret)
  })

  test.each([
    ['a job that is repeated: findings that were there before', {}, allOld, 1],
    ['no gate', { SONDE_FAIL_ON: 'none' }, allNew, 0],
  ])('%s', async (_, settings, file, code) => {
    expect((await job(settings, endWith(file))).code).toBe(code)
  })

  test('a repeat stays red until the owners decide, and is red again with other evidence', PATIENT, async () => {
    expect(await job({}, seeing({}))).toMatchObject({ code: 1 })
    expect(await job({}, seeing({}))).toMatchObject({ code: 1 })
    await acceptAll(await lastRun())
    expect((await job({}, seeing({}))).code).toBe(0)
    expect((await job({ SONDE_BASELINE: 'none' }, seeing({}))).code).toBe(1)
    const changed = await job({}, seeing({ confidence: 'confirmed' }))
    expect([changed.code, changed.err]).toEqual([1, expect.stringContaining('(baseline: accepted)')])
    expect((await job({}, seeing({ confidence: 'confirmed' }))).code).toBe(1)
  })

  test('against a run: what it had does not count, unless it has become graver', PATIENT, async () => {
    const one = { check_id: 'headers/another', fingerprint: 'f'.repeat(64) }
    expect((await job({}, seeing(one))).code).toBe(1)
    const against = { SONDE_BASELINE: await lastRun() }
    expect((await job(against, seeing(one))).code).toBe(0)
    const graver = await job(against, seeing({ ...one, severity: 'critical' }))
    expect([graver.code, graver.err]).toEqual([1, expect.stringContaining(`(baseline: ${against.SONDE_BASELINE})`)])
    expect((await job(against, seeing({ ...one, fingerprint: 'e'.repeat(64) }))).code).toBe(1)
  })

  test('a run that fails is exit 2 with its reason', async () => {
    const { code, err } = await job({}, async () => {
      await until(queued, 30_000)
      const held = await startNext(api.db)
      await fail(api.db, held, { kind: 'target_unreachable', detail: 'Nothing listens there.', artifacts: [] })
    })
    expect([code, err]).toEqual([2, expect.stringContaining('ended failed: Nothing listens there.')])
  })

  test.each([
    ['a domain that is not registered', { SONDE_DOMAIN: 'nobody.example.com' }, /not registered/],
    ['a wrong key', { SONDE_API_KEY: 'sonde_wrong' }, /refuses SONDE_API_KEY/],
    ['a baseline that does not exist', { SONDE_BASELINE: 'last' }, /it is accepted, none, or the id of a run/],
    ['a baseline of nobody', { SONDE_BASELINE: '00000000-0000-4000-8000-000000000000' }, /answered 404/],
    ['a severity that does not exist', { SONDE_FAIL_ON: 'hgih' }, /it is critical, high/],
  ])('%s is exit 3', async (_, settings, message) => {
    const { code, err } = await job(settings, null)
    expect([code, err]).toEqual([3, expect.stringMatching(message)])
  })
})

describe('a service that gives no answer', () => {
  const refusing = async (status: number): Promise<{ url: string; asked: () => number; close: () => void }> => {
    let asked = 0
    const server = createServer((_, response) => {
      asked += 1
      response.writeHead(status).end('{}')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    return { url: `http://127.0.0.1:${port}`, asked: () => asked, close: () => server.close() }
  }

  test('503 is asked again, and is exit 2 with its own sentence', async () => {
    const busy = await refusing(503)
    const { code, err } = await job({ SONDE_URL: busy.url, SONDE_POLL: '0' }, null)
    busy.close()
    expect([code, err, busy.asked()]).toEqual([2, expect.stringMatching(/answers 503 to GET .*again and again/), 6])
  })

  test('nobody at the address is exit 2 with its own sentence', async () => {
    const gone = await refusing(200)
    gone.close()
    const { code, err } = await job({ SONDE_URL: gone.url, SONDE_POLL: '0' }, null)
    expect([code, err]).toEqual([2, expect.stringContaining('does not answer')])
  })

  test('a run that does not end in time is exit 2 with its own sentence', async () => {
    const { code, err } = await job({ SONDE_MINUTES: '0' }, null)
    expect([code, err]).toEqual([2, expect.stringMatching(/run \S+ has not ended within 0 minutes/)])
    await api.send('POST', `/v1/scans/${await lastRun()}/cancel`)
  })
})

/**
 * As a runner of GitHub runs a composite action: its inputs and the contexts filled in, each step of bash as its documentation says
 * (`bash --noprofile --norc -eo pipefail`), files for outputs, the checkout of the action at GITHUB_ACTION_PATH.
 */
const githubAction = async (inputs: Readonly<Record<string, string>>, end: (() => Promise<void>) | null) => {
  const action = parse(read('github/action.yml'))
  for (const name of Object.keys(inputs)) expect(Object.keys(action.inputs)).toContain(name)
  for (const [name, { required }] of Object.entries<{ required?: boolean }>(action.inputs))
    if (required) expect(Object.keys(inputs)).toContain(name)
  const contexts: Record<string, string> = { 'runner.temp': out, 'github.run_id': '77', 'github.action': 'scan' }
  contexts['github.run_attempt'] = randomUUID()
  const filled = (value: string): string =>
    value.replace(/\$\{\{ ([\w.-]+) \}\}/g, (_, name: string) => {
      if (name.startsWith('inputs.'))
        return inputs[name.slice(7)] ?? String(action.inputs[name.slice(7)]?.default ?? '')
      expect(Object.keys(contexts)).toContain(name)
      return contexts[name] ?? ''
    })
  expect(action.runs).toMatchObject({ using: 'composite', steps: [{ shell: 'bash' }] })
  const [step] = action.runs.steps
  const env = Object.entries<string>(step.env).map(([name, value]) => [name, filled(value)])
  const outputs = join(out, 'outputs')
  writeFileSync(outputs, '')
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], {
    cwd: out,
    env: {
      PATH: process.env.PATH,
      ...Object.fromEntries(env),
      SONDE_POLL: '1',
      GITHUB_ACTION_PATH: new URL('github', HOME).pathname,
      GITHUB_OUTPUT: outputs,
    },
    stdio: ['ignore', 'inherit', 'pipe'],
    timeout: 60_000,
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [err, code] = await Promise.all([text(child.stderr), ended, end?.()])
  const steps = Object.fromEntries(
    readFileSync(outputs, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split('=') as [string, string]),
  )
  const named = Object.entries<{ value: string }>(action.outputs).map(([name, { value }]) => {
    const [, from = ''] = /^\$\{\{ steps\.scan\.outputs\.(\w+) \}\}$/.exec(value) ?? []
    return [name, steps[from] ?? '']
  })
  return { code, err, outputs: Object.fromEntries(named) as Record<string, string> }
}

describe("GitHub's action", () => {
  const given = () => ({ url, 'api-key': api.mine.secret, domain: 'mine.example.com' })

  test('brings everything with it, and its outputs are the files that it made', PATIENT, async () => {
    const { code, err, outputs } = await githubAction(given(), endWith(allNew))
    expect([code, err]).toEqual([1, expect.stringContaining('findings that fail this job')])
    expect(JSON.parse(readFileSync(outputs.sarif ?? '', 'utf8')).version).toBe('2.1.0')
    expect(readFileSync(outputs.junit ?? '', 'utf8')).toMatch(/^<\?xml/)
    expect((await githubAction({ ...given(), 'fail-on': 'none' }, endWith(allNew))).code).toBe(0)
  })

  test.each([
    ['a wrong key', { 'api-key': 'sonde_wrong' }, /refuses SONDE_API_KEY/],
    ['an unknown domain', { domain: 'nobody.example.com' }, /not registered/],
  ])('%s is exit 3 with its own sentence', async (_, change, sentence) => {
    const { code, err } = await githubAction({ ...given(), ...change }, null)
    expect([code, err]).toEqual([3, expect.stringMatching(sentence)])
  })
})

/** As GitLab fills in inputs, and as its runner puts the lines of a job into one script. */
const gitlabJob = (inputs: Readonly<Record<string, string>>) => {
  const [head, body] = read('gitlab/sonde.yml').split('\n---\n')
  const declared: Record<string, { default?: unknown }> = parse(head ?? '').spec.inputs
  const filled = (body ?? '').replace(/\$\[\[ inputs\.([a-z-]+) \]\]/g, (_, name: string) => {
    expect(Object.keys(declared)).toContain(name)
    return inputs[name] ?? String(declared[name]?.default)
  })
  const { variables, script, ...rest } = parse(filled).sonde
  return { variables: variables as Record<string, string>, script: (script as string[]).join('\n'), rest }
}

test("GitLab's component brings everything with it", PATIENT, async () => {
  const { variables, script, rest } = gitlabJob({ url, domain: 'mine.example.com', minutes: '5' })
  expect(rest.stage).toBe('test')
  const child = spawn('bash', ['-c', `set -eo pipefail\n${script}`], {
    cwd: out,
    env: { PATH: process.env.PATH, ...variables, SONDE_API_KEY: api.mine.secret, SONDE_KEY: '1', SONDE_POLL: '1' },
    stdio: ['ignore', 'inherit', 'pipe'],
    timeout: 60_000,
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [err, code] = await Promise.all([text(child.stderr), ended, endWith(allNew)()])
  expect([code, err]).toEqual([1, expect.stringContaining('findings that fail this job')])
  expect(readFileSync(join(out, rest.artifacts.reports.junit), 'utf8')).toMatch(/^<\?xml/)
})

describe('the files of other tools', () => {
  test('the action and the pipelines call the script and set only what it reads', () => {
    const script = read('wait-and-gate.sh')
    const { runs, inputs } = parse(read('github/action.yml'))
    const [{ env, run }] = runs.steps
    expect(run).toContain('wait-and-gate.sh')
    const gitlab = gitlabJob({ url: 'https://sonde.example', domain: 'shop.example' })
    const jenkins = [...read('jenkins/Jenkinsfile').matchAll(/\b(SONDE_\w+) =/g)].map(([, name = '']) => name)
    for (const name of [...Object.keys(env), ...Object.keys(gitlab.variables), ...jenkins])
      expect(script).toContain(name)
    for (const name of Object.keys(inputs)) expect(JSON.stringify(env)).toContain(`inputs.${name} `)
  })

  test('the dashboard asks for figures that are there', async () => {
    const shown = (await api.send('GET', '/metrics', { secret: null })).body
    const asked = new Set(JSON.stringify(JSON.parse(read('grafana/sonde.json'))).match(/sonde_[a-z_]+/g))
    expect(asked.size).toBeGreaterThan(8)
    for (const name of asked) expect(shown).toContain(`# TYPE ${name.replace(/_bucket$/, '')} `)
  })

  test('the alerts ask for figures and labels that are there, and name what ends runs on our side', async () => {
    const shown = (await api.send('GET', '/metrics', { secret: null })).body
    const rules: { readonly alert: string; readonly expr: string }[] = parse(read('prometheus/sonde-alerts.yml'))
      .groups[0].rules
    const asked = new Set(rules.flatMap(({ expr }) => expr.match(/sonde_[a-z_]+/g) ?? []))
    expect(asked.size).toBeGreaterThan(5)
    for (const name of asked) expect(shown).toContain(`# TYPE ${name.replace(/_bucket$/, '')} `)
    const [, kinds = ''] =
      rules
        .map(({ expr }) => expr)
        .join()
        .match(/kind=~"([^"]+)"/) ?? []
    for (const kind of kinds.split('|')) expect(ErrorKind.options).toContain(kind)
  })

  /** Dojo's default for "Generic Findings Import": HASHCODE_FIELDS title, cwe, line, file_path, description. */
  test('DefectDojo: the same problem has the same hash in the next report', () => {
    const hashes = (file: FindingsFile): string[] =>
      JSON.parse(renderDefectDojo(file)).findings.map((item: Record<string, unknown>) =>
        createHash('sha256')
          .update(
            [item.title, item.cwe, item.line, item.file_path, item.description].map((part) => part ?? '').join('|'),
          )
          .digest('hex'),
      )
    const next = sample(({ detail, proof }) => ({
      status: 'recurring',
      detail: `${detail} Seen again.`,
      proof: proof && { ...proof, excerpt: `${proof.excerpt} at another time` },
      evidence: [],
      triage: UNDECIDED,
    }))
    const later = { ...next, run: { ...next.run, finished_at: '2026-12-01T00:00:00.000Z' } }
    expect(hashes(later)).toEqual(hashes(allNew))
    expect(new Set(hashes(allNew)).size).toBe(allNew.findings.length)
  })
})
