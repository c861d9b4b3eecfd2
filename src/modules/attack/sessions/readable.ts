/** Whom the value of a cookie names, where it can be read: a number or the account's name, plain, packed or hashed. */
import { createHash } from 'node:crypto'
import { percentDecoded } from '../../../page/percent.ts'

export interface Readable {
  /** In words: "a number, in Base64". */
  readonly says: string
  readonly kind: 'number' | 'name'
  /** What it names. */
  readonly own: string
  /** The cookie's value for somebody else. */
  readonly naming: (other: string) => string
}

interface Packing {
  readonly said: string
  readonly unpack: (value: string) => string | null
  readonly pack: (text: string) => string
}

const printable = (text: string): string | null => (/^[\x20-\x7e]{1,300}$/.test(text) ? text : null)

const inBase = (kind: 'base64' | 'base64url' | 'hex', said: string): Packing => ({
  said,
  // What is not written so would be read as something all the same.
  unpack: (value) => {
    const given = percentDecoded(value)
    const bytes = Buffer.from(given, kind)
    return bytes.toString(kind).replace(/=+$/, '') === given.replace(/=+$/, '') ? bytes.toString('latin1') : null
  },
  pack: (text) => encodeURIComponent(Buffer.from(text, 'latin1').toString(kind)),
})

const PACKINGS: readonly Packing[] = [
  { said: '', unpack: (value) => value, pack: (text) => text },
  { said: '', unpack: percentDecoded, pack: encodeURIComponent },
  inBase('base64', ', in Base64'),
  inBase('base64url', ', in Base64'),
  inBase('hex', ', in hexadecimal'),
]

/** What decodes no percent signs takes the signs of Base64 as they are. */
const codedAs = (value: string, packed: string): string =>
  value.includes('%') ? packed : packed.replace(/%(?:3D|2B|2F)/g, percentDecoded)

const NUMBER = /^\d{1,9}$/
/** Digests of numbers up to this are known. */
const MOST_HASHED = 5_000
const HASHES: readonly (readonly [length: number, name: string])[] = [
  [32, 'md5'],
  [40, 'sha1'],
  [64, 'sha256'],
]

/** `account`: by what the account signs in. Null for what names nobody, or does so in no way that is known. */
export const readableOf = (value: string, account: string | undefined): Readable | null => {
  const names = namesOf(account)
  for (const { said, unpack, pack } of PACKINGS) {
    const text = printable(unpack(value) ?? '')
    const found = text === null ? null : partOf(text, names)
    if (found !== null)
      return { ...whatOf(found.own, said), own: found.own, naming: (other) => codedAs(value, pack(found.whole(other))) }
  }
  return hashedOf(value, names)
}

/** The account, and what stands before its @. */
export const namesOf = (account: string | undefined): readonly string[] => {
  const local = account?.split('@')[0]
  return [...new Set([account, local])].filter((one): one is string => one !== undefined && one.length > 2)
}

const whatOf = (own: string, said: string): Pick<Readable, 'says' | 'kind'> =>
  NUMBER.test(own)
    ? { says: `a number${said}`, kind: 'number' }
    : { says: `what the account signs in by${said}`, kind: 'name' }

interface Part {
  readonly own: string
  readonly whole: (other: string) => string
}

/** The whole, or a part of it between signs (`7|ada`, `id=7&lang=en`, `{"user":"ada"}`): a name before a number. */
const partOf = (text: string, names: readonly string[]): Part | null => {
  const isName = (one: string): boolean => names.some((name) => name.toLowerCase() === one.toLowerCase())
  if (NUMBER.test(text) || isName(text)) return { own: text, whole: (other) => other }
  const parts = text.split(/([|:;,&=/"'{}[\]\s]+)/)
  const at = (found: number): Part => ({
    own: parts[found] ?? '',
    whole: (other) => parts.map((part, index) => (index === found ? other : part)).join(''),
  })
  const named = parts.findIndex(isName)
  if (named !== -1) return at(named)
  const numbered = parts.findIndex((part, index) => NUMBER.test(part) && isCalledSo(parts.slice(0, index).join('')))
  return numbered === -1 ? null : at(numbered)
}

/** Of several parts the number that comes first, or is called an id. */
const isCalledSo = (before: string): boolean =>
  /^["'{[\s]*$/.test(before) || /(?:id|user|uid|account|member)["'\s]*[:=]["'\s]*$/i.test(before)

const hashedOf = (value: string, names: readonly string[]): Readable | null => {
  const hash = HASHES.find(([length]) => length === value.length)?.[1]
  if (hash === undefined || !/^[\da-f]+$/i.test(value)) return null
  const digest = (text: string): string => createHash(hash).update(text).digest('hex')
  const numbers = Array.from({ length: MOST_HASHED }, (_, index) => String(index + 1))
  const own = [...names, ...numbers].find((one) => digest(one) === value.toLowerCase())
  return own === undefined ? null : { ...whatOf(own, `, hashed with ${hash.toUpperCase()}`), own, naming: digest }
}
