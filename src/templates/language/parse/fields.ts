/** Reads the fields of a map: each by its kind, each bad one named with its place, unknown ones told. */
import { didYouMean } from './nearest.ts'
import type { Problem } from './problem.ts'
import type { Path, Source } from './source.ts'

export interface Report {
  readonly error: (path: Path, message: string) => void
  readonly defect: (path: Path, message: string) => void
  readonly warn: (path: Path, message: string) => void
}

export const createReport = (source: Source, into: Problem[]): Report => {
  const add = (level: Problem['level']) => (path: Path, message: string) => {
    into.push({ level, line: source.lineOf(path), path: pathText(path), message })
  }
  return { error: add('error'), defect: add('defect'), warn: add('warning') }
}

export const pathText = (path: Path): string =>
  path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join('')

type Scalar = string | number | boolean

/** A view of one map. Every getter marks its field as known; `finish` warns of the others. */
export interface Fields {
  readonly path: Path
  /** False for one that holds nothing. */
  readonly given: boolean
  readonly has: (name: string) => boolean
  /** As it stands. */
  readonly raw: (name: string) => unknown
  readonly text: (name: string) => string | null
  readonly flag: (name: string) => boolean
  /** Null when absent; a bad one is reported. */
  readonly number: (name: string) => number | null
  /** One scalar counts as a list of one. */
  readonly texts: (name: string) => readonly string[]
  readonly numbers: (name: string) => readonly number[]
  readonly oneOf: <Choice extends string>(name: string, choices: readonly Choice[], fallback: Choice) => Choice
  /** `beside`: what is no text and passed over all the same. */
  readonly pairs: (name: string, beside?: (value: unknown) => boolean) => readonly (readonly [string, string])[]
  readonly maps: (name: string) => readonly Fields[]
  /** `index` is of an item in a list. */
  readonly error: (name: string, message: string, index?: number) => void
  readonly defect: (name: string, message: string, index?: number) => void
  readonly finish: () => void
}

export const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

export const fieldsOf = (map: Readonly<Record<string, unknown>>, path: Path, report: Report): Fields => {
  const known = new Set<string>()
  const raw = (name: string): unknown => {
    known.add(name)
    return Object.hasOwn(map, name) ? map[name] : undefined
  }
  const bad = (name: string, what: string): void => refuse({ name, what, path, report })
  const list = (name: string, what: string): readonly Scalar[] => scalarsOf(raw(name), { name, what, path, report })
  const placeOf = (name: string, index: number | undefined): Path => [
    ...path,
    ...(name === '' ? [] : [name]),
    // A lone text stands where a list might.
    ...(index === undefined || !Array.isArray(map[name]) ? [] : [index]),
  ]
  const fields: Fields = {
    path,
    given: Object.keys(map).length > 0,
    raw,
    has: (name) => Object.hasOwn(map, name) && map[name] !== undefined && map[name] !== null,
    text: (name) => {
      const value = raw(name)
      if (value === undefined || value === null) return null
      if (isScalar(value)) return String(value)
      bad(name, 'a text')
      return null
    },
    flag: (name) => {
      const value = raw(name)
      if (value === undefined || value === null || value === false || value === 'false') return false
      if (value !== true && value !== 'true') bad(name, 'true or false')
      return true
    },
    number: (name) => {
      const value = raw(name)
      if (value === undefined || value === null) return null
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
      if (typeof number === 'number' && Number.isFinite(number)) return number
      bad(name, 'a number')
      return null
    },
    texts: (name) => list(name, 'a list of texts').map(String),
    numbers: (name) =>
      list(name, 'a list of numbers').flatMap((item) => {
        const number = Number(item)
        if (Number.isFinite(number)) return [number]
        bad(name, 'a list of numbers')
        return []
      }),
    oneOf: (name, choices, fallback) => {
      const value = fields.text(name)
      if (value === null || value === '') return fallback
      const choice = choices.find((one) => one === value.toLowerCase())
      if (choice === undefined) bad(name, `one of ${choices.join(', ')}; it is "${value}"`)
      return choice ?? fallback
    },
    pairs: (name, beside = () => false) => pairsOf(raw(name), { name, what: 'a map of texts', path, report }, beside),
    maps: (name) => mapsOf(raw(name), { name, what: 'a list', path, report }),
    error: (name, message, index) => report.error(placeOf(name, index), message),
    defect: (name, message, index) => report.defect(placeOf(name, index), message),
    finish: () => {
      for (const name of Object.keys(map)) {
        if (!known.has(name))
          report.warn([...path, name], `the field ${name} is not known and has no effect${didYouMean(name, known)}`)
      }
    },
  }
  return fields
}

/** A field of a map, and what it has to be. */
interface Wanted {
  readonly name: string
  readonly what: string
  readonly path: Path
  readonly report: Report
}

const refuse = ({ name, what, path, report }: Wanted): void =>
  report.error([...path, name], `${name} has to be ${what}`)

const scalarsOf = (value: unknown, wanted: Wanted): readonly Scalar[] => {
  if (value === undefined || value === null) return []
  if (isScalar(value)) return [value]
  if (!Array.isArray(value)) {
    refuse(wanted)
    return []
  }
  const { name, path, report } = wanted
  return value.flatMap((item: unknown, index) => {
    // `- null` and an empty item are texts in this format.
    if (item === null) return ['null']
    if (isScalar(item)) return [item]
    // `{{x}}` without quotes is a map of maps to YAML.
    const braces = unquotedMarker(item)
    if (braces !== null) return [braces]
    report.error([...path, name, index], `an item of ${name} has to be a text`)
    return []
  })
}

const pairsOf = (
  value: unknown,
  wanted: Wanted,
  beside: (value: unknown) => boolean,
): readonly (readonly [string, string])[] => {
  if (value === undefined || value === null) return []
  if (!isMap(value)) {
    refuse(wanted)
    return []
  }
  return Object.entries(value).flatMap(([key, item]) => {
    if (item === null) return [[key, ''] as const]
    if (isScalar(item)) return [[key, String(item)] as const]
    if (beside(item)) return []
    wanted.report.error([...wanted.path, wanted.name, key], `${key} has to be a text`)
    return []
  })
}

const mapsOf = (value: unknown, wanted: Wanted): readonly Fields[] => {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) {
    refuse(wanted)
    return []
  }
  const { name, path, report } = wanted
  return value.flatMap((item: unknown, index) => {
    if (isMap(item)) return [fieldsOf(item, [...path, name, index], report)]
    report.error([...path, name, index], `an item of ${name} has to be a map`)
    return []
  })
}

const unquotedMarker = (item: unknown): string | null => {
  if (!isMap(item)) return null
  const [key] = Object.keys(item)
  if (key === undefined || Object.keys(item).length !== 1) return null
  return /^\{ .+ \}$/.test(key) ? `{${key.replace(/^\{ /, '{').replace(/ \}$/, '}')}}` : null
}
