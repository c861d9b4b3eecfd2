/**
 * How identifiers of sessions may have been made, told from a few fresh ones (CWE-330, CWE-331, CWE-340). What is found is found for all of
 * them and by arithmetic alone: a sequence, a time, a digest of one of these. That nothing is found says nothing of the generator.
 */
import { createHash } from 'node:crypto'

export interface Sample {
  readonly value: string
  /** Milliseconds since the epoch: when it was asked for, and when it had come. */
  readonly from: number
  readonly to: number
}

/** Fewer of them rise by chance. */
export const FEWEST = 8
/** A time, or what a digest is of, is met by no other. */
export const FEWEST_MET = 3

/** In words, how each value was made; null where nothing of it was found. */
export const madeBy = (samples: readonly Sample[]): string | null => {
  if (new Set(samples.map(({ value }) => value)).size < FEWEST_MET) return null
  for (const { name, decode } of CODINGS) {
    const decoded = samples.map((one) => ({ ...one, value: decode(one.value) ?? '' }))
    if (decoded.some(({ value }) => value === '')) continue
    const found = numbered(decoded) ?? digested(decoded)
    if (found !== null) return `${found}${name}`
  }
  return null
}

const fromBase64 = (text: string): string | null => {
  if (!/^[\w+/-]{2,}={0,2}$/.test(text)) return null
  const decoded = Buffer.from(text, 'base64').toString('latin1')
  return /^[\x20-\x7e]+$/.test(decoded) ? decoded : null
}

const CODINGS: readonly { readonly name: string; readonly decode: (text: string) => string | null }[] = [
  { name: '', decode: (text) => text },
  { name: ', in base64', decode: fromBase64 },
  { name: ', in base64', decode: (text) => (/%3d/i.test(text) ? fromBase64(text.replace(/%3d/gi, '=')) : null) },
]

/** What differs between them, and is a number in all. */
const numbersIn = (values: readonly string[], digits: RegExp): readonly string[] | null => {
  const before = sharedBy(values, (text) => text)
  const behind = sharedBy(
    values.map((text) => text.slice(before.length)),
    (text) => [...text].reverse().join(''),
  ).length
  const digit = new RegExp(`${digits.source}*$`, digits.flags)
  const start = before.length - (digit.exec(before)?.[0].length ?? 0)
  const parts = values.map((text) => {
    const rest = text.slice(start)
    const tail = new RegExp(`^${digits.source}*`, digits.flags).exec(rest.slice(rest.length - behind))?.[0].length ?? 0
    return rest.slice(0, rest.length - behind + tail)
  })
  return parts.every((part) => new RegExp(`^${digits.source}{1,20}$`, digits.flags).test(part)) ? parts : null
}

const sharedBy = (values: readonly string[], turned: (text: string) => string): string => {
  const [first = '', ...others] = values.map(turned)
  let length = first.length
  for (const one of others) while (!one.startsWith(first.slice(0, length))) length -= 1
  return first.slice(0, length)
}

const MOST_STEP = 1_000n

const numbered = (samples: readonly Sample[]): string | null => {
  const values = samples.map(({ value }) => value)
  const decimal = numbersIn(values, /\d/)
  const hex = decimal === null ? numbersIn(values, /[\da-f]/i) : null
  const parts = decimal ?? hex
  if (parts === null) return null
  const numbers = parts.map((part) => BigInt(decimal === null ? `0x${part}` : part))
  const unit = UNITS.find(({ perSecond }) => samples.every((one, at) => isWithin(numbers[at] ?? 0n, one, perSecond)))
  if (unit !== undefined) return `the time in ${unit.name}${decimal === null ? ', in hexadecimal' : ''}`
  if (samples.length < FEWEST) return null
  const steps = numbers.slice(1).map((number, at) => number - (numbers[at] ?? 0n))
  const sorted = steps.toSorted((a, b) => (a < b ? -1 : 1))
  const [least, most] = [sorted[0] ?? 0n, sorted.at(-1) ?? 0n]
  if (least < 1n || most > MOST_STEP) return null
  const by = least === most ? `${least}` : `${least} to ${most}`
  return `a number that counts up by ${by}${decimal === null ? ', in hexadecimal' : ''}`
}

/** A clock of the server may be off by so much. */
const SECONDS_OFF = 3
const UNITS: readonly { readonly name: string; readonly perSecond: number }[] = [
  { name: 'seconds', perSecond: 1 },
  { name: 'milliseconds', perSecond: 1_000 },
  { name: 'microseconds', perSecond: 1_000_000 },
]
const isWithin = (number: bigint, { from, to }: Sample, perSecond: number): boolean => {
  const [low, high] = [from / 1_000 - SECONDS_OFF, to / 1_000 + SECONDS_OFF]
  return number >= BigInt(Math.floor(low * perSecond)) && number <= BigInt(Math.ceil(high * perSecond))
}

const DIGESTS = [
  { name: 'MD5', algorithm: 'md5', length: 32 },
  { name: 'SHA-1', algorithm: 'sha1', length: 40 },
  { name: 'SHA-256', algorithm: 'sha256', length: 64 },
] as const

/** Of a text, in small letters; by the length of what it has to equal. */
export const digestsOf = (text: string): readonly { readonly name: string; readonly value: string }[] =>
  DIGESTS.map(({ name, algorithm }) => ({ name, value: createHash(algorithm).update(text).digest('hex') }))

const MOST_COUNTED = 20_000

const digested = (samples: readonly Sample[]): string | null => {
  const [first] = samples
  const kind = DIGESTS.find(({ length }) =>
    samples.every(({ value }) => value.length === length && /^[\da-f]+$/i.test(value)),
  )
  if (kind === undefined || first === undefined) return null
  const of = (input: string | number): string => createHash(kind.algorithm).update(String(input)).digest('hex')
  const unit = UNITS.slice(0, 2).find(({ perSecond }) => samples.every((one) => isDigestOfTime(one, perSecond, of)))
  if (unit !== undefined) return `the ${kind.name} of the time in ${unit.name}`
  const begins = Array.from({ length: MOST_COUNTED }, (_, at) => at).find((at) => of(at) === first.value.toLowerCase())
  if (begins === undefined) return null
  let at = begins
  for (const { value } of samples.slice(1)) {
    const next = Array.from({ length: Number(MOST_STEP) }, (_, step) => at + 1 + step).find(
      (one) => of(one) === value.toLowerCase(),
    )
    if (next === undefined) return null
    at = next
  }
  return `the ${kind.name} of a number that counts up`
}

/** In milliseconds, the clock of the server is looked for within so many of them. */
const MOST_TIMES = 3_000

const isDigestOfTime = ({ value, from, to }: Sample, perSecond: number, of: (input: number) => string): boolean => {
  const margin = perSecond === 1 ? SECONDS_OFF : 1_000
  const start = Math.floor((from / 1_000) * perSecond) - margin
  const count = Math.min(MOST_TIMES, Math.ceil(((to - from) / 1_000) * perSecond) + 2 * margin)
  const wanted = value.toLowerCase()
  for (let at = start; at <= start + count; at += 1) if (of(at) === wanted) return true
  return false
}

const ALPHABETS: readonly { readonly pattern: RegExp; readonly size: number }[] = [
  { pattern: /^\d*$/, size: 10 },
  { pattern: /^[\da-f]*$/, size: 16 },
  { pattern: /^[\dA-F]*$/, size: 16 },
  { pattern: /^[\da-z]*$/, size: 36 },
  { pattern: /^[\dA-Z]*$/, size: 36 },
  { pattern: /^[\da-zA-Z]*$/, size: 62 },
]

/** NIST SP 800-63B (7.1) and OWASP ask for so many bits. */
export const ENOUGH_BITS = 64

/**
 * Bits that they can hold at most: by the places that differ between any two of them, each as wide as the alphabet in which all are
 * written. What does not differ in so many is taken to be the same in all.
 */
export const bitsAtMost = (values: readonly string[]): number => {
  const longest = Math.max(0, ...values.map((value) => value.length))
  const varying = Array.from({ length: longest }, (_, at) => new Set(values.map((value) => value[at] ?? '')))
    .filter((seen) => seen.size > 1)
    .map((seen) => [...seen].join(''))
  const size = ALPHABETS.find(({ pattern }) => pattern.test(varying.join('')))?.size ?? 90
  return Math.floor(varying.length * Math.log2(size))
}
