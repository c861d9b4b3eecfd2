import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ENGINES, type TestDatabase } from '../../tests/support/databases.ts'
import { expireLease, PLANS, seedDomain, seedRun, take } from '../../tests/support/seed.ts'
import { agentsRun, handOver, keepOnce, leaseForAgent, letGo, startOnce } from './agent-runs.ts'
import { createAgent, revokeAgent } from './agents.ts'
import { listArtifacts, reserveArtifact } from './artifacts.ts'
import { setAgent } from './domains.ts'
import { expireAllLeases, heartbeat } from './heartbeat.ts'
import { stopRuns } from './holds.ts'
import { finish, type LeasedRun, lease, reap, release } from './lease.ts'
import { setOrganisation } from './organisations.ts'
import { claimReport, finishReport, openReport, readReport } from './reports.ts'
import { cancelRun, getAnyRun } from './runs.ts'

describe.each(ENGINES)('runs of agents on $kind', ({ open }) => {
  let t: TestDatabase
  let at: { organisationId: string; domainId: string }
  let by: { agentId: string; instance: string }
  beforeAll(async () => {
    t = await open()
  })
  afterAll(() => t.drop())
  beforeEach(async () => {
    await t.empty()
    at = await seedDomain(t.db)
    const made = await createAgent(t.db, { organisationId: at.organisationId, name: 'warehouse', createdBy: 'test' })
    if (made === 'agent_exists') throw new Error('unreachable')
    by = { agentId: made.agent.id, instance: randomUUID() }
    await setAgent(t.db, at.organisationId, at.domainId, by.agentId)
  })

  const leased = async (): Promise<LeasedRun> => {
    await seedRun(t.db, at)
    const held = await leaseForAgent(t.db, PLANS, by)
    if (held === null) throw new Error('Nothing to lease')
    return held
  }
  const scanned = async (): Promise<string> => {
    const held = await leased()
    await startOnce(t.db, held)
    expect(await handOver(t.db, by.agentId, held, { result: 'completed' })).not.toBe('lost')
    return held.runId
  }
  const finishes = async (): Promise<number> =>
    (await t.db.query<{ finishes: number }>('select finishes from runs'))[0]?.finishes ?? -1

  test.each([
    ['a blocked organisation', () => setOrganisation(t.db, at.organisationId, { state: 'blocked' })],
    ['an emergency stop', () => stopRuns(t.db, { organisationId: at.organisationId, heldBy: 'a', reason: null })],
    ['a revoked agent', () => revokeAgent(t.db, at.organisationId, by.agentId)],
  ])('are not leased under %s', async (_name, under) => {
    await seedRun(t.db, at)
    await under()
    expect(await leaseForAgent(t.db, PLANS, by)).toBeNull()
  })

  test('count against the limit of the plan with all others', async () => {
    await setOrganisation(t.db, at.organisationId, { plan: 'free' })
    await leased()
    await seedRun(t.db, at)
    expect(await leaseForAgent(t.db, PLANS, by)).toBeNull()
  })

  test('many processes at once get each run once', async () => {
    for (let run = 0; run < 6; run += 1) await seedRun(t.db, at)
    const held = await Promise.all(
      Array.from({ length: 12 }, () => leaseForAgent(t.db, PLANS, { ...by, instance: randomUUID() })),
    )
    const ids = held.flatMap((one) => (one === null ? [] : [one.runId]))
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBeGreaterThan(0)
  })

  test('what a number stands for is done once, with it, and not at all where it fails', async () => {
    const held = await leased()
    let done = 0
    const work = async (): Promise<'ok'> => {
      done += 1
      return 'ok'
    }
    expect(await keepOnce(t.db, held, 1, work)).toBe('kept')
    expect(await keepOnce(t.db, held, 1, work)).toBe('replayed')
    expect(await keepOnce(t.db, held, 3, work)).toBe('gap')
    await expect(keepOnce(t.db, held, 2, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(await keepOnce(t.db, held, 2, work)).toBe('kept')
    expect(await keepOnce(t.db, { ...held, token: randomUUID() }, 3, work)).toBe('lost')
    expect(done).toBe(2)
  })

  test('a new lease counts from the beginning', async () => {
    const first = await leased()
    await keepOnce(t.db, first, 1, async () => 'ok')
    await letGo(t.db, by, [])
    await reap(t.db)
    const again = await leaseForAgent(t.db, PLANS, by)
    expect(again?.runId).toBe(first.runId)
    expect(again && (await keepOnce(t.db, again, 1, async () => 'ok'))).toBe('kept')
  })

  test('a restart of the embedded service takes back what was its own, and nothing of agents', async () => {
    const held = await leased()
    await expireAllLeases(t.db)
    expect(await reap(t.db)).toMatchObject({ requeued: 0 })
    expect(await agentsRun(t.db, by.agentId, held)).toMatchObject({ runId: held.runId })
  })

  test('a scan that is handed over is brought to its end by one worker, running all the while', async () => {
    const id = await scanned()
    expect(await getAnyRun(t.db, id)).toMatchObject({ status: 'running', attempts: 1 })
    const [one, two] = await Promise.all([take(t.db, 'w1'), take(t.db, 'w2')])
    const held = one ?? two
    expect([one, two].filter((taken) => taken !== null)).toHaveLength(1)
    expect(held).toMatchObject({ runId: id, attempts: 1, scanned: { result: 'completed' } })
    expect(held && (await finish(t.db, held, { grade: 'B', artifacts: [] }))).toMatchObject({ status: 'done' })
  })

  test('the next worker opens the report anew, and the files of the one before are none of it', async () => {
    const id = await scanned()
    const begun = async (held: LeasedRun): Promise<string> => {
      const file = { id: randomUUID(), kind: 'findings_json', module: null, filename: 'findings.json' } as const
      const rest = { contentType: 'application/json', retentionDays: 1, watermarked: false, version: 1 }
      await reserveArtifact(t.db, held, { ...file, ...rest, objectKey: file.id })
      const stored = { id: file.id, sizeBytes: 2, sha256: 'a'.repeat(64), pageCount: null }
      expect(await openReport(t.db, held, { pdf: true, artifacts: [stored] })).toBe('ok')
      return file.id
    }
    const first = await take(t.db)
    if (first === null) throw new Error('Nothing to finish')
    await begun(first)
    const old = await claimReport(t.db, 30)
    await release(t.db, first)
    const next = await take(t.db)
    if (next === null) throw new Error('Nothing to finish')
    const file = await begun(next)
    expect(old && (await finishReport(t.db, old, { reason: null, artifacts: [] }))).toBe('lost')
    await finish(t.db, next, { grade: 'B', artifacts: [] })
    expect((await listArtifacts(t.db, id)).map((one) => one.id)).toEqual([file])
    expect(await readReport(t.db, id)).toEqual({ state: 'pending', reason: null, version: 1 })
  })

  test('a worker that stops over it hands it to the next, and one that is lost costs a turn of three', async () => {
    const id = await scanned()
    const first = await take(t.db)
    expect(first && (await release(t.db, first))).toMatchObject({ status: 'running' })
    expect(await finishes()).toBe(0)
    for (let turn = 1; turn <= 3; turn += 1) {
      const held = await take(t.db)
      expect(held).toMatchObject({ runId: id })
      expect(await finishes()).toBe(turn)
      if (held) await expireLease(t.db, held)
    }
    expect(await take(t.db)).toBeNull()
    await reap(t.db)
    expect(await getAnyRun(t.db, id)).toMatchObject({ status: 'failed', error_kind: 'worker_lost' })
  })

  test('a cancel in between is told to the worker that ends it', async () => {
    const id = await scanned()
    await cancelRun(t.db, at.organisationId, id)
    const held = await take(t.db)
    expect(held && (await heartbeat(t.db, held, 30))).toEqual({ cancelRequested: true, silence: null })
    expect(held && (await finish(t.db, held, { grade: null, artifacts: [] }))).toBe('canceling')
  })

  test('come before batches, and before runs started alone where it is their turn', async () => {
    const id = await scanned()
    const other = await seedDomain(t.db, { domain: 'other.test' })
    const alone = await seedRun(t.db, other)
    const claim = (first: 'alone' | 'scanned') => lease(t.db, { workerId: 'w', seconds: 30, plans: PLANS, first })
    expect((await claim('scanned'))?.runId).toBe(id)
    expect((await claim('alone'))?.runId).toBe(alone.id)
  })
})
