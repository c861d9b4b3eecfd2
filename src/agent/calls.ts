/** Calls from targets that a listener of the service hears for a run of this agent: asked for every second while the scan goes on. */
import type { AgentCalls, OobPlace } from '../contract/agent.ts'
import { sleep } from '../contract/sleep.ts'
import type { Logger } from '../worker/options.ts'
import type { Calls } from '../worker/supervise.ts'

/** Milliseconds between two questions. */
const EVERY = 1_000

export interface CallSource {
  /** Asked again while the service cannot be reached; rejects once the lease is lost. */
  readonly after: (n: number) => Promise<AgentCalls>
  /** Nobody listens any more: what the scan goes on to find would be told as if somebody did. */
  readonly onDeaf: () => void
  readonly logger: Logger
}

export const relayedCalls =
  (place: OobPlace, { after, onDeaf, logger }: CallSource): Calls =>
  (onHit) => {
    const stopped = new AbortController()
    let known = 0
    let last: Promise<unknown> = Promise.resolve()
    const look = async (): Promise<AgentCalls> => {
      const answer = await after(known)
      if (stopped.signal.aborted) return answer
      for (const { n, call } of answer.calls) {
        known = n
        onHit(call)
      }
      if (!answer.listening) onDeaf()
      return answer
    }
    /** One question after the other. */
    const ask = (): Promise<AgentCalls> => {
      const next = last.then(look)
      // Whoever asked is told; the next question is asked all the same.
      last = next.catch(() => undefined)
      return next
    }
    const rest = (): Promise<void> => sleep(EVERY, stopped.signal).catch(() => undefined)
    const go = async (): Promise<void> => {
      while (!stopped.signal.aborted) {
        await ask()
        await rest()
      }
    }
    go().catch((error: unknown) => {
      if (!stopped.signal.aborted) logger.warn({ err: error }, 'calls from targets cannot be asked for any more')
    })
    /** The listener has said that it lives after the moment of the question, and told what it heard before. */
    const upToNow = async (): Promise<void> => {
      const first = await ask()
      for (let { heard_until } = first; !stopped.signal.aborted && !isAfter(heard_until, first.now); ) {
        await rest()
        heard_until = (await ask()).heard_until
      }
    }
    return { run: { ...place, relayed: true }, stop: () => stopped.abort(), upToNow }
  }

const isAfter = (time: string | null, than: string): boolean => time !== null && Date.parse(time) > Date.parse(than)
