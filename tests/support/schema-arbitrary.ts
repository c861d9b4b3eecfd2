/** Values that a JSON Schema of our OpenAPI document allows, and values that it probably does not. */

import type { Json, OpenApi } from '../../src/contract/openapi.ts'
import fc from './properties.ts'
import { anyText, readableText } from './texts.ts'

/** Only the keywords that our documents use. */
export const valid = (schema: Json, document: OpenApi): fc.Arbitrary<unknown> => {
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.slice('#/components/schemas/'.length)
    return valid(document.components.schemas[name] ?? {}, document)
  }
  if (Array.isArray(schema.anyOf)) return fc.oneof(...(schema.anyOf as Json[]).map((of) => valid(of, document)))
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]))
  if ('const' in schema) return fc.constant(schema.const)
  switch (schema.type) {
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'integer':
      return fc.integer({ min: Number(schema.minimum ?? 0), max: Math.min(Number(schema.maximum ?? 1e9), 1e9) })
    case 'string':
      return text(schema)
    case 'array':
      return fc.array(valid((schema.items ?? {}) as Json, document), {
        minLength: Number(schema.minItems ?? 0),
        maxLength: 4,
      })
    case 'object':
      return object(schema, document)
    default:
      return fc.jsonValue()
  }
}

const text = (schema: Json): fc.Arbitrary<string> => {
  if (schema.format === 'uuid') return fc.uuid({ version: 4 })
  if (schema.format === 'date-time') {
    const years = { min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true }
    return fc.date(years).map((date) => date.toISOString())
  }
  if (schema.pattern !== undefined || schema.allOf !== undefined)
    return fc.constantFrom('sid=1', 'Authorization: Bearer x')
  return readableText({
    minLength: Number(schema.minLength ?? 0),
    maxLength: Math.min(Number(schema.maxLength ?? 40), 40),
  })
}

const object = (schema: Json, document: OpenApi): fc.Arbitrary<unknown> => {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>)
  const values = Object.fromEntries(properties.map(([name, of]) => [name, valid(of, document)]))
  return fc.record(values, { requiredKeys: (schema.required ?? []) as string[] })
}

/** Anything that a program or a person might send by mistake or on purpose. */
export const junk: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    ...['', ' ', '\0', '\u202e', '../../etc/passwd', '%00', "' or 1=1 --", '{{7*7}}', '\ud800', '🙂'.repeat(50)],
    ...[null, true, -1, 0, 1.5, 1e308, Number.MAX_SAFE_INTEGER, [], [[]], {}, 'a'.repeat(3000)],
    ...['0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999999999+23:59', '2026-02-30T00:00:00Z', '1e3', '0x10'],
  ),
  anyText(),
  fc.jsonValue({ maxDepth: 3 }),
)
