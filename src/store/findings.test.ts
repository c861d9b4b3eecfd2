import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SQL_ENGINES, type TestDatabase } from '../../tests/support/databases.ts'
import { finding, seedDomain, seedRun, takeAndStart } from '../../tests/support/seed.ts'
import { type Coverage, Finding } from '../contract/finding.ts'
import { read } from './events.ts'
import { allFindings, getFinding, listFindings, type NewFinding, resolvedFindings } from './findings.ts'
import { fail, finish, type Lease } from './lease.ts'
import { loadModules, saveFound, saveModule } from './modules.ts'
import { getAnyRun } from './runs.ts'

const OUTCOME = { state: 'completed', reason: null, duration_ms: 12, requests: 3 } as const

const covered = (check_id: string, state: Coverage['state']): Coverage => ({
  module: 'headers',
  check_id,
  title: 't',
  state,
  reason: null,
})

describe.each(SQL_ENGINES)('findings on $kind', ({ open }) => {
  let t: TestDatabase
  beforeAll(async () => {
    t = await open()
  })
  afterAll(() => t.drop())
  beforeEach(async () => {
    await t.empty()
  })

  const save = (held: Lease, module: string, findings: NewFinding[], facts: unknown = {}) =>
    saveModule(t.db, held, { module, facts, outcome: OUTCOME, coverage: [], findings })

  test('stored as reported, counted by severity, told to the streams', async () => {
    const run = await seedRun(t.db, await seedDomain(t.db))
    const held = await takeAndStart(t.db)
    await save(held, 'headers', [finding('headers/b', { severity: 'high' }), finding('headers/a')])
    await save(held, 'cookies', [finding('cookies/x', { severity: 'info', title: 'NUL \0 and \ud800' })])
    const all = await allFindings(t.db, run.id)
    expect(all.map((one) => one.check_id)).toEqual(['headers/b', 'headers/a', 'cookies/x'])
    expect(all.map((one) => Finding.parse(one))).toEqual(all)
    expect(all[2]?.title).toBe('NUL \0 and \ud800')
    expect((await getAnyRun(t.db, run.id))?.counts).toEqual({ critical: 0, high: 1, medium: 1, low: 0, info: 1 })
    expect((await read(t.db, run.id, 0, 100)).at(-1)?.data).toMatchObject({ counts: { high: 1, medium: 1, info: 1 } })
    expect(await getFinding(t.db, run.id, all[0]?.id ?? '')).toEqual(all[0])
    expect(await getFinding(t.db, randomUUID(), all[0]?.id ?? '')).toBeNull()
  })

  test('a module saved again replaces itself', async () => {
    const run = await seedRun(t.db, await seedDomain(t.db))
    const held = await takeAndStart(t.db)
    await save(held, 'headers', [finding('headers/a'), finding('headers/b')])
    await save(held, 'headers', [finding('headers/c')], { hostile: '\0\ud800' })
    expect((await allFindings(t.db, run.id)).map((one) => one.check_id)).toEqual(['headers/c'])
    expect((await getAnyRun(t.db, run.id))?.counts.medium).toBe(1)
    expect(await loadModules(t.db, run.id)).toEqual([
      { module: 'headers', facts: { hostile: '\0\ud800' }, outcome: OUTCOME, coverage: [] },
    ])
  })

  test('what a module that goes on has found is counted, told, and replaced by its end; what stays keeps its id', async () => {
    const run = await seedRun(t.db, await seedDomain(t.db))
    const held = await takeAndStart(t.db)
    const high = finding('headers/a', { severity: 'high' })
    expect(await saveFound(t.db, held, 'headers', [high])).toBe('ok')
    expect(await saveFound(t.db, held, 'headers', [high, finding('headers/b')])).toBe('ok')
    const early = await allFindings(t.db, run.id)
    expect(early.map((one) => one.check_id)).toEqual(['headers/a', 'headers/b'])
    expect((await read(t.db, run.id, 0, 100)).at(-1)?.data).toMatchObject({ counts: { high: 1, medium: 1 } })
    expect(await loadModules(t.db, run.id)).toEqual([])
    await save(held, 'headers', [high, finding('headers/c')])
    const late = await allFindings(t.db, run.id)
    expect(late.map((one) => one.check_id)).toEqual(['headers/a', 'headers/c'])
    expect(late[0]?.id).toBe(early[0]?.id)
    expect(await saveFound(t.db, { ...held, token: randomUUID() }, 'headers', [])).toBe('lost')
    expect(await allFindings(t.db, run.id)).toHaveLength(2)
  })

  test('what a module had found stays where the run fails before its end', async () => {
    const run = await seedRun(t.db, await seedDomain(t.db))
    const held = await takeAndStart(t.db)
    await saveFound(t.db, held, 'headers', [finding('headers/a', { severity: 'high' })])
    await fail(t.db, held, { kind: 'internal', detail: 'The scan failed.', artifacts: [] })
    expect(await getAnyRun(t.db, run.id)).toMatchObject({ status: 'failed', counts: { high: 1 } })
    expect((await allFindings(t.db, run.id)).map((one) => one.check_id)).toEqual(['headers/a'])
  })

  test('pages and filters', async () => {
    const run = await seedRun(t.db, await seedDomain(t.db))
    const held = await takeAndStart(t.db)
    const severities = ['low', 'critical', 'info', 'medium', 'high'] as const
    await save(
      held,
      'headers',
      Array.from({ length: 23 }, (_, i) =>
        finding(`headers/n${i}`, {
          severity: severities[i % 5] ?? 'info',
          confidence: i % 2 ? 'firm' : 'confirmed',
        }),
      ),
    )
    const paged: Finding[] = []
    for (;;) {
      const page = await listFindings(t.db, run.id, {}, paged.at(-1) ?? null, 5)
      if (page.length === 0) break
      paged.push(...page)
    }
    expect(paged).toEqual(await allFindings(t.db, run.id))
    const high = await listFindings(t.db, run.id, { severity: 'high', module: 'headers' }, null, 50)
    expect(high).toHaveLength(4)
    expect(await listFindings(t.db, run.id, { confidence: 'confirmed' }, null, 50)).toHaveLength(12)
    expect(await listFindings(t.db, run.id, { module: 'tls' }, null, 50)).toEqual([])
  })

  test('new, recurring and resolved against the last done run; a failed run in between does not count', async () => {
    const at = await seedDomain(t.db)
    await seedRun(t.db, at)
    const first = await takeAndStart(t.db)
    const [kept, gone, unseen] = ['headers/kept', 'headers/gone', 'headers/unseen'].map((id) => finding(id))
    if (!kept || !gone || !unseen) throw new Error('unreachable')
    await save(first, 'headers', [kept, gone, unseen])
    await finish(t.db, first, { grade: 'C', artifacts: [] })

    const second = await seedRun(t.db, at)
    const held = await takeAndStart(t.db)
    await save(held, 'headers', [kept, finding('headers/fresh')])
    const status = Object.fromEntries((await allFindings(t.db, second.id)).map((one) => [one.check_id, one.status]))
    expect(status).toEqual({ 'headers/kept': 'recurring', 'headers/fresh': 'new' })
    const coverage = [
      covered('headers/kept', 'fail'),
      covered('headers/gone', 'pass'),
      covered('headers/unseen', 'not_tested'),
    ]
    expect((await resolvedFindings(t.db, second.id, coverage)).map((one) => one.check_id)).toEqual(['headers/gone'])
    expect(Object.keys((await resolvedFindings(t.db, second.id, coverage))[0] ?? {})).toEqual([
      'check_id',
      'title',
      'severity',
      'location',
      'fingerprint',
    ])
  })
})
