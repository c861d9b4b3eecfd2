import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SQL_ENGINES, type TestDatabase } from '../../tests/support/databases.ts'
import { finding, PLANS, seedDomain, seedRun, takeAndStart } from '../../tests/support/seed.ts'
import type { CoverageState } from '../contract/finding.ts'
import type { Retest } from '../contract/retest.ts'
import { earlierRun } from './comparison.ts'
import { allFindings, type NewFinding } from './findings.ts'
import { fail, finish, type LeasedRun } from './lease.ts'
import { saveModule } from './modules.ts'
import { createRetest, listRetests } from './retests.ts'
import type { RunRecord } from './run-row.ts'
import { cancelRun, getAnyRun } from './runs.ts'

const NO_LOGIN = { sealed: null, stored: false }

describe.each(SQL_ENGINES)('retests on $kind', ({ open }) => {
  let t: TestDatabase
  let at: Awaited<ReturnType<typeof seedDomain>>
  let run: RunRecord
  let findingId: string
  beforeAll(async () => {
    t = await open()
  })
  afterAll(() => t.drop())
  beforeEach(async () => {
    await t.empty()
    at = await seedDomain(t.db)
    const { id } = await seedRun(t.db, at, { active: true, make_pdf: true })
    await end(await takeAndStart(t.db), [finding('headers/a'), finding('headers/b')], 'fail')
    run = await reread(id)
    findingId = (await allFindings(t.db, id))[0]?.id ?? ''
  })

  const reread = async (id: string): Promise<RunRecord> => {
    const found = await getAnyRun(t.db, id)
    if (!found) throw new Error('The run is gone')
    return found
  }
  const end = async (held: LeasedRun, findings: NewFinding[], state: CoverageState): Promise<void> => {
    const outcome = { state: 'completed', reason: null, duration_ms: 1, requests: 1 } as const
    const coverage = [{ module: 'headers', check_id: 'headers/a', title: 't', state, reason: null }]
    await saveModule(t.db, held, { module: 'headers', facts: {}, outcome, coverage, findings })
    await finish(t.db, held, { grade: 'B', artifacts: [] })
  }
  const start = async (): Promise<string> => {
    const made = await createRetest(t.db, PLANS, { run, findingId, module: 'headers' }, NO_LOGIN)
    if ('refused' in made) throw new Error(made.detail)
    return made.run.id
  }
  const latest = async (): Promise<Retest | null> =>
    (await listRetests(t.db, at.organisationId, { run, findingId, limit: 1 }))[0] ?? null

  test('is a run like the first, of one module, without a PDF', async () => {
    expect(await latest()).toBeNull()
    const id = await start()
    expect(await reread(id)).toMatchObject({
      tier: 'active',
      options: { ...run.options, make_pdf: false, only: 'headers' },
    })
    expect(await latest()).toMatchObject({ id, state: 'waiting', finding: null })
  })

  test.each([
    ['still there, with the new proof', [finding('headers/a', { detail: 'seen again' })], 'fail', 'still_there'],
    ['gone', [], 'pass', 'gone'],
    [
      'gone from here, though another of its kind is there',
      [finding('headers/a', { fingerprint: 'c'.repeat(64) })],
      'fail',
      'gone',
    ],
    ['not tested', [], 'inconclusive', 'not_tested'],
  ] as const)('%s', async (_, findings, state, wanted) => {
    await start()
    const held = await takeAndStart(t.db)
    expect((await latest())?.state).toBe('running')
    await end(held, [...findings], state)
    const seen = await latest()
    expect(seen?.state).toBe(wanted)
    expect(seen?.finding?.detail ?? null).toBe(wanted === 'still_there' ? 'seen again' : null)
    expect(seen?.finished_at).not.toBeNull()
  })

  test('without the login of the run that found it, not finding it is no answer; finding it is', async () => {
    await t.db.query('update runs set signed_in = true where id = $1', [run.id])
    run = await reread(run.id)
    await start()
    await end(await takeAndStart(t.db), [], 'pass')
    expect(await latest()).toMatchObject({ state: 'not_tested', reason: expect.stringContaining('no login') })
    await start()
    await end(await takeAndStart(t.db), [finding('headers/a')], 'fail')
    expect(await latest()).toMatchObject({ state: 'still_there' })
    const signed = { sealed: Buffer.of(1), stored: false }
    await createRetest(t.db, PLANS, { run, findingId, module: 'headers' }, signed)
    await end(await takeAndStart(t.db), [], 'pass')
    expect(await latest()).toMatchObject({ state: 'gone' })
  })

  test('a run that fails or is cancelled has tested nothing', async () => {
    await start()
    await fail(t.db, await takeAndStart(t.db), {
      kind: 'target_unreachable',
      detail: 'Nothing listens.',
      artifacts: [],
    })
    expect(await latest()).toMatchObject({ state: 'not_tested', reason: 'Nothing listens.' })
    await cancelRun(t.db, at.organisationId, await start())
    expect(await latest()).toMatchObject({ state: 'not_tested', reason: 'The run was cancelled.' })
  })

  test('no later run is compared with it', async () => {
    await start()
    await end(await takeAndStart(t.db), [], 'pass')
    const { id } = await seedRun(t.db, at, { active: true })
    await end(await takeAndStart(t.db), [finding('headers/a')], 'fail')
    expect((await allFindings(t.db, id)).map(({ status }) => status)).toEqual(['recurring'])
    expect(await earlierRun(t.db, await reread(id))).toBe(run.id)
  })

  test('with the domain goes the right to look', async () => {
    await t.db.query('delete from domains')
    run = await reread(run.id)
    expect(await createRetest(t.db, PLANS, { run, findingId, module: 'headers' }, NO_LOGIN)).toMatchObject({
      refused: 'domain_not_found',
    })
  })
})
