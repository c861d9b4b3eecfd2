/** Values that PHP has serialised: built into objects, read as data alone, or not read at all. */
import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { firstOf } from '../../insertion-points/techniques.ts'
import { fakeProbe } from '../../insertion-points/testing/fake-probe.ts'
import { isProven } from '../proven.ts'
import { objectWays } from './answers.ts'
import { withObject } from './serialized.ts'

const BASKET = 'O:6:"Basket":1:{s:5:"items";a:1:{i:0;s:4:"rope";}}'
const PAGE = { text: '<h1>Cart</h1><p>Items: rope, to be paid with the next order.</p>' }
const EMPTY = { text: '<h1>Cart</h1><p>The cart is empty.</p>' }

/** As `unserialize` reads it: nothing behind the end is looked at, and dates of nothing end the program. */
const cart = (builds: boolean) => (value: string) => {
  if (!value.startsWith(BASKET.slice(0, 10)) && !/^a:\d/.test(value)) return EMPTY
  if (builds && /;O:\d+:"(?:DateTime(?:Zone|Immutable)?|Closure)":0:\{\}/.test(value)) return { status: 500, text: '' }
  return value.includes('rope') ? PAGE : EMPTY
}

it.each([
  ['an object', BASKET],
  ['an array', 'a:1:{i:0;s:4:"rope";}'],
])('%s that is built is proven', async (_what, value) => {
  const hit = await firstOf(objectWays(fakeProbe(cart(true), { place: 'cookie', value }).probe))
  expect(hit).toMatchObject({ kind: 'deserialization' })
  expect(hit && isProven(hit)).toBe(true)
})

it.each([
  ['is read without classes', cart(false)],
  ['is refused once it was changed', (value: string) => (value === BASKET ? PAGE : { status: 500, text: '' })],
  ['is refused for what it says', (value: string) => (value.includes('DateTime"') ? { status: 403, text: '' } : PAGE)],
  ['is not read', () => PAGE],
])('what %s is not', async (_how, answer) => {
  const hit = await firstOf(objectWays(fakeProbe(answer, { place: 'cookie', value: BASKET }).probe))
  expect(hit).toBeNull()
})

const MAP =
  'rO0ABXNyABFqYXZhLnV0aWwuSGFzaE1hcAUH2sHDFmDRAwACRgAKbG9hZEZhY3RvckkACXRocmVzaG9sZHhwP0AAAAAAAAF3CAAAAAIAAAABdAABYXQAAWJ4'
const VERSIONS = new Map([
  ['java.util.UUID', -4856846361193249489n],
  ['java.util.EventObject', 5516075349620653480n],
  ['java.util.concurrent.atomic.AtomicBoolean', 4654671469794556979n],
])

/** As `ObjectInputStream` reads it; `allowed`: of these classes alone. */
const settings = (coding: 'base64' | 'hex', allowed?: RegExp) => (value: string) => {
  const stream = Buffer.from(value, coding)
  if (stream.length < 4 || stream.readUInt32BE() !== 0xaced_0005) return EMPTY
  for (const [, length = '', rest = ''] of stream.toString('latin1').matchAll(/r\0([\s\S])(?=(java[\w.]+))/g)) {
    const name = rest.slice(0, length.charCodeAt(0))
    const version = stream.readBigInt64BE(stream.indexOf(name) + name.length)
    if (allowed?.test(name) === false || name === 'java.lang.Thread') return { status: 500, text: '' }
    if (VERSIONS.has(name) && VERSIONS.get(name) !== version) return { status: 500, text: '' }
  }
  return PAGE
}

it.each([
  ['in Base64', MAP, settings('base64')],
  ['in hexadecimal', Buffer.from(MAP, 'base64').toString('hex'), settings('hex')],
])('a stream of Java %s that is built is proven', async (_how, value, answer) => {
  const hit = await firstOf(objectWays(fakeProbe(answer, { place: 'cookie', value }).probe))
  expect(hit).toMatchObject({ kind: 'deserialization', flavour: expect.stringContaining('Java') })
  expect(hit && isProven(hit)).toBe(true)
})

it.each([
  ['is read of known classes alone', settings('base64', /^java\.util\.HashMap$/)],
  ['is refused for the names it holds', settings('base64', /^(?!java\.util\.(?:UUID|Event))/)],
  ['is refused once it was changed', (value: string) => (value === MAP ? PAGE : { status: 500, text: '' })],
  ['is not read', () => PAGE],
])('a stream of Java that %s is not', async (_how, answer) => {
  const hit = await firstOf(objectWays(fakeProbe(answer, { place: 'cookie', value: MAP }).probe))
  expect(hit).toBeNull()
})

it('counts the member that comes in', () => {
  expect(withObject('a:1:{i:0;s:4:"rope";}', 'DateTime', 'q1')).toBe(
    'a:2:{i:0;s:4:"rope";s:2:"q1";O:8:"DateTime":0:{}}',
  )
  expect(withObject('{"a":1}', 'DateTime', 'q1')).toBeNull()
})

it('PHP itself builds a date of nothing by ending, and a class that nobody has by nothing', () => {
  const program =
    '$b = unserialize($argv[1]); echo is_array($b) && isset($b["items"]) ? implode(",", $b["items"]) : "none";'
  const said = (of: string): string => {
    const value = withObject('a:1:{s:5:"items";a:1:{i:0;s:4:"rope";}}', of, 'q1') ?? ''
    const { status, stdout } = spawnSync('php', ['-d', 'display_errors=0', '-r', program, value], { timeout: 20_000 })
    return `${status === 0 ? 'done' : 'ended'} ${stdout}`.trim()
  }
  expect(['DateTime', 'DateTimeZone', 'DateTimeImmutable', 'Closure'].map(said)).toEqual(Array(4).fill('ended'))
  expect(['DateTimq', 'DateTimeZonq'].map(said)).toEqual(['done rope', 'done rope'])
})
