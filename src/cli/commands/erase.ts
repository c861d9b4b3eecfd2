/** `sonde erase`: everything that is stored of a domain, or of an organisation, deleted for good, with a signed receipt. */
import { writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { Command } from 'commander'
import type { ErasedCounts, Erasure } from '../../contract/erasure.ts'
import { connect } from '../client.ts'
import type { CliDeps } from '../deps.ts'
import { EXIT, type ExitCode, UsageError } from '../exit.ts'
import { clean, jsonText } from '../screen.ts'
import { examples, JSON_FLAG } from './options.ts'

interface Options {
  readonly confirm?: string
  readonly organisation?: true
  readonly receipt?: string
  readonly json?: true
}

/** Milliseconds for the files of what was erased; with more of them the receipt comes later. */
const PATIENCE = 60_000
const LOOK_EVERY = 500

export const eraseCommand = (deps: CliDeps, end: (code: ExitCode) => void): Command =>
  new Command('erase')
    .description('delete everything that is stored of a domain, for good, and get a signed receipt')
    .argument('<name>', 'the domain as it was registered, one that was removed too')
    .option('--confirm <name>', 'the name once more: what is erased does not come back')
    .option('--organisation', 'as the operator: the organisation of this name or id, with all of its domains')
    .option('--receipt <file>', 'write the receipt there')
    .option(...JSON_FLAG)
    .addHelpText(
      'after',
      `${examples(
        'sonde erase shop.example.com --confirm shop.example.com --receipt erased.json',
        'sonde erase --organisation "Acme Ltd" --confirm "Acme Ltd"',
      )}
Runs have to have ended. Backups are yours: those made before hold it until you delete them, and after one of them is restored it
has to be erased again. "sonde verify" checks the receipt.
Exit codes: 0 all is gone, 2 the rows are gone and files are still being deleted: the receipt comes later
`,
    )
    .action(async (name: string, { confirm, organisation, receipt, json }: Options) => {
      if (confirm !== name)
        throw new UsageError(`Say it once more: --confirm "${clean(name)}". What is erased does not come back`)
      const made = await (organisation ? ofOrganisation(deps, name) : ofDomain(deps, name))
      if (receipt !== undefined && made.receipt !== null) await writeFile(receipt, made.receipt, { flag: 'wx' })
      deps.screen.out(json ? jsonText(made) : erasureText(made, receipt ?? null))
      end(made.receipt === null ? EXIT.failed : EXIT.clean)
    })

const ofDomain = async (deps: CliDeps, domain: string): Promise<Erasure> => {
  const client = await connect(deps)
  const made = await client.eraseDomain({ body: { domain, confirm: domain } })
  return settled(made, ({ id }) => client.readErasure({ params: { id } }))
}

const ofOrganisation = async (deps: CliDeps, organisation: string): Promise<Erasure> => {
  const operator = await deps.operator()
  try {
    const made = await operator.call('org_erase', { organisation, confirm: organisation })
    return await settled(made, async (last) => (await operator.call('erasure', { id: last.id })) ?? last)
  } finally {
    await operator.close()
  }
}

/** Once its receipt is there, or as it is when it has taken too long. */
const settled = async (made: Erasure, read: (last: Erasure) => Promise<Erasure>): Promise<Erasure> => {
  const until = performance.now() + PATIENCE
  let last = made
  while (last.receipt === null && performance.now() < until) {
    await delay(LOOK_EVERY)
    last = await read(last)
  }
  return last
}

const erasureText = ({ id, domain, organisation, counts, receipt }: Erasure, file: string | null): string => {
  const what = clean(domain ?? `The organisation ${organisation}`)
  const how =
    receipt === null
      ? `Its files are still being deleted; the receipt comes then, as erasure ${id}.\n`
      : file === null
        ? ''
        : `The receipt is in ${clean(file)}.\n`
  return `${what} is erased: ${countsText(counts)}.\n${how}`
}

export const countsText = ({ runs, findings, files, bytes }: ErasedCounts): string =>
  `${runs} runs, ${findings} findings, ${files} files of ${bytes} bytes`
