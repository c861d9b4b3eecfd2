/** What a page is still being drawn by, as in-page/drawing.ts tells it. */
export interface Drawing {
  /** Milliseconds until the last timer is due, 0 where none is left. */
  readonly due: number
  /** Answers that scripts wait for. */
  readonly loading: number
}
