/** A schema with all that it is put together from: references, allOf, and the first of what it leaves to choose. */
import { type Json, list, object, string } from '../json.ts'
import { type At, type Resolver, Unresolved } from './resolver.ts'

export interface Shape {
  /** Keywords of the schema and of its parts; those nearer to it hold. */
  readonly own: Json
  readonly properties: ReadonlyMap<string, At>
  readonly required: ReadonlySet<string>
  /** Addresses of what it was put together from: a schema that holds itself shows by them. */
  readonly from: readonly string[]
  readonly file: string
}

const MOST_PARTS = 20
const DEEPEST = 8
const MERGED = ['allOf', 'oneOf', 'anyOf', 'properties', 'required', '$ref']

/** Null where its references lead nowhere: nothing is known of it then. */
export const shapeOf = (at: At, resolver: Resolver, depth = 0): Shape | null => {
  const [from, found] = resolved(at, resolver)
  const schema = object(found?.value)
  if (!found || !schema || depth > DEEPEST) return null
  const here: Shape = {
    own: schema,
    properties: new Map(
      Object.entries(object(schema.properties) ?? {}).map(([key, value]) => [key, in_(found, value)]),
    ),
    required: new Set(list(schema.required).map(String)),
    from,
    file: found.file,
  }
  const chosen = [list(schema.oneOf), list(schema.anyOf)].flatMap((some) => {
    const one = some.find((each) => object(each)?.type !== 'null')
    return one === undefined ? [] : [one]
  })
  const parts = [...list(schema.allOf).slice(0, MOST_PARTS), ...chosen].map((part) => in_(found, part))
  return [...parts]
    .map((part) => shapeOf(part, resolver, depth + 1))
    .filter((part) => part !== null)
    .reduce(together, withKind(here, chosen[0]))
}

const in_ = (at: At, value: unknown): At => ({ value, file: at.file })

const resolved = (at: At, resolver: Resolver): readonly [readonly string[], At | null] => {
  const reference = string(object(at.value)?.$ref)
  try {
    return [reference === null ? [] : [`${at.file} ${reference}`], resolver.resolve(at)]
  } catch (error) {
    if (error instanceof Unresolved) return [[], null]
    throw error
  }
}

const together = (one: Shape, part: Shape): Shape => ({
  own: {
    ...Object.fromEntries(Object.entries(part.own).filter(([key]) => !MERGED.includes(key))),
    ...one.own,
  },
  properties: new Map([...part.properties, ...one.properties]),
  required: new Set([...one.required, ...part.required]),
  from: [...one.from, ...part.from],
  file: one.file,
})

/** By its discriminator a program knows which of several it was given: the name of the one that was chosen. */
const withKind = (shape: Shape, chosen: unknown): Shape => {
  const discriminator = object(shape.own.discriminator)
  const name = string(discriminator?.propertyName)
  const reference = string(object(chosen)?.$ref)
  if (name === null || reference === null) return shape
  const key = Object.entries(object(discriminator?.mapping) ?? {}).find(([, to]) => to === reference)?.[0]
  const kind = { value: { const: key ?? reference.split('/').at(-1) }, file: shape.file }
  return { ...shape, properties: new Map([...shape.properties, [name, kind]]) }
}
