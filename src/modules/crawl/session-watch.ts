/**
 * For modules that go on with a session after the crawl: proves it again every minute by the page that the crawl found to
 * differ with and without the credentials.
 */
import type { CollectContext } from '../module.ts'
import type { SessionFacts } from './facts.ts'
import { isOurs, type Look, look } from './session.ts'

/** Milliseconds between two proofs. */
const EVERY = 60_000

export interface SessionWatch {
  /** False once the session is lost. Asks at most one question a minute, whoever asks. */
  readonly alive: () => Promise<boolean>
  /** Proves it now. */
  readonly prove: () => Promise<boolean>
}

const ALWAYS: SessionWatch = { alive: async () => true, prove: async () => true }
const NEVER: SessionWatch = { alive: async () => false, prove: async () => false }

export const watchSession = async (ctx: CollectContext, { state, canary }: SessionFacts): Promise<SessionWatch> => {
  if (state === 'lost') return NEVER
  if (state !== 'live' || canary === null) return ALWAYS
  const [withThem, withoutThem] = [await look(ctx, canary, true), await look(ctx, canary, false)]
  // No answer says nothing about the session; the page cannot be asked later either.
  if (withThem === null || withoutThem === null) return ALWAYS
  if (!isOurs(withThem, withThem, withoutThem)) return NEVER
  return watchOf(ctx, canary, withThem, withoutThem)
}

const watchOf = (ctx: CollectContext, canary: string, withThem: Look, withoutThem: Look): SessionWatch => {
  let lost = false
  let provenAt = performance.now()
  let asking: Promise<boolean> | null = null
  const ask = async (): Promise<boolean> => {
    const now = await look(ctx, canary, true)
    if (now !== null && !isOurs(now, withThem, withoutThem)) lost = true
    provenAt = performance.now()
    asking = null
    return !lost
  }
  const prove = async (): Promise<boolean> => {
    if (lost) return false
    asking ??= ask()
    return asking
  }
  return { prove, alive: async () => (lost || performance.now() - provenAt <= EVERY ? !lost : prove()) }
}
