/** `sonde templates`: check and try one's own templates. */
import { Command, InvalidArgumentError } from 'commander'
import type { CliDeps, TemplateLint, TemplateRun } from '../deps.ts'
import { EXIT, type ExitCode, UsageError } from '../exit.ts'
import { clean, counted, jsonText, table } from '../screen.ts'
import { examples, JSON_FLAG } from './options.ts'

interface RunFlags {
  readonly target: string
  readonly allow: readonly string[]
  readonly var: Readonly<Record<string, string>>
  readonly id: readonly string[]
  readonly json?: true
}

export const templatesCommand = (deps: CliDeps, end: (code: ExitCode) => void): Command => {
  const { out, err } = deps.screen
  const templates = new Command('templates').description('check and run templates of your own (nuclei’s YAML format)')

  templates
    .command('lint <folder>')
    .description('read every template and say what is wrong, with file and line; exit code 1 when something is')
    .option('--warnings', 'also what has no effect')
    .option('--summary', 'a table in place of the list: what runs in a scan, what is held back or refused, and why')
    .option(...JSON_FLAG)
    .addHelpText(
      'after',
      examples('sonde templates lint my-templates/', 'sonde templates lint --summary my-templates/'),
    )
    .action(async (folder: string, options: { warnings?: true; summary?: true; json?: true }) => {
      const report = (await deps.templates()).lint(folder)
      if (report.problems.some(({ level }) => level === 'error' || level === 'defect')) end(EXIT.gate)
      if (options.json) out(jsonText(report))
      else out(options.summary ? summaryText(report) : lintText(report, options.warnings === true))
    })

  templates
    .command('run <folder>')
    .description('run the templates of a folder against one address; what would change or harm it is held back')
    .requiredOption('--target <address>', 'http or https address of a site that you may test')
    .option('--allow <tier...>', 'also run: login, write, time-based, bulk, destructive, smuggling', [])
    .option('--var <name=value>', 'a value for a variable, such as username=demo; may be repeated', addValue, {})
    .option('--id <id...>', 'only templates with these ids', [])
    .option(...JSON_FLAG)
    .addHelpText(
      'after',
      examples(
        'sonde templates run my-templates/ --target https://shop.example',
        'sonde templates run my-templates/ --target https://shop.example --id my-check --var token=abc',
      ),
    )
    .action(async (folder: string, flags: RunFlags) => {
      const url = URL.parse(flags.target)
      if (!url || !/^https?:$/.test(url.protocol)) throw new UsageError('--target has to be an http or https address.')
      const tool = await deps.templates()
      const options = { folder, target: flags.target, allow: flags.allow, values: flags.var, only: flags.id }
      const ran = await tool.run(options, deps.signal, (text) => err(`${text}\n`))
      out(flags.json ? jsonText(ran) : runText(ran))
    })
  return templates
}

const addValue = (text: string, values: Readonly<Record<string, string>>): Readonly<Record<string, string>> => {
  const equals = text.indexOf('=')
  if (equals < 1) throw new InvalidArgumentError('It is a name, "=", and a value.')
  return { ...values, [text.slice(0, equals)]: text.slice(equals + 1) }
}

const lintText = (report: TemplateLint, warnings: boolean): string => {
  const shown = report.problems.filter(({ level }) => warnings || level !== 'warning')
  const lines = shown.map(
    ({ file, line, level, message }) => `${clean(file)}${line > 0 ? `:${line}` : ''}  ${level}  ${clean(message)}`,
  )
  return [...lines.map((line) => `${line}\n`), sumLine(report)].join('')
}

const summaryText = ({ summary, ...report }: TemplateLint): string => {
  const rows = summary.map(({ protocol, files, broken, refused, heldBack, allowed }) => [
    protocol,
    String(files),
    String(allowed),
    String(total(heldBack)),
    String(total(refused)),
    String(broken),
  ])
  const reasons = summary.flatMap(({ protocol, heldBack, refused }) => [
    ...heldBack.map(({ tier, templates }) => `${protocol}  ${templates} held back: ${tier}`),
    ...refused.map(({ reason, templates }) => `${protocol}  ${templates} refused: ${clean(reason)}`),
  ])
  return [
    table(['PROTOCOL', 'FILES', 'RUN IN A SCAN', 'HELD BACK', 'REFUSED', 'BROKEN'], rows),
    reasons.map((line) => `${line}\n`).join(''),
    sumLine(report),
  ].join('')
}

const total = (counts: readonly { readonly templates: number }[]): number =>
  counts.reduce((sum, { templates }) => sum + templates, 0)

const sumLine = ({ templates, refused, broken }: Pick<TemplateLint, 'templates' | 'refused' | 'broken'>): string =>
  `${counted(templates, 'template')} can run; refused by policy: ${refused}, broken: ${broken}.\n`

const runText = (ran: TemplateRun): string => {
  const hits = ran.hits.map(({ severity, template, matcher, at, confidence, extracted }) => [
    severity,
    clean(matcher === '' ? template : `${template}: ${matcher}`),
    confidence,
    clean(at),
    clean(extracted.join(', ')).slice(0, 60),
  ])
  const lines = [
    hits.length === 0 ? 'Nothing matched.\n' : table(['SEVERITY', 'TEMPLATE', 'CONFIDENCE', 'WHERE', 'FOUND'], hits),
    ...[
      ...ran.skipped.map((one) => ({ ...one, what: 'not run' })),
      ...ran.failed.map((one) => ({ ...one, what: 'no answer' })),
    ]
      .slice(0, 20)
      .map(({ template, reason, what }) => `${what}  ${clean(template)}: ${clean(reason)}\n`),
    ...Object.entries(ran.heldBack).map(([tier, count]) => `held back  ${count} of tier ${tier} (--allow ${tier})\n`),
    `${ran.run} of ${ran.selected} templates run, ${counted(ran.requests.sent, 'request')} sent of ${ran.requests.named} named, ${counted(ran.refuted, 'match', 'matches')} refuted by a control.\n`,
  ]
  return lines.join('')
}
