/** The options of a run that are on or off, as flags: of a start, and of a batch. */
import { type Command, Option } from 'commander'
import { type RunSwitches, type RunSwitchName, runSwitches } from '../../contract/run-switches.ts'

/** The flag of each switch, by its name. */
const SWITCHES = new Map(
  runSwitches.map(([name, { flag }]) => {
    const option = new Option(flag.name, flag.help)
    return [name, option.negate ? option : option.default(false)] as const
  }),
)

/** `without`: those that the command does not have. */
export const addSwitches = (command: Command, without: readonly RunSwitchName[] = []): void => {
  for (const [name, option] of SWITCHES) if (!without.includes(name)) command.addOption(option)
}

/** As the flags say; what came after the first version is named where it is on, so that an older service takes the rest. */
export const switchesOf = (options: Readonly<Record<string, unknown>>): RunSwitches => {
  const isOn = (name: RunSwitchName): boolean => options[SWITCHES.get(name)?.attributeName() ?? ''] === true
  return Object.fromEntries(
    runSwitches.flatMap(([name, { fallback }]) => (fallback === undefined && !isOn(name) ? [] : [[name, isOn(name)]])),
  ) as RunSwitches
}
