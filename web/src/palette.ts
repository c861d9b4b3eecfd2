/** What the palette offers for what is typed. Pure. */

/** A place to go to. */
export interface Place {
  readonly to: string
  readonly name: string
  /** What kind of place, in a word. */
  readonly kind: string
}

/** Offered at once: what does not fit is found by another letter. */
const MOST = 12

/** Every word has to stand in the name or the kind; names that begin with what is typed come first, else the order stays. */
export const offered = (places: readonly Place[], typed: string): readonly Place[] => {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = places.filter(({ name, kind }) => {
    const text = `${name} ${kind}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const begins = ({ name }: Place) => words[0] !== undefined && name.toLowerCase().startsWith(words[0])
  return fits.toSorted((a, b) => Number(begins(b)) - Number(begins(a))).slice(0, MOST)
}
