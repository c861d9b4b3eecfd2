/** What is answered whichever object is asked for, and so says nothing of whose it is. */
import type { Leaf } from './answers.ts'
import type { Case } from './judging.ts'
import { isGranted } from './parties.ts'
import { isTelling } from './telling.ts'

/** Whichever object is asked for: no name of one brought it out. */
export const isShownAnyway = ({ anyway }: Case, { value }: Leaf): boolean =>
  isGranted(anyway) && anyway.leaves.some((leaf) => leaf.value === value)

/** Whatever is sent is answered so, what nobody has as well: nothing is looked up there, and the answer is nobody's. */
export const isWorkedOut = ({ control }: Case, shown: readonly Leaf[]): boolean =>
  isGranted(control) &&
  shown.every(({ name }) => name !== '' && control.leaves.some((leaf) => leaf.name === name && isTelling(leaf)))
