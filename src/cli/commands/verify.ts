/** `sonde verify`: whether files of a report are as they were signed; and `sonde signing-key`: by whom a service signs. */
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { SigningKeys } from '../../contract/service.ts'
import { parseFingerprint } from '../../signature/envelope.ts'
import { type GivenFile, readGiven } from '../../signature/given.ts'
import { parsedJson } from '../../signature/json.ts'
import {
  type Outcome,
  type ReceiptVerdict,
  type Revocation,
  type SetVerdict,
  type Verdict,
  verifyFiles,
} from '../../signature/verify.ts'
import { connect } from '../client.ts'
import type { CliDeps } from '../deps.ts'
import { EXIT, type ExitCode, UsageError } from '../exit.ts'
import { ownFile, refusal } from '../own-file.ts'
import { clean, jsonText, paint, type Screen } from '../screen.ts'
import { countsText } from './erase.ts'
import { examples, JSON_FLAG } from './options.ts'

const KEY = '4b0e1f6a9c27d358b1e6f0a4d7c35e8290ab64fd13c7e5b8296fd0a4c17e3b52'
const EXIT_OF: Readonly<Record<Outcome, ExitCode>> = {
  verified: EXIT.clean,
  altered: EXIT.gate,
  no_signature: EXIT.failed,
  unknown_signer: EXIT.unknownSigner,
  other_signer: EXIT.otherSigner,
  incomplete: EXIT.incomplete,
  revoked: EXIT.revokedSigner,
}
const CODES = `
Exit codes: 0 intact and signed by the expected key, 1 not as it was signed, 2 no signature among the files or a file cannot be read,
3 usage, 4 intact but nobody said whose key it should be, 5 intact but signed by another key, 6 intact but files are missing,
7 intact but signed by a key that was revoked
`

interface VerifyOptions {
  readonly key?: readonly string[]
  readonly keys?: string
  readonly partial?: true
  readonly json?: true
}

export const verifyCommands = (deps: CliDeps, end: (code: ExitCode) => void): readonly Command[] => {
  const verify = new Command('verify')
    .description('check files of a report against the signature among them, without the service')
    .argument(
      '<files...>',
      'the files as they were downloaded, signature.json among them; or the folder that holds them',
    )
    .option('--key <fingerprint>', 'whose signature it has to be; may be given several times', keys)
    .option(
      '--keys <file>',
      'what the service shows at /.well-known/sonde-signing-key, saved: its keys are expected, and revoked ones told',
    )
    .option('--partial', 'files that were signed and are not here are no reason to fail')
    .option(...JSON_FLAG)
    .addHelpText('after', CODES)
    .addHelpText(
      'after',
      examples(
        'sonde verify report.pdf signature.json',
        `sonde verify run-42/ --key ${KEY}`,
        'sonde verify run-42/ --keys sonde-signing-key.json',
      ),
    )
    .action(async (paths: readonly string[], { key = [], keys: list, partial, json }: VerifyOptions) => {
      const known = list === undefined ? NO_KEYS : await keysIn(list)
      const found = verifyFiles(await givenIn(paths), [...key, ...known.expected], known.revoked)
      const outcome = partial && found.outcome === 'incomplete' ? 'verified' : found.outcome
      const verdict = { ...found, outcome }
      deps.screen.out(json ? jsonText(verdict) : verdictText(deps.screen, verdict))
      end(EXIT_OF[outcome])
    })

  const signingKey = new Command('signing-key')
    .description('show the key by which the service signs reports, and those before it')
    .option(...JSON_FLAG)
    .addHelpText('after', examples('sonde signing-key', 'sonde signing-key --json'))
    .action(async (options: { json?: true }) => {
      const known = await (await connect(deps)).readSigningKey()
      deps.screen.out(options.json ? jsonText(known) : keysText(known))
    })
  return [verify, signingKey]
}

const keys = (text: string, before: readonly string[] = []): readonly string[] => {
  const fingerprint = parseFingerprint(text)
  if (fingerprint === null) throw new InvalidArgumentError('It is a SHA-256 in 64 hexadecimal digits.')
  return [...before, fingerprint]
}

interface KnownKeys {
  readonly expected: readonly string[]
  readonly revoked: readonly Revocation[]
}
const NO_KEYS: KnownKeys = { expected: [], revoked: [] }
/** Bytes of a list of keys. */
const MAX_KEYS = 4 * 1024 * 1024

/** What was saved from the well-known address. A revoked key is no expected one. */
const keysIn = async (path: string): Promise<KnownKeys> => {
  const about = await stat(path).catch(refusal(path))
  if (about.size > MAX_KEYS) throw new UsageError(`${clean(path)} is too large for a list of keys`)
  const read = SigningKeys.safeParse(parsedJson(await ownFile(path)))
  if (!read.success)
    throw new UsageError(`${clean(path)} is no list of keys: it is what /.well-known/sonde-signing-key answers`)
  const { fingerprint, former } = read.data
  return {
    expected: [fingerprint, ...former.filter(({ revoked }) => revoked === undefined).map((key) => key.fingerprint)],
    revoked: former.flatMap((key) =>
      key.revoked === undefined ? [] : [{ fingerprint: key.fingerprint, ...key.revoked }],
    ),
  }
}

/** Of a folder and those below it. */
const MAX_FILES = 20_000
const MAX_DEPTH = 8

const givenIn = async (paths: readonly string[]): Promise<GivenFile[]> => {
  const files = (await Promise.all(paths.map((path) => filesAt(path, 0)))).flat()
  if (files.length > MAX_FILES) throw new UsageError(`These are ${files.length} files, more than ${MAX_FILES}`)
  const given: GivenFile[] = []
  for (const path of new Set(files)) given.push(await read(path))
  return given
}

/** Hidden files of a folder are of the system that keeps it. */
const filesAt = async (path: string, depth: number): Promise<string[]> => {
  const about = await stat(path).catch(refusal(path))
  if (about.isFile()) return [path]
  if (!about.isDirectory()) throw new UsageError(`${clean(path)} is neither a file nor a folder`)
  if (depth === MAX_DEPTH) throw new UsageError(`${clean(path)} has folders within folders without end`)
  const entries = (await readdir(path)).filter((name) => !name.startsWith('.')).toSorted()
  return (await Promise.all(entries.map((name) => filesAt(join(path, name), depth + 1)))).flat()
}

const read = async (path: string): Promise<GivenFile> => {
  const reading = readGiven(path)
  for await (const chunk of createReadStream(path)) reading.add(chunk as Buffer)
  return reading.end()
}

const OUTCOMES: Readonly<Record<Outcome, readonly ['good' | 'bad' | 'bold', string]>> = {
  verified: ['good', 'Intact, signed by the expected key.'],
  altered: ['bad', 'Not as it was signed.'],
  revoked: ['bad', 'Intact, but signed by a key that was revoked: whoever has it can sign anything.'],
  other_signer: ['bad', 'Intact, but signed by another key than the expected one.'],
  unknown_signer: ['bold', 'Intact, signer unknown: say with --key whose signature it has to be.'],
  incomplete: ['bold', 'Intact and signed by the expected key, but not whole.'],
  no_signature: ['bad', 'There is no signature among these files.'],
}
const STATES = { signature: 'ok', intact: 'ok', altered: 'ALTERED', foreign: 'FOREIGN', unproven: 'unproven' } as const

const verdictText = (screen: Screen, { outcome, receipts, sets, files }: Verdict): string => {
  const [style, sentence] = OUTCOMES[outcome]
  const lines = files.map(({ path, state, reason, chain }) => {
    const good = state === 'intact' || state === 'signature'
    const chained = good && chain !== null ? `  ${chain.lines} lines, each follows from the one before` : ''
    const why = reason === null ? chained : `  ${clean(reason)}`
    return `  ${paint(screen, good ? 'good' : 'bad', STATES[state].padEnd(8))}  ${clean(path)}${why}\n`
  })
  return `${paint(screen, style, sentence)}\n\n${receipts.map(receiptText).join('')}${sets.map(setText).join('')}${lines.join('')}`
}

const setText = ({
  target,
  run_id,
  version,
  signed_at,
  fingerprint,
  expected,
  revoked,
  missing,
}: SetVerdict): string => {
  const absent = missing.map((name) => `  MISSING   ${clean(name)}\n`).join('')
  return `${clean(target)}  run ${run_id}  version ${version}  signed ${signed_at}\nby ${fingerprint}${whoseText(expected)}\n${revokedText(revoked)}${absent}`
}

const receiptText = ({ domain, organisation, askedBy, askedAt, endedAt, counts, ...signed }: ReceiptVerdict): string =>
  `Erased: ${clean(domain ?? `the organisation ${organisation}`)}, asked for by ${clean(askedBy)} on ${askedAt}, all gone on ${endedAt}\n` +
  `${countsText(counts)}; backups made before ${askedAt} hold it until they are deleted\n` +
  `by ${signed.fingerprint}${whoseText(signed.expected)}\n${revokedText(signed.revoked)}`

const revokedText = (revoked: Revocation | null): string =>
  revoked === null ? '' : `revoked ${clean(revoked.at)}: ${clean(revoked.because)}\n`

const whoseText = (expected: boolean | null): string =>
  expected === null ? '' : expected ? ', the expected key' : ', which is not the expected key'

const keysText = ({ fingerprint, created_at, former }: SigningKeys): string =>
  [
    `${fingerprint}  signs since ${created_at}\n`,
    ...former.map(
      (key) =>
        `${key.fingerprint}  signed from ${key.created_at} to ${key.retired_at}${key.revoked === undefined ? '' : `, revoked ${key.revoked.at}: ${clean(key.revoked.because)}`}\n`,
    ),
  ].join('')
