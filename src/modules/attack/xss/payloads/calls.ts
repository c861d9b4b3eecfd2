/** Ways to call the one function that only the proving browser has, with a number of its own. */
import { encodeValue } from '../../insertion-points/body.ts'
import type { FilterProfile, Reading } from './filter-profile.ts'

/** Made in the browser's profile before any page loads. */
export const CALL = 'qxproof'

export interface Call {
  /** As it stands in the page. */
  readonly written: string
  /** As the browser reads it: what has to stand in code. */
  readonly code: string
}

/** Needs parentheses and nothing else; the last need none, or no letters. */
export const callsOf = (nonce: number, reading: Reading): readonly Call[] => {
  const plain = `${CALL}(${nonce})`
  const tagged = `${CALL}\`${nonce}\``
  const thrown = `{onerror=${CALL};throw[${nonce}]}`
  const same = (code: string): Call => ({ written: code, code })
  const spelled = { written: inEntities(`${CALL}(`) + nonce + inEntities(')'), code: plain }
  if (reading === 'script') return [same(plain), same(tagged), same(thrown), same(letterless(nonce))]
  const coded = { written: `${CALL}&#40;${nonce}&#41;`, code: plain }
  const percent = reading === 'address' ? [{ written: `${CALL}%28${nonce}%29`, code: plain }] : []
  return [same(plain), same(tagged), ...percent, coded, spelled, same(letterless(nonce))]
}

/** The call as a text has it: in the address of a link its brackets stand encoded. `code` itself where the text has none. */
export const callIn = (text: string, nonce: number, code = `${CALL}(${nonce})`): string =>
  [code, ...callsOf(nonce, 'address').map(({ written }) => written)].find((one) => text.includes(one)) ?? code

/** The first that gets through whole. Null where none does. */
export const callFor = (nonce: number, reading: Reading, ways: FilterProfile): Call | null =>
  callsOf(nonce, reading).find(({ written }) => passesAll(written, reading, ways)) ?? null

/** Letters have to keep their case in scripts; entities by number have none. */
export const passesAll = (text: string, reading: Reading, ways: FilterProfile, letters = true): boolean =>
  (ways.steady || !letters || !/[a-z]/i.test(text)) && [...text].every((char) => ways.passes(char, reading))

/** `alert` in place of our call, which no other browser has, however it is written there and whatever it is sent within. */
export const withAlert = (text: string): string =>
  WRITTEN.reduce((replaced, [ours, theirs]) => replaced.replaceAll(ours, theirs), text)

const inEntities = (text: string): string => [...text].map((char) => `&#${char.charCodeAt(0)};`).join('')

const inOctal = (text: string): string =>
  [...text].map((char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`).join('')

/** Names as octal escapes in texts; runs the code by the constructor of functions. */
const letterless = (nonce: number): string => {
  const text = (name: string): string => `"${inOctal(name)}"`
  return `[][${text('at')}][${text('constructor')}](${text(`${CALL}(`)}+${nonce}+${text(')')})()`
}

const WRITTEN: readonly (readonly [string, string])[] = [String, inEntities, inOctal].flatMap((spelt) =>
  [String, encodeValue, (text: string) => JSON.stringify(text).slice(1, -1)].map(
    (sent) => [sent(spelt(CALL)), sent(spelt('alert'))] as const,
  ),
)
