/** Something on a page that somebody can press or type into, as in-page/pressable.ts reads it. */
export interface Pressable {
  /** Selectors from the document to the element, one a line; each further one within the shadow tree of the one before. */
  readonly key: string
  /** What it says, in lines: its text, what it is called for those who do not see it. At most 400 characters. */
  readonly label: string
  /** Its id, classes and name. */
  readonly names: string
  /** It asks before it is done. */
  readonly asks: boolean
  /** Type of the field, or null for what is pressed only. */
  readonly field: string | null
}
