/** What the finder tells of a frame. */

interface Rect {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface FoundButton extends Rect {
  /** Number of the element among those kept in the page. */
  readonly index: number
  readonly text: string
  readonly href: string | null
  readonly selector: string
  /** Pixels. */
  readonly fontSize: number
  readonly look: 'button' | 'link'
  /** Of the text against what it stands on, and of that against the box: WCAG 2.2, null where no colour can be told. */
  readonly contrast: number | null
  readonly prominence: number | null
}

export interface FoundTick {
  readonly index: number
  readonly label: string
  readonly checked: boolean
  readonly disabled: boolean
  readonly shown: boolean
}

export interface FoundBox {
  readonly position: 'dialog' | 'fixed' | 'named' | 'frame' | 'flow' | 'page'
  readonly text: string
  readonly box: Rect
  readonly buttons: readonly FoundButton[]
  readonly ticks: readonly FoundTick[]
}

export interface Found {
  readonly boxes: readonly FoundBox[]
  /** Share of the page that something fixed lies over. */
  readonly covered: number
}
