/** Text cut into what the page can draw: a character with its marks, a space, or a sign for what has no picture. */
import { FONT_COVERAGE } from './font-coverage.ts'
import { FALLBACKS, FONTS, type FontId } from './fonts.ts'

export type Face = 'sans' | 'mono'

export interface Glyph {
  readonly kind: 'drawn' | 'space' | 'newline' | 'sign'
  /** The characters drawn; for a sign what it says, in printable ASCII. */
  readonly text: string
  readonly font: FontId
  /** Columns in a listing. Generous: a line may end early, it must never run over. */
  readonly width: number
  /** Index of its first UTF-16 unit in the text. */
  readonly offset: number
}

/** More stacked marks than any living script needs only paint over the lines above and below. */
const MAX_MARKS = 3
const TAB_WIDTH = 4

const MARK = /^\p{M}$/u
const SPACE = /^[ \t\f\v\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]$/
const NEWLINE = /^[\n\u2028\u2029]$/
const JOINER = /^[\u200c\u200d]$/
/** Chooses between drawings of the character before; the fonts here have one each. */
const VARIATION = /^[\ufe00-\ufe0f]$/
/** Steers the text or has no meaning of its own: never drawn, even where a font has an empty picture of it. */
const INVISIBLE = /^[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]$/u

export const glyphs = (text: string, face: Face): Glyph[] => {
  const result: Glyph[] = []
  let marks = 0
  let offset = 0
  for (const character of text.toWellFormed().replaceAll('\r\n', ' \n')) {
    const at = offset
    offset += character.length
    const previous = result.at(-1)
    if (
      MARK.test(character) &&
      !VARIATION.test(character) &&
      previous?.kind === 'drawn' &&
      draws(previous.font, character)
    ) {
      marks++
      if (marks <= MAX_MARKS) result[result.length - 1] = { ...previous, text: previous.text + character }
      else if (marks === MAX_MARKS + 1) result.push(sign('more marks', at, face))
      continue
    }
    if (marks > MAX_MARKS && MARK.test(character)) continue
    marks = 0
    if (NEWLINE.test(character)) result.push({ kind: 'newline', text: '\n', font: face, width: 0, offset: at })
    else if (SPACE.test(character)) result.push(...spaces(character, at, face))
    else if (isSilent(character, previous)) continue
    else if (JOINER.test(character) && previous && FONTS[previous.font].script !== null)
      result[result.length - 1] = { ...previous, text: previous.text + character }
    else result.push(drawn(character, at, face) ?? repeated(result, sign(codeName(character), at, face)))
  }
  return result
}

const isSilent = (character: string, previous: Glyph | undefined): boolean =>
  previous?.kind === 'drawn' && (VARIATION.test(character) || (character === '\u200d' && previous.font === 'symbols'))

const spaces = (character: string, offset: number, face: Face): Glyph[] => {
  const space: Glyph = { kind: 'space', text: character === '\u00a0' ? '\u00a0' : ' ', font: face, width: 1, offset }
  return face === 'mono' && character === '\t' ? Array.from({ length: TAB_WIDTH }, () => space) : [space]
}

const drawn = (character: string, offset: number, face: Face): Glyph | null => {
  if (INVISIBLE.test(character)) return null
  const lone = MARK.test(character) ? `\u25cc${character}` : character
  const font = [face, ...FALLBACKS].find((id) => draws(id, character))
  if (font === undefined || (lone !== character && !draws(font, '\u25cc'))) return null
  return { kind: 'drawn', text: lone, font, width: columns(font, face), offset }
}

const columns = (font: FontId, face: Face): number => {
  if (font === face) return 1
  if (font === 'symbols') return 3
  return font === 'arabic' || font === 'hebrew' ? 1.4 : 2
}

const sign = (text: string, offset: number, face: Face): Glyph => ({
  kind: 'sign',
  text,
  font: face,
  width: text.length + 1,
  offset,
})

/** A flood of one invisible character is one sign with its number. */
const repeated = (result: Glyph[], next: Glyph): Glyph => {
  const previous = result.at(-1)
  const [name, count = '1'] = previous?.kind === 'sign' ? previous.text.split(' x ') : []
  if (name !== next.text || previous === undefined) return next
  result.pop()
  return { ...sign(`${name} x ${Number(count) + 1}`, previous.offset, 'mono'), font: next.font }
}

const codeName = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

const coverage = new Map(
  Object.entries(FONT_COVERAGE).map(([id, text]) => [
    id,
    text.split(' ').map((part) => {
      const [first = '', last = first] = part.split('-')
      return [Number.parseInt(first, 16), Number.parseInt(last, 16)] as const
    }),
  ]),
)

const known = new Map<string, boolean>()

const draws = (font: FontId, character: string): boolean => {
  const key = font + character
  const found = known.get(key)
  if (found !== undefined) return found
  const code = character.codePointAt(0) ?? 0
  const answer = (coverage.get(font) ?? []).some(([first, last]) => code >= first && code <= last)
  if (known.size < 50_000) known.set(key, answer)
  return answer
}
