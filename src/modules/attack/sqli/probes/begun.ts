/**
 * Conditions that a form answered before it could be sent no more: asked again, with what was kept of its few requests, the proof goes on where it
 * stopped.
 */

import type { Probe, Reply } from '../../insertion-points/prober.ts'
import { keyOf } from '../../insertion-points/reached.ts'
import { spellingOf } from '../disguises.ts'
import type { BooleanTrial } from '../facts.ts'
import { type Predicate, randomPredicates } from '../predicates.ts'

/** Conditions where few may be sent, and elsewhere. */
export const FEW_TRIALS = 8
export const TRIALS = 12

export interface Begun {
  onTrue: Reply | null
  onFalse: Reply | null
  readonly predicates: readonly Predicate[]
  /** As many as were answered. */
  readonly trials: BooleanTrial[]
}

/** One wrong answer decides, whoever comes back to it. */
export const isRefuted = ({ trials }: Begun): boolean =>
  trials.some(({ truth, answer }) => answer !== (truth ? 'true' : 'false'))

const byRun = new WeakMap<Probe['turns'], Map<string, Begun>>()

/** `way`: what is put where; kept for the run where few may be sent. */
export const begunAt = (probe: Probe, way: string): Begun => {
  const { point, request, turns } = probe
  const isScarce = request.bound !== undefined
  const known = byRun.get(turns) ?? new Map<string, Begun>()
  byRun.set(turns, known)
  const key = `${keyOf(point)} ${way} ${spellingOf(probe)}`
  const before = isScarce ? known.get(key) : undefined
  if (before) return before
  const predicates = randomPredicates(isScarce ? FEW_TRIALS : TRIALS)
  const begun: Begun = { onTrue: null, onFalse: null, predicates, trials: [] }
  if (isScarce) known.set(key, begun)
  return begun
}
