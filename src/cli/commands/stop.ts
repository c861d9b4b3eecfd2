/** The emergency stop: `sonde stop-all` and `sonde release`, with a key for one organisation, or as the operator. */
import { setTimeout as delay } from 'node:timers/promises'
import { Command, Option } from 'commander'
import type { HoldState } from '../../contract/hold.ts'
import { connect } from '../client.ts'
import type { CliDeps } from '../deps.ts'
import { EXIT, type ExitCode } from '../exit.ts'
import { clean, counted, jsonText } from '../screen.ts'
import { examples } from './options.ts'

interface Options {
  readonly org?: string
  readonly everyone?: true
  readonly reason?: string
  readonly json?: true
}

/** Milliseconds until what goes on has to have ended: a heartbeat, the grace of the scanners, and what a busy machine adds. */
const PATIENCE = 30_000
const LOOK_EVERY = 500

const orgOption = (): Option =>
  new Option('--org <name>', 'as the operator: of this organisation').conflicts('everyone')
const everyoneOption = (what: string): Option => new Option('--everyone', `as the operator: ${what}`)

export const stopCommands = (deps: CliDeps, end: (code: ExitCode) => void): readonly Command[] => {
  const { out } = deps.screen

  const stop = new Command('stop-all')
    .description('emergency stop: end every run of the organisation and hold its queue')
    .addOption(orgOption().hideHelp(deps.remote))
    .addOption(everyoneOption('of all organisations').hideHelp(deps.remote))
    .option('--reason <text>', 'shown to everybody in the organisation')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `${examples('sonde stop-all', "sonde stop-all --everyone --reason 'a target is down'")}
Nothing is asked before: runs that go on end as cancelled within seconds, those that wait keep their places.
With the key of an owner (scope organisation:write) it is about the key's organisation.
Exit codes: 0 nothing goes on any more, 2 something still does after ${PATIENCE / 1000} seconds
`,
    )
    .action(async (options: Options) => {
      const asked = await askToStop(deps, options)
      const state = await ended(deps, asked)
      if (options.json) out(jsonText(state))
      else out(stopText(state, options))
      end(state.ending === 0 ? EXIT.clean : EXIT.failed)
    })

  const release = new Command('release')
    .description('end the emergency stop: the queue is taken up again')
    .addOption(orgOption().hideHelp(deps.remote))
    .addOption(everyoneOption('the stop of all organisations').hideHelp(deps.remote))
    .option('--json', 'print JSON')
    .addHelpText('after', examples('sonde release', 'sonde release --everyone'))
    .action(async (options: Options) => {
      if (!isOperator(options)) {
        const state = await (await connect(deps)).releaseRuns()
        return out(options.json ? jsonText(state) : releaseText(state))
      }
      const operator = await deps.operator()
      try {
        const { released, holds } = await operator.call('release', { organisation: options.org ?? null })
        const still = holds.map(
          ({ organisation, hold }) => `${clean(organisation ?? 'All')} held by ${clean(hold.held_by)}.\n`,
        )
        out(
          options.json
            ? jsonText({ released, holds })
            : `${released ? 'Released.' : 'Nothing was held.'}\n${still.join('')}`,
        )
      } finally {
        await operator.close()
      }
    })

  return [stop, release]
}

const isOperator = ({ org, everyone }: Options): boolean => org !== undefined || everyone === true

/** By somebody else, while this waited. */
const RELEASED: HoldState = { hold: null, ending: 0, waiting: 0 }

interface Asked {
  readonly now: HoldState
  readonly again: () => Promise<HoldState>
  readonly close: () => Promise<void>
}

const askToStop = async (deps: CliDeps, options: Options): Promise<Asked> => {
  const { org, reason } = options
  if (!isOperator(options)) {
    const client = await connect(deps)
    const now = await client.stopRuns({ body: reason === undefined ? {} : { reason } })
    return { now, again: () => client.readHold(), close: async () => undefined }
  }
  const operator = await deps.operator()
  const organisation = org ?? null
  try {
    const now = await operator.call('stop_all', { organisation, reason: reason ?? null })
    const again = async (): Promise<HoldState> => (await operator.call('hold', { organisation })) ?? RELEASED
    return { now, again, close: operator.close }
  } catch (error) {
    await operator.close()
    throw error
  }
}

const ended = async (deps: CliDeps, { now, again, close }: Asked): Promise<HoldState> => {
  try {
    let state = now
    for (const until = Date.now() + PATIENCE; state.ending > 0 && Date.now() < until; ) {
      await delay(LOOK_EVERY, undefined, { signal: deps.signal })
      state = await again()
    }
    return state
  } finally {
    await close()
  }
}

const stopText = ({ hold, ending, waiting }: HoldState, { org, everyone }: Options): string => {
  const first = ending === 0 ? 'Nothing goes on any more.' : `${counted(ending, 'run has', 'runs have')} not ended yet.`
  const by =
    hold === null
      ? ' The queue was released meanwhile.'
      : ` The queue is held by ${clean(hold.held_by)} since ${hold.held_at}; ${counted(waiting, 'run waits', 'runs wait')}.`
  const whose = everyone ? ' --everyone' : org === undefined ? '' : ` --org '${clean(org)}'`
  return `${first}${by}\nTo go on: sonde release${whose}\n`
}

const releaseText = ({ hold }: HoldState): string =>
  hold === null
    ? 'Released.\n'
    : `Still held by ${clean(hold.held_by)} since ${hold.held_at}: only the operator can release that.\n`
