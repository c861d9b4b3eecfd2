/** Characters that nobody sees, or that move what others see, shown as signs: text of a target reads as what it is. */

/** Control, format, private and unassigned characters. */
export const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/gu
/** One of them, several times over; or more marks on one letter than any script has. */
const SIGNS = /([\p{Cc}\p{Cf}\p{Co}\p{Cn}])\1*|(?<=\p{M}{4})\p{M}+/gu
const ALLOWED = new Set(['\n', '\t'])
/** Joins pictures to one: shown as it is between them. */
const JOINER = '\u200d'
const PICTURE = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)$/u

/** `plain` writes what is between the signs, `sign` one of them: "U+202E", "U+200B ×500". Line ends become `\n`. */
export const withSigns = (source: string, plain: (text: string) => string, sign: (name: string) => string): string => {
  const text = source.toWellFormed().replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
  let result = ''
  let from = 0
  for (const match of text.matchAll(SIGNS)) {
    const [run, one] = match
    if (
      one !== undefined &&
      (ALLOWED.has(one) || (run === JOINER && PICTURE.test(text.slice(Math.max(0, match.index - 4), match.index))))
    )
      continue
    result += plain(text.slice(from, match.index)) + (one === undefined ? '' : sign(nameOf(one, [...run].length)))
    from = match.index + run.length
  }
  return result + plain(text.slice(from))
}

const nameOf = (character: string, count: number): string => {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return `U+${code}${count > 1 ? ` ×${count}` : ''}`
}
