/** `sonde scan`: start a run and, when asked to, wait, print, keep files and judge by a gate. */
import { randomUUID } from 'node:crypto'
import { rename, writeFile } from 'node:fs/promises'
import { Command } from 'commander'
import type { Client } from '../../contract/client.ts'
import { ExcludePattern } from '../../contract/exclude.ts'
import { type FileFormat, Severity } from '../../contract/finding.ts'
import { pastedName, pastedStart } from '../../contract/pasted-name.ts'
import { MOST_WRITES, type RunState, SiteContext, type StartRun } from '../../contract/run.ts'
import type { Sending } from '../../contract/sending.ts'
import { StartPath } from '../../contract/start-paths.ts'
import { connect, domainIdOf, download, findingsOf, follow, reportSettled } from '../client.ts'
import type { CliDeps } from '../deps.ts'
import { EXIT, type ExitCode } from '../exit.ts'
import { findingsText } from '../findings-text.ts'
import { type Baseline, baselineOf, baselineText, gateHits, knownTo } from '../gate.ts'
import { assertWritable } from '../own-file.ts'
import { gapsText } from '../run-summary.ts'
import { counted, jsonText, type Screen } from '../screen.ts'
import { plannedText, writtenText } from '../sending-text.ts'
import { type AsWhom, addAsWhom, asWhom } from './as-whom.ts'
import { EXCLUDE_HINT, examples, gathered, oneOf, START_PATH_HINT, wholeNumber } from './options.ts'
import { endOf, stateText } from './runs.ts'
import { addSwitches, switchesOf } from './switches.ts'

interface Options extends Readonly<Record<string, unknown>>, AsWhom {
  readonly active: boolean
  readonly context?: SiteContext
  readonly exclude: readonly string[]
  readonly startPath: readonly string[]
  readonly writesPerForm?: number
  readonly watch: boolean
  readonly failOn?: Severity
  readonly baseline: Baseline
  readonly sarif?: string
  readonly junit?: string
  readonly csv?: string
  readonly pdf?: string
  readonly json?: true
}

/** Files that `sonde scan` can write beside the report; each is an option of that name. */
const FORMATS = ['sarif', 'junit', 'csv'] as const satisfies readonly FileFormat[]

export const scanCommand = (deps: CliDeps, end: (code: ExitCode) => void): Command => {
  const command = new Command('scan')
    .description('start a run')
    .argument('<domain>', 'name or id of the domain; a name that is not registered yet is registered')
    .option('--active', 'also active checks; the domain has to be verified', false)
    .option(
      '--context <context>',
      'what kind of site it is: shop, brochure, saas, internal',
      oneOf(SiteContext.options),
    )
    .option(
      '--exclude <pattern>',
      'never ask for these addresses, e.g. "/admin" or "/index.php?action=delete*"; repeatable',
      gathered(ExcludePattern, EXCLUDE_HINT),
      [],
    )
    .option(
      '--start-path <path>',
      'where the site begins beside "/", e.g. "/wiki/", for what no page leads to; repeatable',
      gathered(StartPath, START_PATH_HINT),
      [],
    )
    .option(
      '--writes-per-form <number>',
      'on a test system, how often a request that may write is sent for each form, refusals aside (40)',
      wholeNumber(1, MOST_WRITES),
    )
  addAsWhom(command, 'without a word as it where there is one')
  addSwitches(command)
  return command
    .option('--watch', 'follow the run to its end and print the findings', false)
    .option('--fail-on <severity>', 'wait; exit 1 when an open finding is at least this grave', oneOf(Severity.options))
    .option(
      '--baseline <baseline>',
      'with --fail-on: "accepted" leaves out what the owners have decided about, "none" leaves out nothing, the id of a run leaves out what that run had, too',
      baselineOf,
      'accepted',
    )
    .option('--sarif <file>', 'wait; write the findings as SARIF 2.1.0')
    .option('--junit <file>', 'wait; write the checks as JUnit XML')
    .option('--csv <file>', 'wait; write the findings as CSV')
    .option('--pdf <file>', 'wait; fetch the report')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `${examples(
        'sonde scan shop.example.com --watch',
        'sonde scan shop.example.com --active --fail-on high --sarif sonde.sarif',
      )}
The cookie or header of a logged-in area comes from the environment, so that it stays out of the list of processes:
  SONDE_AUTH_COOKIE, SONDE_AUTH_HEADER

Exit codes: 0 clean, 1 the gate was hit, 2 the run failed or was cancelled, 3 usage
`,
    )
    .action(async (domain: string, options: Options) => end(await scan(deps, domain, options)))
}

const scan = async (deps: CliDeps, domain: string, options: Options): Promise<ExitCode> => {
  const { screen } = deps
  await assertWritable([options.pdf, ...FORMATS.map((format) => options[format])].filter((path) => path !== undefined))
  const client = await connect(deps)
  const known = await domainIdOf(client, domain)
  if (known.registered) screen.err(`Registered ${pastedName(domain)}.\n`)
  const start = startOf(domain, options.startPath)
  if (start.length > 0) screen.err(`The run begins at ${start.join(' ')} as well.\n`)
  const gate = options.failOn === undefined ? null : { severity: options.failOn, baseline: options.baseline }
  const before = gate === null ? [] : await knownTo(client, gate.baseline, known.id)
  const baseline = gate === null ? null : baselineText(gate.baseline)
  // One key for this start: should the client repeat the request, there is still one run.
  const headers = { 'idempotency-key': randomUUID() }
  const body = bodyOf(deps, known.id, { ...options, startPath: [...options.startPath, ...start] })
  const made = await client.startScan({ body, headers })
  const waits =
    options.watch ||
    body.dry_run ||
    [options.failOn, options.pdf, ...FORMATS.map((format) => options[format])].some(Boolean)
  if (!waits) {
    screen.out(options.json ? jsonText(made) : `${made.id}\n`)
    return EXIT.clean
  }
  if (!options.json) screen.out(`Run ${made.id}\n`)
  const run = await follow(deps, client, made.id, options.json === true)
  const findings = await findingsOf(client, run.id)
  const gated = gate === null ? [] : gateHits(findings, gate, before)
  const coverage = run.status === 'done' ? await client.readCoverage({ params: { id: run.id } }) : null
  const sending = coverage?.sending ?? null
  if (options.json)
    screen.out(jsonText({ run, findings, gate: options.failOn ?? null, baseline, gate_hits: gated.length, sending }))
  // Of a run that failed early, "No findings" would say that it had looked.
  else if (run.status !== 'done' && findings.length === 0) screen.out(stateText(screen, run))
  else screen.out(`${stateText(screen, run)}\n${findingsText(screen, findings, { long: false })}`)
  if (run.status !== 'done') return endOf(run)
  if (!options.json && coverage !== null) screen.out(gapsText(screen, coverage.items, coverage.reach ?? null))
  if (!options.json && sending !== null) screen.out(sentText(screen, sending))
  await keepFiles(deps, client, run, options)
  if (gated.length === 0) return EXIT.clean
  screen.err(`${counted(gated.length, 'finding')} of severity ${options.failOn} or above (baseline: ${baseline}).\n`)
  return EXIT.gate
}

/** The path of a pasted address, where it is not among those that were named. */
const startOf = (domain: string, named: readonly string[]): readonly string[] => {
  const { data } = StartPath.safeParse(pastedStart(domain))
  return data === undefined || named.includes(data) ? [] : [data]
}

const sentText = (screen: Screen, sending: Sending): string =>
  sending.planned ? plannedText(screen, sending.planned) : writtenText(sending)

const bodyOf = (deps: CliDeps, domainId: string, options: Options): StartRun => ({
  domain_id: domainId,
  active: options.active,
  ...switchesOf(options),
  ...(options.pdf === undefined ? {} : { make_pdf: true }),
  context: options.context ?? null,
  exclude: [...options.exclude],
  start_paths: [...options.startPath],
  ...(options.writesPerForm === undefined ? {} : { writes_per_form: options.writesPerForm }),
  auth_cookie: deps.env.SONDE_AUTH_COOKIE || null,
  auth_header: deps.env.SONDE_AUTH_HEADER || null,
  ...asWhom(options),
})

const keepFiles = async (deps: CliDeps, client: Client, run: RunState, options: Options): Promise<void> => {
  const { id } = run
  for (const format of FORMATS) {
    const path = options[format]
    if (path === undefined) continue
    const response = await client.request('listFindings', { params: { id }, query: { format } })
    await writeFile(`${path}.part`, await response.text())
    await rename(`${path}.part`, path)
  }
  if (options.pdf !== undefined) {
    await reportSettled(client, run, deps.signal)
    const file = { to: options.pdf, artifactId: null, version: null, signal: deps.signal }
    await download(client, id, 'report_pdf', file)
  }
}
