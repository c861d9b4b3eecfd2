import { useSyncExternalStore } from 'react'

/** As the style sheets have it for a phone. */
const query = matchMedia('(max-width: 620px)')

const subscribe = (changed: () => void): (() => void) => {
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}

/** Whether the window is as narrow as a phone. */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => query.matches)

/** Pixels of a row of findings; rows are of one height, so that nothing jumps while the list grows. */
export const useRowHeight = (): number => (useNarrow() ? 104 : 58)
