import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../tests/support/databases.ts'
import { seedDomain, seedRun } from '../../tests/support/seed.ts'
import { until } from '../../tests/support/until.ts'
import { type MemoryStorage, memoryStorage, silentLogger, workerOptions } from '../../tests/support/worker.ts'
import { StorageError } from '../artifacts/artifacts.ts'
import { FindingsFile } from '../contract/findings-file.ts'
import { hasEnded } from '../contract/run.ts'
import { listArtifacts } from '../store/artifacts.ts'
import { allFindings } from '../store/findings.ts'
import { askReport, claimReport, finishReport, readReport, reserveReportFile } from '../store/reports.ts'
import type { RunRecord } from '../store/run-row.ts'
import { cancelRun, getAnyRun } from '../store/runs.ts'
import { decide } from '../store/triage.ts'
import { startWorker, type Worker } from './loop.ts'
import type { WorkerOptions } from './options.ts'
import { type PdfReport, ReportUnavailable, type ReportWriter } from './report-writer.ts'

/** Milliseconds; a loaded machine needs some of them. */
const LONG = 30_000
/** What every done run has, in the order of the list: kinds by name. */
const MADE = ['findings.json 1', 'report.html 1', 'report.md 1']
const SIGNED = 'signature.json 1'
const PDF: PdfReport = { tex: '\\relax', pdf: Buffer.from('%PDF-1.7'), pages: 3 }

describe('reports', { timeout: 60_000 }, () => {
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

  const start = async (change: Partial<WorkerOptions> = {}, timing: object = {}): Promise<Worker> => {
    const options = workerOptions(t.db, storage, { logger, childEnv: { FAKE_SCAN_FOLDER: folder }, ...change })
    const worker = await startWorker({ ...options, timing: { ...options.timing, ...timing } })
    workers.push(worker)
    return worker
  }
  const writer = (change: Partial<ReportWriter>): Partial<WorkerOptions> => ({
    report: { ...workerOptions(t.db, storage).report, ...change },
  })
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
  const settled = async (run: RunRecord): Promise<RunRecord> => {
    await until(async () => (await state(run)).report.state !== 'pending', LONG)
    return state(run)
  }
  const files = async (run: RunRecord) =>
    (await listArtifacts(t.db, run.id)).flatMap(({ filename, version }) =>
      version === null ? [] : [`${filename} ${version}`],
    )
  const text = async (run: RunRecord, filename: string, version: number): Promise<string> => {
    const file = (await listArtifacts(t.db, run.id)).find((one) => one.filename === filename && one.version === version)
    return String(storage.objects.get(file?.objectKey ?? ''))
  }
  /** Resolves to what the maker was asked for; it goes on when `release` is called. */
  const held = () => {
    let release: () => void = () => undefined
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    let begun = 0
    const pdf: ReportWriter['pdf'] = async (_file, _extras, { signal }) => {
      begun += 1
      const aborted = new Promise<never>((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
      )
      await Promise.race([gate, aborted])
      return PDF
    }
    return { pdf, release, begun: () => begun }
  }

  test('a run waits for its report and has it at its end', async () => {
    await start()
    const run = await end(await seed())
    expect(run).toMatchObject({ status: 'done', report: { state: 'ready', reason: null, version: 1 } })
    expect(await files(run)).toEqual([...MADE, 'report.pdf 1', 'report.tex 1', SIGNED])
    expect(await text(run, 'report.html', 1)).toContain('<title>ok.test</title>')
  })

  test('without make_pdf there are findings and page, and a PDF when it is asked for later', async () => {
    await start()
    const run = await end(await seed(false))
    expect(run).toMatchObject({ status: 'done', report: { state: 'none', reason: null, version: 1 } })
    expect(await files(run)).toEqual([...MADE, SIGNED])
    expect(await askReport(t.db, run.id, {})).toEqual({ state: 'pending', reason: null, version: 2 })
    expect((await settled(run)).report).toEqual({ state: 'ready', reason: null, version: 2 })
    expect(await files(run)).toContain('report.pdf 2')
  })

  test('what the browser printed has no source', async () => {
    await start(writer({ pdf: async () => ({ ...PDF, tex: null }) }))
    const run = await end(await seed())
    expect(await files(run)).toEqual([...MADE, 'report.pdf 1', SIGNED])
  })

  test('a PDF that nothing here can make: done all the same, with a sentence', async () => {
    const said = 'The PDF needs xelatex. No Chromium is installed.'
    await start(writer({ pdf: () => Promise.reject(new ReportUnavailable(said, { notInstalled: true })) }))
    const run = await end(await seed())
    // What is not installed was told at the start; the log of a service that works has no warning for each run.
    expect(logger.lines).toEqual([])
    expect(run).toMatchObject({
      status: 'done',
      error_kind: null,
      report: { state: 'failed', reason: said, version: 1 },
    })
    expect(await files(run)).toEqual([...MADE, SIGNED])
  })

  test('a PDF that should have been made: a warning with all that led to it', async () => {
    const cause = new Error('it crashed')
    await start(writer({ pdf: () => Promise.reject(new ReportUnavailable('It could not.', { cause })) }))
    const run = await end(await seed())
    expect(run.report).toMatchObject({ state: 'failed', reason: 'It could not.' })
    expect(logger.lines).toEqual([expect.stringMatching(/^a report has no PDF [\s\S]*it crashed/)])
  })

  test.each([
    ['the PDF', { pdf: () => Promise.reject(new TypeError('x is undefined')) }, [...MADE, SIGNED]],
    [
      'the page',
      {
        html: () => {
          throw new TypeError('x is undefined')
        },
      },
      ['findings.json 1', 'report.md 1', 'report.pdf 1', 'report.tex 1', SIGNED],
    ],
  ] as const)('a fault of ours in %s does not cost the run its end', async (_, change, expected) => {
    await start(writer(change))
    const run = await end(await seed())
    expect(run.status).toBe('done')
    expect(await files(run)).toEqual(expected)
    expect(logger.lines.join()).toContain('x is undefined')
  })

  test('a report that takes long: the run ends pending, the report follows', async () => {
    const maker = held()
    await start(writer(maker), { reportWait: 300 })
    const run = await end(await seed())
    expect(run).toMatchObject({ status: 'done', progress: 100, report: { state: 'pending', version: 1 } })
    expect(await files(run)).toEqual(MADE)
    maker.release()
    expect((await settled(run)).report.state).toBe('ready')
    expect(await files(run)).toEqual([...MADE, 'report.pdf 1', 'report.tex 1', SIGNED])
  })

  test('pictures of the findings come with it, in their order, and other evidence does not', async () => {
    const seen: string[][] = []
    const html: ReportWriter['html'] = (_file, { pictures }) => {
      seen.push(pictures.map(({ name, body }) => `${name}: ${body}`))
      return '<!doctype html>'
    }
    const pdf: ReportWriter['pdf'] = async (file, extras) => {
      html(file, extras)
      return PDF
    }
    await start(writer({ html, pdf }))
    const domain = await seedDomain(t.db, { domain: 'picture.test' })
    expect((await end(await seedRun(t.db, domain, { make_pdf: true }))).report.state).toBe('ready')
    const all = ['site', 'headers', 'cookies'].map((one) => `${one}-page.png: evidence of ${one}`)
    expect(seen.map((names) => names.toSorted())).toEqual([all.toSorted(), all.toSorted()])
    await end(await seed())
    expect(seen.slice(2)).toEqual([[], []])
  })

  test('nothing of the report is shown before the run is done', async () => {
    const maker = held()
    await start(writer(maker))
    const run = await seed()
    await until(() => maker.begun() === 1, LONG)
    expect(await state(run)).toMatchObject({ status: 'running', phase: 'report', report: { state: 'pending' } })
    expect(await files(run)).toEqual([])
    maker.release()
    expect((await end(run)).report.state).toBe('ready')
  })

  test('a cancel while it is made ends the run, and leaves nothing of it', async () => {
    const maker = held()
    await start(writer(maker))
    const run = await seed()
    await until(() => maker.begun() === 1, LONG)
    await cancelRun(t.db, run.organisationId, run.id)
    expect(await end(run)).toMatchObject({ status: 'canceled', report: { state: 'none', version: null } })
    expect(await files(run)).toEqual([])
    expect(await readReport(t.db, run.id)).toBeNull()
  })

  test('each rendering shows the decisions as they stood; older ones stay as they were', async () => {
    await start()
    const run = await end(await seed())
    const [finding] = await allFindings(t.db, run.id)
    if (!finding) throw new Error('no finding')
    const decision = {
      state: 'accepted',
      owner: 'J. Weber',
      reason: 'Known.',
      expiresAt: null,
    } as const
    await decide(t.db, run.id, finding, decision, 'ci')
    await askReport(t.db, run.id, {})
    await settled(run)
    expect(await files(run)).toEqual([
      ...['findings.json 2', 'findings.json 1', 'report.html 2', 'report.html 1', 'report.md 2', 'report.md 1'],
      ...['report.pdf 2', 'report.pdf 1', 'report.tex 2', 'report.tex 1', 'signature.json 2', 'signature.json 1'],
    ])
    const [first, second] = await Promise.all(
      [1, 2].map(async (version) => FindingsFile.parse(JSON.parse(await text(run, 'findings.json', version)))),
    )
    expect(first?.open_counts.medium).toBe(3)
    expect(second?.open_counts.medium).toBe(2)
    expect(second?.counts).toEqual(first?.counts)
    const states = (file: FindingsFile | undefined) => file?.findings.map(({ id, triage }) => [id, triage.state])
    expect(states(second)?.filter(([, one]) => one === 'accepted')).toEqual([[finding.id, 'accepted']])
    expect(states(first)?.every(([, one]) => one === 'open')).toBe(true)
    const expiries = (await listArtifacts(t.db, run.id)).flatMap((file) => (file.version ? [file.expires_at] : []))
    expect(new Set(expiries.map((at) => Math.round(Date.parse(at ?? '') / 60_000))).size).toBe(1)
  })

  test('words of the owners reach the maker', async () => {
    const seen: (string | null)[] = []
    await start(
      writer({
        pdf: async (_file, { texts, language }) => {
          seen.push(texts.introduction ?? null, language)
          return PDF
        },
      }),
    )
    const run = await end(await seed())
    await askReport(t.db, run.id, { language: 'de', texts: { introduction: 'Read this first.' } })
    await settled(run)
    expect(seen).toEqual([null, 'en', 'Read this first.', 'de'])
  })

  test('asked for twice while it waits, it is made once; while it is being made, once more', async () => {
    const maker = held()
    await start()
    const run = await end(await seed(false))
    for (const worker of workers.splice(0)) await worker.drain()
    expect(await askReport(t.db, run.id, {})).toMatchObject({ version: 2 })
    expect(await askReport(t.db, run.id, {})).toMatchObject({ version: 2 })
    await start(writer(maker))
    await until(() => maker.begun() === 1, LONG)
    expect(await askReport(t.db, run.id, {})).toMatchObject({ version: 3 })
    maker.release()
    await until(async () => {
      const made = await files(run)
      return ['report.pdf 2', 'report.pdf 3'].every((one) => made.includes(one))
    }, LONG)
  })

  test('a worker that drains hands it back, and another one makes it', async () => {
    const maker = held()
    const old = await start(writer(maker), { reportWait: 100 })
    const run = await end(await seed())
    await old.drain()
    expect(await t.db.query('select attempts, lease_token from reports')).toEqual([{ attempts: 0, lease_token: null }])
    await start()
    expect((await settled(run)).report.state).toBe('ready')
  })

  test('of a worker that is lost nothing counts any more, and after three of them it has failed', async () => {
    await start(writer({ pdf: () => new Promise(() => undefined) }), { reportWait: 100 })
    const run = await end(await seed(false))
    for (const worker of workers.splice(0)) await worker.drain()
    await askReport(t.db, run.id, {})
    const jobs = []
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      jobs.push(await claimReport(t.db, 30))
      expect(await claimReport(t.db, 30)).toBeNull()
      await t.db.query(`update reports set due_at = clock_timestamp() - interval '1 second' where state = 'pending'`)
    }
    const [lost] = jobs
    if (!lost) throw new Error('no job')
    expect(await finishReport(t.db, lost, { reason: null, artifacts: [] })).toBe('lost')
    const file = { id: lost.token, kind: 'report_pdf', module: null, filename: 'x', contentType: 'x' } as const
    expect(await reserveReportFile(t.db, lost, { ...file, objectKey: 'x', retentionDays: 1, watermarked: false })).toBe(
      'lost',
    )
    await start()
    const failed = await settled(run)
    expect(failed.report).toMatchObject({ state: 'failed', version: 2 })
    expect(failed.report.reason).toMatch(/worker was lost in each of 3 attempts/)
    expect(failed.status).toBe('done')
  })

  test('a storage that is away for a while: tried again, not given up', async () => {
    let refused = 0
    const put: MemoryStorage['put'] = (key, body, about) => {
      if (key.endsWith('report.pdf') && refused < 2) {
        refused += 1
        return Promise.reject(new Error('connection refused'))
      }
      return storage.put(key, body, about)
    }
    await start({ storage: { ...storage, put } }, { reportRetry: 50, reportWait: 100 })
    const run = await end(await seed())
    expect((await settled(run)).report.state).toBe('ready')
    expect(refused).toBe(2)
    // Where the report comes just as its run ends, whoever looks next signs both.
    await until(async () => (await files(run)).includes(SIGNED), LONG)
    expect(await files(run)).toEqual([...MADE, 'report.pdf 1', 'report.tex 1', SIGNED])
  })

  test('an outage of the storage costs a report none of its attempts', async () => {
    let refused = 0
    const put: MemoryStorage['put'] = (key, body, about) => {
      if (key.endsWith('report.pdf') && refused < 6) {
        refused += 1
        return Promise.reject(new StorageError('unavailable', 'connection refused'))
      }
      return storage.put(key, body, about)
    }
    await start({ storage: { ...storage, put } }, { reportRetry: 50, reportWait: 100 })
    expect((await settled(await end(await seed()))).report).toEqual({ state: 'ready', reason: null, version: 1 })
    expect(refused).toBe(6)
  })

  test('a storage that does not come back: the report is given up', async () => {
    const put: MemoryStorage['put'] = (key, body, about) =>
      key.endsWith('report.pdf')
        ? Promise.reject(new StorageError('unavailable', 'connection refused'))
        : storage.put(key, body, about)
    await start({ storage: { ...storage, put } }, { reportRetry: 50, reportWait: 100, storagePatience: 200 })
    expect((await settled(await end(await seed()))).report.state).toBe('failed')
  })

  test('a run that starts anew takes back the report of its attempt before', async () => {
    const maker = held()
    const first = await start(writer(maker))
    const run = await seed()
    await until(() => maker.begun() === 1, LONG)
    await first.drain()
    expect(await state(run)).toMatchObject({ status: 'queued', report: { state: 'none', version: null } })
    await start()
    expect((await end(run)).report).toEqual({ state: 'ready', reason: null, version: 1 })
    expect(await files(run)).toEqual([...MADE, 'report.pdf 1', 'report.tex 1', SIGNED])
  })
})
