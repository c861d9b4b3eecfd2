/** XML of an example, by what its schema says of names and attributes. */
import { object, plain, string } from '../json.ts'
import type { At, Resolver } from './resolver.ts'
import { shapeOf } from './shape.ts'

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
