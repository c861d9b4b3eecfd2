/** Commands of a user about runs that exist: list, status, watch, cancel, findings, artifacts, download, report. */
import { Command, InvalidArgumentError, Option } from 'commander'
import { ARTIFACT_KINDS, type ArtifactKind } from '../../contract/artifact.ts'
import type { Client } from '../../contract/client.ts'
import { ListDomainFindings, PROBLEM_STATES } from '../../contract/domain-finding.ts'
import { Severity } from '../../contract/finding.ts'
import { LANGUAGES, type Language } from '../../contract/language.ts'
import { type OwnTexts, REPORT_SECTIONS, type ReportSection } from '../../contract/report.ts'
import { ListRuns, RUN_STATUSES, type RunState, type RunStatus, Tier, Uuid } from '../../contract/run.ts'
import { connect, download, findingsOf, follow, problemsOf } from '../client.ts'
import type { CliDeps } from '../deps.ts'
import { EXIT, type ExitCode, UsageError } from '../exit.ts'
import { findingsText, problemsText } from '../findings-text.ts'
import { reportText } from '../run-summary.ts'
import { bytesText, clean, countsText, elapsed, jsonText, paint, type Screen, table } from '../screen.ts'
import { examples, JSON_FLAG, matching, oneOf, someOf, wholeNumber } from './options.ts'

const ID = '0198f2c4-5f7e-7c3a-9a51-2b8d1c6e4f00'
const runId = ['<id>', 'id of the run', matching(Uuid, 'It is the id of a run, as "sonde runs" shows it.')] as const

interface ListOptions {
  readonly json?: true
  readonly status?: readonly RunStatus[]
  readonly tier?: Tier
  readonly q?: string
  readonly limit: number
}

interface FindingsOptions {
  readonly severity?: Severity
  readonly state?: readonly (typeof PROBLEM_STATES)[number][]
  readonly q?: string
  readonly long: boolean
  readonly language: Language
  readonly json?: true
}

interface FetchOptions {
  readonly output?: string
  readonly artifactId?: string
  readonly rendering?: number
  readonly json?: true
}

interface ReportOptions {
  readonly introduction?: string
  readonly scope?: string
  readonly authoriser?: string
  readonly tester?: string
  readonly history?: NonNullable<OwnTexts['history']>
  readonly accent?: string
  readonly dark?: string
  readonly sections?: ReportSection[]
  readonly language: Language
  readonly json?: true
}

export const runCommands = (deps: CliDeps, end: (code: ExitCode) => void): readonly Command[] => [
  ...stateCommands(deps, end),
  ...resultCommands(deps),
]

/** How runs stand, and ending one. */
const stateCommands = (deps: CliDeps, end: (code: ExitCode) => void): readonly Command[] => {
  const { screen } = deps
  const runs = new Command('runs')
    .description('list runs, newest first')
    .option(
      '--status <list>',
      `some of ${RUN_STATUSES.join(',')}`,
      matching(ListRuns.shape.status, someOf(RUN_STATUSES)),
    )
    .option('--tier <tier>', 'passive or active', oneOf(Tier.options))
    .option('-q, --q <text>', 'part of the domain or beginning of the id')
    .option('--limit <number>', 'at most so many', wholeNumber(1, 100), 25)
    .option(...JSON_FLAG)
    .addHelpText('after', examples('sonde runs', 'sonde runs --status queued,running --json'))
    .action(async ({ json, status, tier, q, limit }: ListOptions) => {
      const client = await connect(deps)
      // The client joins the list again: its input is the text of the query.
      const { items } = await client.listScans({ query: { status: status?.join(','), tier, q, limit } })
      if (json) return screen.out(jsonText(items))
      const rows = items.map((run) => [
        run.id,
        run.domain,
        run.tier,
        run.status,
        `${run.progress} %`,
        Object.values(run.counts).join('/'),
        run.created_at,
      ])
      screen.out(table(['ID', 'DOMAIN', 'TIER', 'STATUS', 'PROGRESS', 'C/H/M/L/I', 'CREATED'], rows))
    })

  const status = new Command('status')
    .description('show the status of a run')
    .argument(...runId)
    .option(...JSON_FLAG)
    .addHelpText('after', examples(`sonde status ${ID}`))
    .action(async (id: string, options: { json?: true }) => {
      const run = await (await connect(deps)).readScan({ params: { id } })
      screen.out(options.json ? jsonText(run) : stateText(screen, run))
      end(endOf(run))
    })

  const watch = new Command('watch')
    .description('follow a run to its end')
    .argument(...runId)
    .option(...JSON_FLAG)
    .addHelpText('after', examples(`sonde watch ${ID}`))
    .action(async (id: string, options: { json?: true }) => {
      const client = await connect(deps)
      const run = await follow(deps, client, id, options.json === true)
      screen.out(options.json ? jsonText(run) : stateText(screen, run))
      end(endOf(run))
    })

  const cancel = new Command('cancel')
    .description('cancel a run')
    .argument(...runId)
    .option(...JSON_FLAG)
    .addHelpText('after', examples(`sonde cancel ${ID}`))
    .action(async (id: string, options: { json?: true }) => {
      const run = await (await connect(deps)).cancelScan({ params: { id } })
      if (options.json) return screen.out(jsonText(run))
      screen.out(run.status === 'canceled' ? 'Cancelled.\n' : 'It will stop within seconds.\n')
    })

  return [runs, status, watch, cancel]
}

/** What is open, or what is asked for, over all runs and domains. */
const overRuns = async (client: Client, { severity, state, q, language, json }: FindingsOptions): Promise<string> => {
  const wanted = state ?? ['open', 'reopened']
  const found = await problemsOf(client, { severity, q, language, state: wanted.join(',') })
  return json ? jsonText(found) : problemsText(found)
}

/** What was found: by a run, or over all of them. */
const findingsCommand = (deps: CliDeps): Command => {
  const { screen } = deps
  return new Command('findings')
    .description('show the findings of a run, also while it goes on; without a run what is open over all domains')
    .argument('[id]', runId[1], runId[2])
    .option('--severity <severity>', 'only this severity', oneOf(Severity.options))
    .option(
      '--state <list>',
      `without a run: some of ${PROBLEM_STATES.join(',')}; those that are open by default`,
      matching(ListDomainFindings.shape.state, someOf(PROBLEM_STATES)),
    )
    .option('-q, --q <text>', 'without a run: beginnings of words of title, domain, place and check')
    .option('--long', 'also why each matters, how to fix it and to see it again, and its id', false)
    .addOption(new Option('--language <language>', 'of titles, reasons and remedies').choices(LANGUAGES).default('en'))
    .option(...JSON_FLAG)
    .addHelpText(
      'after',
      examples(`sonde findings ${ID} --long`, 'sonde findings --severity high', 'sonde findings --language de'),
    )
    .action(async (id: string | undefined, options: FindingsOptions) => {
      if (id === undefined) return screen.out(await overRuns(await connect(deps), options))
      if (options.state !== undefined || options.q !== undefined) {
        throw new UsageError('--state and --q go with the findings of all domains: leave the run out.')
      }
      const all = await findingsOf(await connect(deps), id, options.language)
      const wanted = all.filter((finding) => options.severity === undefined || finding.severity === options.severity)
      screen.out(options.json ? jsonText(wanted) : findingsText(screen, wanted, options))
    })
}

/** What a run has brought. */
const resultCommands = (deps: CliDeps): readonly Command[] => {
  const { screen } = deps
  const artifacts = new Command('artifacts')
    .description('list the files of a run')
    .argument(...runId)
    .option(...JSON_FLAG)
    .addHelpText('after', examples(`sonde artifacts ${ID}`))
    .action(async (id: string, options: { json?: true }) => {
      const { items } = await (await connect(deps)).listArtifacts({ params: { id } })
      if (options.json) return screen.out(jsonText(items))
      const rows = items.map((item) => [
        item.id,
        item.kind,
        item.filename,
        bytesText(item.size_bytes),
        item.page_count === null ? '-' : String(item.page_count),
        item.version === null ? '-' : String(item.version),
        item.deleted ? 'deleted' : (item.expires_at ?? 'kept'),
      ])
      screen.out(table(['ID', 'KIND', 'FILE', 'SIZE', 'PAGES', 'VERSION', 'UNTIL'], rows))
    })

  const fetchFile = new Command('download')
    .description('fetch a file of a run and check its checksum')
    .argument(...runId)
    .argument('<kind>', ARTIFACT_KINDS.join(', '), oneOf(ARTIFACT_KINDS))
    .option('-o, --output <file>', 'where to put it; its own name here by default')
    .option('--artifact-id <id>', 'one evidence file instead of all', matching(Uuid, 'It is the id of an artifact.'))
    .option('--rendering <number>', 'of the report: an older version', wholeNumber(1, 2 ** 31 - 1))
    .option(...JSON_FLAG)
    .addHelpText('after', examples(`sonde download ${ID} report_pdf -o report.pdf`))
    .action(async (id: string, kind: ArtifactKind, options: FetchOptions) => {
      const client = await connect(deps)
      const { output: to = null, artifactId = null, rendering: version = null } = options
      const file = await download(client, id, kind, { to, artifactId, version, signal: deps.signal })
      screen.out(
        options.json ? jsonText(file) : `${clean(file.path)}  ${bytesText(file.size)}  sha256 ${file.sha256}\n`,
      )
    })

  const report = new Command('report')
    .description('make the report of a run again, with the decisions as they stand')
    .argument(...runId)
    .option('--introduction <text>', 'words of your own before the summary')
    .option('--scope <text>', 'what was agreed to be tested')
    .option('--authoriser <name>', 'who authorised the test, for the cover')
    .option('--tester <name>', 'who answers for the test, for the cover')
    .option(
      '--history <line>',
      'of the table of versions, "1.0|2026-11-26|A. Ruiz|First version"; may be repeated',
      historyLine,
    )
    .option('--accent <colour>', 'of rules and small headings, as #1b7a78')
    .option('--dark <colour>', 'of the cover and of headings, as #14253d')
    .addOption(new Option('--language <language>', 'of the report').choices(LANGUAGES).default('en'))
    .addOption(
      new Option(
        '--sections <name...>',
        'parts beside the summary; tables and checks are annexes (default: method findings)',
      ).choices(REPORT_SECTIONS),
    )
    .option(...JSON_FLAG)
    .addHelpText('after', examples(`sonde report ${ID}`, `sonde report ${ID} --sections method findings tables checks`))
    .action(async (id: string, options: ReportOptions) => {
      const { sections, language, introduction, scope, authoriser, tester, history, accent, dark } = options
      const texts = { introduction, scope, authoriser, tester, history }
      const colours = accent === undefined && dark === undefined ? undefined : { accent, dark }
      const made = await (await connect(deps)).makeReport({
        params: { id },
        body: { language, texts, sections, colours },
      })
      if (options.json) return screen.out(jsonText(made))
      screen.out(`Version ${made.version} is being made; "sonde status ${id}" says when it is there.\n`)
    })

  return [findingsCommand(deps), artifacts, fetchFile, report]
}

/** "version|date|author|changes", the author may be empty. */
const historyLine = (text: string, before: NonNullable<OwnTexts['history']> = []): NonNullable<OwnTexts['history']> => {
  const [version = '', date = '', author = '', ...changes] = text.split('|').map((part) => part.trim())
  if (changes.length === 0) throw new InvalidArgumentError('It has four parts: version|date|author|changes.')
  const line = { version, date, changes: changes.join('|'), ...(author === '' ? {} : { author }) }
  return [...before, line]
}

/** A failed or cancelled run is exit 2 wherever its state is what the command shows. */
export const endOf = (run: RunState): ExitCode =>
  run.status === 'failed' || run.status === 'canceled' ? EXIT.failed : EXIT.clean

export const stateText = (screen: Screen, run: RunState): string => {
  const style = run.status === 'done' ? 'good' : run.status === 'failed' || run.status === 'canceled' ? 'bad' : 'bold'
  const grade = run.grade === null ? '' : `  grade ${paint(screen, 'bold', run.grade)}`
  const head = `${clean(run.domain)}  ${run.tier}  ${paint(screen, style, run.status)}  ${run.progress} %${grade}`
  const error = run.error_kind === null ? '' : `${run.error_kind}: ${clean(run.error_detail ?? '')}\n`
  const detail = run.phase_detail === '' || run.error_kind !== null ? '' : `${run.phase}: ${clean(run.phase_detail)}\n`
  const report = run.status === 'done' ? reportText(screen, run.report) : ''
  return `${head}  ${elapsed(run.duration_ms)}\n${error}${detail}${countsText(screen, run.counts)}\n${report}`
}
