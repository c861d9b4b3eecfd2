/** Something on a page that somebody can press or type into, as in-page/pressables.ts reads it. */
export interface Pressable {
  /** Selectors from the document to the element, one a line; each further one within the shadow tree of the one before. */
  readonly key: string
  /** What it says, in lines: its text, what it is called for those who do not see it. At most 400 characters. */
  readonly label: string
  /** Its id, classes and name. */
  readonly names: string
  /** It asks before it is done. */
  readonly asks: boolean
  /** Type of the field, `scroll` for the page itself, or null for what is pressed only. */
  readonly field: string | null
}

/** Something that is pressed or typed into. */
export interface Press {
  readonly key: string
  readonly field: string | null
  /** For people: `press "Preview"`. */
  readonly words: string
}

/** An element that was there on a view, and still is on the next one. */
export interface Stood {
  readonly then: Pressable
  readonly now: Pressable
}

/** As in-page/standing.ts tells it on the second of two views. */
export interface Standing {
  /** Files of the document's own scripts: which application it is. */
  readonly application: string
  /** Something went and something came: it is another view. */
  readonly isAnother: boolean
  readonly stood: readonly Stood[]
}
