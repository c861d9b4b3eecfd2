/** What whoever holds the lease of a run is told for its scan. It holds secrets, and is kept in memory only. */
import type { DescribedInterface } from './described.ts'
import type { SignIn } from './identity.ts'
import type { Environment, RunOptions, SiteContext, Tier } from './run.ts'

export interface AssignedCredentials {
  readonly cookie: string | null
  /** One header line. */
  readonly header: string | null
  /** How they are come by, or proven to work. */
  readonly signIn?: SignIn
  /** The line of refresh tokens that it goes on; absent where it has none. */
  readonly lineage?: string
}

/** How a module ended; the engine's protocol has the same shape. */
export interface ModuleEnd {
  readonly state: 'completed' | 'failed' | 'skipped' | 'blocked'
  readonly reason: string | null
  readonly duration_ms: number
  readonly requests: number
  readonly fault?: string
}

export interface Assignment {
  /** As registered, with a port where one belongs to it. */
  readonly domain: string
  readonly tier: Tier
  readonly context: SiteContext | null
  readonly environment: Environment
  readonly options: RunOptions
  readonly credentials: AssignedCredentials
  /** Identities of the domain as whom the run looks: the first is whose credentials those are. */
  readonly identities?: readonly {
    readonly name: string
    readonly role: string
    /** Null of the first. */
    readonly credentials: AssignedCredentials | null
  }[]
  /** Of active runs. */
  readonly descriptions?: readonly DescribedInterface[]
  /** Scan processes of the run that died, in their order. */
  readonly deaths: readonly { readonly modules: readonly string[]; readonly detail: string }[]
  /** Facts of modules that an earlier scan process completed. */
  readonly completed: Readonly<Record<string, { readonly facts: unknown; readonly outcome: ModuleEnd }>>
}
