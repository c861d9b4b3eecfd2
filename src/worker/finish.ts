/** From the last module to `done`: judge, report, files, and the one transaction that makes them visible. */
import type { Finding } from '../contract/finding.ts'
import { FINDINGS_SCHEMA_VERSION, type FindingsFile } from '../contract/findings-file.ts'
import type { Counts, Phase } from '../contract/run.ts'
import { openCounts } from '../contract/triage.ts'
import type { StoredArtifact } from '../store/artifacts.ts'
import { appendAudit } from '../store/events.ts'
import { allFindings, resolvedFindings } from '../store/findings.ts'
import { finish, type LeasedRun, progress } from '../store/lease.ts'
import { loadModules, type ModuleRecord } from '../store/modules.ts'
import { getLogo } from '../store/organisations.ts'
import { held, RunFailed, Stopped } from './failures.ts'
import type { FileToStore } from './files.ts'
import type { WorkerOptions } from './options.ts'
import type { Report } from './report-writer.ts'
import type { RunFiles } from './run-files.ts'
import { targetOf } from './spec.ts'

/** `canceling` when a cancel came in between: the caller ends the run so. */
export const finishRun = async (
  options: WorkerOptions,
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
  const file = await buildFindingsFile(options, run, startedAt, signal)

  await tell('report', 'Writing findings.json', 94)
  const stored: StoredArtifact[] = [
    await files.store({
      kind: 'findings_json',
      filename: 'findings.json',
      contentType: 'application/json',
      body: Buffer.from(options.report.findingsJson(file)),
    }),
  ]
  if (run.options.make_pdf) {
    await tell('report', 'Setting the PDF report', 95)
    for (const part of await reportFiles(options, run, file, files.policy.watermark, signal)) {
      stored.push(await files.store(part))
    }
  }
  await tell('report', 'Storing audit log and evidence', 98)
  const { grade } = file.grade
  held(await appendAudit(db, run, [endEntry({ result: 'done', grade })]))
  stored.push(...(await files.storeClosing()))
  const state = held(await finish(db, run, { grade, artifacts: stored }))
  return state === 'canceling' ? 'canceling' : 'done'
}

/** The worker's own last line in the audit log. */
export const endEntry = (more: Readonly<Record<string, string>>) => ({
  ts: new Date().toISOString(),
  module: 'worker',
  event: 'run_ended',
  ...more,
})

const buildFindingsFile = async (
  { db, judge, scanner, bundled = {} }: WorkerOptions,
  run: LeasedRun,
  startedAt: Date,
  signal: AbortSignal,
): Promise<FindingsFile> => {
  const modules = await loadModules(db, run.runId)
  const target = targetOf(run)
  const judged = await judge(modules, { target, options: run.options, now: startedAt.getTime() }, signal)
  const findings = await allFindings(db, run.runId)
  return {
    schema_version: FINDINGS_SCHEMA_VERSION,
    run: {
      id: run.runId,
      tier: run.tier,
      context: run.context,
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
    tables: [...judged.tables],
    knowledge: { ...bundled, ...judged.knowledge },
  }
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

const reportFiles = async (
  { db, report }: WorkerOptions,
  run: LeasedRun,
  file: FindingsFile,
  watermark: boolean,
  signal: AbortSignal,
): Promise<FileToStore[]> => {
  const logo = await getLogo(db, run.organisationId)
  let made: Report
  try {
    made = await report.write(file, { organisation: run.organisationName, logo, watermark }, signal)
  } catch (cause) {
    if (signal.aborted) throw new Stopped()
    const sentence = cause instanceof Error ? cause.message : 'The report could not be set.'
    throw new RunFailed('report_failed', sentence.slice(0, 500), { cause })
  }
  const { pdf, tex, pages } = made
  return [
    { kind: 'report_pdf', filename: 'report.pdf', contentType: 'application/pdf', body: pdf, pageCount: pages },
    { kind: 'report_tex', filename: 'report.tex', contentType: 'application/x-tex', body: Buffer.from(tex) },
    ...(logo ? [logoFile(logo)] : []),
  ]
}

const logoFile = (logo: Buffer): FileToStore => {
  const isPdf = logo.subarray(0, 5).toString('latin1') === '%PDF-'
  return {
    kind: 'branding_logo',
    filename: isPdf ? 'logo.pdf' : 'logo.png',
    contentType: isPdf ? 'application/pdf' : 'image/png',
    body: logo,
  }
}
