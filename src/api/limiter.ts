/** Counters of rate limits, in this process's memory. Times are milliseconds of a monotonic clock. */

export interface LimitPolicy {
  /** As in the RateLimit headers. */
  readonly name: string
  readonly quota: number
  /** Seconds. */
  readonly window: number
}

export interface LimitState {
  readonly policy: LimitPolicy
  readonly ok: boolean
  readonly remaining: number
  /** Seconds until the whole quota is back. */
  readonly reset: number
  /** Seconds until one more request may succeed; 0 while it may. */
  readonly retryAfter: number
}

export interface Limiter {
  readonly take: (key: string) => LimitState
  /** Looks without taking. */
  readonly peek: (key: string) => LimitState
}

/** Keys remembered at once; past it the oldest is forgotten, so memory is bounded whatever is sent. */
const MAX_KEYS = 100_000

type Clock = () => number

/** `quota` requests in each window, which begins with a key's first request. */
export const fixedWindow = (policy: LimitPolicy, now: Clock = () => performance.now()): Limiter => {
  const windows = bounded<{ readonly until: number; count: number }>()
  const state = (until: number, count: number, at: number): LimitState => {
    const reset = Math.max(1, Math.ceil((until - at) / 1000))
    const ok = count <= policy.quota
    return { policy, ok, remaining: Math.max(0, policy.quota - count), reset, retryAfter: ok ? 0 : reset }
  }
  const current = (key: string, at: number): { readonly until: number; count: number } => {
    const known = windows.get(key)
    return known !== undefined && known.until > at ? known : { until: at + policy.window * 1000, count: 0 }
  }
  return {
    take: (key) => {
      const at = now()
      const window = current(key, at)
      window.count += 1
      windows.set(key, window)
      return state(window.until, window.count, at)
    },
    peek: (key) => {
      const at = now()
      const { until, count } = current(key, at)
      return state(until, count, at)
    },
  }
}

/** `quota` at once, then one in each `window / quota` seconds. */
export const tokenBucket = (policy: LimitPolicy, now: Clock = () => performance.now()): Limiter => {
  const interval = (policy.window * 1000) / policy.quota
  const buckets = bounded<{ readonly tokens: number; readonly at: number }>()
  const filled = (key: string, at: number): number => {
    const known = buckets.get(key)
    return known === undefined ? policy.quota : Math.min(policy.quota, known.tokens + (at - known.at) / interval)
  }
  const state = (tokens: number, ok: boolean): LimitState => ({
    policy,
    ok,
    remaining: Math.floor(tokens),
    reset: Math.ceil(((policy.quota - tokens) * interval) / 1000),
    retryAfter: ok ? 0 : Math.max(1, Math.ceil(((1 - tokens) * interval) / 1000)),
  })
  return {
    take: (key) => {
      const at = now()
      const tokens = filled(key, at)
      if (tokens < 1) return state(tokens, false)
      buckets.set(key, { tokens: tokens - 1, at })
      return state(tokens - 1, true)
    },
    peek: (key) => {
      const tokens = filled(key, now())
      return state(tokens, tokens >= 1)
    },
  }
}

/** A Map whose oldest written entry goes when it is full. */
const bounded = <Value>(): { get: (key: string) => Value | undefined; set: (key: string, value: Value) => void } => {
  const entries = new Map<string, Value>()
  return {
    get: (key) => entries.get(key),
    set: (key, value) => {
      entries.delete(key)
      entries.set(key, value)
      if (entries.size <= MAX_KEYS) return
      const oldest = entries.keys().next()
      if (!oldest.done) entries.delete(oldest.value)
    },
  }
}

/** The two fields of draft-ietf-httpapi-ratelimit-headers-10, as structured-field lists. */
export const limitHeaders = (states: readonly LimitState[]): Readonly<Record<string, string>> => ({
  RateLimit: states.map(({ policy, remaining, reset }) => `"${policy.name}";r=${remaining};t=${reset}`).join(', '),
  'RateLimit-Policy': states.map(({ policy }) => `"${policy.name}";q=${policy.quota};w=${policy.window}`).join(', '),
})
