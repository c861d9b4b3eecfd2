/** The service as an agent speaks to it: outbound calls alone, asked again while it cannot be reached. */
import { setTimeout as delay } from 'node:timers/promises'
import { ApiError, type Client, ConnectionError, createClient } from '../contract/client.ts'
import { LeaseLost } from '../worker/failures.ts'
import type { Logger } from '../worker/options.ts'

export interface AgentService {
  readonly client: Client
  /**
   * Does the work, which has to be harmless when done twice, again and again while the service cannot be reached. Throws
   * `LeaseLost` when the signal aborts meanwhile or the service says so, and what the work throws for any other reason.
   */
  readonly insist: <T>(work: () => Promise<T>, lost: AbortSignal) => Promise<T>
}

/** Milliseconds. */
const FIRST = 250
const MOST = 10_000
/** Of one call, and more for each byte that it carries: a slow line has 64 KiB a second. */
const CALL = 30_000
const BYTES_PER_MS = 64

/** A service that fails on its side is asked again so often. */
const MOST_FAULTS = 5

/** `token`: of the agent; it goes into the Authorization header and nowhere else. */
export const agentService = ({
  url,
  token,
  logger,
}: {
  readonly url: string
  readonly token: string
  readonly logger: Logger
}): AgentService => {
  const client = createClient({ baseUrl: url, apiKey: token, timeout: LONGEST_CALL })
  let away = false
  const tell = (error: unknown): void => {
    // Once an outage, however long it takes.
    if (!away) logger.warn({ err: error }, 'the service cannot be reached; what is found waits')
    away = true
  }
  return {
    client,
    insist: async (work, lost) => {
      let faults = 0
      for (let pause = FIRST; ; pause = Math.min(pause * 2, MOST)) {
        if (lost.aborted) throw new LeaseLost()
        try {
          const done = await work()
          if (away) logger.warn({}, 'the service is reached again')
          away = false
          return done
        } catch (error) {
          if (isLost(error)) throw new LeaseLost()
          if (isFault(error)) faults += 1
          if (faults > MOST_FAULTS || !isAway(error)) throw error
          tell(error)
          await delay(Math.max(pause * (0.75 + Math.random() / 2), waitOf(error)), undefined, { signal: lost }).catch(
            () => undefined,
          )
        }
      }
    },
  }
}

/** Milliseconds that the slowest call may take. */
const LONGEST_CALL = 30 * 60_000

/** Ends a call that carries so many bytes when it takes too long. */
export const deadlineFor = (bytes = 0): AbortSignal => AbortSignal.timeout(CALL + Math.ceil(bytes / BYTES_PER_MS))

/** The lease is not this agent's any more, or the agent itself is not known any more. */
export const isLost = (error: unknown): boolean =>
  error instanceof ApiError && (error.problem.code === 'lease_lost' || error.status === 401)

/** True where the same call may succeed later, and nothing says that it was carried out. */
export const isAway = (error: unknown): boolean => {
  if (error instanceof ApiError) return AWAY.includes(error.status)
  // A line that was cut in the middle of an answer, or a deadline.
  return error instanceof ConnectionError || error instanceof DOMException || isCut(error)
}
const AWAY = [408, 429, 500, 502, 503, 504]

const isFault = (error: unknown): boolean => error instanceof ApiError && error.status === 500

const isCut = (error: unknown): boolean =>
  error instanceof TypeError && /^(?:terminated|fetch failed)$/.test(error.message)

const waitOf = (error: unknown): number => (error instanceof ApiError ? (error.retryAfter ?? 0) * 1_000 : 0)
