/** What in an answer is a secret, or somebody's own: by its format first, by its name where the value bears it out. */
import type { Leaf } from './leaves.ts'

export interface Kind {
  readonly what: string
  /** The format alone tells; else the name does, too. */
  readonly certain: boolean
}

const HASHES: readonly (readonly [RegExp, string])[] = [
  [/^\$2[abxy]?\$\d\d\$[./A-Za-z\d]{53}$/, 'password hash (bcrypt)'],
  [/^\$argon2(?:i|d|id)\$/, 'password hash (Argon2)'],
  [/^\$(?:scrypt|s0|7)\$/, 'password hash (scrypt)'],
  [/^\$[156]\$[^$]{1,40}\$/, 'password hash (crypt)'],
  [/^\$[PH]\$[./A-Za-z\d]{31}$/, 'password hash (phpass)'],
  [/^(?:pbkdf2(?:_sha\d+)?|scrypt)[:$]/, 'password hash (PBKDF2 or scrypt)'],
  [/^\{S?SHA(?:256|512)?\}/, 'password hash (LDAP)'],
  [/^-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/, 'private key'],
]
const NAMED: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:(?:hashed|encrypted|user|md5|sha\d{0,3})_?)?(?:pass(?:word|wd|phrase)?|pwd|passwort)(?:_?(?:hash(?:ed)?|digest|salt|md5|sha_?\d{0,3}|b?crypt))?$/i,
    'password',
  ],
  [/^(?:mfa|totp|otp|two_?factor|2fa)_?(?:secret|seed|key)$/i, 'secret of one-time passwords'],
  [
    /^(?:(?:password_?)?reset|recovery|confirmation|verification|invit(?:e|ation)|remember)_?(?:token|code)$/i,
    'token that stands for a password',
  ],
  [/^(?:private|signing|encryption|secret)_?key$/i, 'key'],
  [/^(?:client|webhook|app)_?secret$/i, 'secret of an application'],
]
const MASKED =
  /^(?:[*•x.#-]+|null|none|hidden|redacted|\[[^\]]*\]|<[^>]*>|true|false|string|password|secret|change-?me)$/i

const MAIL = /^([^\s@<>]{1,64})@[^\s@.<>]+(?:\.[^\s@.<>]+)+$/
const DATE = /^(?:19|20)\d\d-\d\d-\d\d/
/** Letters, as a label has them in any language; a secret of letters alone is told by the record that it stands in. */
const WORD = /^[\p{L}\p{M}]+(?:-[\p{L}\p{M}]+)*[:*.…]*$/u
/** No text that people read: a number, a flag, an address, a day, an id. */
const isOfRecord = ({ value }: Leaf): boolean =>
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  (typeof value === 'string' &&
    (MAIL.test(value) || DATE.test(value) || /^[\da-f-]{16,}$/i.test(value) || /^\d+$/.test(value)))
const parentOf = (pointer: string): string => pointer.slice(0, pointer.lastIndexOf('/'))

/** Those of a document. "password": "Passwort" among nothing but texts is a label of a page, as catalogues of translations have them. */
export const secretsOf = (leaves: readonly Leaf[]): readonly Leaf[] => {
  const records = new Set(leaves.filter(isOfRecord).map(({ pointer }) => parentOf(pointer)))
  return leaves.filter((leaf) => {
    const kind = secretOf(leaf)
    return kind !== null && (kind.certain || !WORD.test(String(leaf.value)) || records.has(parentOf(leaf.pointer)))
  })
}

/** Null for what is none; of a whole document ask `secretsOf`. */
export const secretOf = ({ name, value }: Leaf): Kind | null => {
  if (typeof value !== 'string' || value.length < 4) return null
  const format = HASHES.find(([pattern]) => pattern.test(value))?.[1]
  if (format !== undefined) return { what: format, certain: true }
  // What has spaces is a sentence about one.
  if (MASKED.test(value) || /\s/.test(value)) return null
  const named = NAMED.find(([pattern]) => pattern.test(name))?.[1]
  return named === undefined ? null : { what: named, certain: false }
}

/** Of a team and not of a person. */
const OF_A_ROLE =
  /^(?:info|sales|support|contact|kontakt|office|admin|administrator|hello|press|presse|no-?reply|do-?not-?reply|jobs|team|service|webmaster|hostmaster|postmaster|hr|help|billing|privacy|datenschutz|security|abuse|test|user|example)$/i
const PHONE = /^\+?[\d\s()/.-]{7,20}$/

/** Null for what is nobody's. */
export const personalOf = ({ name, value }: Leaf): string | null => {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const text = String(value)
  const [, local] = MAIL.exec(text) ?? []
  if (local !== undefined) return OF_A_ROLE.test(local) ? null : 'e-mail addresses'
  if (/^(?:.*_)?(?:iban|bank_?account)$/i.test(name) && isIban(text)) return 'bank accounts'
  if (/card|pan$|^cc/i.test(name) && isCard(text)) return 'card numbers'
  if (/^(?:ssn|social_?security\w*|tax_?id|passport\w*|national_?id)$/i.test(name) && text.length >= 6)
    return 'numbers of identity documents'
  if (/phone|mobile|^tel/i.test(name) && PHONE.test(text)) return 'telephone numbers'
  if (/birth|^dob$|^born/i.test(name) && DATE.test(text)) return 'dates of birth'
  return null
}

/** Enough by themselves; the others tell of people only together. */
export const GRAVE: ReadonlySet<string> = new Set(['bank accounts', 'card numbers', 'numbers of identity documents'])

/** ISO 13616: the remainder by 97 is 1. */
const isIban = (text: string): boolean => {
  const plain = text.replace(/\s/g, '').toUpperCase()
  if (!/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(plain)) return false
  const digits = `${plain.slice(4)}${plain.slice(0, 4)}`.replace(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 55),
  )
  return [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0) === 1
}

/** ISO/IEC 7812-1, annex B. */
const isCard = (text: string): boolean => {
  const digits = text.replace(/[\s-]/g, '')
  if (!/^[2-6]\d{12,18}$/.test(digits)) return false
  const sum = [...digits].reverse().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}
