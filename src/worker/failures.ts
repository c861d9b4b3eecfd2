import type { ErrorKind } from '../contract/run.ts'
import { DatabaseError } from '../store/database.ts'
import type { Logger } from './options.ts'

/** The lease is gone: somebody else has the run, or it ended. Nothing more may be written. */
export class LeaseLost extends Error {
  constructor() {
    super('The lease was lost')
    this.name = 'LeaseLost'
  }
}

/** The work was broken off because the run has to stop; why, the run's `Stop` knows. */
export class Stopped extends Error {
  constructor() {
    super('The run has to stop')
    this.name = 'Stopped'
  }
}

/** A failure that the run's owner is told about, with a sentence. */
export class RunFailed extends Error {
  readonly kind: ErrorKind
  constructor(kind: ErrorKind, detail: string, options?: { cause?: unknown }) {
    super(detail, options)
    this.name = 'RunFailed'
    this.kind = kind
  }
}

const OF_THE_TARGET: ReadonlySet<ErrorKind> = new Set([
  ...(['target_unresolvable', 'target_unreachable', 'target_refused', 'auth_rejected'] as const),
])

/** Into the operator's log. What is the target's is no fault of the service: nobody has to look into it, and where we noticed it says nothing. */
export const tellFailure = (
  logger: Pick<Logger, 'info' | 'error'>,
  run: string,
  { kind, message: detail }: RunFailed,
  err: unknown,
): void => {
  if (OF_THE_TARGET.has(kind)) logger.info({ run, kind, detail }, 'run failed')
  else logger.error({ run, kind, err }, 'run failed')
}

/** The storage did not come back for so many milliseconds: the run goes back to the queue, and its attempt does not count. */
export class StorageAway extends Error {
  constructor(milliseconds: number, options: { readonly cause: unknown }) {
    super(`The storage was away for ${Math.round(milliseconds / 1000)} s`, options)
    this.name = 'StorageAway'
  }
}

/** Where it goes is there and refuses these very data, `cause` says why: the same again would not help. */
export class Unstorable extends Error {
  constructor(options: { readonly cause: unknown }) {
    super('What a module found cannot be stored', options)
    this.name = 'Unstorable'
  }
}

/** Throws when the answer of a fenced write is that the lease is lost. */
export const held = <T>(answer: T | 'lost'): T => {
  if (answer === 'lost') throw new LeaseLost()
  return answer
}

/**
 * True when the database itself was away, and not our statement wrong: classes 08, 53 and 57 of SQLSTATE, and errors
 * of the connection. The run is then left to its lease, which another worker takes over.
 */
export const isDatabaseAway = (error: unknown): boolean => {
  if (error instanceof DatabaseError) return /^(08|53|57)/.test(error.code)
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return (
    UNREACHABLE.includes(code) ||
    // The file of a socket, and not any file.
    (code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect') ||
    /Connection terminated|connection error and is not queryable|timeout exceeded when trying to connect|embedded database/.test(
      error.message,
    )
  )
}

const UNREACHABLE = [
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  // A name that cannot be asked for.
  ...['ENOTFOUND', 'EAI_AGAIN'],
]
