/** Compares two OpenAPI documents of ours: whether a client of the older one still works with the newer. */
import type { Json, OpenApi, Operation } from './openapi.ts'

/**
 * Every break, as a sentence; empty when there is none. Within a version only optional request fields, response fields,
 * endpoints and error codes may be added. `$ref` is followed; recursion ends at depth 40.
 */
export const breaks = (released: OpenApi, current: OpenApi): string[] => {
  const found: string[] = []
  for (const [path, methods] of Object.entries(released.paths)) {
    for (const [method, was] of Object.entries(methods) as [keyof typeof methods, Operation][]) {
      const at = `${method.toUpperCase()} ${path}`
      const is = current.paths[path]?.[method]
      if (is === undefined) found.push(`${at}: removed`)
      else found.push(...operation(at, was, is, { released, current }))
    }
  }
  return found
}

interface Documents {
  readonly released: OpenApi
  readonly current: OpenApi
}

const operation = (at: string, was: Operation, is: Operation, documents: Documents): string[] => [
  ...was.parameters.flatMap((parameter) => {
    const now = is.parameters.find(({ name, in: place }) => name === parameter.name && place === parameter.in)
    const where = `${at} ${parameter.in} ${parameter.name}`
    return now === undefined
      ? [`${where}: removed`]
      : [
          ...(now.required && !parameter.required ? [`${where}: now required`] : []),
          ...request(where, parameter.schema, now.schema, documents),
        ]
  }),
  ...is.parameters
    .filter((now) => now.required && !was.parameters.some(({ name }) => name === now.name))
    .map(({ name }) => `${at} ${name}: added and required`),
  ...body(at, was, is, documents),
  ...Object.entries(was.responses).flatMap(([status, response]) => {
    const now = is.responses[status]
    if (now === undefined) return Number(status) < 400 ? [`${at} ${status}: removed`] : []
    return Object.entries(content(response)).flatMap(([type, of]) => {
      const where = `${at} ${status}`
      const other = content(now)[type]
      if (other === undefined) return [`${where}: ${type} removed`]
      return Number(status) < 400 && of.schema && other.schema ? answer(where, of.schema, other.schema, documents) : []
    })
  }),
]

const body = (at: string, was: Operation, is: Operation, documents: Documents): string[] => {
  const before = content(was.requestBody ?? {})['application/json']?.schema
  const after = content(is.requestBody ?? {})['application/json']?.schema
  if (after === undefined) return before === undefined ? [] : [`${at} body: removed`]
  return before === undefined ? [`${at} body: added`] : request(`${at} body`, before, after, documents)
}

const content = (of: Json): Record<string, { schema?: Json }> => (of.content ?? {}) as Record<string, { schema?: Json }>

/** A value that was accepted has to be accepted still. */
const request = (at: string, was: Json, is: Json, documents: Documents): string[] =>
  compare(at, was, is, documents, 'request', 0)
/** A value that is answered has to be one that could be answered before. */
const answer = (at: string, was: Json, is: Json, documents: Documents): string[] =>
  compare(at, was, is, documents, 'answer', 0)

const compare = (
  at: string,
  older: Json,
  newer: Json,
  documents: Documents,
  side: 'request' | 'answer',
  depth: number,
): string[] => {
  if (depth > 40) return []
  const was = resolve(older, documents.released)
  const is = resolve(newer, documents.current)
  const next = (where: string, a: unknown, b: unknown): string[] =>
    isObject(a) && isObject(b) ? compare(where, a, b, documents, side, depth + 1) : []
  const properties = (of: Json): Record<string, unknown> => (of.properties ?? {}) as Record<string, unknown>
  const required = (of: Json): readonly string[] => (of.required ?? []) as string[]
  return [
    ...(JSON.stringify(was.type) === JSON.stringify(is.type)
      ? []
      : [`${at}: type ${show(was.type)} became ${show(is.type)}`]),
    ...values(at, was, is, side),
    ...limits(at, was, is, side),
    ...Object.entries(properties(was)).flatMap(([name, of]) =>
      name in properties(is) ? next(`${at}.${name}`, of, properties(is)[name]) : [`${at}.${name}: removed`],
    ),
    ...(side === 'request'
      ? required(is)
          .filter((name) => !required(was).includes(name))
          .map((name) => `${at}.${name}: now required`)
      : required(was)
          .filter((name) => !required(is).includes(name))
          .map((name) => `${at}.${name}: no longer always there`)),
    ...next(`${at}[]`, was.items, is.items),
    ...alternatives(at, was, is, next),
  ]
}

const alternatives = (
  at: string,
  was: Json,
  is: Json,
  next: (at: string, a: unknown, b: unknown) => string[],
): string[] => {
  const before = (was.anyOf ?? []) as unknown[]
  const after = (is.anyOf ?? []) as unknown[]
  if (before.length !== after.length) return [`${at}: ${before.length} alternatives became ${after.length}`]
  return before.flatMap((of, index) => next(`${at}|${index}`, of, after[index]))
}

/** A request may take more values, an answer may give fewer. */
const values = (at: string, was: Json, is: Json, side: 'request' | 'answer'): string[] => {
  const before = listed(was)
  const after = listed(is)
  const [small, big] = side === 'request' ? [before, after] : [after, before]
  if (big === null) return []
  if (small === null) return [`${at}: values are now ${side === 'request' ? 'limited' : 'open'}`]
  const gone = small.filter((value) => !big.includes(value))
  return gone.map((value) => `${at}: ${show(value)} ${side === 'request' ? 'no longer taken' : 'is a new value'}`)
}

const listed = (of: Json): readonly unknown[] | null =>
  'const' in of ? [of.const] : Array.isArray(of.enum) ? of.enum : null

const limits = (at: string, was: Json, is: Json, side: 'request' | 'answer'): string[] => {
  if (side === 'answer') return []
  const tighter = (name: string, sign: 1 | -1): string[] => {
    const now = is[name]
    const then = was[name]
    if (typeof now !== 'number') return []
    return typeof then === 'number' && sign * now >= sign * then ? [] : [`${at}: ${name} is now ${now}`]
  }
  const pattern = is.pattern !== undefined && is.pattern !== was.pattern ? [`${at}: pattern changed`] : []
  return [
    ...['maximum', 'maxLength', 'maxItems'].flatMap((name) => tighter(name, 1)),
    ...['minimum', 'minLength', 'minItems'].flatMap((name) => tighter(name, -1)),
    ...pattern,
    ...(is.additionalProperties === false && was.additionalProperties !== false
      ? [`${at}: other fields are no longer taken`]
      : []),
  ]
}

const resolve = (schema: Json, document: OpenApi): Json => {
  if (typeof schema.$ref !== 'string') return schema
  return document.components.schemas[schema.$ref.slice('#/components/schemas/'.length)] ?? {}
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const show = (value: unknown): string => JSON.stringify(value) ?? 'any'
