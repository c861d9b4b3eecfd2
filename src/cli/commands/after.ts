/** Commands of a user about what a run came to: decide about a finding, look at it again, compare with an earlier run. */
import { Command } from 'commander'
import type { Comparison, Listed } from '../../contract/comparison.ts'
import { SEVERITIES } from '../../contract/finding.ts'
import type { Retest } from '../../contract/retest.ts'
import { Uuid } from '../../contract/run.ts'
import { sleep } from '../../contract/sleep.ts'
import type { SetTriage } from '../../contract/triage.ts'
import { connect } from '../client.ts'
import type { CliDeps } from '../deps.ts'
import { EXIT, type ExitCode, UsageError } from '../exit.ts'
import { findingsText, locationText } from '../findings-text.ts'
import { clean, jsonText, paint, type Screen } from '../screen.ts'
import { type AsWhom, addAsWhom, asWhom } from './as-whom.ts'
import { examples, inDays, JSON_FLAG, matching } from './options.ts'

const RUN = '0198f2c4-5f7e-7c3a-9a51-2b8d1c6e4f00'
const FINDING = '0a5b2a6f-9a3e-4d39-8a7c-5b1b8f6d7c42'
/** Milliseconds between two looks at a retest. */
const EVERY = 2_000
const idOf = (what: string) => matching(Uuid, `It is the id of a ${what}.`)

interface TriageOptions {
  readonly accept?: true
  readonly falsePositive?: true
  readonly reopen?: true
  readonly owner?: string
  readonly reason?: string
  readonly days?: string
  readonly json?: true
}

export const afterCommands = (deps: CliDeps, end: (code: ExitCode) => void): readonly Command[] => {
  const { screen } = deps

  const triage = new Command('triage')
    .description('decide about a finding, for all runs of its domain')
    .argument('<run>', 'id of a run that has it', idOf('run'))
    .argument('<finding>', 'id of the finding, as "sonde findings RUN --long" shows it', idOf('finding'))
    .option('--accept', 'it is known and borne for now')
    .option('--false-positive', 'it is no problem here')
    .option('--reopen', 'take the decision back')
    .option('--owner <name>', 'who answers for the decision')
    .option('--reason <text>', 'why')
    .option('--days <number>', 'open again after so many days; without it, when the evidence changes', inDays)
    .option(...JSON_FLAG)
    .addHelpText(
      'after',
      examples(
        `sonde triage ${RUN} ${FINDING} --accept --owner 'J. Weber' --reason 'gone in spring' --days 90`,
        `sonde triage ${RUN} ${FINDING} --reopen`,
      ),
    )
    .action(async (id: string, finding_id: string, options: TriageOptions) => {
      const body = decisionOf(options)
      const client = await connect(deps)
      const finding = await client.setTriage({ params: { id, finding_id }, body })
      screen.out(options.json ? jsonText(finding) : findingsText(screen, [finding], { long: false }))
    })

  const diff = new Command('diff')
    .description('what changed against an earlier run of the domain')
    .argument('<run>', 'id of the run', idOf('run'))
    .argument('[base]', 'id of the earlier run; the one before by default', idOf('run'))
    .option(...JSON_FLAG)
    .addHelpText('after', examples(`sonde diff ${RUN}`))
    .action(async (id: string, base: string | undefined, options: { json?: true }) => {
      const made = await (await connect(deps)).compareScans({ params: { id }, query: { base } })
      screen.out(options.json ? jsonText(made) : comparisonText(screen, made))
    })

  return [triage, retestCommand(deps, end), diff]
}

const retestCommand = (deps: CliDeps, end: (code: ExitCode) => void): Command => {
  const retest = new Command('retest')
    .description('look again whether a finding is still there; exit 1 where it is, 2 where that could not be seen')
    .argument('<run>', 'id of a run that has it', idOf('run'))
    .argument('<finding>', 'id of the finding, as "sonde findings RUN --long" shows it', idOf('finding'))
  return addAsWhom(retest, 'without a word as the run that had the finding')
    .option(...JSON_FLAG)
    .addHelpText('after', examples(`sonde retest ${RUN} ${FINDING}`))
    .action(async (id: string, finding_id: string, options: AsWhom & { json?: true }) => {
      const client = await connect(deps)
      const params = { id, finding_id }
      let now = await client.retestFinding({ params, body: asWhom(options) })
      while (now.state === 'waiting' || now.state === 'running') {
        await sleep(EVERY, deps.signal)
        now = await client.readRetest({ params })
      }
      deps.screen.out(options.json ? jsonText(now) : retestText(deps.screen, now))
      end(RETEST_EXIT[now.state])
    })
}

const RETEST_EXIT = { gone: EXIT.clean, still_there: EXIT.gate, not_tested: EXIT.failed } as const

const retestText = (screen: Screen, { state, reason, finding }: Retest): string => {
  if (state === 'gone') return 'Gone: the check looked again and did not find it.\n'
  if (finding !== null) return `Still there.\n\n${findingsText(screen, [finding], { long: true })}`
  return `It could not be looked at: ${clean(reason ?? 'no reason is known')}\n`
}

const decisionOf = ({ accept, falsePositive, reopen, owner, reason, days }: TriageOptions): SetTriage => {
  const [state, ...others] = [
    ...(accept ? (['accepted'] as const) : []),
    ...(falsePositive ? (['false_positive'] as const) : []),
    ...(reopen ? (['open'] as const) : []),
  ]
  if (!state || others.length > 0) throw new UsageError('One of --accept, --false-positive and --reopen is needed.')
  return {
    state,
    ...(owner === undefined ? {} : { owner }),
    ...(reason === undefined ? {} : { reason }),
    expires_at: days ?? null,
  }
}

export const comparisonText = (screen: Screen, made: Comparison): string => {
  if (made.base === null) return 'There is no earlier run to compare with.\n'
  const line = (mark: string, { severity, title, location }: Listed, more = ''): string =>
    `  ${mark} ${paint(screen, severity, severity.padEnd(8))} ${clean(title)}  ${locationText(location)}${more}\n`
  const block = <Item extends Listed>(heading: string, items: readonly Item[], text: (item: Item) => string): string =>
    items.length === 0
      ? ''
      : `${paint(screen, 'bold', `${heading} (${items.length})`)}\n${bySeverity(items).map(text).join('')}\n`
  const shift = ({ before, after }: Comparison['changed'][number]): string =>
    before.severity === after.severity ? '' : `  was ${before.severity}`
  return [
    `Against run ${made.base.id} of ${made.base.finished_at ?? 'unknown time'}\n\n`,
    block('New', made.new, (item) => line('+', item)),
    block('Gone', made.gone, (item) => line('-', item)),
    block('Changed', made.changed, (item) => line('~', item, shift(item))),
    block('Not comparable', made.not_comparable, (item) => line('?', item, `  ${clean(item.reason)}`)),
    `${made.unchanged} unchanged.\n`,
  ].join('')
}

const bySeverity = <Item extends Listed>(items: readonly Item[]): readonly Item[] =>
  items.toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity))
