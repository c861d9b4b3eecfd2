import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../tests/support/databases.ts'
import { expireLease, OPTIONS, seedDomain, seedRun } from '../../tests/support/seed.ts'
import { until } from '../../tests/support/until.ts'
import { KEY, type MemoryStorage, memoryStorage, silentLogger, workerOptions } from '../../tests/support/worker.ts'
import type { AuditLine } from '../contract/event.ts'
import { FindingsFile } from '../contract/findings-file.ts'
import { hasEnded } from '../contract/run.ts'
import { oneKey } from '../contract/secret-keys.ts'
import { listArtifacts } from '../store/artifacts.ts'
import { read } from '../store/events.ts'
import { allFindings } from '../store/findings.ts'
import { loadModules } from '../store/modules.ts'
import { setLogo } from '../store/organisations.ts'
import type { RunRecord } from '../store/run-row.ts'
import { cancelRun, getAnyRun, type NewRun } from '../store/runs.ts'
import { sealCredentials } from '../store/seal.ts'
import { startWorker, type Worker } from './loop.ts'
import type { WorkerOptions } from './options.ts'

describe('worker', { timeout: 240_000 }, () => {
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
    for (const worker of workers) await worker.drain()
    rmSync(folder, { recursive: true })
  })

  const start = async (change: Partial<WorkerOptions> = {}): Promise<Worker> => {
    const childEnv = { FAKE_SCAN_FOLDER: folder }
    const worker = await startWorker(workerOptions(t.db, storage, { logger, childEnv, ...change }))
    workers.push(worker)
    return worker
  }
  const seed = async (domain: string, change: Partial<NewRun> = {}): Promise<RunRecord> =>
    seedRun(t.db, await seedDomain(t.db, { domain }), change)
  const state = async ({ id }: { id: string }): Promise<RunRecord> => {
    const run = await getAnyRun(t.db, id)
    if (!run) throw new Error('gone')
    return run
  }
  const end = async (run: RunRecord): Promise<RunRecord> => {
    await until(async () => hasEnded((await state(run)).status), 45_000)
    return state(run)
  }
  const audit = async (run: RunRecord): Promise<AuditLine[]> =>
    (await read(t.db, run.id, 0, 10_000)).flatMap((event) => (event.type === 'audit' ? [event.data] : []))
  const files = async (run: RunRecord) => (await listArtifacts(t.db, run.id)).map(({ filename }) => filename)
  const content = async (run: RunRecord, filename: string): Promise<string> => {
    const file = (await listArtifacts(t.db, run.id)).find((one) => one.filename === filename)
    return String(storage.objects.get(file?.objectKey ?? ''))
  }

  describe('a run that goes well', () => {
    test('ends done with findings, files, grade, and an audit log whose chain holds', async () => {
      await start()
      const run = await seed('ok.test', { make_pdf: true })
      await setLogo(t.db, run.organisationId, Buffer.from('\x89PNG'))
      const done = await end(run)
      expect(logger.lines).toEqual([])
      expect(done).toMatchObject({
        status: 'done',
        progress: 100,
        phase: 'finished',
        grade: 'B',
        counts: { medium: 3 },
        error_kind: null,
      })
      expect(done.duration_ms).toBeGreaterThan(0)
      expect(await files(run)).toEqual([
        'audit-log.jsonl',
        'logo.png',
        'findings.json',
        'report.html',
        'report.md',
        'report.pdf',
        'report.tex',
        'signature.json',
        'evidence.zip',
        'cookies-page.txt',
        'headers-page.txt',
        'site-page.txt',
      ])
      for (const file of await listArtifacts(t.db, run.id)) {
        const bytes = storage.objects.get(file.objectKey) ?? Buffer.alloc(0)
        expect(file.size_bytes).toBe(bytes.length)
        expect(file.sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
        expect(file.page_count).toBe(file.kind === 'report_pdf' ? 3 : null)
        expect(file.expires_at === null).toBe(file.kind === 'audit_log')
      }
      const result = FindingsFile.parse(JSON.parse(await content(run, 'findings.json')))
      expect(result.findings).toEqual(await allFindings(t.db, run.id))
      expect(result).toMatchObject({
        counts: done.counts,
        target: { domain: 'ok.test', url: 'http://ok.test/', addresses: ['127.0.0.1'] },
        run: { requests: 3, scanner: 'Sonde 0.0.0', options: OPTIONS.make_pdf ? {} : { make_pdf: true } },
      })
      const texts = (await content(run, 'audit-log.jsonl')).trimEnd().split('\n')
      const lines = texts.map((text) => JSON.parse(text) as AuditLine)
      expect(lines).toEqual(await audit(run))
      expect(lines.map(({ prev }) => prev).slice(1)).toEqual(
        texts.slice(0, -1).map((text) => createHash('sha256').update(text).digest('hex')),
      )
      expect(lines.at(0)).toMatchObject({ event: 'run_started', attempt: 1, seq: 1 })
      expect(lines.at(-1)).toMatchObject({ event: 'run_ended', result: 'done' })
      const events = await read(t.db, run.id, 0, 1000)
      const shown = events.flatMap((event) => (event.type === 'progress' ? [event.data.progress] : []))
      expect(shown).toEqual(shown.toSorted((a, b) => a - b))
      expect(events.at(-1)).toMatchObject({ type: 'done', data: { status: 'done', progress: 100 } })
    })

    test('a dry run has no grade: nobody has looked at the site', async () => {
      await start()
      const run = await seed('ok.test', { dry_run: true })
      expect(await end(run)).toMatchObject({ status: 'done', grade: null })
    })

    test('without make_pdf there is no PDF', async () => {
      await start()
      const run = await seed('ok.test')
      await end(run)
      expect(await files(run)).not.toContain('report.pdf')
      expect(await files(run)).toContain('findings.json')
    })

    test('from the insert to leased in under 100 ms', async () => {
      await start({ timing: { poll: 60_000 } })
      const at = await seedDomain(t.db, { domain: 'ok.test' })
      const waits: number[] = []
      for (let i = 0; i < 5; i += 1) {
        const run = await seedRun(t.db, at)
        await end(run)
        const [row] = await t.db.query<{ ms: number }>(
          `select (extract(epoch from first_leased_at - created_at) * 1000)::float8 as ms from runs where id = $1`,
          [run.id],
        )
        waits.push(row?.ms ?? Number.POSITIVE_INFINITY)
      }
      expect(waits.toSorted((a, b) => a - b)[2]).toBeLessThan(100)
    })

    test('not more than `concurrency` at once, the rest after', async () => {
      const at = await seedDomain(t.db, { domain: 'slow.test' })
      const runs = [await seedRun(t.db, at), await seedRun(t.db, at), await seedRun(t.db, at), await seedRun(t.db, at)]
      const worker = await start({ concurrency: 2 })
      let most = 0
      await until(async () => {
        most = Math.max(most, worker.activeRuns())
        return (await Promise.all(runs.map(state))).every(({ status }) => status === 'done')
      }, 15_000)
      expect(most).toBe(2)
    })

    test('credentials reach the child and are wiped at the end', async () => {
      await start()
      const run = await seed('credentials.test', {
        sealedCredentials: sealCredentials(KEY, { cookie: 'a=b12345', header: null }),
      })
      await end(run)
      expect(await audit(run)).toContainEqual(expect.objectContaining({ event: 'cookie', detail: '8' }))
      expect(await t.db.query('select credentials from runs')).toEqual([{ credentials: null }])
      expect(JSON.stringify(await t.db.query('select data from events'))).not.toContain('a=b12345')
    })

    test('the child gets no keys and no addresses of ours', async () => {
      process.env.SONDE_SECRET_KEY = 'never'
      process.env.DATABASE_URL = 'never'
      try {
        await start()
        const run = await seed('environment.test')
        await end(run)
        const names = (await audit(run)).find(({ event }) => event === 'env')?.detail?.split(' ')
        expect(names).toContain('PATH')
        expect(names).not.toContain('SONDE_SECRET_KEY')
        expect(names).not.toContain('DATABASE_URL')
      } finally {
        delete process.env.SONDE_SECRET_KEY
        delete process.env.DATABASE_URL
      }
    })
  })

  describe('a run that fails', () => {
    const failed = async (run: RunRecord) => {
      const ended = await end(run)
      expect(ended).toMatchObject({ status: 'failed', phase: 'finished' })
      return { kind: ended.error_kind, detail: ended.error_detail, files: await files(run), progress: ended.progress }
    }

    test('as the scan says, and keeps audit log and evidence', async () => {
      await start()
      const result = await failed(await seed('refused.test'))
      expect(result).toMatchObject({ kind: 'target_refused', detail: 'Not allowed.' })
      expect(result.files).toEqual(['audit-log.jsonl', 'evidence.zip', 'site-page.txt'])
      expect(result.progress).toBeLessThan(100)
    })

    test('a child that dies once is started again and goes on with the missing modules', async () => {
      await start()
      const run = await seed('crash-once.test')
      expect((await end(run)).status).toBe('done')
      const lines = await audit(run)
      expect(lines.filter(({ event }) => event === 'module_started').map(({ module }) => module)).toEqual([
        'site',
        'headers',
        'cookies',
      ])
      expect(lines.filter(({ event }) => event === 'scanner_restarted')).toHaveLength(1)
    })

    test('a child that dies between its evidence and the result: the evidence is there once', async () => {
      await start()
      const run = await seed('crash-after-evidence.test')
      expect((await end(run)).status).toBe('done')
      expect((await files(run)).filter((name) => name === 'site-page.txt')).toHaveLength(1)
      const ids = new Set((await listArtifacts(t.db, run.id)).map(({ id }) => id))
      const evidence = (await allFindings(t.db, run.id)).flatMap((one) => one.evidence)
      expect(evidence.filter((id) => !ids.has(id))).toEqual([])
    })

    test('a child that dies whenever a module has found something: what it had found last stays, with its evidence', async () => {
      await start()
      const run = await seed('crash-offering.test')
      expect((await end(run)).status).toBe('done')
      expect((await audit(run)).filter(({ event }) => event === 'scanner_restarted')).toHaveLength(2)
      const found = await allFindings(t.db, run.id)
      expect(found.map(({ module }) => module).toSorted()).toEqual(['cookies', 'headers', 'site'])
      const ids = (await listArtifacts(t.db, run.id)).map(({ id }) => id)
      expect(found.flatMap(({ evidence }) => evidence).filter((id) => !ids.includes(id))).toEqual([])
      expect((await files(run)).filter((name) => name === 'headers-page.txt')).toHaveLength(1)
    })

    test('a child that dies twice', async () => {
      await start()
      expect(await failed(await seed('crash.test'))).toMatchObject({
        kind: 'scanner_crashed',
        detail: 'The scanner process ended unexpectedly (exit code 7).',
      })
    })

    test('a child that had promised to speak, and speaks no more', async () => {
      await start({ timing: { silence: 300 } })
      expect(await failed(await seed('silent.test'))).toMatchObject({
        kind: 'scanner_crashed',
        detail: 'The scanner process did not answer any more and was ended.',
      })
    })

    test('a child without bounds meets its memory cap', async () => {
      await start({ childMemoryMb: 32 })
      expect(await failed(await seed('out-of-memory.test'))).toMatchObject({
        kind: 'scanner_crashed',
        detail: 'The scanner process ran out of memory.',
      })
    }, 40_000)

    test.each([
      ['refuses writes', { put: () => Promise.reject(new Error('disk full')) }],
      [
        'keeps other bytes than were sent',
        { get: async () => ({ stream: (await import('node:stream')).Readable.from([Buffer.from('x')]), size: 1 }) },
      ],
    ])('a storage that %s: storage_failed, and the audit log is written later', async (_, broken) => {
      await start({ storage: { ...storage, ...broken } })
      const run = await seed('ok.test')
      expect(await failed(run)).toMatchObject({ kind: 'storage_failed', files: [] })
      await workers[0]?.drain()
      await start()
      await until(async () => (await files(run)).includes('audit-log.jsonl'))
    })

    test('credentials sealed under another key', async () => {
      await start({ keys: oneKey(Buffer.alloc(32)) })
      const run = await seed('ok.test', { sealedCredentials: sealCredentials(KEY, { cookie: 'x', header: null }) })
      expect((await failed(run)).kind).toBe('internal')
    })

    test('a program that the child left behind is gone with it', async () => {
      await start()
      const run = await seed('leaves-children.test')
      await end(run)
      const pids = (await audit(run)).filter(({ event }) => event === 'spawned').map(({ detail }) => Number(detail))
      expect(pids).toHaveLength(3)
      await until(() => pids.every((pid) => !isAlive(pid)))
    })

    test('a child that never ends meets the deadline', async () => {
      await start({ runSeconds: 1, timing: { overrun: 200 } })
      expect((await failed(await seed('hang.test'))).kind).toBe('deadline_exceeded')
    })
  })

  describe('cancel', () => {
    const running = (run: RunRecord): Promise<void> => until(async () => (await state(run)).counts.medium > 0, 10_000)

    test.each([
      ['a child that listens', 'polite.test'],
      ['a child that does not', 'hang.test'],
      ['a child that spins', 'spin.test'],
    ])('%s: canceled, with audit log and evidence', async (_, domain) => {
      await start()
      const run = await seed(domain)
      await running(run)
      await cancelRun(t.db, run.organisationId, run.id)
      expect(await end(run)).toMatchObject({ status: 'canceled', error_kind: null })
      expect(await files(run)).toEqual(['audit-log.jsonl', 'evidence.zip', 'site-page.txt'])
      expect((await audit(run)).at(-1)).toMatchObject({ event: 'run_ended', result: 'canceled' })
      expect(await allFindings(t.db, run.id)).toHaveLength(1)
    })
  })

  describe('a lost lease', () => {
    test('the old worker writes nothing more, the new one finishes', async () => {
      const slow = { timing: { lease: 30_000, heartbeat: 10_000, poll: 100, grace: 100, reap: 60_000, sweep: 60_000 } }
      await start({ ...slow, workerId: 'old' })
      const run = await seed('hang.test')
      await until(async () => (await state(run)).counts.medium > 0)
      await t.db.query(`update runs set domain = 'ok.test'`)
      await expireLease(t.db, { runId: run.id })
      const fresh = await start({ workerId: 'new' })
      expect((await end(run)).status).toBe('done')
      expect(fresh.activeRuns()).toBe(0)
      const lines = await audit(run)
      expect(lines.filter(({ event }) => event === 'run_started').map(({ attempt }) => attempt)).toEqual([1, 2])
      expect(lines.filter(({ event, module }) => event === 'module_started' && module === 'site')).toHaveLength(1)
      const before = await t.db.query('select * from runs')
      await workers[0]?.drain()
      expect(await t.db.query('select * from runs')).toEqual(before)
    })
  })

  describe('drain', () => {
    test('running scans are handed back quickly and the attempt does not count', async () => {
      const worker = await start()
      const runs = [await seed('hang.test'), await seed('spin.test')]
      await until(async () => (await Promise.all(runs.map(state))).every(({ counts }) => counts.medium > 0))
      const from = performance.now()
      await worker.drain()
      expect(performance.now() - from).toBeLessThan(5_000)
      for (const run of runs) expect(await state(run)).toMatchObject({ status: 'queued', attempts: 0 })
      expect((await loadModules(t.db, runs[0]?.id ?? '')).map(({ module }) => module)).toEqual(['site'])
      await seed('ok.test')
      expect(worker.activeRuns()).toBe(0)
    })
  })
})

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
