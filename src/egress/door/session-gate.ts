/** What every request that carries the run's session passes: who watches over it is not egress. */
import type { HttpExchange } from './egress.ts'

/** Watches over the session of a run: every request that carries it passes here. */
export interface SessionGate {
  /** Why it must not leave; null where it may. Waits while the session is proven or begun anew. */
  readonly enter: (
    request: {
      readonly method: string
      readonly url: URL
      readonly module: string
      /** In lower case, the cookies and headers that the request itself brings. */
      readonly sets: ReadonlySet<string>
    },
    signal: AbortSignal,
  ) => Promise<Refused | Ticket>
  /** True where it has to be sent again: the session was lost before it was answered, and another was begun. */
  readonly left: (exchange: HttpExchange, ticket: Ticket) => Promise<boolean>
  /** Instead of `left`: it will not be answered. */
  readonly gone: () => void
}
/** Which session it was, and for whom. */
export interface Ticket {
  readonly session: number
  readonly module: string
  readonly sets: ReadonlySet<string>
  /** Counts the values under which a session goes on. */
  readonly version: number
}
export interface Refused {
  readonly code: 'auth_lost' | 'excluded'
  readonly reason: string
}
