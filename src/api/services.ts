/** What the handlers share; made once by `buildApp`. */
import type { Organisation, Scope } from '../contract/organisation.ts'
import type { Actor } from '../contract/session.ts'
import type { RecordActivity } from './activity.ts'
import type { Connections } from './connections.ts'
import type { Cursors } from './cursor.ts'
import type { EventHub } from './event-hub.ts'
import type { KnownCallers } from './known-callers.ts'
import type { Limiter } from './limiter.ts'
import type { Metrics } from './metrics.ts'
import type { AppOptions } from './options.ts'

export interface Services extends AppOptions {
  readonly cursors: Cursors
  readonly hub: EventHub
  readonly limiter: Limiter
  readonly known: KnownCallers
  readonly recordActivity: RecordActivity
  readonly figures: Metrics
  readonly connections: Pick<Connections, 'trust' | 'isAlone' | 'handOver' | 'closeAll'>
}

/** Who asks, and for whom, as they were when the request came. */
export interface Caller {
  readonly actor: Actor
  readonly scopes: readonly Scope[]
  readonly organisation: Organisation
  /** Null where the request carried the key itself. */
  readonly session: { readonly id: string; readonly expiresAt: Date } | null
}
