/** Values that a schema takes: those that it gives, and where it gives none, such as its rules and names ask for. */
import { type Json, list, number, object, pointerKey } from '../json.ts'
import { numberByName, textOf } from '../texts.ts'
import type { At, Resolver } from './resolver.ts'
import { type Shape, shapeOf } from './shape.ts'

export interface Made {
  readonly value: unknown
  /** JSON Pointers of the leaves that were made up. */
  readonly made: readonly string[]
}

/** Parts of one value in all, and how deep they lie in one another. */
const MOST_NODES = 300
const MOST_PROPERTIES = 60
const DEEPEST = 8

/** `lean`: with what is required alone. `name`: of the parameter or property. */
export const exampleOf = (schema: At, resolver: Resolver, { lean = false, name = '' } = {}): Made => {
  const walk: Walk = { resolver, lean, made: [], left: MOST_NODES }
  const value = make(schema, walk, { pointer: '', name, trail: [], depth: 0 })
  return { value: value === undefined ? 'test' : value, made: walk.made }
}

/** A value that a document gives, within bounds: aliases may have made a circle of it. */
export const givenValue = (value: unknown, depth = 0): unknown => {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? Number(value) : value
  if (depth > 12) return null
  if (Array.isArray(value)) return value.slice(0, 100).map((one) => givenValue(one, depth + 1))
  const entries = Object.entries(value).slice(0, 200)
  return Object.fromEntries(entries.map(([key, one]) => [key, givenValue(one, depth + 1)]))
}

interface Walk {
  readonly resolver: Resolver
  readonly lean: boolean
  readonly made: string[]
  left: number
}

interface Where {
  readonly pointer: string
  readonly name: string
  readonly trail: readonly string[]
  readonly depth: number
}

/** Undefined where it holds itself, or there is no room: it is left out then. */
const make = (at: At, walk: Walk, where: Where): unknown => {
  walk.left -= 1
  if (walk.left < 0 || where.depth > DEEPEST) return undefined
  const shape = shapeOf(at, walk.resolver)
  if (shape?.from.some((one) => where.trail.includes(one))) return undefined
  if (!shape) return leaf('test', walk, where)
  const given = givenBy(shape.own)
  if (given !== undefined && !(walk.lean && shape.properties.size > 0)) return givenValue(given)
  const inner = { ...where, trail: [...where.trail, ...shape.from], depth: where.depth + 1 }
  switch (typeOf(shape)) {
    case 'object':
      return objectOf(shape, walk, inner)
    case 'array':
      return arrayOf(shape, walk, inner)
    case 'integer':
    case 'number':
      return leaf(numberOf(shape.own, where.name), walk, where)
    case 'boolean':
      return leaf(true, walk, where)
    case 'null':
      return null
    default:
      return leaf(textOf(shape.own, where.name), walk, where)
  }
}

const leaf = <Value>(value: Value, walk: Walk, { pointer }: Where): Value => {
  walk.made.push(pointer)
  return value
}

/** `default: null` says that there is none. */
const givenBy = (own: Json): unknown =>
  [own.example, list(own.examples)[0], own.const, own.default, list(own.enum)[0]].find(
    (value) => value !== undefined && value !== null,
  )

const typeOf = ({ own, properties }: Shape): string => {
  const types = (Array.isArray(own.type) ? own.type : [own.type]).filter((one) => typeof one === 'string')
  const type = types.find((one) => one !== 'null') ?? types[0]
  if (type !== undefined) return type
  if (properties.size > 0 || own.additionalProperties !== undefined) return 'object'
  if (own.items !== undefined || own.prefixItems !== undefined) return 'array'
  return own.minimum !== undefined || own.maximum !== undefined || own.multipleOf !== undefined ? 'number' : 'string'
}

const objectOf = (shape: Shape, walk: Walk, where: Where): unknown => {
  const properties = [...shape.properties].filter(
    ([name, at]) => object(at.value)?.readOnly !== true && (!walk.lean || shape.required.has(name)),
  )
  const more = shape.own.additionalProperties
  const named =
    properties.length > 0 || !object(more) ? properties : [['key', { value: more, file: shape.file }] as const]
  const entries = named.slice(0, MOST_PROPERTIES).flatMap(([name, at]): [string, unknown][] => {
    const value = make(at, walk, { ...where, name, pointer: `${where.pointer}/${pointerKey(name)}` })
    return value === undefined ? [] : [[name, value]]
  })
  return Object.fromEntries(entries)
}

const arrayOf = ({ own, file }: Shape, walk: Walk, where: Where): unknown => {
  const firsts = list(own.prefixItems)
  const count = firsts.length > 0 ? firsts.length : Math.max(1, Math.min(5, number(own.minItems) ?? 1))
  return Array.from({ length: Math.min(count, 10) }, (_, index) =>
    make({ value: firsts[index] ?? own.items ?? {}, file }, walk, { ...where, pointer: `${where.pointer}/${index}` }),
  ).filter((value) => value !== undefined)
}

/** The lowest from one on that is within the bounds and on a step. */
const numberOf = (own: Json, name: string): number => {
  const step = number(own.multipleOf) ?? 1
  const exclusive = (bound: unknown, limit: number | undefined): number | undefined =>
    bound === true ? limit : number(bound)
  const [minimum, maximum] = [number(own.minimum), number(own.maximum)]
  const above = exclusive(own.exclusiveMinimum, minimum)
  const below = exclusive(own.exclusiveMaximum, maximum)
  const low = Math.max(minimum ?? Number.NEGATIVE_INFINITY, above ?? Number.NEGATIVE_INFINITY)
  const high = Math.min(maximum ?? Number.POSITIVE_INFINITY, below ?? Number.POSITIVE_INFINITY)
  const called = numberByName(name)
  const wanted = Math.max(called < high ? called : 1, low)
  const onStep = step > 0 ? Math.ceil(wanted / step) * step : wanted
  const next = above !== undefined && onStep <= above ? onStep + step : onStep
  const fits = next < high || (next === high && below === undefined)
  const value = fits ? next : Number.isFinite(low) ? (low + high) / 2 : high
  return own.type === 'integer' && !fits ? Math.floor(value) : Number(value.toFixed(6))
}
