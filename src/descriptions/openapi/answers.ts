/** What OpenAPI says of an operation beyond how it is asked: its answer, who may ask, and what the server alone sets. */
import type { AnswerShape } from '../../contract/described.ts'
import { type Json, list, object, pointerKey } from '../json.ts'
import { type At, type Resolver, Unresolved } from './resolver.ts'
import { shapeOf } from './shape.ts'

const MOST_NAMES = 300
const DEEPEST = 6

/** By OpenAPI 3.1, 4.8.10: those of the operation stand in place of the root's; an empty one among them makes it optional. */
export const asksForSignIn = (operation: Json, root: Json): boolean => {
  const required = operation.security ?? root.security
  return (
    Array.isArray(required) && required.length > 0 && required.every((one) => Object.keys(object(one) ?? {}).length > 0)
  )
}

/** Whether a tag, a scope or a sentence of it says that it is for administrators: `admin`, `users:admin`, "Administrators only". */
export const isForAdministrators = (operation: Json, root: Json): boolean => {
  const scopes = list(operation.security ?? root.security).flatMap((one) =>
    Object.values(object(one) ?? {}).flatMap((some) => list(some).map(String)),
  )
  const told = [operation.summary, operation.description].map((one) => String(one ?? '').slice(0, MOST_SAID)).join('. ')
  return [...list(operation.tags).map(String), ...scopes].some((one) => ADMINISTERS.test(one)) || FOR_FEW.test(told)
}
const MOST_SAID = 2_000
const ADMINISTERS = /(?:^|[\s:._/-])admin(?:istrators?|s)?(?:$|[\s:._/-])/i
const FOR_FEW =
  /\badmin(?:istrator)?s?\b[^.]{0,20}\bonly\b|\bonly\b[^.]{0,30}\badmin(?:istrator)?s?\b|\brequires?\b[^.]{0,30}\badmin(?:istrator)?s?\b|\(admin\)|^\s*admin\s*:/i

/** Of the first answer with a status of success. Null where its JSON is not described. */
export const answerOf = (operation: Json, file: string, resolver: Resolver): AnswerShape | null => {
  const answers = Object.entries(object(operation.responses) ?? {}).filter(([status]) => /^2(?:\d\d|XX)$/i.test(status))
  for (const [, value] of answers.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const schema = schemaOf({ value, file }, resolver)
    if (schema !== null) return shapeOfAnswer(schema, resolver)
  }
  return null
}

const schemaOf = (answer: At, resolver: Resolver): At | null => {
  try {
    const { value, file } = resolver.resolve(answer)
    const own = object(value)
    const media = Object.entries(object(own?.content) ?? {}).find(([type]) => /[/+]json/i.test(type))?.[1]
    const schema = object(media)?.schema ?? own?.schema
    return object(schema) === null ? null : { value: schema, file }
  } catch (error) {
    if (error instanceof Unresolved) return null // As if nothing were said of it.
    throw error
  }
}

const shapeOfAnswer = (schema: At, resolver: Resolver): AnswerShape | null => {
  const [names, open]: [string[], string[]] = [[], []]
  walk(schema, '', 0, (at, pointer) => {
    const shape = shapeOf(at, resolver)
    const more = shape?.own.additionalProperties
    const chooses = [shape?.own.oneOf, shape?.own.anyOf].some((some) => list(some).length > 1)
    const isFull = names.length >= MOST_NAMES || pointer.split('/').length > DEEPEST
    const isLeaf = shape !== null && /^(?:string|number|integer|boolean|null)$/.test(String(shape.own.type))
    if (pointer !== '') names.push(pointer)
    if (shape === null || isFull || chooses || (more !== undefined && more !== false)) open.push(pointer)
    else if (!isLeaf && shape.properties.size === 0 && shape.own.items === undefined) open.push(pointer)
    if (shape === null || isFull) return []
    const items = shape.own.items === undefined ? [] : [['*', { value: shape.own.items, file: shape.file }] as const]
    return [...items, ...[...shape.properties].map(([key, one]) => [pointerKey(key), one] as const)]
  })
  return names.length === 0 || open.includes('') ? null : { names, open }
}

/** Of a body: what is marked as read only. */
export const readOnlyOf = (body: At | null, resolver: Resolver): readonly string[] => {
  const schema = body === null ? null : schemaOf(body, resolver)
  const found: string[] = []
  if (schema === null) return found
  walk(schema, '', 0, (at, pointer) => {
    const shape = shapeOf(at, resolver)
    if (shape === null || pointer.split('/').length > DEEPEST) return []
    if (shape.own.readOnly === true && pointer !== '' && found.length < MOST_NAMES) found.push(pointer)
    return [...shape.properties].map(([key, one]) => [pointerKey(key), one] as const)
  })
  return found
}

/** Each schema within another, by the way to it; `inner` says what lies in one. */
const walk = (
  at: At,
  pointer: string,
  count: number,
  inner: (at: At, pointer: string) => readonly (readonly [key: string, at: At])[],
): number => {
  let seen = count + 1
  for (const [key, one] of inner(at, pointer)) {
    if (seen > 2 * MOST_NAMES) break
    seen = walk(one, `${pointer}/${key}`, seen, inner)
  }
  return seen
}
