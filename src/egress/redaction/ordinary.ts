/**
 * Words and chance told apart without a dictionary: by which letters follow each other in words. An ordinary word is
 * never worth hiding everywhere: it would take pages, findings and our own terms along, and by that give itself away.
 */

/**
 * After a letter, those that follow it in 99 % of all pairs within English words (counted over the words
 * of SCOWL, size 60). Words of neighbouring languages and made-up terms of technology keep to them as well.
 */
const FOLLOWERS: Readonly<Record<string, string>> = {
  a: 'bcdefghiklmnprstuvwxyz',
  b: 'abeilorsuy',
  c: 'acehiklorstuy',
  d: 'abdeghilmnorsuvwy',
  e: 'abcdefghiklmnopqrstuvwxyz',
  f: 'aefilorstuy',
  g: 'aeghilmnorsuy',
  h: 'aeilmnorstuwy',
  i: 'abcdefgklmnopqrstuvxz',
  j: 'aeiou',
  k: 'aehilnorsuy',
  l: 'abcdefgiklmnopstuvy',
  m: 'abeimnopsuy',
  n: 'abcdefghijklmnopqrstuvwy',
  o: 'abcdefghiklmnoprstuvwxyz',
  p: 'aehiloprstuy',
  q: 'u',
  r: 'abcdefghiklmnoprstuvwy',
  s: 'abcefhiklmnopqstuwy',
  t: 'abcefhilmnorstuwyz',
  u: 'abcdefgilmnoprstz',
  v: 'aeio',
  w: 'aehilnors',
  x: 'aceipt',
  y: 'abcdeilmnoprst',
  z: 'aeioz',
}

const LONGEST_WORD = 18

/** Whether a run of letters reads as a word, an abbreviation or a part of one. One pair in it may be unusual. */
export const isWordlike = (letters: string): boolean => {
  const word = letters.toLowerCase().replace(TERMS, '')
  if (word.length <= 3) return true
  if (word.length > LONGEST_WORD || /[^aeiouy]{6}|(.)\1\1/.test(word)) return false
  const vowels = word.replace(/[^aeiouy]/g, '').length / word.length
  if (word.length === 4 && vowels === 0) return true
  let unusual = 0
  for (let at = 1; at < word.length; at += 1) {
    if (!FOLLOWERS[word[at - 1] ?? '']?.includes(word[at] ?? '')) unusual += 1
  }
  return unusual <= 1 && vowels >= 0.1 && vowels <= 0.8
}

/** Abbreviations that stand within longer words: graphql, starttls, phpmyadmin. */
const TERMS = /https?|html|php|tls|ssl|graphql|sql|xml|dns|css|ssh|jwt|smtp|ftp|rpc|ctl|csp/g

/** Bits that a random letter and a random digit are worth. */
const LETTER = 4.7
const DIGIT = 3.3

/** Bits of a text that words, dates and times do not explain: how much of it is chance. */
export const randomBits = (text: string): number => {
  const { words, numbers } = partsOf(text)
  const letters = words.filter((word) => !word.reads).reduce((sum, word) => sum + word.letters.length, 0)
  return letters * LETTER + numbers.reduce((sum, number) => sum + number.length, 0) * DIGIT
}

/**
 * Whether people or programs may have written the text anywhere, without knowing the secret: at most three words, a
 * small number, a date, a version, an address, a field's name. A longer sequence of words is a passphrase.
 */
export const isOrdinary = (text: string): boolean => {
  if (/^[a-z][a-z+.-]*:\/\/|^\/|@/i.test(text)) return randomBits(text) < PLAIN_BITS
  const { words, numbers, plain } = partsOf(text)
  if (NAMED.test(plain)) return true
  // Mostly signs: nobody writes so.
  if (text.replace(/[^\w\s]/g, '').length * 2 <= text.length) return false
  if (words.some(({ reads }) => !reads)) return false
  if (words.length > 3) return numbers.length === 0 && (!PASSPHRASE.test(text) || FIELD.test(text))
  const digits = numbers.reduce((sum, number) => sum + number.length, 0)
  return digits === 0 || (words.length === 0 ? digits <= 6 || VERSION.test(plain) : NUMBERED.test(plain))
}

/** Fewer random bits make no secret of a value that its name does not call one. */
export const PLAIN_BITS = 40

interface Parts {
  readonly words: readonly { readonly letters: string; readonly reads: boolean }[]
  readonly numbers: readonly string[]
  /** Without dates, in lower case. */
  readonly plain: string
}

const DATES =
  /\b(?:19|20)\d\d-?[01]\d-?[0-3]\d(?:[T ]?[0-2]\d:?[0-5]\d(?::?[0-5]\d)?(?:\.\d{3})?Z?)?\b|\b1\d{9}(?:\d{3})?\b/g
/** Runs of letters, cut where lower case meets upper case, and runs of digits. */
const RUNS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g

const partsOf = (text: string): Parts => {
  const rest = text.replace(DATES, ' ')
  const words: { letters: string; reads: boolean }[] = []
  const numbers: string[] = []
  for (const { 0: run, index } of rest.matchAll(RUNS)) {
    if (/\d/.test(run)) {
      numbers.push(run)
      continue
    }
    // One to three letters between digits are no word, but in names such as sha256.
    const touches = /\d/.test(`${rest[index - 1] ?? ''}${rest[index + run.length] ?? ''}`)
    const reads = isWordlike(run) && (!touches || run.length > 4 || SHORT.test(run.toLowerCase()))
    words.push({ letters: run, reads })
  }
  // Base64 falls into many short parts of changing case: none of them is a word then.
  const torn = words.length > 2 && words.reduce((sum, { letters }) => sum + letters.length, 0) < 3 * words.length
  return {
    words: torn ? words.map(({ letters }) => ({ letters, reads: false })) : words,
    numbers,
    plain: rest.toLowerCase().trim(),
  }
}

const NAMES =
  'a|aes|amd|apache|arm|base|ca|cbc|col|cp|crc|css|cve|cwe|ecma|ed|es|gb|gcm|grid|h|html|https?|i|ie|ip|ipv|iso|jp|k|koi|latin|layout|level|line|log|md|mp|n|nginx|oauth|owasp|p|page|php|port|px|r|rfc|rsa|s|sha|ssl|sslv|step|tab|tcp|tls|tlsv|udp|ui|utf|v|version|vp|web|win|windows|x|xhtml|xp|y'
const SHORT = new RegExp(`^(?:${NAMES}|th|nd|rd|bit|kb|mb|gb|ms|em)$`)
/** Words of technology with a number: sha256, utf-8, http/2, TLSv1.2, x509, CVE-2021-44228, win32-x64. */
const NAMED = new RegExp(`^(?:${NAMES})[-_. /:]?\\d{1,4}(?:[-_. /:]\\d{1,5}){0,2}(?:[-_. /:](?:${NAMES})\\d{0,4})?$`)
/** And words with a small number, or a number with its unit. */
const NUMBERED = new RegExp(
  `^(?:(?:[a-z]+[-_. /:]){1,2}\\d{1,2}|(?:[a-z]+[-_. /:]){0,2}(?:${NAMES})[-_]?\\d{1,4}|\\d{1,4}(?:[-_. ]|th|bit|px|x|ms|mb|kb)(?:[a-z]*|\\d{1,4}))$`,
)
const VERSION = /^\d{1,5}(?:[-._:/x ]+\d{1,5}){1,3}$/
const PASSPHRASE = /^(?=.{16})[a-z]{2,}(?:[- .+~]+[a-z]{2,}){3,}$/i
/** Beginnings of names of HTTP header fields: those have many words, too. */
const FIELD =
  /^(?:access-control|content-security|cross-origin|strict-transport|x|sec|upgrade|accept|if|proxy|public)-/i
