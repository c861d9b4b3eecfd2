/** Made-up values that are typed into fields and never submitted, and all the forms in which a script may send them. */
import { createHash, randomBytes } from 'node:crypto'

export const CANARY_FIELDS = ['e-mail', 'password', 'phone', 'text'] as const
export type CanaryField = (typeof CANARY_FIELDS)[number]

export interface Canary {
  readonly field: CanaryField
  readonly value: string
  readonly forms: readonly CanaryForm[]
}

export interface CanaryForm {
  readonly encoding: string
  readonly text: string
  /** Compared without regard to case. */
  readonly folded: boolean
}

export interface CanaryHit {
  readonly field: CanaryField
  readonly encoding: string
  readonly index: number
  readonly length: number
}

/** New ones for each run: nothing that anybody has. Numbers from Ofcom's range for drama, names below RFC 2606's .example. */
export const makeCanaries = (): readonly Canary[] => {
  const word = randomLetters(10)
  const digits = String(100 + (randomBytes(2).readUInt16BE() % 900))
  return [
    canary('e-mail', `sonde.${word}@visitor.example`),
    canary('password', `Sonde-${randomBytes(5).toString('hex')}`),
    canary('phone', `+447700900${digits}`),
    canary('text', `sonde${randomLetters(8)}`),
  ]
}

export const canary = (field: CanaryField, value: string): Canary => ({ field, value, forms: formsOf(value) })

/** All hits in a text, each form of a canary once. */
export const findCanaries = (text: string, canaries: readonly Canary[]): readonly CanaryHit[] => {
  const lower = text.toLowerCase()
  return canaries.flatMap(({ field, forms }) => {
    // Plain first: percent-coding leaves most values as they are.
    for (const { encoding, text: form, folded } of forms) {
      const index = folded ? lower.indexOf(form) : text.indexOf(form)
      if (index >= 0) return [{ field, encoding, index, length: form.length }]
    }
    return []
  })
}

/** The canaries' values and forms taken out, each named in its place. */
export const withoutCanaries = (text: string, canaries: readonly Canary[]): string =>
  canaries.reduce(
    (rest, { field, forms }) =>
      forms.reduce(
        (left, { text: form, encoding }) =>
          left.toLowerCase().includes(form.toLowerCase())
            ? left.replaceAll(new RegExp(RegExp.escape(form), 'gi'), `[typed ${field}, ${encoding}]`)
            : left,
        rest,
      ),
    text,
  )

const formsOf = (value: string): readonly CanaryForm[] => {
  const variants = [...new Set([value, value.toLowerCase(), value.replace(/[^a-z0-9]/gi, '')])]
  const hashes = ['md5', 'sha1', 'sha256', 'sha512'].flatMap((algorithm) =>
    variants.flatMap((variant) => {
      const digest = createHash(algorithm).update(variant).digest()
      const name = algorithm.replace('sha', 'SHA-').replace('md5', 'MD5')
      return [
        { encoding: name, text: digest.toString('hex'), folded: true },
        { encoding: `${name}, Base64`, text: digest.toString('base64').replace(/=+$/, ''), folded: false },
        { encoding: `${name}, Base64`, text: digest.toString('base64url'), folded: false },
        {
          encoding: `${name}, Base64`,
          text: encodeURIComponent(digest.toString('base64').replace(/=+$/, '')),
          folded: false,
        },
      ]
    }),
  )
  const forms = [
    { encoding: 'plain', text: value.toLowerCase(), folded: true },
    { encoding: 'percent-coded', text: encodeURIComponent(value).toLowerCase(), folded: true },
    {
      encoding: 'percent-coded twice',
      text: encodeURIComponent(encodeURIComponent(value)).toLowerCase(),
      folded: true,
    },
    ...base64Cores(value).map((text) => ({ encoding: 'Base64', text, folded: false })),
    { encoding: 'hexadecimal', text: Buffer.from(value).toString('hex'), folded: true },
    { encoding: 'reversed', text: [...value].toReversed().join('').toLowerCase(), folded: true },
    ...hashes,
  ]
  return forms.filter(({ text }, index) => forms.findIndex((one) => one.text === text) === index)
}

/** What stays the same in Base64 whatever stands before and behind, for the three ways in which bytes can fall. */
const base64Cores = (value: string): readonly string[] =>
  [0, 1, 2].map((shift) => {
    const coded = Buffer.concat([Buffer.alloc(shift), Buffer.from(value)])
      .toString('base64')
      .replace(/=+$/, '')
    const whole = Math.floor(((shift + Buffer.byteLength(value)) * 8) / 6)
    return coded.slice(shift === 0 ? 0 : shift + 1, whole)
  })

const randomLetters = (count: number): string =>
  [...randomBytes(count)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('')
