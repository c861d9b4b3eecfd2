/**
 * The one way from text to TeX. Whatever a scanned site put into the text, the result only draws it: it holds no
 * character that TeX gives a meaning to outside the few commands written here, every character has a font that draws
 * it, invisible and direction-changing characters show as signs, and any word can be broken.
 */
import { FONTS, type FontId } from './fonts.ts'
import { type Face, type Glyph, glyphs } from './glyphs.ts'

/** TeX gives these a meaning (The TeXbook, chapter 7). */
const SPECIAL: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '{': '\\{',
  '}': '\\}',
  $: '\\$',
  '&': '\\&',
  '#': '\\#',
  '%': '\\%',
  _: '\\_',
  '^': '\\textasciicircum{}',
  '~': '\\textasciitilde{}',
  '\u00a0': '~',
}

/** Longer words may break after punctuation, and inside where there is none. */
const LONG_WORD = 18
/** A compound of this length is one word in German, and a line takes it; TeX divides it where it knows how. */
const LONG_COMPOUND = 26
const LONGEST_UNBROKEN = 12
const BREAK_AFTER = /[/?&=._\-:,;@%+|)\]}>]/

export interface EscapeOptions {
  readonly face?: Face
  /** Characters of the text at most; the rest is replaced by its number. */
  readonly max?: number
}

/** One paragraph: line ends and runs of spaces become one space. */
export const texText = (text: string, { face = 'sans', max = 4000 }: EscapeOptions = {}): string => {
  const { kept, dropped } = bounded(text.replace(/[ \t\r\n\u2028\u2029]+/g, ' ').trim(), max)
  return texGlyphs(withBreaks(glyphs(kept, face)), face) + (dropped > 0 ? `\\omitted{${dropped}}` : '')
}

/** Text with `code` between backticks. */
export const texMarked = (text: string, max = 4000): string => {
  const { kept, dropped } = bounded(text, max)
  const parts = kept.split(/`([^`\n]{1,300})`/)
  const tex = parts.map((part, index) =>
    index % 2 === 1 ? `\\code{${texText(part, { face: 'mono' })}}` : spaced(part, texText(part, { max })),
  )
  return tex.join('') + (dropped > 0 ? `\\omitted{${dropped}}` : '')
}

/** For PDF bookmarks and metadata, where no font can be chosen. */
export const texPlain = (text: string, max = 200): string => {
  const { kept } = bounded(text.toWellFormed().replace(/\s+/g, ' ').trim(), max)
  return [...kept]
    .filter((character) => /^[\p{L}\p{N}\p{P}\p{S}\p{M} ]$/u.test(character))
    .map((character) => SPECIAL[character] ?? character)
    .join('')
}

/** The target of a link, or null for what is no http address. Every doubtful character is percent-encoded. */
export const texAddress = (address: string): string | null => {
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol) || address.length > 2000) return null
  return url.href
    .replace(/[^A-Za-z0-9\-._:/?=&#%+,;@!]/g, (character) => encodeURIComponent(character).replace(/'/g, '%27'))
    .replace(/[()*~']/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/[%#&_]/g, '\\$&')
}

/** Drawn one after the other; runs of one font become one group, so that joined scripts stay joined. */
export const texGlyphs = (list: readonly (Glyph | typeof BREAK)[], face: Face): string => {
  let tex = ''
  let font: FontId = face
  for (const [index, glyph] of list.entries()) {
    const wanted = fontAt(list, index, font, face)
    if (wanted !== font) {
      tex += (font === face ? '' : '}') + (wanted === face ? '' : `\\in${wanted}{`)
      font = wanted
    }
    tex += glyph === BREAK ? '\\brk{}' : texGlyph(glyph, face)
  }
  return font === face ? tex : `${tex}}`
}

const BREAK = 'break'

const texGlyph = (glyph: Glyph, face: Face): string => {
  if (glyph.kind === 'sign') return `\\sign{${glyph.text}}`
  if (glyph.kind === 'space') return glyph.text === '\u00a0' ? '~' : face === 'mono' ? '\\ ' : ' '
  return [...glyph.text].map((character) => SPECIAL[character] ?? character).join('')
}

/** A space between two words of one right-to-left font belongs to them, or the words would change places. */
const fontAt = (list: readonly (Glyph | typeof BREAK)[], index: number, current: FontId, face: Face): FontId => {
  const glyph = list[index]
  if (glyph === undefined || glyph === BREAK) return current
  if (glyph.kind !== 'space' || !FONTS[current].rightToLeft) return glyph.kind === 'drawn' ? glyph.font : face
  const next = list.slice(index + 1, index + 4).find((later) => later !== BREAK && later.kind !== 'space')
  return next !== undefined && next !== BREAK && next.font === current ? current : face
}

const withBreaks = (list: readonly Glyph[]): (Glyph | typeof BREAK)[] => {
  const result: (Glyph | typeof BREAK)[] = []
  let word: Glyph[] = []
  const flush = () => {
    result.push(...(word.length > longest(word) || word.some(isWide) ? broken(word) : word))
    word = []
  }
  for (const glyph of list) {
    if (glyph.kind !== 'space') {
      word.push(glyph)
      continue
    }
    flush()
    result.push(glyph)
  }
  flush()
  return result
}

const longest = (word: readonly Glyph[]): number =>
  word.every(({ text }) => /^[\p{Script=Latin}.,:;()]$/u.test(text)) ? LONG_COMPOUND : LONG_WORD

const isWide = (glyph: Glyph): boolean => glyph.font === 'cjk' || glyph.kind === 'sign'

const broken = (word: readonly Glyph[]): (Glyph | typeof BREAK)[] => {
  let since = 0
  return word.flatMap((glyph, index) => {
    since++
    const here = isWide(glyph) || since >= LONGEST_UNBROKEN || (since > 2 && BREAK_AFTER.test(glyph.text))
    if (!here || index === word.length - 1) return [glyph]
    since = 0
    return [glyph, BREAK]
  })
}

const bounded = (text: string, max: number): { kept: string; dropped: number } => {
  if (text.length <= max) return { kept: text, dropped: 0 }
  const cut = /[\ud800-\udbff]/.test(text.charAt(max - 1)) ? max - 1 : max
  return { kept: text.slice(0, cut), dropped: text.length - cut }
}

/** `texText` trims; around a code span the spaces of the sentence must stay. */
const spaced = (source: string, tex: string): string => {
  if (tex === '') return source === '' ? '' : ' '
  return (/^\s/.test(source) ? ' ' : '') + tex + (/\s$/.test(source) ? ' ' : '')
}
