/** `sonde erase`: everything that is stored of a domain, or of an organisation, deleted for good, with a signed receipt. */
import { type FileHandle, open, rm } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { Command } from 'commander'
import type { ErasedCounts, Erasure } from '../../contract/erasure.ts'
import { connect } from '../client.ts'
import type { CliDeps } from '../deps.ts'
import { EXIT, type ExitCode, UsageError } from '../exit.ts'
import { clean, counted, jsonText } from '../screen.ts'
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

export const eraseCommands = (deps: CliDeps, end: (code: ExitCode) => void): readonly Command[] => {
  const erase = new Command('erase')
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
      await tellReceipt({ receipt, json }, () => (organisation ? ofOrganisation(deps, name) : ofDomain(deps, name)))
    })

  const later = new Command('erasure')
    .description('show an erasure, and get its receipt once the last file is gone')
    .argument('<id>', 'as "sonde erase" has told it')
    .option('--organisation', 'as the operator: of an organisation that was erased')
    .option('--receipt <file>', 'write the receipt there')
    .option(...JSON_FLAG)
    .addHelpText('after', examples('sonde erasure 0f4c8a2e-5b7d-4e19-9a63-2d8f1c6b7e50 --receipt erased.json'))
    .action((id: string, { organisation, receipt, json }: Options) =>
      tellReceipt({ receipt, json }, () => (organisation ? asOperator(deps, id) : asOwner(deps, id))),
    )

  /** The file is made first: what is erased is so, whether its receipt finds a place or not. */
  const tellReceipt = async (
    { receipt, json }: Pick<Options, 'receipt' | 'json'>,
    work: () => Promise<Erasure>,
  ): Promise<void> => {
    const file = receipt === undefined ? null : await newFile(receipt)
    let made: Erasure | null = null
    try {
      made = await work()
      if (made.receipt !== null) await file?.writeFile(made.receipt)
    } finally {
      await file?.close()
      if (receipt !== undefined && (made?.receipt ?? null) === null) await rm(receipt, { force: true })
    }
    deps.screen.out(json ? jsonText(made) : erasureText(made, receipt ?? null))
    end(made.receipt === null ? EXIT.failed : EXIT.clean)
  }
  return [erase, later]
}

const newFile = async (path: string): Promise<FileHandle> => {
  try {
    return await open(path, 'wx')
  } catch (cause) {
    throw new UsageError(`${clean(path)} cannot be made: name a file that is not there yet`, { cause })
  }
}

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

const asOwner = async (deps: CliDeps, id: string): Promise<Erasure> =>
  (await connect(deps)).readErasure({ params: { id } })

const asOperator = async (deps: CliDeps, id: string): Promise<Erasure> => {
  const operator = await deps.operator()
  try {
    const found = await operator.call('erasure', { id })
    if (found === null) throw new UsageError(`There is no erasure ${clean(id)}`)
    return found
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
      ? `Its files are still being deleted; the receipt comes then: sonde erasure ${id}${domain === null ? ' --organisation' : ''} --receipt FILE\n`
      : file === null
        ? ''
        : `The receipt is in ${clean(file)}.\n`
  return `${what} is erased: ${countsText(counts)}.\n${how}`
}

export const countsText = ({ runs, findings, files, bytes }: ErasedCounts): string =>
  `${counted(runs, 'run')}, ${counted(findings, 'finding')}, ${counted(files, 'file')} of ${counted(bytes, 'byte')}`
