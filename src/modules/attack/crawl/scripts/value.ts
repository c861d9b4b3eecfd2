/** What an expression of a script gives, as far as it can be told by reading: texts with gaps, objects, bodies, parameters. */
import type { Fn, Holder } from './program.ts'

/** What nobody can tell by reading; its name says what it is for. */
export interface Unknown {
  readonly kind: 'unknown'
  readonly name: string
  /** What it is before anybody changes it. */
  readonly example?: string | number | boolean
  /** The code makes a number of it. */
  readonly isNumber?: true
  /** Where another file has it: by what it is reached, and the way to the part that is meant. */
  readonly of?: { readonly ref: string; readonly path: readonly string[] }
}

/** What the caller of a function gives: which parameter, and the way to the part that is meant. */
export interface Param {
  readonly kind: 'param'
  readonly fn: number
  readonly index: number
  readonly path: readonly string[]
  readonly name: string
}

/** A call of a function, whose parameters are known from here on within all that it made. */
export interface Given {
  readonly fn: number
  readonly values: readonly Value[]
}

/** Plain data, that outlives the tree of its file. */
export type Value =
  | Unknown
  | Param
  | { readonly kind: 'text'; readonly pieces: readonly (string | Value)[] }
  | { readonly kind: 'data'; readonly value: number | boolean | null }
  /** `rest`: what is spread into it. */
  | { readonly kind: 'object'; readonly entries: Entries; readonly rest: readonly Value[] }
  | { readonly kind: 'list'; readonly items: readonly Value[] }
  /** FormData, URLSearchParams and their like. `of`: what a caller gives, whose members come before. */
  | {
      readonly kind: 'form'
      readonly encoding: 'urlencoded' | 'multipart'
      readonly entries: Entries
      readonly of?: Value
    }
  /** JSON.stringify */
  | { readonly kind: 'json'; readonly of: Value }
  | { readonly kind: 'file' }
  /** Either of them. */
  | { readonly kind: 'choice'; readonly of: readonly Value[] }
  /** What a function that is not known makes of its arguments: an observable, a group of controls, an injected service; `ref` of its class. */
  | { readonly kind: 'made'; readonly by: string; readonly args: readonly Value[]; readonly ref?: string }
  /** `new Request(…)` */
  | { readonly kind: 'request'; readonly args: readonly Value[] }
  /** A client with settings of its own: `axios.create({baseURL: …})`. */
  | { readonly kind: 'client'; readonly settings: Value }
  | { readonly kind: 'import'; readonly ref: string }
  | { readonly kind: 'module'; readonly key: string }
  /** `given`: what the functions around it were called with. */
  | { readonly kind: 'fn'; readonly fn: Fn; readonly given?: readonly Given[] }
  /** `given`: what its constructor was called with, and that of what it extends. */
  | { readonly kind: 'instance'; readonly holder: Holder; readonly made: boolean; readonly given?: readonly Given[] }

export type Entries = readonly (readonly [name: string, value: Value])[]

/** Stands in place of a name that the caller of a function gives: a character that no script writes into one. */
const GIVEN = '\u{e001}'
export const nameGiven = ({ fn, index }: Pick<Param, 'fn' | 'index'>): string => `${GIVEN}${fn}:${index}`
export const isNameGiven = (name: string): boolean => name.startsWith(GIVEN)
export const fnOfName = (name: string): number => Number(name.slice(GIVEN.length).split(':')[0])

/** Entries under the names that the caller of the function gives; without those of which nobody can tell it. */
export const namesFilled = (entries: Entries, fn: number, values: readonly Value[]): Entries =>
  entries.flatMap(([name, value]): Entries => {
    if (!isNameGiven(name) || fnOfName(name) !== fn) return [[name, value]]
    const said = known(values[Number(name.split(':')[1])])
    return said === null || said === '' ? [] : [[said, value]]
  })

const MAX_CHOICES = 4
const MOST_EACH = 12
const MAX_PIECES = 40
export const MAX_ENTRIES = 200

export const unknown = (name = '', example?: Unknown['example']): Unknown =>
  example === undefined ? { kind: 'unknown', name } : { kind: 'unknown', name, example }

export const text = (value: string): Value => ({ kind: 'text', pieces: [value.slice(0, 2_000)] })

/** `most`: of those that stand in one list more are kept than of what may be either. */
export const choice = (values: readonly Value[], most = MAX_CHOICES): Value => {
  const flat = values.flatMap((value) => (value.kind === 'choice' ? value.of : [value])).slice(0, most)
  const [first] = flat
  return first !== undefined && flat.length === 1 ? first : { kind: 'choice', of: flat }
}

/** The whole text where all of it is known; a number or a flag as it is written. */
export const known = (value: Value | null | undefined): string | null => {
  if (value?.kind === 'data') return value.value === null ? null : String(value.value)
  if (value?.kind !== 'text') return null
  return value.pieces.every((piece) => typeof piece === 'string') ? value.pieces.join('') : null
}

/** One text of several parts: what is known of each, gaps where nothing is. */
export const joined = (parts: readonly Value[]): Value => {
  const several = parts.find((part) => part.kind === 'choice')
  if (several?.kind === 'choice') {
    // Of several choices in one text only the first is gone through: the others would multiply. As many as of that are mostly their pairs.
    const of = (part: Value, at: number): Value =>
      part.kind === 'choice' ? (part.of[part.of.length === several.of.length ? at : 0] ?? unknown()) : part
    return choice(
      several.of.map((_, at) => joined(parts.map((part) => of(part, at)))),
      MOST_EACH,
    )
  }
  const pieces: (string | Value)[] = []
  for (const part of parts) {
    const said = part.kind === 'text' ? part.pieces : [known(part) ?? part]
    for (const piece of said) {
      if (piece === '') continue
      const last = pieces.at(-1)
      if (typeof piece === 'string' && typeof last === 'string') pieces[pieces.length - 1] = last + piece
      else pieces.push(piece)
    }
  }
  const short = pieces.slice(0, MAX_PIECES).map((piece) => (typeof piece === 'string' ? piece.slice(0, 2_000) : piece))
  return { kind: 'text', pieces: short }
}

/** True where an expression says nothing by itself. */
export const isOpen = (value: Value): boolean =>
  value.kind === 'unknown' || value.kind === 'import' || value.kind === 'module' || value.kind === 'made'

const UNWRAPPED: ReadonlySet<string> = new Set(['value', 'getRawValue', 'current', 'asReadonly', '0'])

/**
 * What can be read as an object with members: itself, what an unknown function made of one (`reactive({…})`, `group({…})`), and
 * the first of several that can. Null where there is none.
 */
export const objectOf = (value: Value | null | undefined): Extract<Value, { kind: 'object' }> | null => {
  if (value?.kind === 'object') return value
  if (value?.kind === 'made') {
    const inner = objectOf(value.args[0])
    return inner === null ? null : (objectOf(entry(inner, 'fromObject')) ?? inner)
  }
  if (value?.kind === 'json') return objectOf(value.of)
  if (value?.kind !== 'choice') return null
  for (const one of value.of) {
    const found = objectOf(one)
    if (found) return found
  }
  return null
}

export const entry = (value: Value | null | undefined, ...names: readonly string[]): Value | null => {
  if (value?.kind !== 'object' && value?.kind !== 'form') return null
  for (const name of names) {
    const found = value.entries.find(([key]) => key === name)
    if (found) return found[1]
  }
  return null
}

/** `value.name`, of values that know their members by themselves. */
export const memberOf = (value: Value, name: string): Value => {
  if (value.kind === 'object')
    return entry(value, name) ?? memberOfRest(value.rest, name) ?? unknown(value.rest.length > 0 ? name : 'undefined')
  if (isFileList(value)) return { kind: 'file' }
  if (value.kind === 'param') return { ...value, path: [...value.path, name].slice(0, 6), name }
  if (value.kind === 'list') return value.items[Number(name)] ?? unknown(name)
  if (value.kind === 'choice') {
    const found = value.of.map((one) => memberOf(one, name)).filter((one) => !isOpen(one))
    return found.length > 0 ? choice(found, MOST_EACH) : unknown(name)
  }
  // What a person has put into a group of controls, or a part of a component's state.
  if (value.kind === 'made' && UNWRAPPED.has(name) && objectOf(value)) return controlsOf(value)
  if (value.kind === 'made' && value.args.length === 1 && UNWRAPPED.has(name)) return initial(value, name)
  if (value.kind === 'made' && objectOf(value)) return memberOf(controlsOf(value), name)
  if (value.kind === 'text' && (name === 'href' || name === 'url')) return value
  if (value.kind === 'unknown' && value.of !== undefined)
    return { ...unknown(name), of: { ...value.of, path: [...value.of.path, name].slice(0, 6) } }
  return unknown(name)
}

/** One after the other of what a value holds, or of its names; null where nobody can tell what it holds. */
export const eachOf = (value: Value, of: 'of' | 'in' = 'of'): Value | null => {
  const names = of === 'in' && value.kind === 'object' ? value.entries.map(([name]) => text(name)) : []
  const items = of === 'of' && value.kind === 'list' ? value.items : names
  return items.length > 0 && items.every((one) => !isOpen(one)) ? choice(items, MOST_EACH) : null
}

/** A text, a number, and what consists of such: the same whoever asks for it. */
export const isPlainData = (value: Value): boolean =>
  known(value) !== null ||
  (value.kind === 'object' && value.entries.some(([, one]) => isPlainData(one))) ||
  (value.kind === 'list' && value.items.length > 0 && value.items.every(isPlainData))

/** `input.files`, of which each is a file. */
export const isFileList = (value: Value): boolean =>
  (value.kind === 'unknown' && value.name === 'files') || (value.kind === 'param' && value.path.at(-1) === 'files')

const memberOfRest = (rest: readonly Value[], name: string): Value | null => {
  for (const one of rest) {
    const found = memberOf(one, name)
    if (!isOpen(found)) return found
  }
  return null
}

const initial = (value: Extract<Value, { kind: 'made' }>, name: string): Value =>
  unknown(name, exampleOf(value.args[0]))

const exampleOf = (value: Value | undefined): Unknown['example'] => {
  if (value?.kind === 'data' && value.value !== null) return value.value
  if (value?.kind === 'unknown') return value.example
  return (value && known(value)) || undefined
}

/** Controls stand for what is typed into them. */
const controlsOf = (value: Value): Value => {
  const object = objectOf(value)
  if (object === null) return unknown()
  const entries = object.entries.map(([name, one]) => [name, controlled(name, one)] as const)
  return { ...object, entries }
}

const controlled = (name: string, value: Value): Value => {
  if (value.kind === 'list') return unknown(name, exampleOf(value.items[0]))
  if (value.kind === 'made') return objectOf(value) ? controlsOf(value) : unknown(name, exampleOf(value.args[0]))
  const example = exampleOf(value)
  return value.kind === 'text' || value.kind === 'data' ? unknown(name, example) : value
}

/** A value whose name changes while the program runs: only an example of it is known. */
export const changing = (name: string, values: readonly Value[]): Value => {
  const examples = values.map(exampleOf).filter((one) => one !== undefined && one !== '')
  return unknown(name, examples[0])
}

/** As plain data, of so many parts at most: what needs the tree of its file to be told is unknown from here on. */
export const settled = (value: Value, budget = { left: 400 }): Value => {
  budget.left -= 1
  if (budget.left <= 0) return unknown()
  const inner = (one: Value): Value => settled(one, budget)
  switch (value.kind) {
    case 'fn':
    case 'instance':
    case 'module':
      return unknown()
    default:
      return mapped(value, inner)
  }
}

/** The same with each of its parts replaced. */
export const mapped = (value: Value, inner: (value: Value) => Value): Value => {
  switch (value.kind) {
    case 'object':
      return { ...value, entries: mappedEntries(value.entries, inner), rest: value.rest.slice(0, 4).map(inner) }
    case 'form':
      return {
        ...value,
        entries: mappedEntries(value.entries, inner),
        ...(value.of === undefined ? {} : { of: inner(value.of) }),
      }
    case 'list':
      return { kind: 'list', items: value.items.slice(0, 10).map(inner) }
    case 'json':
      return { kind: 'json', of: inner(value.of) }
    case 'text':
      return joined(value.pieces.map((piece) => (typeof piece === 'string' ? text(piece) : inner(piece))))
    case 'choice':
      return choice(value.of.map(inner), MOST_EACH)
    case 'made':
    case 'request':
      return { ...value, args: value.args.slice(0, 3).map(inner) }
    case 'client':
      return { kind: 'client', settings: inner(value.settings) }
    default:
      return value
  }
}

const mappedEntries = (entries: Entries, inner: (value: Value) => Value): Entries =>
  entries
    .filter(([, value]) => value.kind !== 'fn')
    .slice(0, MAX_ENTRIES)
    .map(([name, value]) => [name, inner(value)] as const)

/** What stands there until somebody puts something in. */
export const isEmpty = (value: Value): boolean =>
  (value.kind === 'unknown' && value.name === 'undefined') ||
  (value.kind === 'data' && value.value === null) ||
  (value.kind === 'text' && known(value) === '')
