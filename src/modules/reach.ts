/** What a module says of the run's reach. The engine puts the parts together. */
import type { ReachFate, ReachKind } from '../contract/reach.ts'

export interface ReachEntry {
  /** Entries of one id are one thing, of which several modules speak; it was asked where all that speak of it asked it. */
  readonly id: string
  readonly kind: ReachKind
  readonly method: string
  readonly url: string
  readonly parameter?: string
  readonly fate: ReachFate
  readonly with?: string
  readonly reason: string | null
  /** Of an operation: the best status that it was answered. */
  readonly status?: number
  /** True where the module asked it something, and not all. */
  readonly inPart?: true
  /** True where it only says that the thing exists: what others say of it holds. */
  readonly listed?: true
}

export interface ReachPart {
  readonly entries: readonly ReachEntry[]
  /** What is known by its number alone. */
  readonly beyond: readonly {
    readonly kind: ReachKind
    readonly fate: ReachFate
    readonly reason: string | null
    readonly count: number
  }[]
}
