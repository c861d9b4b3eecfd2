import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SQL_ENGINES, type TestDatabase } from '../../tests/support/databases.ts'
import { expireLease, PLANS, seedDomain, seedRun, takeAndStart } from '../../tests/support/seed.ts'
import { type MemoryStorage, memoryStorage, silentLogger } from '../../tests/support/worker.ts'
import { confirmEvidence, listArtifacts, reserveArtifact } from '../store/artifacts.ts'
import { appendAudit } from '../store/events.ts'
import { type LeasedRun, reap } from '../store/lease.ts'
import { cancelRun } from '../store/runs.ts'
import { held } from './failures.ts'
import { storeFile } from './files.ts'
import { sweep } from './retention.ts'

const never = new AbortController().signal

describe.each(SQL_ENGINES)('retention on $kind', ({ open }) => {
  let t: TestDatabase
  let storage: MemoryStorage
  let run: LeasedRun
  let organisationId: string
  beforeAll(async () => {
    t = await open()
  })
  afterAll(() => t.drop())
  beforeEach(async () => {
    await t.empty()
    storage = memoryStorage()
    const at = await seedDomain(t.db)
    organisationId = at.organisationId
    await seedRun(t.db, at)
    run = await takeAndStart(t.db)
  })

  const options = (change = {}) => ({ db: t.db, storage, plans: PLANS, logger: silentLogger(), ...change })
  const policy = () => ({ runId: run.runId, retentionDays: 7, watermark: false })
  const evidence = async (name = 'page.txt'): Promise<void> => {
    const reserve = async (artifact: Parameters<typeof reserveArtifact>[2]): Promise<void> => {
      held(await reserveArtifact(t.db, run, artifact))
    }
    const file = { kind: 'evidence', module: 'site', filename: name, contentType: 'text/plain' } as const
    const stored = await storeFile(storage, reserve, policy(), { ...file, body: Buffer.from('x') })
    held(await confirmEvidence(t.db, run, stored))
  }

  test('an expired object is deleted and its row says so; one that cannot be deleted is tried again', async () => {
    await evidence()
    expect(await sweep(options(), never)).toMatchObject({ deleted: 0 })
    await t.db.query(`update artifacts set expires_at = now() - interval '1 second'`)
    const broken = { ...storage, delete: () => Promise.reject(new Error('away')) }
    expect(await sweep(options({ storage: broken }), never)).toMatchObject({ deleted: 0 })
    expect(await listArtifacts(t.db, run.runId)).toMatchObject([{ deleted: false }])
    expect(await sweep(options(), never)).toMatchObject({ deleted: 1 })
    expect(storage.objects.size).toBe(0)
    expect(await listArtifacts(t.db, run.runId)).toMatchObject([{ deleted: true, size_bytes: 1 }])
  })

  test('months of events are made ahead, and those that are old enough are dropped', async () => {
    const months = async () =>
      (
        await t.db.query<{ name: string }>(
          `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'events'::regclass order by 1`,
          [],
        )
      ).map(({ name }) => name)
    const made = (await months()).filter((name) => name.startsWith('events_2'))
    await t.db.query(`drop table events_before, ${made[0]}`)
    await t.db.query(
      `create table events_1999_01 partition of events for values from ('1999-01-01T00:00Z') to ('1999-02-01T00:00Z')`,
    )
    await sweep(options(), never)
    expect(await months()).toEqual(expect.arrayContaining(made))
    expect(await months()).not.toContain('events_1999_01')
  })

  test('what a lost worker had begun to write is deleted, row and object', async () => {
    const reserve = async (artifact: Parameters<typeof reserveArtifact>[2]): Promise<void> => {
      held(await reserveArtifact(t.db, run, artifact))
    }
    const file = { kind: 'report_pdf', filename: 'report.pdf', contentType: 'application/pdf' } as const
    await storeFile(storage, reserve, policy(), { ...file, body: Buffer.from('x') })
    await t.db.query(`update artifacts set created_at = now() - interval '2 hours'`)
    expect(await sweep(options(), never)).toMatchObject({ abandoned: 0 })
    await expireLease(t.db, run)
    await reap(t.db)
    expect(await sweep(options(), never)).toMatchObject({ abandoned: 1 })
    expect(storage.objects.size).toBe(0)
    expect(await t.db.query('select 1 from artifacts')).toEqual([])
  })

  test('a run cancelled while its worker was lost gets its audit log and archive', async () => {
    await appendAudit(t.db, run, [{ ts: new Date().toISOString(), module: 'site', event: 'x' }])
    await evidence('a/b.txt')
    await evidence('a/b.txt')
    await cancelRun(t.db, organisationId, run.runId)
    await expireLease(t.db, run)
    expect(await reap(t.db)).toMatchObject({ canceled: 1 })
    const unreadable = { ...storage, get: () => Promise.reject(new Error('away')) }
    expect(await sweep(options({ storage: unreadable }), never)).toMatchObject({ closed: 0 })
    expect(await sweep(options(), never)).toMatchObject({ closed: 1 })
    expect(await sweep(options(), never)).toMatchObject({ closed: 0 })
    const files = await listArtifacts(t.db, run.runId)
    expect(files.map(({ kind, filename }) => `${kind} ${filename}`)).toEqual([
      'audit_log audit-log.jsonl',
      'evidence evidence.zip',
      'evidence a/b.txt',
      'evidence a/b.txt',
    ])
    expect(files[0]?.expires_at).toBeNull()
    const zip = String(storage.objects.get(files[1]?.objectKey ?? '')?.toString('latin1'))
    expect(zip.slice(0, 2)).toBe('PK')
    // Two files of one name, and no path in either.
    expect(new Set(zip.match(/[0-9a-f-]*a-b\.txt/g)).size).toBe(2)
    expect(zip).not.toContain('a/b.txt')
  })
})
