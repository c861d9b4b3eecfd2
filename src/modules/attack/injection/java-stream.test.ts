/** Objects beside those of a stream: what is expected was read by Java 17, which built the same objects and references of it. */
import { expect, it } from 'vitest'
import { withIgnored } from './java-stream.ts'

const UUID = ['java.util.UUID', -4856846361193249489n] as const

/** `new HashMap<>(Map.of("a", "b"))`. */
const MAP =
  'rO0ABXNyABFqYXZhLnV0aWwuSGFzaE1hcAUH2sHDFmDRAwACRgAKbG9hZEZhY3RvckkACXRocmVzaG9sZHhwP0AAAAAAAAF3CAAAAAIAAAABdAABYXQAAWJ4'
/** An object with a text, itself, a list of both and the list again, none of which writes data of its own. */
const STEP =
  'rO0ABXNyAAZLJFN0ZXAAAAAAAAAAAQIABEwABGxhc3R0ABJMamF2YS9sYW5nL09iamVjdDtMAAVtb250aHQAEkxqYXZhL2xhbmcvU3RyaW5nO0wABG5leHR0AAhM' +
  'SyRTdGVwO1sABHNlZW50ABNbTGphdmEvbGFuZy9PYmplY3Q7eHB1cgATW0xqYXZhLmxhbmcuT2JqZWN0O5DOWJ8QcylsAgAAeHAAAAADdAADTWF5cQB+AAVwcQB+' +
  'AAhxAH4ABXEAfgAH'

it.each([
  [
    'behind what a class wrote',
    MAP,
    'rO0ABXNyABFqYXZhLnV0aWwuSGFzaE1hcAUH2sHDFmDRAwACRgAKbG9hZEZhY3RvckkACXRocmVzaG9sZHhwP0AAAAAAAAF3CAAAAAIAAAABdAABYXQAAWJz' +
      'cgAOamF2YS51dGlsLlVVSUS8mQP3mG2FLwIAAHhweA==',
  ],
  [
    'at the description of a class, references to what follows counted on',
    STEP,
    'rO0ABXNyAAZLJFN0ZXAAAAAAAAAAAQIABEwABGxhc3R0ABJMamF2YS9sYW5nL09iamVjdDtMAAVtb250aHQAEkxqYXZhL2xhbmcvU3RyaW5nO0wABG5leHR0AAhM' +
      'SyRTdGVwO1sABHNlZW50ABNbTGphdmEvbGFuZy9PYmplY3Q7eHB1cgATW0xqYXZhLmxhbmcuT2JqZWN0O5DOWJ8QcylsAgAAc3IADmphdmEudXRpbC5VVUlEvJkD' +
      '95hthS8CAAB4cHhwAAAAA3QAA01heXEAfgAFcHEAfgAKcQB+AAVxAH4ACQ==',
  ],
])('an object %s', (_where, stream, expected) => {
  expect(withIgnored(Buffer.from(stream, 'base64'), ...UUID)?.toString('base64')).toBe(expected)
})

it.each([
  ['a text alone', Buffer.from('aced00057400016f', 'hex')],
  ['what is cut', Buffer.from(MAP, 'base64').subarray(0, -4)],
  ['what refers to nothing', Buffer.from('aced000573710000ffff', 'hex')],
  ['what has no end', Buffer.concat([Buffer.from('aced0005', 'hex'), Buffer.alloc(5_000, 0x73)])],
  ['another thing', Buffer.from('aced')],
])('%s holds none', (_what, stream) => {
  expect(withIgnored(stream, ...UUID)).toBeNull()
})
