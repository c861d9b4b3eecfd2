/** What the handlers share; made once by `buildApp`. */
import type { Organisation, Scope } from '../contract/organisation.ts'
import type { Actor } from '../contract/session.ts'
import type { Connections } from './connections.ts'
import type { Cursors } from './cursor.ts'
import type { EventHub } from './event-hub.ts'
import { fixedWindow, type Limiter, tokenBucket } from './limiter.ts'
import type { Metrics } from './metrics.ts'
import type { AppOptions, Limits } from './options.ts'

export interface Services extends AppOptions {
  readonly cursors: Cursors
  readonly hub: EventHub
  readonly limiters: Limiters
  readonly figures: Metrics
  readonly connections: Pick<Connections, 'trust'>
}

/** Who asks, and for whom, as they were when the request came. */
export interface Caller {
  readonly actor: Actor
  readonly scopes: readonly Scope[]
  readonly organisation: Organisation
  /** Null where the request carried the key itself. */
  readonly session: { readonly id: string; readonly expiresAt: Date } | null
}

export interface Limiters {
  readonly key: Limiter
  readonly starts: Limiter
  readonly runReads: Limiter
  readonly refusals: Limiter
}

export const createLimiters = (limits: Limits): Limiters => ({
  key: fixedWindow({ name: 'key', quota: limits.requestsPerMinute, window: 60 }),
  starts: fixedWindow({ name: 'starts', quota: limits.startsPerMinute, window: 60 }),
  runReads: tokenBucket({ name: 'run', quota: limits.runReads, window: limits.runReads * limits.runReadSeconds }),
  refusals: fixedWindow({ name: 'refused-credentials', quota: limits.refusalsPerMinute, window: 60 }),
})
