/** One spelling for comparison: labels differ in case, accents, spaces and signs by the taste of whoever built the page. */

/** Letters that have no decomposition but are written without their stroke, or as two letters, where a font lacks them. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ı: 'i',
  ς: 'σ',
  æ: 'ae',
  œ: 'oe',
}

/** Characters of a text that are looked at; no label is longer. */
const LONGEST = 4_000

/**
 * Compatibility form, lower case, without accents, signs and repeated spaces. "&" is a space: every language has another word.
 * Apostrophes of all kinds vanish, so that "J’accepte" and "j'accepte" are one.
 */
export const fold = (text: string): string =>
  text
    .slice(0, LONGEST)
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .replace(/[ßłøđıςæœ]/gu, (letter) => PLAIN[letter] ?? letter)
    .replace(/['’‘ʼʹ`´]/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
