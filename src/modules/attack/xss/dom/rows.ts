/** Elements of one template, a row of a list each: what the first of them did alike is not pressed on all at each further visit. */
import type { Rows } from '../browser/walking.ts'

/** So many have to have done the same. */
const ALIKE = 3

export interface RowMemory {
  /** Presses them all, and keeps what each did. */
  readonly noting: Rows
  /** Leaves out what is known to be alike; the first few are pressed. */
  readonly sparing: Rows
}

export const createRows = (): RowMemory => {
  const rows = new Map<string, { presses: number; readonly effects: Set<string> }>()
  const done = (row: string, effect: string): void => {
    const one = rows.get(row) ?? { presses: 0, effects: new Set<string>() }
    one.presses += 1
    one.effects.add(effect)
    rows.set(row, one)
  }
  const isAlike = (row: string): boolean => {
    const { presses = 0, effects = new Set<string>() } = rows.get(row) ?? {}
    return presses >= ALIKE && effects.size === 1
  }
  return {
    noting: { isSpared: () => false, done },
    sparing: { isSpared: (row, turn) => turn >= ALIKE && isAlike(row), done: () => undefined },
  }
}
