/** How far the scan came, in words and shares. Pure. */
import { REACH_NAMES, type ReachSummary, type ReachTally } from '../contract/reach.ts'
import type { Words } from './words/words.ts'

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
export const reachView = (reach: ReachSummary | null | undefined, w: Words): ReachView | null => {
  if (!reach || reach.kinds.length === 0) return null
  return {
    lines: reach.kinds.map((tally) => ({
      kind: w.known(REACH_NAMES[tally.kind][1]),
      text: reachText(tally, w),
      parts: sharesOf(tally, w),
    })),
    reasons: reach.reasons.map(({ kind, reason, count }) => ({
      kind: w.known(REACH_NAMES[kind][1]),
      reason,
      count: w.number(count),
    })),
  }
}

/** "412 insertion points known, 388 asked, 24 left out, 20 of them asked in part". What is cut off is left out, too. */
const reachText = (tally: ReachTally, w: Words): string => {
  const { kind, known, asked, merged, left_out, cut_off, in_part = 0, answered } = tally
  const left = left_out + cut_off
  return [
    w('{1} {2} known', w.number(known), w.known(REACH_NAMES[kind][known === 1 ? 0 : 1])),
    w('{1} asked', w.number(asked)),
    ...(answered === undefined ? [] : [w('{1} answered with success', w.number(answered))]),
    ...(merged > 0 ? [w('{1} alike to one that was asked', w.number(merged))] : []),
    ...(left > 0 ? [w('{1} left out', w.number(left))] : []),
    ...(in_part > 0 ? [w('{1} of them asked in part', w.number(in_part))] : []),
  ].join(', ')
}

const sharesOf = ({ known, asked, merged, left_out, cut_off }: ReachTally, w: Words): readonly ReachShare[] =>
  (
    [
      { name: w('asked'), count: asked, state: 'pass' },
      { name: w('alike to one that was asked'), count: merged, state: 'not_applicable' },
      { name: w('left out'), count: left_out + cut_off, state: 'not_tested' },
    ] as const
  ).map((one) => ({ ...one, share: known === 0 ? 0 : one.count / known }))
