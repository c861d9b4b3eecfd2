import type { ErrorKind } from '../contract/run.ts'
import { DatabaseError } from '../store/database.ts'

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
    ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'].includes(code) ||
    /Connection terminated|timeout exceeded when trying to connect|embedded database/.test(error.message)
  )
}
