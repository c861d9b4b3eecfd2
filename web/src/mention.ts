/** Naming somebody in a comment, "@Ada Lovelace", as the service understands it. Pure. */

export interface Mention {
  /** Where its "@" stands. */
  readonly from: number
  /** What is written after it. */
  readonly words: string
}

/** Characters of a name; two words of it at most are written before one chooses. */
const BEGUN = /(?<![\p{L}\p{N}._-])@([\p{L}\p{N}._-]{0,40}(?: [\p{L}\p{N}._-]{0,40})?)$/u

/** The name that is being written where the caret stands; null where none is. */
export const mentionAt = (text: string, caret: number): Mention | null => {
  const match = BEGUN.exec(text.slice(0, caret))
  return match === null ? null : { from: match.index, words: match[1] ?? '' }
}

const MOST = 6

/** Names one of whose words begins so. */
export const suggested = (names: readonly string[], words: string): readonly string[] => {
  const begun = words.toLowerCase()
  return names
    .filter((name) => ` ${name.toLowerCase()}`.includes(` ${begun}`) && name.toLowerCase() !== begun.trimEnd())
    .slice(0, MOST)
}

/** The text with the name in it, and where the caret stands then. */
export const withMention = (
  text: string,
  caret: number,
  { from }: Mention,
  name: string,
): { readonly text: string; readonly caret: number } => {
  const rest = text.slice(caret)
  const named = `@${name}${/^\s/.test(rest) ? '' : ' '}`
  return { text: text.slice(0, from) + named + rest, caret: from + named.length }
}

/** A comment in pieces, names apart; the longest first, as the service reads it. */
export const piecesOf = (
  text: string,
  names: readonly string[],
): readonly { readonly text: string; readonly isName: boolean }[] => {
  if (names.length === 0) return [{ text, isName: false }]
  const all = names
    .toSorted((a, b) => b.length - a.length)
    .map((name) => `@${name}`.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return text
    .split(new RegExp(`(${all.join('|')})(?![\\p{L}\\p{N}_-])`, 'iu'))
    .map((piece, at) => ({ text: piece, isName: at % 2 === 1 }))
    .filter((piece) => piece.text !== '')
}
