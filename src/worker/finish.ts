/**
 * From the last module to `done`: judge, findings file, and the one transaction that makes them visible. The PDF is made
 * beside it (report-jobs.ts); the run waits for it for a while and ends in any case.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Finding } from '../contract/finding.ts'
import { FINDINGS_SCHEMA_VERSION, type FindingsFile } from '../contract/findings-file.ts'
import { USUAL_SECTIONS } from '../contract/report.ts'
import type { Counts, Phase } from '../contract/run.ts'
import { traced } from '../contract/tracing.ts'
import { openCounts } from '../contract/triage.ts'
import type { Database } from '../store/database.ts'
import { allFindings, resolvedFindings } from '../store/findings.ts'
import { finish, type LeasedRun, progress } from '../store/lease.ts'
import { loadModules, type ModuleRecord, saveTold } from '../store/modules.ts'
import { getLanguage } from '../store/reading-language.ts'
import { openReport, readReport } from '../store/reports.ts'
import { held, isDatabaseAway, Stopped, StorageAway } from './failures.ts'
import type { FileToStore, WrittenFile } from './files.ts'
import type { Timing, WorkerOptions } from './options.ts'
import { extrasOf, findingsFile, markdownFile, pageFile } from './report-files.ts'
import { type ReportExtras, targetOf } from './report-writer.ts'
import type { RunFiles } from './run-files.ts'
import { sendingOf, sendingTables } from './sending.ts'
import { signatureOrNone } from './signing.ts'
import { withinContract } from './within-contract.ts'

/** `canceling` when a cancel came in between: the caller ends the run so. */
export const finishRun = async (
  options: WorkerOptions,
  timing: Timing,
  run: LeasedRun,
  startedAt: Date,
  files: RunFiles,
  signal: AbortSignal,
): Promise<'done' | 'canceling'> => {
  const { db } = options
  const tell = async (phase: Phase, detail: string, percent: number): Promise<void> => {
    if (signal.aborted) throw new Stopped()
    held(await progress(db, run, { phase, detail, progress: percent }))
  }

  await tell('judge', 'Judging what was found', 91)
  const file = await traced('judge', {}, () => buildFindingsFile(options, run, startedAt, signal))

  await tell('report', 'Writing findings.json', 94)
  const pdf = run.options.make_pdf
  const artifacts = await files.store(await firstFiles(options, run, file, files))
  held(await openReport(db, run, { pdf, artifacts }))
  if (pdf) {
    await tell('report', 'Setting the PDF report', 95)
    await traced('wait for the PDF', {}, () => reportEnd(db, run.runId, timing.reportWait, signal))
  }
  if (signal.aborted) throw new Stopped()
  // Of a site that nobody has looked at there is none.
  const grade = run.options.dry_run ? null : file.grade.grade
  held(
    await saveTold(db, run, {
      audit: [endEntry({ result: 'done', ...(grade === null ? {} : { grade }) })],
      progress: [{ phase: 'report', detail: 'Storing audit log and evidence', progress: 98 }],
    }),
  )
  const closing = await traced('store audit log and evidence', {}, () => closingFiles(options, run, files))
  const state = held(await finish(db, run, { grade, artifacts: closing }))
  return state === 'canceling' ? 'canceling' : 'done'
}

/** With the signature over everything; where the PDF is still to come, its maker signs. */
const closingFiles = async (options: WorkerOptions, run: LeasedRun, files: RunFiles): Promise<WrittenFile[]> => {
  const closing = await files.storeClosing()
  if ((await readReport(options.db, run.runId))?.state === 'pending') return closing
  const signature = await signatureOrNone(options, { runId: run.runId, version: 1 }, closing)
  return signature === null ? closing : [...closing, ...(await files.store([signature]))]
}

/** The worker's own last line in the audit log. */
export const endEntry = (more: Readonly<Record<string, string>>) => ({
  ts: new Date().toISOString(),
  module: 'worker',
  event: 'run_ended',
  ...more,
})

const buildFindingsFile = async (
  { db, judge, scanner, logger, bundled = {} }: WorkerOptions,
  run: LeasedRun,
  startedAt: Date,
  signal: AbortSignal,
): Promise<FindingsFile> => {
  const modules = await loadModules(db, run.runId)
  const target = targetOf(run)
  const judged = await judge(modules, { target, options: run.options, now: startedAt.getTime() }, signal)
  const findings = await allFindings(db, run.runId)
  const sending = run.tier === 'active' ? sendingOf(modules) : null
  const file = {
    schema_version: FINDINGS_SCHEMA_VERSION,
    version: 1,
    run: {
      id: run.runId,
      tier: run.tier,
      context: run.context,
      environment: run.environment,
      options: run.options,
      scanner,
      created_at: run.createdAt.toISOString(),
      started_at: startedAt.toISOString(),
      finished_at: new Date().toISOString(),
      requests: modules.reduce((sum, { outcome }) => sum + outcome.requests, 0),
    },
    target: { domain: run.domain, ...reached(modules) },
    grade: judged.grade,
    counts: countOf(findings),
    open_counts: openCounts(findings),
    findings,
    coverage: [...judged.coverage],
    resolved: await resolvedFindings(db, run.runId, judged.coverage),
    tables: [...judged.tables, ...(sending === null ? [] : sendingTables(sending))],
    ...(judged.reach ? { reach: judged.reach } : {}),
    ...(sending === null ? {} : { sending }),
    knowledge: { ...bundled, ...judged.knowledge },
  }
  return withinContract(file, (err, what) =>
    logger.error({ run: run.runId, err }, `${what} breaks the contract and is left out`),
  )
}

/** Where the scan found the site, from the facts of the module of that name. */
const reached = (modules: readonly ModuleRecord[]): { url: string | null; addresses: string[] } => {
  const facts = modules.find(({ module }) => module === 'site')?.facts
  if (typeof facts !== 'object' || facts === null) return { url: null, addresses: [] }
  const url = 'baseUrl' in facts && typeof facts.baseUrl === 'string' ? facts.baseUrl : null
  const addresses = 'addresses' in facts && Array.isArray(facts.addresses) ? facts.addresses : []
  return { url, addresses: addresses.filter((address) => typeof address === 'string') }
}

const countOf = (findings: readonly Finding[]): Counts => {
  const counts = { critical: 0, high: 0, medium: 0, low: 0, info: 0 }
  for (const { severity } of findings) counts[severity] += 1
  return counts
}

/** What every done run has, with a PDF or without. A page that cannot be written does not cost the run its result. */
const firstFiles = async (
  options: WorkerOptions,
  run: LeasedRun,
  file: FindingsFile,
  files: RunFiles,
): Promise<FileToStore[]> => {
  const findings = findingsFile(options.report, file, 1)
  const failed = (error: unknown): void =>
    options.logger.error({ run: run.runId, err: error }, 'the report could not be written as a page')
  try {
    const extras = await extrasOf(options, run, {
      watermark: files.policy.watermark,
      texts: {},
      colours: {},
      sections: USUAL_SECTIONS,
      language: await getLanguage(options.db, run.organisationId),
      pictures: await files.pictures(file),
    })
    return [findings, ...pagesOf(options, file, extras, failed)]
  } catch (error) {
    if (isDatabaseAway(error) || error instanceof StorageAway || error instanceof Stopped) throw error
    failed(error)
    return [findings]
  }
}

/** Those that can be written. */
const pagesOf = (
  { report }: WorkerOptions,
  file: FindingsFile,
  extras: ReportExtras,
  failed: (error: unknown) => void,
): FileToStore[] =>
  [pageFile, markdownFile].flatMap((make) => {
    try {
      return make(report, file, extras, 1)
    } catch (error) {
      failed(error)
      return []
    }
  })

/** Returns when the report is made or cannot be, or after so many milliseconds. */
const reportEnd = async (db: Database, runId: string, milliseconds: number, signal: AbortSignal): Promise<void> => {
  const deadline = performance.now() + milliseconds
  while (performance.now() < deadline) {
    if (signal.aborted) throw new Stopped()
    if ((await readReport(db, runId))?.state !== 'pending') return
    // Ends at once when the run has to stop; the loop sees it.
    await delay(LOOK_EVERY, undefined, { signal }).catch(() => undefined)
  }
}

/** Milliseconds. */
const LOOK_EVERY = 300
