/** How far the scan came, in words and shares. Pure. */
import { REACH_NAMES, type ReachSummary, type ReachTally, reachText } from '../contract/reach.ts'
import { number } from './format.ts'

export interface ReachView {
  /** "412 insertion points known, 388 asked, 24 left out." One a kind. */
  readonly lines: readonly { readonly kind: string; readonly text: string; readonly parts: readonly ReachShare[] }[]
  readonly reasons: readonly { readonly kind: string; readonly reason: string; readonly count: string }[]
}

export interface ReachShare {
  readonly name: string
  readonly count: number
  /** Of the kind's whole, 0 to 1. */
  readonly share: number
  readonly state: 'pass' | 'not_applicable' | 'not_tested'
}

/** Null where there is nothing to show. */
export const reachView = (reach: ReachSummary | null | undefined): ReachView | null => {
  if (!reach || reach.kinds.length === 0) return null
  return {
    lines: reach.kinds.map((tally) => ({
      kind: REACH_NAMES[tally.kind][1],
      text: reachText(tally),
      parts: sharesOf(tally),
    })),
    reasons: reach.reasons.map(({ kind, reason, count }) => ({
      kind: REACH_NAMES[kind][1],
      reason,
      count: number(count),
    })),
  }
}

const sharesOf = ({ known, asked, merged, left_out, cut_off }: ReachTally): readonly ReachShare[] =>
  (
    [
      { name: 'asked', count: asked, state: 'pass' },
      { name: 'alike to one that was asked', count: merged, state: 'not_applicable' },
      { name: 'left out', count: left_out + cut_off, state: 'not_tested' },
    ] as const
  ).map((one) => ({ ...one, share: known === 0 ? 0 : one.count / known }))
