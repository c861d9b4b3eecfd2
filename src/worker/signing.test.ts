import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../tests/support/databases.ts'
import { seedDomain, seedRun } from '../../tests/support/seed.ts'
import { until } from '../../tests/support/until.ts'
import { KEY, type MemoryStorage, memoryStorage, silentLogger, workerOptions } from '../../tests/support/worker.ts'
import { hasEnded } from '../contract/run.ts'
import { oneKey } from '../contract/secret-keys.ts'
import { readGiven } from '../signature/given.ts'
import { type Verdict, verifyFiles } from '../signature/verify.ts'
import { listArtifacts } from '../store/artifacts.ts'
import { askReport } from '../store/reports.ts'
import type { RunRecord } from '../store/run-row.ts'
import { getAnyRun } from '../store/runs.ts'
import { claimSigning, finishSigning, reserveSignature } from '../store/signatures.ts'
import { presentSigner, replaceSigningKey } from '../store/signing-keys.ts'
import { startWorker, type Worker } from './loop.ts'
import type { WorkerOptions } from './options.ts'

/** Milliseconds; a loaded machine needs some of them. */
const LONG = 30_000

describe('signatures', { timeout: 60_000 }, () => {
  let t: TestDatabase
  let storage: MemoryStorage
  let logger: ReturnType<typeof silentLogger>
  let workers: Worker[]
  let folder: string
  beforeAll(async () => {
    t = await openTestDatabase()
  })
  afterAll(() => t.drop())
  beforeEach(async () => {
    await t.empty()
    storage = memoryStorage()
    logger = silentLogger()
    workers = []
    folder = mkdtempSync(join(tmpdir(), 'sonde-fake-'))
  })
  afterEach(async () => {
    await drained()
    rmSync(folder, { recursive: true })
  })

  const start = async (change: Partial<WorkerOptions> = {}): Promise<void> => {
    const options = workerOptions(t.db, storage, { logger, childEnv: { FAKE_SCAN_FOLDER: folder }, ...change })
    workers.push(await startWorker({ ...options, timing: { ...options.timing, signRetry: 100, ...change.timing } }))
  }
  const drained = async (): Promise<void> => {
    for (const worker of workers.splice(0)) await worker.drain()
  }
  const seed = async (make_pdf = true): Promise<RunRecord> =>
    seedRun(t.db, await seedDomain(t.db, { domain: 'ok.test' }), { make_pdf })
  const state = async ({ id }: { id: string }): Promise<RunRecord> => {
    const run = await getAnyRun(t.db, id)
    if (!run) throw new Error('gone')
    return run
  }
  const end = async (run: RunRecord): Promise<RunRecord> => {
    await until(async () => hasEnded((await state(run)).status), LONG)
    return state(run)
  }
  const again = async (run: RunRecord): Promise<void> => {
    await askReport(t.db, run.id, {})
    await until(async () => (await state(run)).report.state !== 'pending', LONG)
  }
  const signatures = async (run: RunRecord) =>
    (await listArtifacts(t.db, run.id)).filter(({ kind }) => kind === 'signature')
  /** As somebody has them who fetched all files of a version. */
  const verdict = async (run: RunRecord, version: number, keys: readonly string[] = []): Promise<Verdict> => {
    const files = (await listArtifacts(t.db, run.id)).filter(
      (file) => file.version === version || file.version === null,
    )
    const given = files.map(({ filename, objectKey }) => {
      const reading = readGiven(filename)
      reading.add(storage.objects.get(objectKey) ?? Buffer.alloc(0))
      return reading.end()
    })
    return verifyFiles(given, keys)
  }
  const fingerprint = async (): Promise<string> => (await presentSigner(t.db, KEY)).fingerprint

  test('a run ends with its signature over every file, evidence among them', async () => {
    await start()
    const run = await end(await seed())
    const all = await verdict(run, 1, [await fingerprint()])
    expect(all).toMatchObject({
      outcome: 'verified',
      sets: [{ run_id: run.id, target: 'ok.test', version: 1, missing: [] }],
    })
    const intact = all.files.filter((file) => file.state === 'intact').map(({ path }) => path)
    expect(intact).toEqual(
      expect.arrayContaining([
        'report.pdf',
        'report.md',
        'report.html',
        'audit-log.jsonl',
        'evidence.zip',
        'site-page.txt',
      ]),
    )
    expect(all.files.find(({ path }) => path === 'audit-log.jsonl')?.chain).toMatchObject({ broken: null })
  })

  test('each rendering is a version with a signature of its own; the one before still holds, also by a key that was replaced', async () => {
    await start()
    const run = await end(await seed(false))
    const before = await fingerprint()
    await replaceSigningKey(t.db, KEY)
    await again(run)
    const after = await fingerprint()
    expect(after).not.toBe(before)
    expect(await verdict(run, 1, [before])).toMatchObject({ outcome: 'verified' })
    expect(await verdict(run, 2, [after])).toMatchObject({ outcome: 'verified', sets: [{ version: 2 }] })
    expect(await verdict(run, 1, [after])).toMatchObject({ outcome: 'other_signer' })
    expect((await signatures(run)).map(({ version }) => version)).toEqual([2, 1])
  })

  test('two workers sign with one key', async () => {
    await start({ concurrency: 1, workerId: 'one' })
    await start({ concurrency: 1, workerId: 'two' })
    const runs = await Promise.all(Array.from({ length: 4 }, () => seed(false)))
    for (const run of runs) {
      await end(run)
      expect(await verdict(run, 1, [await fingerprint()])).toMatchObject({ outcome: 'verified' })
    }
  })

  test('what has no signature gets one, once, whoever looks', async () => {
    await start()
    const run = await end(await seed(false))
    await drained()
    // As before there were any.
    await t.db.query(`delete from artifacts where kind = 'signature'`, [])
    await t.db.query("update reports set sign_due_at = clock_timestamp() - interval '1 second'", [])
    await start({ workerId: 'one' })
    await start({ workerId: 'two' })
    await until(async () => (await signatures(run)).length > 0, LONG)
    expect(await verdict(run, 1, [await fingerprint()])).toMatchObject({ outcome: 'verified' })
    expect(await claimSigning(t.db, 30)).toBeNull()
    expect(await signatures(run)).toHaveLength(1)
  })

  test('a token that is another’s writes nothing', async () => {
    await start()
    const run = await end(await seed(false))
    await drained()
    await t.db.query(`delete from artifacts where kind = 'signature'`, [])
    await t.db.query("update reports set sign_due_at = clock_timestamp() - interval '1 second'", [])
    const lost = await claimSigning(t.db, 30)
    if (!lost) throw new Error('nothing to sign')
    expect(await claimSigning(t.db, 30)).toBeNull()
    await t.db.query("update reports set sign_due_at = clock_timestamp() - interval '1 second'", [])
    expect(await claimSigning(t.db, 30)).not.toBeNull()
    const file = { id: run.id, kind: 'signature', module: null, filename: 'x', contentType: 'x', version: 1 } as const
    expect(await reserveSignature(t.db, lost, { ...file, objectKey: 'x', retentionDays: 1, watermarked: false })).toBe(
      'lost',
    )
    expect(await finishSigning(t.db, lost, { id: run.id, sizeBytes: 1, sha256: '', pageCount: null })).toBe('lost')
  })

  test('a key that cannot be opened costs no run its end; once it can be, the version is signed', async () => {
    await presentSigner(t.db, oneKey(randomBytes(32)))
    await start()
    const run = await end(await seed())
    expect(run).toMatchObject({ status: 'done', report: { state: 'ready' } })
    expect(await signatures(run)).toEqual([])
    expect(logger.lines.join()).toContain('The signing key cannot be opened')
    await replaceSigningKey(t.db, KEY)
    await until(async () => (await signatures(run)).length > 0, LONG)
    expect(await verdict(run, 1, [await fingerprint()])).toMatchObject({ outcome: 'verified' })
  })

  test('where the files are gone nothing is signed, and nobody looks again', async () => {
    await start()
    const run = await end(await seed(false))
    await drained()
    await t.db.query(`delete from artifacts where kind = 'signature'`, [])
    await t.db.query(
      `update artifacts set expires_at = clock_timestamp() - interval '1 second' where kind = 'findings_json'`,
      [],
    )
    await t.db.query("update reports set sign_due_at = clock_timestamp() - interval '1 second'", [])
    await start()
    await until(
      async () => (await t.db.query('select 1 from reports where sign_due_at is not null', [])).length === 0,
      LONG,
    )
    expect(await signatures(run)).toEqual([])
  })
})
