/** Bodies of requests as OpenAPI describes them, by media type. */

import type { Body, FormField } from '../../contract/described.ts'
import { list, object, plain, string } from '../json.ts'
import { type Described, exampleAmong, fieldType, formFieldsOf } from './parameters.ts'
import type { At, Resolver } from './resolver.ts'
import { shapeOf } from './shape.ts'
import { exampleOf, givenValue } from './values.ts'

const MOST_TEXT = 20_000
/** What our probes can read comes first. */
const PREFERRED: readonly RegExp[] = [/[/+]json/i, /urlencoded/i, /form-data/i, /[/+]xml/i]

/** Of version 3. Null where it has none. @throws Unresolved */
export const bodyOf = (requestBody: At | null, resolver: Resolver): Body | null => {
  if (requestBody === null) return null
  const found = resolver.resolve(requestBody)
  const content = Object.entries(object(object(found.value)?.content) ?? {})
  const [type, media] = content.toSorted(([a], [b]) => rank(a) - rank(b))[0] ?? []
  if (type === undefined) return null
  const own = object(media) ?? {}
  const example = own.example ?? exampleAmong(own.examples, found.file, resolver)
  return bodyAs(type, { value: own.schema ?? {}, file: found.file }, example, resolver)
}

/** Of version 2, where it is a parameter, or several. */
export const bodyOfParameters = (
  described: readonly Described[],
  consumes: readonly string[],
  resolver: Resolver,
): Body | null => {
  const whole = described.find((one) => one.in === 'body')
  const type = consumes.toSorted((a, b) => rank(a) - rank(b))[0]
  if (whole) {
    const schema = object(whole.at.value)?.schema ?? {}
    return bodyAs(type ?? 'application/json', { value: schema, file: whole.at.file }, undefined, resolver)
  }
  const fields = formFieldsOf(described, resolver)
  if (fields.length === 0) return null
  const isMultipart = fields.some((field) => field.type === 'file') || (type !== undefined && /form-data/i.test(type))
  return formBody(isMultipart ? 'multipart/form-data' : 'application/x-www-form-urlencoded', fields)
}

const rank = (type: string): number => {
  const at = PREFERRED.findIndex((pattern) => pattern.test(type))
  return at < 0 ? PREFERRED.length : at
}

export const formBody = (type: string, fields: readonly FormField[]): Body => ({ type, text: '', fields, made: [] })
export const textBody = (type: string, text: string, made: readonly string[] = []): Body => ({
  ...{ type, text: text.slice(0, MOST_TEXT), fields: [], made },
})

const bodyAs = (described: string, schema: At, example: unknown, resolver: Resolver): Body => {
  // `application/*` and the like stand for whatever the server takes.
  const type = described.includes('*') ? 'application/json' : described
  const made = exampleOf(schema, resolver)
  const value = example === undefined || example === null ? made.value : givenValue(example)
  if (/urlencoded|form-data/i.test(type)) return formBody(type.split(';')[0] ?? type, fieldsOf(value, schema, resolver))
  if (/[/+]xml/i.test(type)) return textBody(type, typeof value === 'string' ? value : xmlOf(value, schema, resolver))
  if (!/json/i.test(type)) return textBody(type, plain(value))
  if (value !== made.value) return textBody(type, jsonText(value))
  const text = JSON.stringify(value)
  const lean = JSON.stringify(exampleOf(schema, resolver, { lean: true }).value)
  return { ...textBody(type, text, made.made), ...(lean === text ? {} : { lean: lean.slice(0, MOST_TEXT) }) }
}

/** Some write their examples as the text of a JSON document. */
const jsonText = (value: unknown): string =>
  typeof value === 'string' && /^\s*[[{]/.test(value) ? value : JSON.stringify(value)

const fieldsOf = (value: unknown, schema: At, resolver: Resolver): readonly FormField[] => {
  const properties = shapeOf(schema, resolver)?.properties
  return Object.entries(object(value) ?? {}).map(([name, one]) => {
    const property = object(properties?.get(name)?.value)
    const [type, format] = [string(property?.type), string(property?.format)]
    const scalar = plain(Array.isArray(one) ? list(one)[0] : one)
    const kind = fieldType(name, type, format)
    return { name, value: kind === 'file' ? '' : scalar, type: kind, given: property?.example !== undefined }
  })
}

const DEEPEST = 8

export const xmlOf = (value: unknown, schema: At, resolver: Resolver): string => {
  const named = string(object(schema.value)?.$ref)?.split('/').at(-1) ?? 'root'
  const root = string(object(shapeOf(schema, resolver)?.own.xml)?.name) ?? named
  return `<?xml version="1.0"?>${element(root, value, schema, resolver, 0)}`
}

const element = (name: string, value: unknown, schema: At, resolver: Resolver, depth: number): string => {
  const tag = name.replace(/[^\w.:-]/g, '_')
  const shape = shapeOf(schema, resolver)
  if (depth > DEEPEST) return ''
  if (Array.isArray(value)) {
    const item = { value: shape?.own.items ?? {}, file: shape?.file ?? schema.file }
    const inner = string(object(shapeOf(item, resolver)?.own.xml)?.name) ?? name
    const items = value.map((one) => element(inner, one, item, resolver, depth + 1)).join('')
    return object(shape?.own.xml)?.wrapped === true ? `<${tag}>${items}</${tag}>` : items
  }
  const members = Object.entries(object(value) ?? {}).map(([key, one]) => {
    const at = shape?.properties.get(key) ?? { value: {}, file: schema.file }
    const xml = object(shapeOf(at, resolver)?.own.xml)
    return { name: string(xml?.name) ?? key, isAttribute: xml?.attribute === true, one, at }
  })
  const attributes = members
    .filter(({ isAttribute }) => isAttribute)
    .map(({ name: key, one }) => ` ${key.replace(/[^\w.:-]/g, '_')}="${escaped(plain(one))}"`)
  const content = object(value)
    ? members
        .filter(({ isAttribute }) => !isAttribute)
        .map(({ name: key, one, at }) => element(key, one, at, resolver, depth + 1))
        .join('')
    : escaped(plain(value))
  return `<${tag}${attributes.join('')}>${content}</${tag}>`
}

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
