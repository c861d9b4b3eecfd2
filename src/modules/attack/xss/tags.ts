/** Where in a tag, as it is written, a character stands. */

export type InTag =
  | { readonly kind: 'tag-name' | 'attribute-name' }
  | {
      readonly kind: 'value'
      /** Lower case. */
      readonly name: string
      readonly quote: '"' | "'" | '`' | ''
      /** What of the value stands before the place, as written. */
      readonly before: string
    }

const SPACE = /[\t\n\f\r /]/

/** `tag` begins with its bracket; `at` is an index in it. By the tokenizer of the HTML standard (13.2.5.6 and on). */
export const inTag = (tag: string, at: number): InTag => {
  let place = 1
  while (place < tag.length && !SPACE.test(tag[place] ?? '')) place += 1
  if (at < place) return { kind: 'tag-name' }
  while (place <= at) {
    while (place < tag.length && SPACE.test(tag[place] ?? '')) place += 1
    const nameAt = place
    while (place < tag.length && !/[\t\n\f\r />=]/.test(tag[place] ?? '')) place += 1
    // A tag may begin a name with the sign that ends others.
    if (place === nameAt) place += 1
    if (at < place) return { kind: 'attribute-name' }
    const name = tag.slice(nameAt, place).toLowerCase()
    const equals = /^[\t\n\f\r ]*=[\t\n\f\r ]*/.exec(tag.slice(place))
    if (!equals) continue
    place += equals[0].length
    const open = tag[place] ?? ''
    const quoted = open === '"' || open === "'"
    const from = quoted ? place + 1 : place
    const length = quoted ? tag.slice(from).indexOf(open) : tag.slice(from).search(/[\t\n\f\r >]/)
    const end = length < 0 ? tag.length : from + length
    if (at < end || (length < 0 && at >= from))
      return { kind: 'value', name, quote: quoted ? open : '', before: tag.slice(from, Math.max(from, at)) }
    place = quoted ? end + 1 : end
  }
  return { kind: 'attribute-name' }
}
