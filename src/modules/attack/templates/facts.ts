import type { SkipKind } from '../../../templates/run/executor.ts'
import type { TemplateResult } from '../../../templates/run/match.ts'

export interface TemplatesFacts {
  /** The catalogue that was imported or named by the operator; null without one. */
  readonly catalogue: { readonly version: string; readonly templates: number } | null
  /** Templates that the product brings along. */
  readonly own: number
  readonly full: boolean
  readonly counts: {
    readonly selected: number
    readonly run: number
    /** Could not be run: a variable, a list or a listener was missing. */
    readonly skipped: number
    /** The target gave no answer. */
    readonly failed: number
    /** Time or requests ran out before them. */
    readonly late: number
    /** For products that were not seen. */
    readonly notFitting: number
    /** For products whose own files are not there. */
    readonly pruned: number
    /** Matched, and matched also where nothing can be. */
    readonly refuted: number
  }
  /** Held back by policy: tier and number. */
  readonly heldBack: readonly { readonly tier: string; readonly reason: string; readonly templates: number }[]
  /** Never run by this product: reason and number. */
  readonly refused: readonly { readonly reason: string; readonly templates: number }[]
  /** Files of the catalogue that are no templates. */
  readonly broken: number
  /** Why templates were skipped, the most frequent first. */
  readonly skips: readonly { readonly reason: string; readonly kind: SkipKind; readonly templates: number }[]
  readonly requests: { readonly named: number; readonly sent: number; readonly failed: number }
  readonly results: readonly TemplateResult[]
  /** How many templates a fault of ours kept from an answer, and the id of one; absent where there was none. */
  readonly faults?: { readonly templates: number; readonly fault: string }
}
