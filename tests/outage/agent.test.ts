/** An agent against a real service over a real connection, which is cut; the scan is a fake one, the runs and files are real. */
import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Agent, type AgentOptions, startAgent } from '../../src/agent/agent.ts'
import { claimInstance, type Instances } from '../../src/agent/instances.ts'
import { createPaceBook } from '../../src/agent/pace-book.ts'
import { agentService } from '../../src/agent/service.ts'
import { openSpool } from '../../src/agent/spool.ts'
import { hasEnded } from '../../src/contract/run.ts'
import { openOobListener } from '../../src/egress/oob/listener.ts'
import { listArtifacts } from '../../src/store/artifacts.ts'
import { announceListener } from '../../src/store/calls.ts'
import { readAuditTexts } from '../../src/store/events.ts'
import { allFindings } from '../../src/store/findings.ts'
import { getAnyRun } from '../../src/store/runs.ts'
import { startWorker, type Worker } from '../../src/worker/loop.ts'
import { createTenant, openApi, type Tenant, type TestApi, verify } from '../support/api.ts'
import { until } from '../support/until.ts'
import { FAKE_SCAN, silentLogger, workerOptions } from '../support/worker.ts'
import { openRelay, type Relay } from './relay.ts'

let api: TestApi
let worker: Worker
let relay: Relay
let tenant: Tenant
let folder: string
let agents: Agent[]
let instances: Instances
let logger: ReturnType<typeof silentLogger>
let made: { id: string; token: string }
let count = 0

beforeAll(async () => {
  api = await openApi()
  await api.app.listen({ port: 0, host: '127.0.0.1' })
  worker = await startWorker(workerOptions(api.db, api.storage, { concurrency: 1 }))
})
afterAll(async () => {
  await worker.drain()
  await api.close()
})
beforeEach(async () => {
  count += 1
  const address = api.app.server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  relay = await openRelay({ port: address.port, host: '127.0.0.1' })
  tenant = await createTenant(api.db, `t${count}.example.com`)
  const { agent, token } = (
    await api.send('POST', '/v1/agents', { secret: tenant.secret, body: { name: 'warehouse' } })
  ).json()
  made = { id: agent.id, token }
  folder = mkdtempSync(join(tmpdir(), 'sonde-agent-'))
  instances = claimInstance(folder)
  agents = []
  logger = silentLogger()
})
afterEach(async () => {
  await relay.restore()
  for (const agent of agents) await agent.drain()
  await relay.close()
  rmSync(folder, { recursive: true })
})

const agentWith = (change: Partial<AgentOptions> = {}): Agent => {
  const base = workerOptions(api.db, api.storage)
  const agent = startAgent({
    ...{ egress: base.egress, logger, instances, version: '0.1.0', networks: [], concurrency: 2 },
    scanScript: async () => FAKE_SCAN,
    childEnv: { FAKE_SCAN_FOLDER: folder },
    service: agentService({ url: `http://127.0.0.1:${relay.port}`, token: made.token, logger }),
    spool: openSpool(instances.folder),
    paces: createPaceBook(),
    verifyDomain: async () => [{ method: 'dns_txt', ok: true, seen: 'the value' }],
    onRefused: () => undefined,
    timing: { poll: 100, heartbeat: 100, grace: 500 },
    ...change,
  })
  agents.push(agent)
  return agent
}

const seed = async (domain: string, more: object = {}): Promise<string> => {
  const body = { domain, agent_id: made.id }
  const registered = (await api.send('POST', '/v1/domains', { secret: tenant.secret, body })).json()
  await verify(api.db, registered.id)
  const run = await api.send('POST', '/v1/scans', {
    secret: tenant.secret,
    body: { domain_id: registered.id, make_pdf: false, ...more },
  })
  expect(run.statusCode).toBe(202)
  return run.json().id
}
const state = (id: string) => getAnyRun(api.db, id)
const ended = async (id: string) => {
  await until(async () => hasEnded((await state(id))?.status ?? 'queued'), 150_000)
  return state(id)
}
const audit = async (id: string): Promise<string[]> =>
  (await readAuditTexts(api.db, id, 0, 10_000)).map(({ text }) => text)

/** Findings, files with their bytes, and an audit log whose chain holds, each once. */
const assertWhole = async (id: string): Promise<void> => {
  expect(await ended(id)).toMatchObject({ status: 'done', progress: 100, grade: 'B', counts: { medium: 3 } })
  const findings = await allFindings(api.db, id)
  expect(findings.map(({ module }) => module).toSorted()).toEqual(['cookies', 'headers', 'site'])
  const files = await listArtifacts(api.db, id)
  expect(files.map(({ filename }) => filename)).toEqual([
    ...['audit-log.jsonl', 'findings.json', 'report.html', 'report.md', 'signature.json', 'evidence.zip'],
    ...['cookies-page.txt', 'headers-page.txt', 'site-page.txt'],
  ])
  expect(findings.flatMap(({ evidence }) => evidence).toSorted()).toEqual(
    files.flatMap((file) => (file.filename.endsWith('-page.txt') ? [file.id] : [])).toSorted(),
  )
  for (const file of files) {
    const bytes = Buffer.concat(await (await api.storage.get(file.objectKey)).stream.toArray())
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(file.sha256)
  }
  const lines = await audit(id)
  for (const [at, line] of lines.entries()) {
    const { prev, seq } = JSON.parse(line)
    expect(seq).toBe(at + 1)
    if (at > 0)
      expect(prev).toBe(
        createHash('sha256')
          .update(lines[at - 1] ?? '')
          .digest('hex'),
      )
  }
  expect(lines.filter((line) => JSON.parse(line).event === 'request')).toHaveLength(3)
}

test('a run through an agent ends as one of a worker does', async () => {
  agentWith()
  const id = await seed('ok.test')
  await assertWhole(id)
  expect(await state(id)).toMatchObject({ attempts: 1 })
  expect(logger.lines).toEqual([])
})

test('an active run asks for its proof at the agent', async () => {
  const asked: string[] = []
  agentWith({
    verifyDomain: async ({ domain }) => {
      asked.push(domain)
      return [{ method: 'dns_txt', ok: false, seen: 'no record' }]
    },
  })
  const id = await seed('probed.test', { active: true })
  await ended(id)
  expect(asked).toEqual(['probed.test'])
  expect((await audit(id)).join()).toMatch(/does not show its verification any more.*so nothing active was sent/s)
})

test('a connection that is cut in the middle costs nothing', async () => {
  agentWith()
  const id = await seed('waits.test')
  await until(async () => (await state(id))?.counts.medium === 1)
  await relay.refuse()
  writeFileSync(join(folder, 'go'), '')
  // The scan goes on meanwhile, to its end.
  const [pid = 0] = pids()
  await until(() => !isAlive(pid))
  await until(() => readdirSync(instances.folder).length >= 2)
  const waiting = readdirSync(instances.folder)
  for (const name of waiting) expect(statSync(join(instances.folder, name)).mode & 0o777).toBe(0o600)
  await relay.restore()
  await assertWhole(id)
  expect(await state(id)).toMatchObject({ attempts: 1 })
  expect(readdirSync(instances.folder)).toEqual([])
  expect(statSync(instances.folder).mode & 0o777).toBe(0o700)
})

test('an agent without work says once that it cannot ask for some, and that it can again', async () => {
  const told: string[] = []
  const agent = agentWith({ logger: { ...logger, info: (_fields, message) => void told.push(message) } })
  await ended(await seed('ok.test'))
  await relay.refuse()
  const away = () => logger.lines.filter((line) => line.includes('cannot be asked for work'))
  await until(() => away().length > 0)
  await until(() => agent.activeRuns() === 0)
  // Asked every 100 ms.
  const refusedAt = performance.now()
  await until(() => performance.now() - refusedAt > 1_000)
  await relay.restore()
  await until(() => told.includes('the service gives work again'))
  expect(away()).toHaveLength(1)
})

test('a cancel reaches the scan', async () => {
  agentWith()
  const id = await seed('polite.test')
  await until(async () => (await state(id))?.counts.medium === 1)
  await api.send('POST', `/v1/scans/${id}/cancel`, { secret: tenant.secret })
  expect(await ended(id)).toMatchObject({ status: 'canceled' })
  const files = (await listArtifacts(api.db, id)).map(({ filename }) => filename)
  expect(files).toEqual(expect.arrayContaining(['audit-log.jsonl', 'evidence.zip', 'site-page.txt']))
})

test('a scan that fails says why', async () => {
  agentWith()
  const id = await seed('refused.test')
  expect(await ended(id)).toMatchObject({
    status: 'failed',
    error_kind: 'target_refused',
    error_detail: 'Not allowed.',
  })
})

test('a scan process that dies is started again, and what it had completed is kept', async () => {
  agentWith()
  const id = await seed('crash-once.test')
  await assertWhole(id)
  expect((await audit(id)).filter((line) => line.includes('scanner_restarted'))).toHaveLength(1)
})

test('a lost lease ends the scan, and the run goes to who asks next', async () => {
  agentWith()
  const id = await seed('hang.test')
  await until(() => pids().length === 1)
  const [pid = 0] = pids()
  await until(async () => (await state(id))?.status === 'running')
  await api.db.query('update runs set lease_token = gen_random_uuid() where id = $1', [id])
  await until(() => !isAlive(pid))
  await until(() => logger.lines.join().includes('lease lost'))
})

test('calls from targets that a worker of the service hears reach the scan', async () => {
  const address = '127.0.175.9'
  const listener = await openOobListener({ address, bind: address, domain: null, httpPort: 0, dnsPort: 0 })
  const listening = await startWorker(workerOptions(api.db, api.storage, { concurrency: 1, outOfBand: listener }))
  try {
    agentWith({ scanScript: async () => new URL('../../src/worker/testing/calling-scan.ts', import.meta.url) })
    await until(async () => (await api.db.query('select 1 from call_listeners')).length > 0)
    const id = await seed('calls.test', { active: true })
    expect(await ended(id)).toMatchObject({ status: 'done' })
    const told = await api.db.query<{ detail: string }>(
      `select data ->> 'phase_detail' as detail from events where run_id = $1 and type = 'progress'`,
      [id],
    )
    expect(told.map(({ detail }) => detail)).toContain('GET /hello')
  } finally {
    await listening.drain()
    await listener.close()
  }
  expect(await api.db.query('select 1 from call_listeners')).toEqual([])
})

test('a listener that goes away is not taken for silence: the run is handed back, and its attempt does not count', async () => {
  const gone = { address: '127.0.175.10', domain: null, httpPort: 80 }
  await announceListener(api.db, 'gone', gone)
  const marking = setInterval(() => {
    void api.db.query(`update call_watches set watched_at = clock_timestamp() where worker = 'gone'`)
  }, 50)
  try {
    const agent = agentWith({
      scanScript: async () => new URL('../../src/worker/testing/calling-scan.ts', import.meta.url),
    })
    const id = await seed('gone.test', { active: true })
    await until(async () => (await state(id))?.status === 'running')
    await api.db.query(`delete from call_listeners where worker = 'gone'`)
    await until(async () => (await state(id))?.attempts === 0 || hasEnded((await state(id))?.status ?? 'queued'))
    // Taken again without a listener, it says that there was none.
    expect(await ended(id)).toMatchObject({ status: 'done', attempts: 1 })
    expect(agent.activeRuns()).toBe(0)
    const told = await api.db.query<{ detail: string }>(
      `select data ->> 'phase_detail' as detail from events where run_id = $1 and type = 'progress'`,
      [id],
    )
    expect(told.map(({ detail }) => detail)).toContain('no listener')
  } finally {
    clearInterval(marking)
  }
})

test('an agent that stops hands its run back, and the attempt does not count', async () => {
  const agent = agentWith()
  const id = await seed('hang.test')
  await until(async () => (await state(id))?.status === 'running')
  await agent.drain()
  expect(await state(id)).toMatchObject({ status: 'queued', attempts: 0 })
})

test('a revoked agent is told once, in a sentence, and its scan ends', async () => {
  const said: string[] = []
  agentWith({ onRefused: (sentence) => said.push(sentence) })
  const id = await seed('hang.test')
  await until(() => pids().length === 1)
  await until(async () => (await state(id))?.status === 'running')
  await api.send('POST', `/v1/agents/${made.id}/revoke`, { secret: tenant.secret })
  await until(() => said.length > 0)
  expect(said[0]).toMatch(/token of an agent.*revoked/)
  const [pid = 0] = pids()
  await until(() => !isAlive(pid))
  expect([...said, ...logger.lines].join()).not.toContain(made.token)
})

test('what a dead process had is taken back by the next on its folder, and its files go', async () => {
  const dead = randomUUID()
  const body = { version: '0.1.0', instance: dead, holding: [], place: true, networks: [] }
  const id = await seed('ok.test')
  const { run } = (await api.send('POST', '/v1/agent/work', { secret: made.token, body })).json()
  expect(run.id).toBe(id)
  const left = `${deadMark()}_${dead}`
  mkdirSync(join(folder, left))
  writeFileSync(join(folder, left, '1.message'), 'left')
  agentWith()
  await assertWhole(id)
  expect(readdirSync(folder)).not.toContain(left)
})

const pids = (): number[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.pid'))
    .map((name) => Number.parseInt(name, 10))

const isAlive = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ') === false
  } catch {
    return false // There is no such process.
  }
}

/** Of this machine, by a process that has ended: its number is taken by nobody since that time. */
const deadMark = (): string => {
  const [own = ''] = readdirSync(folder).filter((name) => name.includes('_'))
  return own.replace(/-\d+_.*$/, '-1')
}
