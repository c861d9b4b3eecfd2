/** Parameters replaced by what a caller gives. */
import {
  choice,
  fnOfName,
  type Given,
  isNameGiven,
  isOpen,
  mapped,
  memberOf,
  namesFilled,
  objectOf,
  unknown,
  type Value,
} from './value.ts'

interface Budget {
  left: number
}

/** Parts that are looked at for one call. */
const MOST = 800

/** `values`: the arguments. What the caller leaves out is unknown. Parameters of other functions stay as they are. */
export const given = (value: Value, fn: number, values: readonly Value[], budget: Budget = { left: MOST }): Value => {
  budget.left -= 1
  if (budget.left <= 0) return unknown()
  const inner = (one: Value): Value => given(one, fn, values, budget)
  if (value.kind === 'param' && value.fn === fn) return argument(value.path, values[value.index], value.name)
  if (value.kind === 'choice') return chosen(value.of.map(inner), value.of)
  const filled = mapped(value, inner)
  if (filled.kind !== 'form' && filled.kind !== 'object') return filled
  const named = { ...filled, entries: namesFilled(filled.entries, fn, values) }
  if (named.kind === 'form') return named.of === undefined ? named : filledForm(named, named.of)
  return named.rest.length > 0 ? spread(named) : named
}

const MOST_GIVEN = 4
const DEEPEST = 3
/** Objects with functions, and functions, that remember one call; what is larger is no client of an interface. */
const MOST_MADE = 60

/** What calls gave, in place of the parameters of each; functions and objects in it remember it. */
export const madeWith = (value: Value, calls: readonly Given[]): Value =>
  calls.length === 0 ? value : made(value, calls, { depth: 0, parts: { left: MOST }, working: { left: MOST_MADE } })

interface Making {
  readonly depth: number
  readonly parts: Budget
  readonly working: Budget
}

const made = (value: Value, calls: readonly Given[], making: Making): Value => {
  const { depth, parts, working } = making
  working.left -= 1
  if (working.left <= 0) return value
  const filled = (one: Value): Value => calls.reduce((whole, { fn, values }) => given(whole, fn, values, parts), one)
  if (value.kind === 'fn' || value.kind === 'instance') {
    const before = (value.given ?? []).map((one) => ({ ...one, values: one.values.map(filled) }))
    const own = value.kind === 'fn' ? calls : []
    return { ...value, given: [...before, ...own].slice(0, MOST_GIVEN) }
  }
  if (value.kind !== 'object' || depth >= DEEPEST) return filled(value)
  const able = value.entries.filter(([, one]) => works(one))
  const data = filled({ ...value, entries: value.entries.filter(([, one]) => !works(one)) })
  if (data.kind !== 'object' || able.length === 0) return data
  const within = { ...making, depth: depth + 1 }
  return {
    ...data,
    entries: [...data.entries, ...able.map(([name, one]) => [name, made(one, calls, within)] as const)],
  }
}

const known = new WeakMap<Value, boolean>()

/** A function, or what has some. */
const works = (value: Value, depth = 0): boolean => {
  if (value.kind !== 'object' || depth >= DEEPEST) return value.kind === 'fn' || value.kind === 'instance'
  const before = known.get(value)
  if (before !== undefined) return before
  const does = value.entries.some(([, one]) => works(one, depth + 1))
  known.set(value, does)
  return does
}

const filledForm = (form: Extract<Value, { kind: 'form' }>, of: Value): Value => {
  if (of.kind === 'param') return form
  const { of: _, ...rest } = form
  const before = of.kind === 'form' ? of.entries : (objectOf(of)?.entries ?? [])
  return { ...rest, entries: [...new Map([...before, ...form.entries])] }
}

const spread = (value: Extract<Value, { kind: 'object' }>): Value => {
  const known = value.rest.filter((one) => one.kind === 'object')
  const entries = new Map([...known.flatMap((one) => one.entries), ...value.entries])
  return { kind: 'object', entries: [...entries], rest: value.rest.filter((one) => one.kind !== 'object') }
}

const argument = (path: readonly string[], value: Value | undefined, name: string): Value => {
  if (value === undefined) return unknown('undefined')
  const found = path.reduce(memberOf, value)
  return found.kind === 'unknown' && found.name === '' ? { ...found, name } : found
}

/** What a caller gives comes before what stands there for a caller who gives nothing. */
const chosen = (filled: readonly Value[], before: readonly Value[]): Value => {
  const [first] = filled
  if (before[0]?.kind === 'param' && first !== undefined && first !== before[0] && !isOpen(first)) return first
  const telling = filled.filter((one) => !isOpen(one) && !lacks(one))
  return choice(telling.length > 0 ? telling : filled)
}

/** A text with what the caller leaves out: another one stands there for that. */
const lacks = (value: Value): boolean =>
  value.kind === 'text' &&
  value.pieces.some((piece) => typeof piece !== 'string' && piece.kind === 'unknown' && piece.name === 'undefined')

/** The functions whose parameters it holds. */
export const openFns = (
  value: Value | null,
  found = new Set<number>(),
  budget: Budget = { left: MOST },
): ReadonlySet<number> => {
  budget.left -= 1
  if (value === null || budget.left <= 0) return found
  if (value.kind === 'form' || value.kind === 'object')
    for (const [name] of value.entries) if (isNameGiven(name)) found.add(fnOfName(name))
  if (value.kind === 'param') found.add(value.fn)
  else
    mapped(value, (one) => {
      openFns(one, found, budget)
      return one
    })
  return found
}
