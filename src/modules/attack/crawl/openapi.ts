/** Requests that an OpenAPI 3 or Swagger 2 document describes, each with examples from its schema. */
import { parse as parseYaml } from 'yaml'

export interface ApiOperation {
  readonly method: string
  readonly url: string
  readonly body: { readonly type: string; readonly text: string } | null
  /** In place of the media type alone. */
  readonly headers?: readonly (readonly [name: string, value: string])[]
  /** Words that tell what it does, where the address does not. */
  readonly label?: string
}

export interface ApiDocument {
  readonly kind: string
  readonly title: string
  readonly operations: readonly ApiOperation[]
}

/** Where frameworks put it. */
export const API_PATHS: readonly string[] = [
  '/openapi.json',
  '/openapi.yaml',
  '/swagger.json',
  '/swagger/v1/swagger.json',
  '/v1/swagger.json',
  '/v2/api-docs',
  '/v3/api-docs',
  '/api-docs',
  '/api/openapi.json',
  '/api/swagger.json',
  '/api/v1/openapi.json',
  '/api-docs.json',
  '/docs/openapi.json',
  '/api/docs.json',
  '/.well-known/openapi.json',
]

const MAX_TEXT = 2 * 1024 * 1024
const MAX_OPERATIONS = 300
const MAX_DEPTH = 6
const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head']

type Json = Readonly<Record<string, unknown>>

/** Null for what is no such document. `url` is where it was found. */
export const readApi = (text: string, url: string): ApiDocument | null => {
  const root = parsed(text.slice(0, MAX_TEXT))
  const version = root && (text32(root.openapi) ?? text32(root.swagger))
  const paths = root && object(root.paths)
  if (!root || !version || !paths) return null
  const base = baseOf(root, url)
  const operations: ApiOperation[] = []
  for (const [path, value] of Object.entries(paths)) {
    const item = object(resolve(value, root))
    for (const method of METHODS) {
      const operation = item && object(item[method])
      if (!operation || operations.length >= MAX_OPERATIONS) continue
      const made = operationOf(
        method,
        path,
        [...list(item.parameters), ...list(operation.parameters)],
        operation,
        root,
        base,
      )
      if (made) operations.push(made)
    }
  }
  const kind = `${root.openapi ? 'OpenAPI' : 'Swagger'} ${version}`
  return { kind, title: text32(object(root.info)?.title) ?? '', operations }
}

const parsed = (text: string): Json | null => {
  try {
    return object(
      /^\s*\{/.test(text)
        ? JSON.parse(text)
        : /^\s*(?:openapi|swagger)\s*:/m.test(text)
          ? parseYaml(text, { maxAliasCount: 100 })
          : null,
    )
  } catch (error) {
    if (error instanceof Error) return null // Neither JSON nor YAML: it describes nothing.
    throw error
  }
}

/** A server on the document's own host where it names one; else the path of its first, since the document is served here. */
const baseOf = (root: Json, url: string): string => {
  const { origin, host } = new URL(url)
  const servers = list(root.servers).flatMap((server) => URL.parse(serverUrl(object(server)), url) ?? [])
  const server = servers.find((one) => one.host === host) ?? servers[0]
  return `${origin}${server ? server.pathname : (text32(root.basePath) ?? '/')}`
}

const serverUrl = (server: Json | null): string => {
  const variables = object(server?.variables)
  return (text32(server?.url) ?? '/').replace(
    /\{(\w+)\}/g,
    (_whole, name: string) => text32(object(variables?.[name])?.default) ?? '',
  )
}

const operationOf = (
  method: string,
  path: string,
  parameters: readonly unknown[],
  operation: Json,
  root: Json,
  base: string,
): ApiOperation | null => {
  const given = parameters.map((one) => object(resolve(one, root))).filter((one) => one !== null)
  const named = (place: string) =>
    given.filter((one) => one.in === place).map((one) => [String(one.name), exampleText(one, root)] as const)
  const filled = path.replace(/\{([^}]{1,100})\}/g, (_whole, name: string) =>
    encodeURIComponent(named('path').find(([one]) => one === name)?.[1] ?? '1'),
  )
  const url = URL.parse(`${base.replace(/\/$/, '')}/${filled.replace(/^\//, '')}`)
  if (!url) return null
  for (const [name, value] of named('query').slice(0, 50)) url.searchParams.append(name, value)
  const form = given.filter((one) => one.in === 'formData')
  if (form.length > 0) {
    const pairs = form.map((one): [string, string] => [String(one.name), exampleText(one, root)])
    return {
      method: method.toUpperCase(),
      url: url.href,
      body: { type: 'application/x-www-form-urlencoded', text: new URLSearchParams(pairs).toString() },
    }
  }
  return { method: method.toUpperCase(), url: url.href, body: bodyOf(operation, given, root) }
}

const bodyOf = (operation: Json, given: readonly Json[], root: Json): ApiOperation['body'] => {
  const swagger = given.find((one) => one.in === 'body')
  if (swagger) return { type: 'application/json', text: JSON.stringify(exampleOf(swagger.schema, root, 0)) }
  const content = object(object(resolve(operation.requestBody, root))?.content)
  const [type, media] = Object.entries(content ?? {})[0] ?? []
  if (!type) return null
  const described = object(media)
  const example = described?.example ?? exampleOf(described?.schema, root, 0)
  if (/json/i.test(type)) return { type, text: JSON.stringify(example) }
  const fields = Object.entries(object(example) ?? {}).map(([name, value]): [string, string] => [name, String(value)])
  return { type, text: /urlencoded|form-data/i.test(type) ? new URLSearchParams(fields).toString() : String(example) }
}

const exampleText = (parameter: Json, root: Json): string => {
  const value = parameter.example ?? exampleOf(parameter.schema ?? parameter, root, 0)
  return typeof value === 'object' && value !== null ? String(Object.values(value)[0] ?? '1') : String(value)
}

const BY_FORMAT: Readonly<Record<string, unknown>> = {
  date: '2024-01-01',
  'date-time': '2024-01-01T00:00:00Z',
  email: 'test@example.org',
  uuid: '00000000-0000-4000-8000-000000000000',
  uri: 'https://example.org/',
}
const BY_TYPE: Readonly<Record<string, unknown>> = { integer: 1, number: 1, boolean: true, string: 'test', null: null }

const exampleOf = (schema: unknown, root: Json, depth: number): unknown => {
  const one = object(resolve(schema, root))
  if (!one || depth > MAX_DEPTH) return 'test'
  const given = one.example ?? one.default ?? list(one.examples)[0] ?? list(one.enum)[0] ?? one.const
  if (given !== undefined) return given
  const parts = [...list(one.allOf), ...list(one.oneOf).slice(0, 1), ...list(one.anyOf).slice(0, 1)]
  if (one.properties === undefined && parts.length > 0) {
    const made = parts.slice(0, 5).map((part) => exampleOf(part, root, depth + 1))
    return made.every((part) => object(part)) ? Object.assign({}, ...made) : made[0]
  }
  if (one.properties !== undefined) {
    const properties = Object.entries(object(one.properties) ?? {}).slice(0, 40)
    return Object.fromEntries(properties.map(([name, inner]) => [name, exampleOf(inner, root, depth + 1)]))
  }
  const type = Array.isArray(one.type) ? one.type[0] : one.type
  if (type === 'array') return [exampleOf(one.items, root, depth + 1)]
  if (type === 'object') return {}
  return BY_FORMAT[String(one.format)] ?? BY_TYPE[String(type)] ?? 'test'
}

/** Local references alone; a chain of them is followed a few steps. */
const resolve = (value: unknown, root: Json): unknown => {
  let current = value
  for (let step = 0; step < 5; step += 1) {
    const reference = text32(object(current)?.$ref)
    if (!reference?.startsWith('#/')) return current
    current = reference
      .slice(2)
      .split('/')
      .map((part) => part.replace(/~1/g, '/').replace(/~0/g, '~'))
      .reduce<unknown>(
        (node, part) => (object(node) && Object.hasOwn(node as object, part) ? (node as Json)[part] : undefined),
        root,
      )
  }
  return null
}

const object = (value: unknown): Json | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const text32 = (value: unknown): string | null => (typeof value === 'string' ? value.slice(0, 500) : null)
