/** The command line program: all commands, and what its exit code says. */
import { Command, CommanderError, Help, InvalidArgumentError, type Option } from 'commander'
import { afterCommands } from './commands/after.ts'
import { agentCommand } from './commands/agents.ts'
import { backupCommands } from './commands/backup.ts'
import { batchCommand } from './commands/batches.ts'
import { completionCommand } from './commands/completion.ts'
import { eraseCommands } from './commands/erase.ts'
import { feedsCommand } from './commands/feeds.ts'
import { hypothesisCommand } from './commands/hypothesis.ts'
import { loginCommand } from './commands/identities.ts'
import { mcpCommand } from './commands/mcp.ts'
import { memberCommand } from './commands/members.ts'
import { domainCommand, operatorCommands } from './commands/operator.ts'
import { receiverCommands } from './commands/receivers.ts'
import { runCommands } from './commands/runs.ts'
import { scanCommand } from './commands/scan.ts'
import { scheduleCommand } from './commands/schedules.ts'
import { serviceCommands } from './commands/service.ts'
import { stopCommands } from './commands/stop.ts'
import { templatesCommand } from './commands/templates.ts'
import { verifyCommands } from './commands/verify.ts'
import type { CliDeps } from './deps.ts'
import { EXIT, type ExitCode, exitOf, explain } from './exit.ts'

const EXIT_CODES = `
Exit codes: 0 clean, 1 the gate of --fail-on was hit, 2 the run failed or was
cancelled, 3 usage; commands that have their own say so in their help
`
const AFTER_HELP = `
Commands ask the service at SONDE_URL with SONDE_API_KEY; without both, the one
of this machine's data folder. Those for the operator reach it through its data
folder (SONDE_DATA), or PostgreSQL (DATABASE_URL). Every command takes --data
FOLDER in place of SONDE_DATA; what is printed for people is JSON with --json.
${EXIT_CODES}`
const AFTER_REMOTE_HELP = `
Every command asks the service at SONDE_URL with SONDE_API_KEY, which its operator or an owner gives.
${EXIT_CODES}`

/** `words` are those after the program's name. Never throws; everything a person has to know is on the screen. */
export const runCli = async (words: readonly string[], deps: CliDeps): Promise<ExitCode> => {
  let code: ExitCode = EXIT.clean
  const end = (result: ExitCode): void => {
    code = result
  }
  try {
    await buildProgram(deps, end).parseAsync(words, { from: 'user' })
    return code
  } catch (error) {
    // Commander has printed its own errors; a value that a command itself has refused is none of them.
    if (!(error instanceof CommanderError) || error instanceof InvalidArgumentError)
      deps.screen.err(`${explain(error)}\n`)
    if (deps.env.SONDE_LOG_LEVEL === 'debug' && error instanceof Error) deps.screen.err(`${error.stack}\n`)
    return exitOf(error)
  }
}

export const buildProgram = (deps: CliDeps, end: (code: ExitCode) => void): Command => {
  const program = new Command('sonde')
    .description('Security scans of web sites: start, watch, read and operate them')
    .version(deps.version, '--version')
    .addHelpText('after', deps.remote ? AFTER_REMOTE_HELP : AFTER_HELP)
    .showHelpAfterError('Add --help to see what is possible.')
  for (const [heading, commands] of groupsOf(deps, end)) {
    program.commandsGroup(heading)
    for (const command of commands) program.addCommand(command)
  }
  program.addCommand(completionCommand(deps, program))
  adopt(program, deps)
  program.hook('preAction', (_, action) => {
    const { data } = action.opts<{ data?: string }>()
    if (data !== undefined) deps.chooseFolder(data)
  })
  return program
}

/** As `--help` lists them: what is wanted first stands first. */
const groupsOf = (deps: CliDeps, end: (code: ExitCode) => void): readonly (readonly [string, readonly Command[]])[] => [
  ['Runs:', [scanCommand(deps, end), ...runCommands(deps, end), ...stopCommands(deps, end)]],
  ['Findings and reports:', [...afterCommands(deps, end), hypothesisCommand(deps, end), ...verifyCommands(deps, end)]],
  [
    'Domains:',
    [
      ...[domainCommand(deps, end), loginCommand(deps, end), batchCommand(deps), scheduleCommand(deps)],
      ...eraseCommands(deps, end),
    ],
  ],
  ['People and programs:', [...receiverCommands(deps), memberCommand(deps), agentCommand(deps, end), mcpCommand(deps)]],
  ...(deps.remote ? [] : [['The service, for its operator:', ownCommands(deps, end)] as const]),
  ['Help:', []],
]

/** Those that need the service's data folder or database, or its knowledge. */
const ownCommands = (deps: CliDeps, end: (code: ExitCode) => void): readonly Command[] => [
  ...operatorCommands(deps),
  ...serviceCommands(deps, end),
  ...backupCommands(deps, end),
  feedsCommand(deps, end),
  templatesCommand(deps, end),
]

/** Commander hands settings down only to commands that it makes itself. */
const adopt = (command: Command, deps: CliDeps): void => {
  if (command.commands.length === 0 && !deps.remote)
    command.option('--data <folder>', 'data folder, instead of SONDE_DATA')
  command.configureHelp({ subcommandTerm: (child) => child.name(), optionDescription: optionText })
  command.exitOverride().configureOutput({ writeOut: deps.screen.out, writeErr: deps.screen.err })
  command.showHelpAfterError('Add --help to see what is possible.')
  for (const child of command.commands) adopt(child, deps)
}

/** A default is told where it says something: not that a flag is off, nor that a list is empty. */
const optionText = (option: Option): string => {
  const { defaultValue } = option
  const isEmpty = defaultValue === false || ['[]', '{}'].includes(JSON.stringify(defaultValue))
  const shown: Option = isEmpty ? Object.assign(Object.create(option), { defaultValue: undefined }) : option
  return HELP.optionDescription(shown)
}
const HELP = new Help()
