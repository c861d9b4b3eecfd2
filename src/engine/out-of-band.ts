/** The run's side of calls from outside: gives out addresses, keeps what the worker's listener hands over. */

import type { OobHit, OobRun, OutOfBand } from '../egress/oob/out-of-band.ts'
import { newToken } from '../egress/oob/token.ts'

export interface OobInbox extends OutOfBand {
  /** Told by the worker. What was not issued here, or is too much, is dropped. */
  readonly arrived: (hit: OobHit) => void
}

const MOST_TOKENS = 50_000
const MOST_HITS_OF_ONE = 16

/** `upToNow` resolves once all calls that came until now have been handed over; it is asked where they are relayed. */
export const createOobInbox = (
  run: OobRun,
  heard: (kind: string, hit: OobHit) => void,
  upToNow: () => Promise<void> = async () => undefined,
): OobInbox => {
  const key = Buffer.from(run.key, 'base64url')
  const issued = new Map<string, { readonly kind: string; readonly hits: OobHit[] }>()
  const waiting = new Map<string, Set<() => void>>()
  const port = run.httpPort === 80 ? '' : `:${run.httpPort}`
  const address = run.address.includes(':') ? `[${run.address}]` : run.address

  return {
    issue: (kind) => {
      if (issued.size >= MOST_TOKENS) throw new Error(`a run has at most ${MOST_TOKENS} addresses for calls`)
      const token = newToken(key)
      issued.set(token, { kind, hits: [] })
      if (run.domain === null) return { token, host: null, url: `http://${address}${port}/${token}/` }
      const host = `${token}.${run.domain}`
      return { token, host, url: `http://${host}${port}/` }
    },
    hits: async (token, deadlineMs, wanted = () => true) => {
      const kept = issued.get(token)?.hits
      if (!kept) return []
      const until = performance.now() + deadlineMs
      while (!kept.some(wanted)) {
        const left = until - performance.now()
        if (left <= 0) break
        await nextFor(waiting, token, left)
      }
      // Silence of a line that is cut is no answer.
      if (run.relayed && !kept.some(wanted)) await upToNow()
      return [...kept]
    },
    arrived: (hit) => {
      const known = issued.get(hit.token)
      if (!known || known.hits.length >= MOST_HITS_OF_ONE) return
      known.hits.push(hit)
      heard(known.kind, hit)
      for (const wake of waiting.get(hit.token) ?? []) wake()
    },
  }
}

/** Until the next call for the token, or the time is over. */
const nextFor = (waiting: Map<string, Set<() => void>>, token: string, milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    const waiters = waiting.get(token) ?? new Set()
    waiting.set(token, waiters)
    const done = (): void => {
      clearTimeout(timer)
      waiters.delete(done)
      if (waiters.size === 0) waiting.delete(token)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    waiters.add(done)
  })
