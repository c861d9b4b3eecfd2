/** Requests that were recorded or written down with their values: collections of Postman, recordings of browsers. */
import type { Body, FormField, Operation, Parameter } from '../contract/described.ts'
import { type Json, list, object, plain, pointerKey } from './json.ts'
import type { LeftOut } from './operation.ts'
import { MOST_PARAMETERS } from './operation.ts'
import { isSecretHeader, isSecretName, isSecretValue, isStanding } from './secrets.ts'

export interface Pair {
  readonly name: string
  readonly value: string
}

export interface Recorded {
  readonly method: string
  /** Path with parameters in braces, and their values. */
  readonly path: string
  readonly variables: readonly Pair[]
  readonly query: readonly Pair[]
  readonly headers: readonly Pair[]
  readonly body: RecordedBody | null
  readonly label: string
  /** How a person finds it in the file. */
  readonly where: string
}

export type RecordedBody =
  | { readonly type: string; readonly text: string }
  | { readonly type: string; readonly fields: readonly (Pair & { readonly type: string })[] }

const MOST_TEXT = 20_000
/** Stands where a credential stood. */
export const INSTEAD = 'Test-1234'

/** What it says of the person who recorded it is left out, and told to `leftOut`. */
export const operationOfRecorded = (recorded: Recorded, leftOut: (one: LeftOut) => void): Operation => {
  const said = (what: string, name: string): void =>
    leftOut({ where: `${what} ${name.slice(0, 100)} of ${recorded.where}`, reason: WHY })
  const safe = (what: string, { name, value }: Pair): string => {
    if (value === '' || !(isSecretName(name) || isSecretValue(value))) return value
    said(what, name)
    return INSTEAD
  }
  const headers = recorded.headers.filter(({ name, value }) => {
    if (isStanding(name)) return false
    const isSecret = isSecretHeader(name) || isSecretValue(value)
    if (isSecret) said('header', name)
    return !isSecret
  })
  const as = (place: Parameter['in'], pairs: readonly Pair[], what: string): Parameter[] =>
    pairs.map((pair) => ({
      in: place,
      name: pair.name,
      value: safe(what, pair),
      given: pair.value !== '',
      required: true,
    }))
  return {
    ...{ method: recorded.method.toUpperCase(), name: '', label: recorded.label },
    path: recorded.path
      .split('/')
      .map((segment, at) => safe('path segment', { name: String(at), value: segment }))
      .join('/'),
    parameters: [
      ...as('path', recorded.variables, 'path parameter'),
      ...as('query', recorded.query, 'query parameter'),
      ...as('header', headers, 'header'),
    ].slice(0, MOST_PARAMETERS),
    body: recorded.body === null ? null : bodyOf(recorded.body, safe, said),
  }
}

const WHY = 'a credential: the login of the run is sent instead'

const bodyOf = (
  body: RecordedBody,
  safe: (what: string, pair: Pair) => string,
  said: (what: string, name: string) => void,
): Body => {
  if ('fields' in body) {
    const fields = body.fields.map((field): FormField => {
      const { name, type } = field
      return { name, value: type === 'file' ? '' : safe('field', field), type, given: true }
    })
    return { type: body.type, text: '', fields, made: [] }
  }
  const text = /json/i.test(body.type) ? jsonWithout(body.text, said) : textWithout(body.text, said)
  return { type: body.type, text: text.slice(0, MOST_TEXT), fields: [], made: [] }
}

const jsonWithout = (text: string, said: (what: string, name: string) => void): string => {
  try {
    const value: unknown = JSON.parse(text)
    return JSON.stringify(cleaned(value, '', said, 0))
  } catch (error) {
    if (error instanceof SyntaxError) return textWithout(text, said)
    throw error
  }
}

const cleaned = (
  value: unknown,
  pointer: string,
  said: (what: string, name: string) => void,
  depth: number,
): unknown => {
  if (depth > 20) return null
  if (Array.isArray(value)) return list(value).map((one, at) => cleaned(one, `${pointer}/${at}`, said, depth + 1))
  const members = object(value)
  if (members)
    return Object.fromEntries(
      Object.entries(members).map(([key, one]) => {
        const at = `${pointer}/${pointerKey(key)}`
        const isLeaf = typeof one !== 'object' && one !== '' && typeof one !== 'boolean'
        if (!isLeaf || !(isSecretName(key) || isSecretValue(plain(one))))
          return [key, cleaned(one, at, said, depth + 1)]
        said('property', at)
        return [key, INSTEAD]
      }),
    )
  return value
}

/** Texts of other kinds are sent as they are, but for what is a credential by its form. */
const textWithout = (text: string, said: (what: string, name: string) => void): string => {
  if (!isSecretValue(text)) return text
  said('body', '')
  return ''
}

/** Pairs of a list of objects with `name` or `key` and `value`; those that are switched off are left out. */
export const pairsOf = (value: unknown): readonly Pair[] =>
  list(value).flatMap((one) => {
    const { name, key, value: text, disabled } = (object(one) ?? {}) as Json
    const called = typeof name === 'string' ? name : typeof key === 'string' ? key : ''
    return called === '' || disabled === true
      ? []
      : [{ name: called.slice(0, 200), value: plain(text).slice(0, 2_000) }]
  })
