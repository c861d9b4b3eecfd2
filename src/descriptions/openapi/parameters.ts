/** Parameters of an operation, each with a value as it stands in an address or a header. */

import type { FormField, Parameter, ParameterPlace } from '../../contract/described.ts'
import { list, object, plain, string } from '../json.ts'
import { type At, type Resolver, Unresolved } from './resolver.ts'
import { exampleOf, givenValue } from './values.ts'

/** A parameter as it is described, references followed. */
export interface Described {
  readonly name: string
  readonly in: string
  readonly at: At
}

/** Those of the operation take the place of those of its path. @throws Unresolved */
export const describedOf = (parameters: readonly At[], resolver: Resolver): readonly Described[] => {
  const found = parameters.map((one): readonly [string, Described] => {
    const at = resolver.resolve(one)
    const { name, in: place } = object(at.value) ?? {}
    if (typeof name !== 'string' || typeof place !== 'string') throw new Unresolved('a parameter has no name or place')
    return [`${place} ${name}`, { name, in: place, at }]
  })
  return [...new Map(found).values()]
}

const PLACES: readonly string[] = ['path', 'query', 'header', 'cookie'] satisfies readonly ParameterPlace[]

/** Values that stand in address and head; an object is one parameter for each property. */
export const parametersOf = (described: readonly Described[], resolver: Resolver): readonly Parameter[] =>
  described.flatMap(({ name, in: place, at }): readonly Parameter[] => {
    if (!PLACES.includes(place)) return []
    const own = object(at.value) ?? {}
    const { value, given } = parameterValue(at, name, resolver)
    const base = { in: place as ParameterPlace, given, required: place === 'path' || own.required === true }
    const members = object(value)
    if (!members || own.content !== undefined) return [{ ...base, name, value: scalar(value) }]
    const deep = own.style === 'deepObject'
    if (place !== 'query' || (own.explode === false && !deep))
      return [{ ...base, name, value: Object.entries(members).flat().map(scalar).join(',') }]
    return Object.entries(members).map(([key, one]) => ({
      ...base,
      name: deep ? `${name}[${key}]` : key,
      value: scalar(one),
    }))
  })

/** Fields of a form as version 2 describes them. */
export const formFieldsOf = (described: readonly Described[], resolver: Resolver): readonly FormField[] =>
  described
    .filter((one) => one.in === 'formData')
    .map(({ name, at }) => {
      const { value, given } = parameterValue(at, name, resolver)
      return { name, value: scalar(value), type: fieldType(name, string(object(at.value)?.type)), given }
    })

/** As of an input that a person would see. */
export const fieldType = (name: string, type: string | null, format: string | null = null): string => {
  if (type === 'file' || format === 'binary') return 'file'
  return format === 'password' || /^(?:password|passwd|pwd)$/i.test(name) ? 'password' : 'text'
}

const parameterValue = (at: At, name: string, resolver: Resolver): { value: unknown; given: boolean } => {
  const own = object(at.value) ?? {}
  const { file } = at
  const given = own.example ?? exampleAmong(own.examples, file, resolver) ?? own['x-example']
  if (given !== undefined && given !== null) return { value: givenValue(given), given: true }
  const [media] = Object.values(object(own.content) ?? {})
  const schema = own.schema ?? object(media)?.schema ?? own
  const { value, made } = exampleOf({ value: schema, file }, resolver, { name })
  if (own.content !== undefined) return { value: JSON.stringify(value), given: made.length === 0 }
  return { value, given: made.length === 0 }
}

/** The first of named examples. */
export const exampleAmong = (examples: unknown, file: string, resolver: Resolver): unknown => {
  if (Array.isArray(examples)) return examples[0]
  const [first] = Object.values(object(examples) ?? {})
  if (first === undefined) return undefined
  try {
    return object(resolver.resolve({ value: first, file }).value)?.value
  } catch (error) {
    if (error instanceof Unresolved) return undefined // As if there were no example.
    throw error
  }
}

const scalar = (value: unknown): string => plain(Array.isArray(value) ? list(value)[0] : value)
