/** What every script is lent: JSON, Math, conversions. Nothing that reaches outside. */
import {
  functionOf,
  numberOf,
  objectOf,
  plainValue,
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
    ['Array', objectOf({ isArray: functionOf(([value]) => Array.isArray(value)) })],
    ['Object', objectOf({ keys: functionOf(([value]) => keysOf(value)) })],
  ])
}

const parsed = (text: string): ScriptValue => {
  try {
    return scriptValue(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) throw new ScriptError(error.message)
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
