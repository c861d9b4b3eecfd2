/** What the program's exit code says, and which failure gives which. */
import { resolve } from 'node:path'
import { CommanderError } from 'commander'
import { ApiError, ConnectionError } from '../contract/client.ts'
import { OperatorError } from '../contract/operator.ts'
import { clean } from './screen.ts'

export const EXIT = {
  /** All went well; with a gate: nothing reached it. */
  clean: 0,
  /** `--fail-on`: a finding reached the gate. `verify`: a file is not as it was signed. */
  gate: 1,
  /** The run failed or was cancelled, or its result could not be had. A gate is never passed by that. */
  failed: 2,
  /** Wrong words or settings, or a refusal that asking again unchanged would not fix. */
  usage: 3,
  /** `verify` alone, of files that are intact: whose the key is nobody said … */
  unknownSigner: 4,
  /** … it is not the expected one … */
  otherSigner: 5,
  /** … files are missing … */
  incomplete: 6,
  /** … or the key was revoked. */
  revokedSigner: 7,
} as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** The words are wrong in a way that the parser of the command line cannot see. */
export class UsageError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'UsageError'
  }
}

/** Errors whose message is all that a person needs; others get their stack printed with SONDE_LOG_LEVEL=debug. */
export const exitOf = (error: unknown): ExitCode => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.clean : EXIT.usage
  if (error instanceof UsageError || error instanceof OperatorError) return EXIT.usage
  if (error instanceof Error && error.name === 'ConfigError') return EXIT.usage
  if (error instanceof ApiError) return error.status < 500 && error.status !== 429 ? EXIT.usage : EXIT.failed
  return EXIT.failed
}

/** A sentence for the person, with what to do where that is known. */
export const explain = (error: unknown): string => {
  if (error instanceof ApiError) {
    const { code } = error.problem
    const hint = HINTS[code]
    return `${error.message} (${code})${hint === undefined ? '' : `\n${hint}`}`
  }
  if (!(error instanceof Error)) return String(error)
  if (error instanceof ConnectionError && /certificate/.test(error.message)) return `${error.message}\n${OWN_AUTHORITY}`
  return fileFailure(error) ?? error.message
}

const OWN_AUTHORITY = 'Of an authority of your own? NODE_EXTRA_CA_CERTS=/path/of/its/certificate.pem'

/** Of Node's errors about a file, by errno(3). */
const FILE_FAILURES: Readonly<Record<string, string>> = {
  EACCES: 'this user may not read or write there',
  EPERM: 'this user may not read or write there',
  EROFS: 'the file system there can only be read',
  ENOSPC: 'no space is left there',
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'what should be a folder on the way there is none',
  EISDIR: 'that is a folder',
}

/** Which file, as an absolute path, and what is wrong with it; null where the error is about none. */
export const fileFailure = (error: Error & { readonly code?: unknown; readonly path?: unknown }): string | null => {
  const said = typeof error.code === 'string' ? FILE_FAILURES[error.code] : undefined
  if (said === undefined || typeof error.path !== 'string') return null
  // The program of the Debian package leaves root's rights before it does anything.
  const who = /^E(?:ACCES|PERM)$/.test(String(error.code)) && isOfPackage() ? AS_SONDE : ''
  return `${clean(resolve(error.path))}: ${said} (${error.code})${who}`
}
const isOfPackage = (): boolean => process.env.HOME === '/var/lib/sonde' && process.getuid?.() !== 0
const AS_SONDE = "\nRoot's commands run as the user sonde: name a folder that this user may write, such as /tmp"

const HINTS: Readonly<Record<string, string>> = {
  unauthenticated: 'Set SONDE_API_KEY to a key of this service: "sonde key create" makes one.',
  domain_not_verified:
    'Publish one of the proofs and verify, or let the operator vouch: "sonde domain add --verified".',
  quota_exceeded: 'The operator can change the plan: "sonde org set --plan".',
}
