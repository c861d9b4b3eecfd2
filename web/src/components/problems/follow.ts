/**
 * The window goes after the row that keys are about. A key is answered by the next frame: it shows the row, which is in sight
 * already, and the scroll comes behind it, some rows at once. Pure.
 */

/** Of the window, as the list was told last; pixels. */
export interface Seen {
  readonly scrollOffset: number | null
  readonly scrollRect: { readonly height: number } | null
}

/** Where the window has to stand, in pixels from the top of the page. */
export interface Wanted {
  readonly top: number
  /** Whether the row can be seen from where the window stands now. */
  readonly inSight: boolean
}

/** Rows beyond the row that are always in sight: a key that comes before the scroll finds its row there. */
const BEYOND = 2
/** Rows beyond it that a scroll brings: it is needed once in so many keys less BEYOND. */
const BROUGHT = 5

/**
 * Null: it stands well. By what the list knows already: to measure the page costs a layout with each key, and rows are of one
 * height. In a low window fewer rows are brought, so that the row itself stays in sight.
 */
export const windowFor = ({ scrollOffset, scrollRect }: Seen, top: number, row: number): Wanted | null => {
  if (scrollOffset === null || !scrollRect?.height) return null
  const from = scrollOffset
  const { height } = scrollRect
  const beyond = (rows: number): number => Math.max(0, Math.min(rows, Math.floor(height / row / 2) - 1)) * row
  const inSight = top >= from && top + row <= from + height
  if (from + height < top + row + beyond(BEYOND)) return { top: top + row + beyond(BROUGHT) - height, inSight }
  const highest = Math.max(0, top - beyond(BEYOND))
  return from > highest ? { top: Math.max(0, top - beyond(BROUGHT)), inSight } : null
}
