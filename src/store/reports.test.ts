import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SQL_ENGINES, type TestDatabase } from '../../tests/support/databases.ts'
import { expireLease, seedDomain, seedRun, takeAndStart } from '../../tests/support/seed.ts'
import { abandoned, listArtifacts, type NewArtifact, reserveArtifact } from './artifacts.ts'
import { read } from './events.ts'
import { expireAllLeases } from './heartbeat.ts'
import { cancelEnd, fail, finish, type LeasedRun, reap, release } from './lease.ts'
import {
  askReport,
  claimReport,
  failLostReports,
  finishReport,
  keepReport,
  openReport,
  type ReportJob,
  readReport,
  releaseReport,
  reserveReportFile,
  storedFindings,
} from './reports.ts'
import { cancelRun, getAnyRun } from './runs.ts'

const stored = (id: string) => ({ id, sizeBytes: 5, sha256: 'a'.repeat(64), pageCount: null })
const file = (kind: NewArtifact['kind'], version: number): NewArtifact => {
  const id = randomUUID()
  return {
    ...{ id, kind, module: null, filename: `${kind}.${version}`, contentType: 'x', objectKey: `runs/x/${id}` },
    ...{ retentionDays: 7, watermarked: false, version },
  }
}

describe.each(SQL_ENGINES)('reports on $kind', { timeout: 60_000 }, ({ open }) => {
  let t: TestDatabase
  let held: LeasedRun
  beforeAll(async () => {
    t = await open()
  }, 120_000)
  afterAll(() => t.drop())
  beforeEach(async () => {
    await t.empty()
    await seedRun(t.db, await seedDomain(t.db))
    held = await takeAndStart(t.db)
  })
  const names = async () => (await listArtifacts(t.db, held.runId)).map(({ filename }) => filename)
  const begin = async (pdf = true): Promise<void> => {
    const findings = file('findings_json', 1)
    await reserveArtifact(t.db, held, findings)
    expect(await openReport(t.db, held, { pdf, artifacts: [stored(findings.id)] })).toBe('ok')
  }
  const done = () => finish(t.db, held, { grade: 'B', artifacts: [] })
  const claim = async (): Promise<ReportJob> => {
    const job = await claimReport(t.db, 30)
    if (!job) throw new Error('nothing waits')
    return job
  }
  const make = async (job: ReportJob): Promise<void> => {
    const pdf = file('report_pdf', job.version)
    expect(await reserveReportFile(t.db, job, pdf)).toBe('ok')
    expect(await finishReport(t.db, job, { reason: null, artifacts: [stored(pdf.id)] })).toBe('ok')
  }

  test('its files are shown once the run is done, and not before', async () => {
    await begin()
    await make(await claim())
    expect(await names()).toEqual([])
    expect((await getAnyRun(t.db, held.runId))?.report).toEqual({ state: 'pending', reason: null, version: 1 })
    await done()
    expect(await names()).toEqual(['findings_json.1', 'report_pdf.1'])
    expect((await getAnyRun(t.db, held.runId))?.report).toEqual({ state: 'ready', reason: null, version: 1 })
  })

  const ends: readonly [string, () => Promise<unknown>][] = [
    ['failed', () => fail(t.db, held, { kind: 'internal', detail: 'x', artifacts: [] })],
    [
      'canceled',
      async () => {
        const run = await getAnyRun(t.db, held.runId)
        await cancelRun(t.db, run?.organisationId ?? '', held.runId)
        await cancelEnd(t.db, held, { artifacts: [] })
      },
    ],
    ['handed back', () => release(t.db, held)],
    [
      'taken back from a lost worker',
      async () => {
        await expireLease(t.db, held)
        await reap(t.db)
      },
    ],
  ]
  test.each(ends)('a run that is %s has none: row, files and whoever makes it', async (_, end) => {
    await begin()
    const job = await claim()
    const pdf = file('report_pdf', 1)
    await reserveReportFile(t.db, job, pdf)
    await end()
    expect(await readReport(t.db, held.runId)).toBeNull()
    expect(await keepReport(t.db, job, 30)).toBe('lost')
    expect(await reserveReportFile(t.db, job, file('report_tex', 1))).toBe('lost')
    expect(await finishReport(t.db, job, { reason: null, artifacts: [stored(pdf.id)] })).toBe('lost')
    expect(await storedFindings(t.db, held.runId, 1)).toBeNull()
    await t.db.query(`update artifacts set created_at = created_at - interval '2 hours'`)
    expect(await abandoned(t.db, 10)).toHaveLength(2)
  })

  test('whoever reads the end of the run later learns of the report as it is', async () => {
    await begin()
    await done()
    const end = async () => (await read(t.db, held.runId, 0, 1000)).findLast(({ type }) => type === 'done')?.data
    expect(await end()).toMatchObject({ status: 'done', report: { state: 'pending', version: 1 } })
    await make(await claim())
    expect(await end()).toMatchObject({ status: 'done', report: { state: 'ready', version: 1 } })
  })

  test('of many that look at once, one gets it', async () => {
    await begin()
    const jobs = await Promise.all(Array.from({ length: 8 }, () => claimReport(t.db, 30)))
    expect(jobs.filter((job) => job !== null)).toHaveLength(1)
  })

  test('of many that ask at once, all get the same version', async () => {
    await begin(false)
    await done()
    const asked = await Promise.all(Array.from({ length: 8 }, () => askReport(t.db, held.runId, {})))
    expect(new Set(asked.map((each) => JSON.stringify(each))).size).toBe(1)
    expect(await askReport(t.db, held.runId, { texts: { introduction: 'x' } })).toMatchObject({ version: 3 })
  })

  test('a run without a result has nothing to report', async () => {
    expect(await askReport(t.db, held.runId, {})).toBe('not_done')
    expect(await askReport(t.db, randomUUID(), {})).toBe('not_done')
  })

  test('whoever lost it writes nothing; the next one does', async () => {
    await begin()
    await done()
    const old = await claim()
    expect(await keepReport(t.db, old, 30)).toBe('ok')
    await expireAllLeases(t.db)
    const fresh = await claim()
    expect(fresh.attempts).toBe(1)
    expect(await finishReport(t.db, old, { reason: null, artifacts: [] })).toBe('lost')
    await releaseReport(t.db, old, { seconds: 0, counts: false })
    await make(fresh)
    expect(await names()).toContain('report_pdf.1')
  })

  test('handed back it waits for its time; three lost workers are enough', async () => {
    await begin()
    await done()
    await releaseReport(t.db, await claim(), { seconds: 60, counts: true })
    expect(await claimReport(t.db, 30)).toBeNull()
    for (let lost = 2; lost <= 3; lost += 1) {
      await t.db.query(`update reports set due_at = clock_timestamp() - interval '1 second'`)
      await claim()
    }
    expect(await failLostReports(t.db)).toBe(0)
    await t.db.query(`update reports set due_at = clock_timestamp() - interval '1 second'`)
    expect(await claimReport(t.db, 30)).toBeNull()
    expect(await failLostReports(t.db)).toBe(1)
    expect(await readReport(t.db, held.runId)).toMatchObject({ state: 'failed', version: 1 })
  })

  test('a later rendering lives as long as the first, and takes its options along', async () => {
    await begin(false)
    await done()
    await t.db.query(`update artifacts set expires_at = clock_timestamp() + interval '1 day'`)
    await askReport(t.db, held.runId, { language: 'en', texts: { introduction: 'Ünïcode' } })
    const job = await claim()
    expect(job).toMatchObject({ version: 2, attempts: 0, options: { texts: { introduction: 'Ünïcode' } } })
    await make(job)
    const times = (await listArtifacts(t.db, held.runId)).map(({ expires_at }) => expires_at)
    expect(times).toHaveLength(2)
    expect(times[0]).toBe(times[1])
  })
})
