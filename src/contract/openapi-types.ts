/** TypeScript types of the OpenAPI document, for a package that brings no schemas along. */
import type { Json, OpenApi, Operation } from './openapi.ts'

/** The declarations: an exported type for each schema, and `Operations` with what each call takes and gives. */
export const typesOf = (document: OpenApi): string => {
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) => `${comment(schema.description, '')}export type ${name} = ${typeOf(schema, '')}\n`,
  )
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
  const rows = operations.map(
    (operation) =>
      `${comment(operation.summary, '  ')}  ${operation.operationId}: {\n    input: ${inputOf(operation)}\n    output: ${outputOf(operation)}\n  }\n`,
  )
  return `${schemas.join('\n')}\nexport interface Operations {\n${rows.join('')}}\n`
}

const inputOf = ({ parameters, requestBody }: Operation): string => {
  const of = (place: string): string[] =>
    parameters
      .filter((each) => each.in === place)
      .map(({ name, required, schema }) => `${keyOf(name)}${required ? '' : '?'}: ${typeOf(schema, '      ')}`)
  const part = (name: string, fields: readonly string[]): string[] => {
    if (fields.length === 0) return []
    const optional = fields.every((field) => /^(?:"[^"]*"|[\w$]+)\?:/.test(field))
    return [`${name}${optional ? '?' : ''}: { ${fields.join('; ')} }`]
  }
  const parts = [...part('params', of('path')), ...part('query', of('query')), ...bodyOf(requestBody)]
  return `{ ${[...parts, 'headers?: Record<string, string>', 'signal?: AbortSignal'].join('; ')} }`
}

const bodyOf = (body: Json | undefined): string[] => {
  if (body === undefined) return []
  const json = (body.content as Record<string, { schema: Json } | undefined>)['application/json']
  return [json === undefined ? 'raw: RawBody' : `body: ${typeOf(json.schema, '      ')}`]
}

/** `Response`: no call of its own, only through `request`. */
const outputOf = ({ responses }: Operation): string => {
  const [status, answer] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? []
  if (status === '204') return 'undefined'
  const json = (answer?.content as Record<string, { schema?: Json } | undefined> | undefined)?.['application/json']
  if (json?.schema === undefined) return 'Response'
  // What else it may be has to be asked for as another format.
  const [own = json.schema] = (json.schema.anyOf ?? []) as readonly Json[]
  return typeOf(own, '    ')
}

const REF = '#/components/schemas/'

const typeOf = (schema: Json, indent: string): string => {
  if (typeof schema.$ref === 'string') return schema.$ref.slice(REF.length)
  if ('const' in schema) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  for (const word of ['anyOf', 'oneOf'] as const)
    if (Array.isArray(schema[word])) return joined(schema[word], ' | ', indent)
  if (Array.isArray(schema.allOf)) return joined(schema.allOf, ' & ', indent)
  if (Array.isArray(schema.type)) {
    return schema.type.map((type: unknown) => typeOf({ ...schema, type }, indent)).join(' | ')
  }
  return ofType(schema, indent)
}

const joined = (schemas: readonly Json[], by: string, indent: string): string =>
  [...new Set(schemas.map((each) => bracketed(typeOf(each, indent))))].join(by)

const bracketed = (type: string): string => (/ [|&] /.test(type) && !/^[{(]/.test(type) ? `(${type})` : type)

const ofType = (schema: Json, indent: string): string => {
  if (schema.type === 'string') return 'string'
  if (schema.type === 'integer' || schema.type === 'number') return 'number'
  if (schema.type === 'boolean') return 'boolean'
  if (schema.type === 'null') return 'null'
  if (schema.type === 'array') return arrayOf(schema, indent)
  if (schema.type === 'object' || schema.properties !== undefined) return objectOf(schema, indent)
  return 'unknown'
}

const arrayOf = ({ items, prefixItems }: Json, indent: string): string => {
  if (Array.isArray(prefixItems)) return `[${prefixItems.map((item: Json) => typeOf(item, indent)).join(', ')}]`
  return `Array<${items === undefined ? 'unknown' : typeOf(items as Json, indent)}>`
}

const objectOf = ({ properties, required, additionalProperties: more }: Json, indent: string): string => {
  const inner = `${indent}  `
  const needed = new Set((required ?? []) as string[])
  const fields = Object.entries((properties ?? {}) as Record<string, Json>).map(
    ([name, schema]) =>
      `${comment(schema.description, inner)}${inner}${keyOf(name)}${needed.has(name) ? '' : '?'}: ${typeOf(schema, inner)}\n`,
  )
  if (fields.length > 0) return `{\n${fields.join('')}${indent}}`
  if (more === false) return 'Record<string, never>'
  return `Record<string, ${typeof more === 'object' && more !== null ? typeOf(more as Json, indent) : 'unknown'}>`
}

const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))

const comment = (text: unknown, indent: string): string =>
  typeof text === 'string' ? `${indent}/** ${text.replaceAll('*/', '*\\/').replaceAll('\n', ' ')} */\n` : ''
