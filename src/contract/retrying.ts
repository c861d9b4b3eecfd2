/** Asking again where that is safe: for the client that other people's programs use. */
import { sleep } from './sleep.ts'

export interface RetryOptions {
  /** Further attempts after the first. Default 3. */
  readonly retries?: number
  /** Milliseconds before the second attempt, twice as long before each further one. Default 500. */
  readonly pause?: number
}

const LONGEST_PAUSE = 30_000
/** RFC 9110, 9.2.2, of the methods that the interface has. */
const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'DELETE'])

/**
 * As `fetch`. A request that was refused for its rate (429) is sent again when its Retry-After is over. One that got no answer, or 502,
 * 503 or 504, is sent again only where a second time does what the first did: by its method, or with an `Idempotency-Key`.
 */
export const retrying = (send: typeof fetch, { retries = 3, pause = 500 }: RetryOptions = {}): typeof fetch => {
  return async (input, init) => {
    const repeatable = IDEMPOTENT.has(init?.method ?? 'GET') || new Headers(init?.headers).has('idempotency-key')
    for (let left = retries; ; left -= 1) {
      const wait = pause * 2 ** (retries - left)
      let longer = 0
      try {
        const response = await send(input, init)
        const again = response.status === 429 || (repeatable && [502, 503, 504].includes(response.status))
        longer = Number(response.headers.get('retry-after') ?? 0) * 1_000
        // Whoever is told to wait for a quarter of an hour would rather know.
        if (!again || left === 0 || longer > LONGEST_PAUSE) return response
        await response.body?.cancel()
      } catch (error) {
        if (!repeatable || left === 0 || init?.signal?.aborted) throw error
      }
      await sleep(Math.min(LONGEST_PAUSE, Math.max(wait, longer)), init?.signal ?? undefined)
    }
  }
}
