/**
 * A secret in the forms in which it may be met: as it is, backwards, in hexadecimal and in base64 at any alignment, the
 * last two also of its upper and lower case. All of them without what separates or decorates, in lower case.
 */
import { undoCodings } from './coded-text.ts'

/** What of a text counts when it is compared: letters and digits; or all of ASCII but white space and backslashes. */
export type Skin = 'alphanumeric' | 'printable'

/** For each code of ASCII what it counts as, 0 for what does not count. */
export const SKINS: Readonly<Record<Skin, Uint8Array>> = {
  alphanumeric: skinOf(/[a-z0-9]/i),
  printable: skinOf(/[^\s\\+]/),
}

function skinOf(kept: RegExp): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, code) => {
    const character = String.fromCharCode(code)
    return code > 32 && code < 127 && kept.test(character) ? character.toLowerCase().charCodeAt(0) : 0
  })
}

export interface SecretForm {
  readonly skin: Skin
  /** What counts of the form, by its codes. */
  readonly codes: Uint8Array
  /** From the first to the last character that counts, as it is; '' where it need not stand alone. */
  readonly exact: string
  /** What does not count at its beginning and end: hidden along with it. */
  readonly before: string
  readonly after: string
  /** Codes at the beginning that others share, such as the head of a JSON Web Token: no sign of this secret. */
  readonly shared: number
  /** Has to stand by itself, in one piece or evenly spaced: too short to be sure of otherwise. */
  readonly alone: boolean
  /** In base64 the character at either end holds bits of its neighbour, and padding may follow. */
  readonly padded: boolean
}

/** Fewer letters and digits are no sign of a secret: its other characters have to be compared, too. */
const ENOUGH = 6
/** Forms of fewer could be met by chance within other words. */
const SURE = 8

/**
 * Longer than so many characters are sessions sealed into a cookie, and tokens. Of these there may be another one after each answer, so that
 * codings are kept of what they are alone, and not of their upper and lower case and backwards.
 */
const SEALED = 160

/** `secret` is what a header may hold; `shortest` the least number of characters worth looking for. */
export const formsOf = (secret: string, shortest: number): SecretForm[] => {
  const texts = new Set(undoCodings(secret).map(({ text }) => text))
  const cased = new Set([...texts].flatMap((text) => [text, text.toLowerCase(), text.toUpperCase()]))
  const turned = [...texts].map((text) => [...text].reverse().join(''))
  const coded = secret.length > SEALED ? [...texts] : [...cased, ...turned]
  return distinct([
    ...[...texts].map((text) => ({ ...formOf(text), shared: sharedOf(text) })),
    ...turned.map((text) => formOf(text)),
    ...coded.map((text) => formOf(Buffer.from(text).toString('hex'))),
    ...coded.flatMap((text) => base64(Buffer.from(text), shortest)),
  ])
}

const formOf = (text: string, enough = SURE): SecretForm => {
  const counted = countOf(text, 'alphanumeric')
  const skin = counted >= enough || counted === text.length ? 'alphanumeric' : 'printable'
  const { codes, from, to } = codesOf(text, skin)
  const isAlone = skin === 'alphanumeric' && codes.length < SURE
  return {
    skin,
    codes,
    exact: isAlone ? text.slice(from, to) : '',
    before: text.slice(0, from),
    after: text.slice(to),
    shared: 0,
    alone: isAlone,
    padded: false,
  }
}

/** The characters of the coded text that depend on the secret alone, for each place it can begin at in a longer text. */
const base64 = (bytes: Buffer, shortest: number): SecretForm[] =>
  [0, 1, 2].flatMap((offset) => {
    const coded = Buffer.concat([Buffer.alloc(offset), bytes, Buffer.alloc(2)]).toString('base64')
    const core = coded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6))
    return core.length < shortest
      ? []
      : [{ ...formOf(core, ENOUGH), before: '', after: '', alone: false, padded: true }]
  })

/** Of a JSON Web Token the head: all tokens of one algorithm have the same one (RFC 7519). */
const sharedOf = (text: string): number => {
  const [, head = ''] = /^(eyJ[\w-]+)\.[\w-]+\./.exec(text) ?? []
  return countOf(head, 'alphanumeric')
}

const countOf = (text: string, skin: Skin): number => codesOf(text, skin).codes.length

const codesOf = (text: string, skin: Skin) => {
  const table = SKINS[skin]
  const codes = new Uint8Array(text.length)
  let count = 0
  let from = -1
  let to = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = table[text.charCodeAt(at)] ?? 0
    if (code === 0) continue
    if (from < 0) from = at
    to = at + 1
    codes[count] = code
    count += 1
  }
  return { codes: codes.slice(0, count), from: Math.max(from, 0), to }
}

const distinct = (forms: readonly SecretForm[]): SecretForm[] => [
  ...new Map(
    forms
      .filter(({ codes }) => codes.length >= ENOUGH)
      .toReversed()
      .map((form) => [`${form.skin} ${Buffer.from(form.codes).toString('latin1')}`, form]),
  ).values(),
]
