/** `sonde completion`: what a shell proposes after the tabulator, as a script for it. */
import { Command, type Option } from 'commander'
import type { CliDeps } from '../deps.ts'
import { examples, oneOf } from './options.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const

/** What may follow the words of a command: commands below it, and its options. */
interface Place {
  /** Words after the program's name; none for the program itself. */
  readonly path: readonly string[]
  readonly commands: readonly { readonly name: string; readonly says: string }[]
  readonly options: readonly { readonly name: string; readonly says: string }[]
}

export const completionCommand = (deps: CliDeps, program: Command): Command =>
  new Command('completion')
    .description('print a script that completes commands and options in a shell')
    .argument('<shell>', SHELLS.join(', '), oneOf(SHELLS))
    .addHelpText(
      'after',
      examples(
        'sonde completion bash > ~/.local/share/bash-completion/completions/sonde',
        'sonde completion zsh > ~/.zfunc/_sonde',
        'sonde completion fish > ~/.config/fish/completions/sonde.fish',
      ),
    )
    .action((shell: (typeof SHELLS)[number]) => deps.screen.out(SCRIPTS[shell](placesOf(program, []))))

const placesOf = (command: Command, path: readonly string[]): readonly Place[] => [
  {
    path,
    commands: command.commands.map((one) => ({ name: one.name(), says: one.description() })),
    options: [...command.options.flatMap(optionOf), { name: '--help', says: 'display help for command' }],
  },
  ...command.commands.flatMap((one) => placesOf(one, [...path, one.name()])),
]

const optionOf = ({ long, description }: Option) => (long ? [{ name: long, says: description }] : [])

const wordsOf = ({ commands, options }: Place): string => [...commands, ...options].map(({ name }) => name).join(' ')

/** The words that are commands, joined by spaces; what is no command (an argument, an option) is passed over. */
const bash = (places: readonly Place[]): string => `# bash completion of sonde
_sonde() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case " $path $word" in
${places
  .filter(({ path }) => path.length > 0)
  .map(
    ({ path }) =>
      `      " ${path.length === 1 ? ' ' : `${path.slice(0, -1).join(' ')} `}${path.at(-1)}") path="${path.join(' ')}" ;;`,
  )
  .join('\n')}
    esac
  done
  case "$path" in
${places.map((place) => `    "${place.path.join(' ')}") COMPREPLY=($(compgen -W "${wordsOf(place)}" -- "$current")) ;;`).join('\n')}
  esac
}
complete -o default -F _sonde sonde ./run
`

/** The same in zsh, by its own emulation of bash. */
const zsh = (places: readonly Place[]): string => `#compdef sonde
autoload -U +X bashcompinit && bashcompinit
${bash(places)}`

const fish = (places: readonly Place[]): string =>
  `# fish completion of sonde
${places.flatMap(fishLines).join('\n')}
`

const fishLines = ({ path, commands, options }: Place): readonly string[] => {
  const seen = path.map((word) => `__fish_seen_subcommand_from ${word}`)
  const none =
    commands.length === 0 ? [] : [`not __fish_seen_subcommand_from ${commands.map(({ name }) => name).join(' ')}`]
  const condition = [...seen, ...none].join('; and ')
  const when = condition === '' ? '' : ` -n '${condition}'`
  return [
    ...commands.map(({ name, says }) => `complete -c sonde -f${when} -a ${name} -d '${quoted(says)}'`),
    ...options.map(({ name, says }) => `complete -c sonde${when} -l ${name.slice(2)} -d '${quoted(says)}'`),
  ]
}

/** Inside single quotes of fish. */
const quoted = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")

const SCRIPTS = { bash, zsh, fish } as const satisfies Record<
  (typeof SHELLS)[number],
  (places: readonly Place[]) => string
>
