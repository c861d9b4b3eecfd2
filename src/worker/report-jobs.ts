/**
 * Makes the reports that wait for it. Any number of workers do it; each rendering is made by one, which keeps its lease
 * while it works and writes nothing once it has lost it.
 */
import { json } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { FindingsFile } from '../contract/findings-file.ts'
import { USUAL_SECTIONS } from '../contract/report.ts'
import { traced } from '../contract/tracing.ts'
import { openCounts, UNDECIDED } from '../contract/triage.ts'
import { allFindings } from '../store/findings.ts'
import type { Replaced } from '../store/judgements.ts'
import { getLanguage } from '../store/reading-language.ts'
import {
  claimReport,
  finishReport,
  keepReport,
  REPORT_ATTEMPTS,
  type ReportJob,
  releaseReport,
  reserveReportFile,
  storedFindings,
} from '../store/reports.ts'
import { held, isDatabaseAway, LeaseLost, RunFailed } from './failures.ts'
import { type FilePolicy, type FileToStore, storeFile, type WrittenFile } from './files.ts'
import { judgedFile } from './judged-file.ts'
import type { Timing, WorkerOptions } from './options.ts'
import { isStorageAway } from './patience.ts'
import { repeat } from './repeat.ts'
import { extrasOf, findingsFile, logoFile, markdownFile, pageFile } from './report-files.ts'
import { reportPictures } from './report-pictures.ts'
import { type ReportExtras, type ReportLog, ReportUnavailable } from './report-writer.ts'
import { signatureOrNone } from './signing.ts'

export interface ReportLane {
  /** Looks now. */
  readonly now: () => void
  /** Resolves when nothing is being made any more; the signal has to be aborted before. */
  readonly ended: () => Promise<void>
}

/** Takes up renderings as they come, so many at once, until `signal` aborts; those in work are handed back then. */
export const startReportLane = (
  options: WorkerOptions,
  timing: Timing,
  places: number,
  signal: AbortSignal,
): ReportLane => {
  const { db, logger } = options
  const active = new Set<Promise<void>>()
  const take = async (): Promise<void> => {
    while (!signal.aborted && active.size < places) {
      const job = await claimReport(db, timing.lease / 1000)
      if (job === null) return
      const made = makeReport(options, timing, job, signal).finally(() => {
        active.delete(made)
        look.now()
      })
      active.add(made)
    }
  }
  const look = repeat({ every: null, signal, logger, name: 'reports' }, take)
  return {
    now: look.now,
    ended: async () => {
      await look.ended()
      await Promise.all(active)
    },
  }
}

/** Never rejects. */
const makeReport = async (
  options: WorkerOptions,
  timing: Timing,
  job: ReportJob,
  drained: AbortSignal,
): Promise<void> => {
  const { db, logger } = options
  const about = { run: job.runId, version: job.version }
  const lost = new AbortController()
  const beat = setInterval(() => {
    keepReport(db, job, timing.lease / 1000).then(
      (answer) => answer === 'lost' && lost.abort(),
      // What the database does not confirm runs out by its clock; the writes at the end find that out.
      (error: unknown) => logger.warn({ ...about, err: error }, 'the lease of a report could not be extended'),
    )
  }, timing.heartbeat)
  const signal = AbortSignal.any([drained, lost.signal])
  try {
    const attributes = { 'sonde.run.id': job.runId, 'sonde.report.version': job.version, 'sonde.report.pdf': job.pdf }
    await traced('report', attributes, () => render(options, job, signal))
  } catch (error) {
    try {
      if (lost.signal.aborted || error instanceof LeaseLost)
        logger.warn(about, 'the report is made elsewhere or not at all')
      else await giveBack(options, timing, job, error, drained)
    } catch (second) {
      // The lease runs out and another worker takes it up.
      logger.error({ ...about, err: second }, 'report abandoned')
    }
  } finally {
    clearInterval(beat)
  }
}

const giveBack = async (
  { db, logger }: WorkerOptions,
  timing: Timing,
  job: ReportJob,
  error: unknown,
  drained: AbortSignal,
): Promise<void> => {
  const about = { run: job.runId, version: job.version, err: error }
  if (drained.aborted) return releaseReport(db, job, { seconds: 0, counts: false })
  if (isDatabaseAway(error)) {
    logger.warn(about, 'the database was away; the report is handed back')
    return handBackOnce(db, timing, job, drained)
  }
  if (isStorageAway(error) && job.age * 1_000 < timing.storagePatience) {
    logger.warn(about, 'the storage is away; the report waits for it')
    return releaseReport(db, job, { seconds: timing.reportRetry / 1000, counts: false })
  }
  const again = error instanceof RunFailed && job.attempts + 1 < REPORT_ATTEMPTS
  const told = error instanceof ReportUnavailable ? wordsOf(job, error) : about
  logger.error(told, again ? 'a report is tried again later' : 'a report could not be made')
  if (again) return releaseReport(db, job, { seconds: timing.reportRetry / 1000, counts: true })
  const reason =
    error instanceof RunFailed || error instanceof ReportUnavailable
      ? error.message
      : 'A fault of the scanner; the operator’s log says what.'
  held(await finishReport(db, job, { reason: reason.slice(0, 1000), artifacts: [] }))
}

/** Its sentence says all: where it was thrown tells the operator nothing more. */
const wordsOf = ({ runId, version }: ReportJob, { message }: ReportUnavailable) => ({
  ...{ run: runId, version, reason: message },
})

/** As soon as the database answers, for as long as nobody else can have taken it up. */
const handBackOnce = async (
  db: WorkerOptions['db'],
  timing: Timing,
  job: ReportJob,
  drained: AbortSignal,
): Promise<void> => {
  const until = performance.now() + timing.lease
  for (;;) {
    try {
      return await releaseReport(db, job, { seconds: 0, counts: false })
    } catch (error) {
      if (!isDatabaseAway(error) || drained.aborted || performance.now() > until) throw error
      await delay(timing.heartbeat, undefined, { signal: drained }).catch(() => undefined)
    }
  }
}

const render = async (options: WorkerOptions, job: ReportJob, signal: AbortSignal): Promise<void> => {
  const { db, storage, report, plans, logger } = options
  const plan = plans.find(({ id }) => id === job.plan)
  if (!plan) throw new ReportUnavailable(`The organisation's plan "${job.plan}" is not configured.`)
  const policy: FilePolicy = { runId: job.runId, retentionDays: plan.retention_days, watermark: plan.watermark }
  const { sections = USUAL_SECTIONS, texts = {}, colours = {} } = job.options
  const language = job.options.language ?? (await getLanguage(db, job.organisationId))
  const file = await source(options, job)
  const pictures = await stored(() => reportPictures(options, job.runId, file))
  const extras = await extrasOf(options, job, {
    ...{ watermark: plan.watermark, texts, colours, sections, language, pictures },
  })
  const artifacts: WrittenFile[] = []
  const store = async (part: FileToStore): Promise<void> => {
    signal.throwIfAborted()
    artifacts.push(
      await storeFile(
        storage,
        async (artifact) => {
          held(await reserveReportFile(db, job, artifact))
        },
        policy,
        part,
      ),
    )
  }
  if (job.version > 1) {
    await store(findingsFile(report, file, job.version))
    await store(pageFile(report, file, extras, job.version))
    await store(markdownFile(report, file, extras, job.version))
  }
  const about = { run: job.runId, version: job.version }
  const log: ReportLog = {
    info: (reason) => logger.info({ ...about, reason }, 'report'),
    warn: (reason) => logger.warn({ ...about, reason }, 'report'),
  }
  const reason = job.pdf ? await setPdf(options, job, { file, extras, store, log, signal }) : null
  const signature = await signatureOrNone(options, job, artifacts)
  if (signature !== null) await store(signature)
  held(await finishReport(db, job, { reason, artifacts }))
}

/** Null when there is a PDF; else why not. */
const setPdf = async (
  { report, logger }: WorkerOptions,
  job: ReportJob,
  {
    file,
    extras,
    store,
    log,
    signal,
  }: {
    readonly file: FindingsFile
    readonly extras: ReportExtras
    readonly store: (part: FileToStore) => Promise<void>
    readonly log: ReportLog
    readonly signal: AbortSignal
  },
): Promise<string | null> => {
  const { version } = job
  let made: Awaited<ReturnType<typeof report.pdf>>
  try {
    made = await report.pdf(file, extras, { signal, log })
  } catch (error) {
    if (signal.aborted || !(error instanceof ReportUnavailable)) throw error
    if (error.notInstalled) logger.info(wordsOf(job, error), 'a report has no PDF')
    else logger.warn({ run: job.runId, version, err: error }, 'a report has no PDF')
    return error.message.slice(0, 1000)
  }
  const { pdf, tex, pages } = made
  await store({
    ...{ kind: 'report_pdf', filename: 'report.pdf', contentType: 'application/pdf', version },
    ...{ body: pdf, pageCount: pages },
  })
  if (tex !== null) {
    const body = Buffer.from(tex)
    await store({ kind: 'report_tex', filename: 'report.tex', contentType: 'application/x-tex', body, version })
  }
  if (extras.logo !== null) await store(logoFile(extras.logo, version))
  return null
}

/** The first rendering shows the file of the run as it is; later ones have the decisions as they stand now, and the last judgement. */
const source = async ({ db, storage }: WorkerOptions, job: ReportJob): Promise<FindingsFile> => {
  const objectKey = await storedFindings(db, job.runId, job.version)
  if (objectKey === null)
    throw new ReportUnavailable('The findings of the run were deleted after their retention ended.')
  const stored = FindingsFile.parse(await read(storage, objectKey))
  if (job.version === 1) return stored
  const file = job.judged === null ? stored : judgedFile(stored, job.judged as Replaced)
  const decided = new Map((await allFindings(db, job.runId)).map(({ id, triage }) => [id, triage]))
  const findings = file.findings.map((finding) => ({ ...finding, triage: decided.get(finding.id) ?? UNDECIDED }))
  return { ...file, version: job.version, findings, open_counts: openCounts(findings) }
}

const read = (storage: WorkerOptions['storage'], objectKey: string): Promise<unknown> =>
  stored(async () => json((await storage.get(objectKey)).stream))

/** What the storage fails to give is asked for again later. */
const stored = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (cause) {
    if (isDatabaseAway(cause)) throw cause
    throw new RunFailed('storage_failed', 'The findings of the run could not be read from the storage.', { cause })
  }
}
