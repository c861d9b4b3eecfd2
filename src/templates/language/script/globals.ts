/** What every script is lent: JSON, Math, conversions. Nothing that reaches outside. */
import {
  functionOf,
  isObject,
  isPattern,
  numberOf,
  objectOf,
  plainValue,
  ScriptAnswer,
  ScriptError,
  type ScriptValue,
  scriptValue,
  stringOf,
} from './value.ts'

export const commonGlobals = (log: (line: string) => void): Map<string, ScriptValue> => {
  const say = functionOf((args) => {
    log(args.map(stringOf).join(' ').slice(0, 1_000))
    return undefined
  })
  return new Map<string, ScriptValue>([
    [
      'JSON',
      objectOf({
        parse: functionOf(([text]) => parsed(stringOf(text))),
        stringify: functionOf(([value]) => JSON.stringify(plainValue(value)) ?? undefined),
      }),
    ],
    ['Math', objectOf({ ...mathFunctions(), PI: Math.PI })],
    [
      'parseInt',
      functionOf(([text, base]) => Number.parseInt(stringOf(text), base === undefined ? 10 : numberOf(base))),
    ],
    ['parseFloat', functionOf(([text]) => Number.parseFloat(stringOf(text)))],
    ['isNaN', functionOf(([value]) => Number.isNaN(numberOf(value)))],
    ['String', functionOf(([value]) => stringOf(value))],
    ['Number', functionOf(([value]) => numberOf(value))],
    ['Boolean', functionOf(([value]) => Boolean(value))],
    ['encodeURIComponent', functionOf(([text]) => encodeURIComponent(stringOf(text).toWellFormed()))],
    ['log', say],
    ['console', objectOf({ log: say })],
    ['Error', functionOf(([message]) => objectOf({ message: stringOf(message) }))],
    [
      'Array',
      functionOf(listOf, { isArray: functionOf(([value]) => Array.isArray(value)), from: functionOf(itemsOf) }),
    ],
    [
      'Object',
      objectOf({ keys: functionOf(([value]) => keysOf(value)), entries: functionOf(([value]) => pairsOf(value)) }),
    ],
    ['Uint8Array', functionOf(([items]) => octetsOf(items))],
    ['RegExp', functionOf(([source, flags]) => patternOf(source, flags))],
    ['Date', functionOf(([at]) => dateOf(at), { now: functionOf(() => Date.now()) })],
    ['btoa', functionOf(([text]) => Buffer.from(stringOf(text), 'latin1').toString('base64'))],
    ['atob', functionOf(([text]) => Buffer.from(stringOf(text), 'base64').toString('latin1'))],
    ['isFinite', functionOf(([value]) => Number.isFinite(numberOf(value)))],
    ['decodeURIComponent', functionOf(([text]) => decoded(stringOf(text)))],
  ])
}

const LONGEST_LIST = 100_000

/** `Array(3)` is three empty places, `Array(1, 2)` these items. */
const listOf = (args: readonly ScriptValue[]): ScriptValue => {
  const [length] = args
  if (args.length !== 1 || typeof length !== 'number') return [...args]
  if (!(length >= 0) || length > LONGEST_LIST) throw new ScriptError('a list grew too long')
  return Array.from({ length: Math.trunc(length) }, () => undefined)
}

const itemsOf = ([value]: readonly ScriptValue[]): ScriptValue => {
  if (typeof value === 'string' || Array.isArray(value) || value instanceof Uint8Array)
    return [...value].slice(0, LONGEST_LIST)
  const length = isObject(value) ? value.members.get('length') : undefined
  return typeof length === 'number' ? listOf([length]) : []
}

const octetsOf = (items: ScriptValue): Uint8Array => {
  if (typeof items === 'number') {
    if (!(items >= 0) || items > LONGEST_LIST) throw new ScriptError('a list grew too long')
    return new Uint8Array(items)
  }
  return Uint8Array.from(Array.isArray(items) || items instanceof Uint8Array ? [...items].map(numberOf) : [])
}

const patternOf = (source: ScriptValue, flags: ScriptValue): ScriptValue =>
  isPattern(source)
    ? source
    : { kind: 'pattern', source: stringOf(source), flags: flags === undefined ? '' : stringOf(flags) }

/** A point in time, in UTC. @throws ScriptAnswer for one that there is not, when it is written out */
const dateOf = (at: ScriptValue): ScriptValue => {
  const date = at === undefined ? new Date() : new Date(typeof at === 'string' ? at : numberOf(at))
  const written = (): string => {
    if (Number.isNaN(date.getTime())) throw new ScriptAnswer('an invalid date')
    return date.toISOString()
  }
  return objectOf({
    getTime: functionOf(() => date.getTime()),
    getFullYear: functionOf(() => date.getUTCFullYear()),
    toISOString: functionOf(written),
    toString: functionOf(written),
  })
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) throw new ScriptAnswer(error.message)
    throw error
  }
}

const parsed = (text: string): ScriptValue => {
  try {
    return scriptValue(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) throw new ScriptAnswer(error.message)
    throw error
  }
}

const mathFunctions = (): Record<string, ScriptValue> =>
  Object.fromEntries(
    (['floor', 'ceil', 'round', 'abs', 'min', 'max', 'pow', 'trunc'] as const).map((name) => [
      name,
      functionOf((args) => (Math[name] as (...numbers: number[]) => number)(...args.map(numberOf))),
    ]),
  )

const keysOf = (value: ScriptValue): ScriptValue => {
  const plain = plainValue(value)
  return typeof plain === 'object' && plain !== null ? Object.keys(plain) : []
}

const pairsOf = (value: ScriptValue): ScriptValue =>
  isObject(value) ? [...value.members].map((pair) => [...pair]) : []
