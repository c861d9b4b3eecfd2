/** Runs a jq filter over a JSON value, with a bound on steps and results. */

import { bytesOfText, textOfBytes } from '../bytes.ts'
import { DslError } from '../expression/value.ts'
import { compileRegex } from '../regex/regex.ts'
import { type Filter, parseJq } from './jq-parse.ts'

const MOST_STEPS = 200_000
const cache = new Map<string, Filter>()

/** Results in order; an error in the filter or in the data ends the list, as jq ends. @throws DslError */
export const runJq = (source: string, input: unknown): readonly unknown[] => {
  let filter = cache.get(source)
  if (filter === undefined) {
    filter = parseJq(source)
    if (cache.size > 5_000) cache.clear()
    cache.set(source, filter)
  }
  let steps = 0
  const tick = (): void => {
    if (++steps > MOST_STEPS) throw new DslError('jq: too many steps')
  }
  const results: unknown[] = []
  try {
    for (const result of run(filter, input, tick)) results.push(result)
  } catch (error) {
    if (!(error instanceof DslError)) throw error
  }
  return results
}

function* run(filter: Filter, input: unknown, tick: () => void): Generator<unknown> {
  tick()
  switch (filter.kind) {
    case 'identity':
      yield input
      return
    case 'recurse':
      yield* descend(input, tick)
      return
    case 'literal':
      yield filter.value
      return
    case 'text': {
      let text = ''
      for (const part of filter.parts) text += typeof part === 'string' ? part : asText(first(part, input, tick))
      yield text
      return
    }
    case 'index':
      for (const of of run(filter.of, input, tick)) {
        for (const key of run(filter.key, input, tick)) yield member(of, key)
      }
      return
    case 'slice':
      for (const of of run(filter.of, input, tick)) {
        if (of === null) yield null
        else if (typeof of === 'string' || Array.isArray(of)) {
          const bound = (side: Filter | null) => (side === null ? undefined : Number(first(side, input, tick)))
          yield of.slice(bound(filter.from), bound(filter.to))
        } else throw new DslError('jq: only a list or a text has slices')
      }
      return
    case 'each':
      for (const of of run(filter.of, input, tick)) {
        if (typeof of !== 'object' || of === null) throw new DslError('jq: cannot iterate over a scalar')
        for (const item of Object.values(of)) {
          tick()
          yield item
        }
      }
      return
    case 'try':
      try {
        yield* run(filter.body, input, tick)
      } catch (error) {
        if (!(error instanceof DslError)) throw error
      }
      return
    case 'pipe':
      for (const left of run(filter.left, input, tick)) yield* run(filter.right, left, tick)
      return
    case 'comma':
      yield* run(filter.left, input, tick)
      yield* run(filter.right, input, tick)
      return
    case 'negate':
      for (const value of run(filter.body, input, tick)) yield -asNumber(value)
      return
    case 'operate':
      yield* operate(filter, input, tick)
      return
    case 'array':
      yield filter.body === null ? [] : [...run(filter.body, input, tick)]
      return
    case 'object': {
      const made: Record<string, unknown> = Object.create(null) as Record<string, unknown>
      for (const [key, value] of filter.entries) made[asText(first(key, input, tick))] = first(value, input, tick)
      yield made
      return
    }
    case 'if':
      for (const test of run(filter.test, input, tick)) yield* run(truthy(test) ? filter.yes : filter.no, input, tick)
      return
    case 'call':
      yield* call(filter.name, filter.args, input, tick)
  }
}

const first = (filter: Filter, input: unknown, tick: () => void): unknown => {
  for (const value of run(filter, input, tick)) return value
  return null
}

function* descend(value: unknown, tick: () => void): Generator<unknown> {
  tick()
  yield value
  if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) yield* descend(item, tick)
}

const truthy = (value: unknown): boolean => value !== null && value !== undefined && value !== false
const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null))
const asNumber = (value: unknown): number => {
  if (typeof value !== 'number') throw new DslError('jq: not a number')
  return value
}
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const member = (of: unknown, key: unknown): unknown => {
  if (of === null || of === undefined) return null
  if (Array.isArray(of) && typeof key === 'number') return of.at(Math.trunc(key)) ?? null
  if (isRecord(of) && typeof key === 'string') return Object.hasOwn(of, key) ? of[key] : null
  throw new DslError('jq: no such member')
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)
const less = (a: unknown, b: unknown): boolean =>
  typeof a === 'number' && typeof b === 'number' ? a < b : asText(a) < asText(b)

function* operate(filter: Extract<Filter, { kind: 'operate' }>, input: unknown, tick: () => void): Generator<unknown> {
  const { operator } = filter
  if (operator === '//') {
    let any = false
    for (const left of run({ kind: 'try', body: filter.left }, input, tick)) {
      if (!truthy(left)) continue
      any = true
      yield left
    }
    if (!any) yield* run(filter.right, input, tick)
    return
  }
  for (const left of run(filter.left, input, tick)) {
    if (operator === 'and' && !truthy(left)) yield false
    else if (operator === 'or' && truthy(left)) yield true
    else for (const right of run(filter.right, input, tick)) yield combined(operator, left, right)
  }
}

const combined = (operator: string, a: unknown, b: unknown): unknown => {
  switch (operator) {
    case 'and':
    case 'or':
      return truthy(b)
    case '==':
      return same(a, b)
    case '!=':
      return !same(a, b)
    case '<':
      return less(a, b)
    case '>':
      return less(b, a)
    case '<=':
      return !less(b, a)
    case '>=':
      return !less(a, b)
    case '+':
      if (a === null || a === undefined) return b
      if (b === null || b === undefined) return a
      if (typeof a === 'string' && typeof b === 'string') return a + b
      if (Array.isArray(a) && Array.isArray(b)) return [...a, ...b]
      if (isRecord(a) && isRecord(b)) return { ...a, ...b }
      return asNumber(a) + asNumber(b)
    case '-':
      return Array.isArray(a) && Array.isArray(b)
        ? a.filter((x) => !b.some((y) => same(x, y)))
        : asNumber(a) - asNumber(b)
    case '*':
      return asNumber(a) * asNumber(b)
    case '/':
      return typeof a === 'string' && typeof b === 'string' ? a.split(b) : asNumber(a) / asNumber(b)
    default:
      return asNumber(a) % asNumber(b)
  }
}

type Simple = (input: unknown, args: readonly unknown[]) => unknown

const textIn = (value: unknown): string => {
  if (typeof value !== 'string') throw new DslError('jq: not a text')
  return value
}
const objectIn = (value: unknown): object => {
  if (typeof value !== 'object' || value === null) throw new DslError('jq: neither an object nor a list')
  return value
}
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    if (cause instanceof SyntaxError) throw new DslError(`jq: not JSON: ${text.slice(0, 40)}`)
    throw cause
  }
}
const listIn = (value: unknown): readonly unknown[] => {
  if (!Array.isArray(value)) throw new DslError('jq: not a list')
  return value
}

/** Functions whose arguments are values of the input. */
const SIMPLE: Readonly<Record<string, Simple>> = {
  not: (input) => !truthy(input),
  length: (input) => {
    if (input === null) return 0
    if (typeof input === 'number') return Math.abs(input)
    return typeof input === 'string' ? input.length : Object.keys(objectIn(input)).length
  },
  keys: (input) => (Array.isArray(input) ? input.map((_, index) => index) : Object.keys(objectIn(input)).sort()),
  keys_unsorted: (input) => Object.keys(objectIn(input)),
  values: (input) => input,
  type: (input) => (input === null ? 'null' : Array.isArray(input) ? 'array' : typeof input),
  tostring: asText,
  tonumber: (input) => (typeof input === 'number' ? input : Number(textIn(input))),
  tojson: (input) => JSON.stringify(input),
  fromjson: (input) => parsed(textIn(input)),
  ascii_downcase: (input) => textIn(input).toLowerCase(),
  ascii_upcase: (input) => textIn(input).toUpperCase(),
  to_entries: (input) => Object.entries(objectIn(input)).map(([key, value]) => ({ key, value })),
  add: (input) => listIn(input).reduce((sum, item) => combined('+', sum, item), null),
  any: (input) => listIn(input).some(truthy),
  all: (input) => listIn(input).every(truthy),
  first: (input) => member(input, 0),
  last: (input) => member(input, -1),
  sort: (input) => [...listIn(input)].sort((a, b) => (less(a, b) ? -1 : less(b, a) ? 1 : 0)),
  unique: (input) => [...new Map(listIn(input).map((item) => [JSON.stringify(item), item])).values()],
  reverse: (input) => (typeof input === 'string' ? [...input].toReversed().join('') : listIn(input).toReversed()),
  flatten: (input) => listIn(input).flat(20),
  contains: (input, [part]) => containsValue(input, part),
  inside: (input, [whole]) => containsValue(whole, input),
  has: (input, [key]) => Object.hasOwn(objectIn(input), key as PropertyKey),
  startswith: (input, [part]) => textIn(input).startsWith(textIn(part)),
  endswith: (input, [part]) => textIn(input).endsWith(textIn(part)),
  ltrimstr: (input, [part]) =>
    typeof input === 'string' && typeof part === 'string' && input.startsWith(part) ? input.slice(part.length) : input,
  rtrimstr: (input, [part]) =>
    typeof input === 'string' && typeof part === 'string' && input.endsWith(part)
      ? input.slice(0, -part.length)
      : input,
  split: (input, [by]) => textIn(input).split(textIn(by)),
  join: (input, [by]) =>
    listIn(input)
      .map((item) => (item === null ? '' : asText(item)))
      .join(textIn(by)),
  test: (input, [pattern]) => compileRegex(textIn(pattern)).test(bytesOfText(textIn(input))),
  index: (input, [part]) => {
    const at = textIn(input).indexOf(textIn(part))
    return at < 0 ? null : at
  },
}

const containsValue = (whole: unknown, part: unknown): boolean => {
  if (typeof whole === 'string' && typeof part === 'string') return whole.includes(part)
  if (Array.isArray(whole) && Array.isArray(part)) return part.every((x) => whole.some((y) => containsValue(y, x)))
  if (isRecord(whole) && isRecord(part)) {
    return Object.entries(part).every(([key, value]) => Object.hasOwn(whole, key) && containsValue(whole[key], value))
  }
  return same(whole, part)
}

/** Names that `lint` accepts. */
export const JQ_FUNCTIONS: ReadonlySet<string> = new Set([
  ...Object.keys(SIMPLE),
  ...['empty', 'select', 'map', 'recurse', 'match', 'capture', 'error', 'map_values', 'unique_by', 'sort_by', 'limit'],
])

function* call(name: string, args: readonly Filter[], input: unknown, tick: () => void): Generator<unknown> {
  const [body, second] = args
  if (name === 'empty') return
  if (name === 'error') throw new DslError('jq: error')
  if (name === 'recurse' && !body) yield* descend(input, tick)
  else if (name === 'select' && body) {
    for (const test of run(body, input, tick)) if (truthy(test)) yield input
  } else if (name === 'map' && body) {
    yield [...run({ kind: 'each', of: { kind: 'identity' } }, input, tick)].flatMap((item) => [
      ...run(body, item, tick),
    ])
  } else if (name === 'map_values' && body && isRecord(input)) {
    yield Object.fromEntries(Object.entries(input).map(([key, value]) => [key, first(body, value, tick)]))
  } else if ((name === 'any' || name === 'all') && body) {
    const truths = listIn(input).map((item) => truthy(first(body, item, tick)))
    yield name === 'any' ? truths.some(Boolean) : truths.every(Boolean)
  } else if (name === 'first' && body) yield first(body, input, tick)
  else if (name === 'limit' && body && second) {
    let left = asNumber(first(body, input, tick))
    for (const value of run(second, input, tick)) if (left-- > 0) yield value
  } else if ((name === 'sort_by' || name === 'unique_by') && body) {
    const keyed = listIn(input).map((item) => ({ item, key: first(body, item, tick) }))
    const sorted = keyed.toSorted((a, b) => (less(a.key, b.key) ? -1 : less(b.key, a.key) ? 1 : 0))
    const kept =
      name === 'sort_by' ? sorted : sorted.filter(({ key }, at) => at === 0 || !same(key, sorted[at - 1]?.key))
    yield kept.map(({ item }) => item)
  } else if ((name === 'match' || name === 'capture') && body) {
    const [found] = compileRegex(asText(first(body, input, tick))).groups(bytesOfText(textIn(input)), 0)
    if (found !== undefined) yield { string: textOfBytes(found) }
  } else {
    const simple = SIMPLE[name]
    if (simple === undefined) throw new DslError(`jq: there is no function "${name}"`)
    yield simple(
      input,
      args.map((arg) => first(arg, input, tick)),
    )
  }
}
