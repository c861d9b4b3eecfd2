/**
 * Who asked lately, by their keys: reading begins for them while the database is asked whether their key may still be used. What they
 * are told waits for that answer, so nothing is decided by what is remembered here.
 */
import { hashSecret } from '../contract/key-format.ts'
import type { Caller } from './services.ts'

export interface KnownCallers {
  readonly of: (secret: string) => KnownKey
}

/** What is known of one key. */
export interface KnownKey {
  /** Null where nobody was let in last time. */
  readonly caller: Caller | null
  /** `caller`: whom the database has just let in; null: nobody. True where that is who was remembered. */
  readonly remember: (caller: Caller | null) => boolean
}

/** Remembered at once; past it the one that asked least lately is forgotten. */
const MOST = 1_000

interface Known {
  readonly caller: Caller
  /** All that there is to know of them, to compare. */
  readonly text: string
}

export const createKnownCallers = (most = MOST): KnownCallers => {
  const known = new Map<string, Known>()
  const remember = (name: string, caller: Caller | null): boolean => {
    const before = known.get(name)
    known.delete(name)
    if (caller === null) return false
    const text = JSON.stringify(caller)
    const same = before?.text === text
    known.set(name, same ? before : { caller, text })
    const [oldest] = known.keys()
    if (known.size > most && oldest !== undefined) known.delete(oldest)
    return same
  }
  return {
    of: (secret) => {
      // No secret is kept.
      const name = hashSecret(secret).toString('latin1')
      return { caller: known.get(name)?.caller ?? null, remember: (caller) => remember(name, caller) }
    },
  }
}
