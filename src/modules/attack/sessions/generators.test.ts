import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { bitsAtMost, ENOUGH_BITS, madeBy, type Sample } from './generators.ts'

const START = 1_780_000_000_000
/** One every 137 milliseconds. */
const samples = (make: (at: number, time: number) => string): readonly Sample[] =>
  Array.from({ length: 12 }, (_, at) => {
    const from = START + at * 1_370
    return { value: make(at, from + 20), from, to: from + 40 }
  })
const hash = (algorithm: string, text: unknown): string => createHash(algorithm).update(String(text)).digest('hex')
const base64 = (text: string): string => Buffer.from(text).toString('base64')

test.each([
  ['a counter', (at: number) => String(1_000 + at * 2), 'counts up by 2'],
  ['that others use as well', (at: number) => String(990 + at * at), 'counts up by 1 to 21'],
  ['with what stays around it', (at: number) => `node1-${95 + at}-shop`, 'counts up by 1'],
  ['in hexadecimal', (at: number) => (0xabc8 + at).toString(16), 'counts up by 1, in hexadecimal'],
  ['in base64', (at: number) => base64(`user:${700 + at}`), 'counts up by 1, in base64'],
  ['seconds', (_: number, time: number) => String(Math.floor(time / 1_000)), 'the time in seconds'],
  ['milliseconds', (_: number, time: number) => `s${time}`, 'the time in milliseconds'],
  [
    'a digest of seconds',
    (_: number, time: number) => hash('md5', Math.floor(time / 1_000)),
    'the MD5 of the time in seconds',
  ],
  [
    'a digest of milliseconds',
    (_: number, time: number) => hash('sha1', time),
    'the SHA-1 of the time in milliseconds',
  ],
  [
    'a digest of a counter',
    (at: number) => hash('sha256', 41 + at).toUpperCase(),
    'the SHA-256 of a number that counts up',
  ],
])('%s is told', (_name, make, said) => {
  expect(madeBy(samples(make))).toContain(said)
})

test.each([
  ['random bytes', () => randomBytes(16).toString('hex')],
  ['random digits', () => String(BigInt(`0x${randomBytes(8).toString('hex')}`))],
  ['a counter that is signed', (at: number) => `${at}.${hash('sha256', randomBytes(8))}`],
  ['a digest of a counter and a secret', (at: number) => hash('md5', `${at} kept to itself`)],
  ['one value for all', () => 'none'],
])('%s is not', (_name, make) => {
  expect(madeBy(samples(make))).toBeNull()
})

test('how many there can be is bounded by what differs, in the alphabet of all', () => {
  const of = (make: () => string) => bitsAtMost(Array.from({ length: 20 }, make))
  expect(of(() => `PREFIX-WITHOUT-MEANING-${randomBytes(4).toString('hex')}`)).toBe(32)
  expect(of(() => randomBytes(16).toString('hex'))).toBe(128)
  expect(of(() => randomBytes(16).toString('base64url'))).toBeGreaterThan(ENOUGH_BITS)
})
