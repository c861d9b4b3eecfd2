/** Properties and methods that values have. Nothing else can be reached. */
import { allMatches, callPattern, matchPattern, replacePattern, searchPattern, splitByPattern } from './patterns.ts'
import {
  functionOf,
  isFunction,
  isObject,
  isPattern,
  numberOf,
  ScriptAnswer,
  ScriptError,
  type ScriptFunction,
  type ScriptValue,
  stringOf,
  truthy,
} from './value.ts'

type Method<Self> = (self: Self, args: readonly ScriptValue[]) => Promise<ScriptValue> | ScriptValue

const LONGEST = 16 * 1024 * 1024
const optional = (value: ScriptValue): number | undefined => (value === undefined ? undefined : numberOf(value))
const bounded = (text: string): string => {
  if (text.length > LONGEST) throw new ScriptError('a text grew beyond 16 MiB')
  return text
}

const STRING: Readonly<Record<string, Method<string>>> = {
  split: (self, [by, limit]) =>
    by === undefined ? [self] : isPattern(by) ? splitByPattern(self, by) : self.split(stringOf(by), optional(limit)),
  trim: (self) => self.trim(),
  trimStart: (self) => self.trimStart(),
  trimEnd: (self) => self.trimEnd(),
  toLowerCase: (self) => self.toLowerCase(),
  toUpperCase: (self) => self.toUpperCase(),
  startsWith: (self, [part, at]) => self.startsWith(stringOf(part), optional(at)),
  endsWith: (self, [part]) => self.endsWith(stringOf(part)),
  includes: (self, [part]) => self.includes(stringOf(part)),
  indexOf: (self, [part, at]) => self.indexOf(stringOf(part), optional(at)),
  lastIndexOf: (self, [part]) => self.lastIndexOf(stringOf(part)),
  slice: (self, [from, to]) => self.slice(optional(from), optional(to)),
  substring: (self, [from = 0, to]) => self.substring(numberOf(from), optional(to)),
  substr: (self, [from = 0, length]) => {
    const start = numberOf(from) < 0 ? Math.max(0, self.length + numberOf(from)) : numberOf(from)
    return self.slice(start, length === undefined ? undefined : start + numberOf(length))
  },
  charAt: (self, [at = 0]) => self.charAt(numberOf(at)),
  charCodeAt: (self, [at = 0]) => self.charCodeAt(numberOf(at)),
  codePointAt: (self, [at = 0]) => self.codePointAt(numberOf(at)),
  repeat: (self, [count = 0]) => {
    const times = numberOf(count)
    if (!(times >= 0) || self.length * times > LONGEST) throw new ScriptError('repeat would exceed 16 MiB')
    return self.repeat(times)
  },
  padStart: (self, [length = 0, fill = ' ']) => self.padStart(Math.min(LONGEST, numberOf(length)), stringOf(fill)),
  padEnd: (self, [length = 0, fill = ' ']) => self.padEnd(Math.min(LONGEST, numberOf(length)), stringOf(fill)),
  concat: (self, args) => bounded(self + args.map(stringOf).join('')),
  toString: (self: string) => self,
  replace: (self, [what, by]) => replacePattern(self, what, by, false),
  replaceAll: (self, [what, by]) => replacePattern(self, what, by, true),
  match: (self, [what]) => matchPattern(self, what),
  matchAll: (self, [what]) => allMatches(self, what),
  search: (self, [what]) => searchPattern(self, what),
  at: (self, [at = 0]) => self.at(numberOf(at)),
}

const call = (value: ScriptValue): ScriptFunction => {
  if (!isFunction(value)) throw new ScriptError('a function is needed here')
  return value
}

const ARRAY: Readonly<Record<string, Method<ScriptValue[]>>> = {
  push: (self, args) => {
    if (self.length + args.length > 100_000) throw new ScriptError('a list grew too long')
    return self.push(...args)
  },
  pop: (self) => self.pop(),
  shift: (self) => self.shift(),
  unshift: (self, args) => self.unshift(...args.slice(0, 1_000)),
  slice: (self, [from, to]) => self.slice(optional(from), optional(to)),
  splice: (self, [from = 0, count]) => self.splice(numberOf(from), optional(count) ?? self.length),
  concat: (self, args) => self.concat(...args.map((arg) => (Array.isArray(arg) ? arg : [arg]))),
  join: (self, [by = ',']) => bounded(self.map((item) => stringOf(item ?? '')).join(stringOf(by))),
  includes: (self, [item]) => self.includes(item),
  indexOf: (self, [item]) => self.indexOf(item),
  reverse: (self) => self.reverse(),
  fill: (self, [value]) => self.fill(value),
  flat: (self) => self.flat() as ScriptValue[],
  keys: (self) => [...self.keys()],
  sort: (self) => self.sort((a, b) => (stringOf(a) < stringOf(b) ? -1 : 1)),
  toString: (self: ScriptValue[]) => stringOf(self),
  map: async (self, [fn]) => {
    const results: ScriptValue[] = []
    for (const [at, item] of self.entries()) results.push(await call(fn).call([item, at, self]))
    return results
  },
  filter: async (self, [fn]) => {
    const results: ScriptValue[] = []
    for (const [at, item] of self.entries()) if (truthy(await call(fn).call([item, at, self]))) results.push(item)
    return results
  },
  forEach: async (self, [fn]) => {
    for (const [at, item] of self.entries()) await call(fn).call([item, at, self])
    return undefined
  },
  some: async (self, [fn]) => {
    for (const [at, item] of self.entries()) if (truthy(await call(fn).call([item, at, self]))) return true
    return false
  },
  every: async (self, [fn]) => {
    for (const [at, item] of self.entries()) if (!truthy(await call(fn).call([item, at, self]))) return false
    return true
  },
  find: async (self, [fn]) => {
    for (const [at, item] of self.entries()) if (truthy(await call(fn).call([item, at, self]))) return item
    return undefined
  },
  reduce: async (self, [fn, start]) => {
    let sum = start
    for (const [at, item] of self.entries()) {
      sum = at === 0 && start === undefined ? item : await call(fn).call([sum, item, at, self])
    }
    return sum
  },
}

const NUMBER: Readonly<Record<string, Method<number>>> = {
  toString: (self: number, [base]: readonly ScriptValue[]) => self.toString(optional(base)),
  toFixed: (self, [digits]) => self.toFixed(optional(digits)),
}

/** Undefined where there is no such member. @throws ScriptAnswer on null and undefined */
export const memberOf = (of: ScriptValue, name: ScriptValue): ScriptValue => {
  const key = stringOf(name)
  if (of === null || of === undefined) throw new ScriptAnswer(`cannot read "${key}" of ${of}`)
  if (typeof of === 'string') {
    if (key === 'length') return of.length
    return typeof name === 'number' ? of[name] : bound(STRING, of, key)
  }
  if (typeof of === 'number') return bound(NUMBER, of, key)
  if (typeof of === 'boolean') return key === 'toString' ? functionOf(() => String(of)) : undefined
  if (Array.isArray(of)) {
    if (key === 'length') return of.length
    return /^\d+$/.test(key) ? of[Number(key)] : bound(ARRAY, of, key)
  }
  if (of instanceof Uint8Array) {
    if (key === 'length') return of.length
    if (key === 'toString') return functionOf(() => stringOf(of))
    if (key === 'slice' || key === 'subarray') return functionOf(([from, to]) => of.slice(optional(from), optional(to)))
    return /^\d+$/.test(key) ? of[Number(key)] : bound(ARRAY, [...of], key)
  }
  if (isObject(of)) {
    if (of.members.has(key)) return of.members.get(key)
    const other = of.also?.get(key)
    if (other !== undefined) return of.members.get(other)
    if (key === 'hasOwnProperty') return functionOf(([own]) => of.members.has(stringOf(own)))
    return key === 'toString' ? functionOf(() => stringOf(of)) : undefined
  }
  if (isPattern(of)) return callPattern(of, key)
  return isFunction(of) ? of.members?.get(key) : undefined
}

const bound = <Self>(methods: Readonly<Record<string, Method<Self>>>, self: Self, key: string): ScriptValue => {
  const method = Object.hasOwn(methods, key) ? methods[key] : undefined
  return method ? functionOf((args) => method(self, args)) : undefined
}

export const setMember = (of: ScriptValue, name: ScriptValue, value: ScriptValue): void => {
  const key = stringOf(name)
  if (Array.isArray(of) && /^\d{1,5}$/.test(key)) of[Number(key)] = value
  else if (isObject(of)) {
    if (of.members.size > 10_000) throw new ScriptError('an object grew too large')
    of.members.set(key, value)
  } else throw new ScriptError(`"${key}" cannot be set`)
}
