/** OpenAPI 2.0 (Swagger), 3.0 and 3.1: each operation as a request with values that its schema takes. */

import type { Operation } from '../../contract/described.ts'
import { type Json, list, object, string } from '../json.ts'
import {
  type Description,
  type LeftOut,
  MOST_OPERATIONS,
  MOST_PARAMETERS,
  type ReadOptions,
  type Refusal,
  Unreadable,
  wordsOf,
} from '../operation.ts'
import { isSecretHeader } from '../secrets.ts'
import type { Tree } from '../tree.ts'
import { answerOf, asksForSignIn, isForAdministrators, readOnlyOf } from './answers.ts'
import { bodyOf, bodyOfParameters } from './bodies.ts'
import { describedOf, parametersOf } from './parameters.ts'
import { type At, createResolver, type Resolver, Unresolved } from './resolver.ts'

const METHODS: readonly string[] = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']
const UNASKED = new Set(['trace'])
/** Headers that the standard says are described elsewhere: by media types and by the sign-in. */
const ELSEWHERE = /^(?:accept|content-type|authorization)$/i

/** Its version, for example "3.0.3"; null where the value is no such document. */
export const openApiVersion = (value: unknown): string | null => {
  const root = object(value)
  const version = root?.openapi ?? root?.swagger
  const known = typeof version === 'number' ? version.toFixed(1) : string(version, 20)
  return known !== null && /^[23]\.\d/.test(known) ? known : null
}

/** `main`: the file whose root is the document. @throws Unreadable where it has no paths at all */
export const readOpenApi = (files: ReadonlyMap<string, Tree>, main: string, options: ReadOptions): Description => {
  const root = object(files.get(main)?.value) ?? {}
  const version = openApiVersion(root) ?? ''
  const paths = object(root.paths)
  if (!paths && !object(root.webhooks) && !object(root.components))
    throw new Unreadable('It says that it is OpenAPI and has no "paths".')
  const walk: Walk = {
    ...{ files, main, root, options, resolver: createResolver(files) },
    ...{ operations: [], refused: [], leftOut: new Map(), described: 0 },
  }
  for (const [path, item] of Object.entries(paths ?? {})) if (!path.startsWith('x-')) readPath(path, item, walk)
  return {
    kind: `${root.openapi === undefined ? 'Swagger' : 'OpenAPI'} ${version}`,
    title: string(object(root.info)?.title, 500) ?? '',
    described: walk.described,
    operations: walk.operations,
    refused: walk.refused,
    leftOut: [...walk.leftOut.values()],
  }
}

interface Walk {
  readonly files: ReadonlyMap<string, Tree>
  readonly main: string
  readonly root: NonNullable<ReturnType<typeof object>>
  readonly options: ReadOptions
  readonly resolver: Resolver
  readonly operations: Operation[]
  readonly refused: Refusal[]
  readonly leftOut: Map<string, LeftOut>
  described: number
}

const readPath = (path: string, value: unknown, walk: Walk): void => {
  const line = (...more: string[]): number | null => walk.files.get(walk.main)?.lineOf(['paths', path, ...more]) ?? null
  const refuse = (where: string, reason: string, at: number | null): void => {
    walk.refused.push({ where: where.slice(0, 500), line: at, reason })
  }
  let item: At
  try {
    item = walk.resolver.resolve({ value, file: walk.main })
  } catch (error) {
    if (!(error instanceof Unresolved)) throw error
    walk.described += 1
    refuse(path, error.message, line())
    return
  }
  const holder = object(item.value)
  if (!holder) {
    walk.described += 1
    refuse(path, 'what stands there is no object', line())
    return
  }
  for (const method of METHODS.filter((one) => holder[one] !== undefined)) {
    const where = `${method.toUpperCase()} ${path}`
    walk.described += 1
    if (UNASKED.has(method)) refuse(where, 'TRACE asks servers and no application', line(method))
    else if (walk.operations.length >= MOST_OPERATIONS)
      refuse(where, `only the first ${MOST_OPERATIONS.toLocaleString('en-GB')} operations are taken`, line(method))
    else {
      const made = operationOf(method, path, item, walk)
      if (typeof made === 'string') refuse(where, made, line(method) ?? line())
      else walk.operations.push(made)
    }
  }
}

/** A text: why it cannot be asked. */
const operationOf = (method: string, path: string, item: At, walk: Walk): Operation | string => {
  const holder = object(item.value) ?? {}
  const operation = object(holder[method])
  if (!operation) return 'what stands there is no object'
  if (!path.startsWith('/')) return 'its path does not begin with a slash'
  const { resolver, root, options } = walk
  const within = (value: unknown): At => ({ value, file: item.file })
  try {
    const described = describedOf([...list(holder.parameters), ...list(operation.parameters)].map(within), resolver)
    const kept = withoutSecrets(
      parametersOf(described, resolver).filter((one) => one.in !== 'header' || !ELSEWHERE.test(one.name)),
      `${method.toUpperCase()} ${path}`,
      walk,
    )
    const [address = '', query = ''] = path.split('?')
    const servers = [operation.servers, holder.servers, root.servers].find((one) => list(one).length > 0)
    const consumes = list(operation.consumes ?? root.consumes).map(String)
    return {
      method: method.toUpperCase(),
      path: `${prefixOf(list(servers), root, options)}${address}`,
      parameters: [...inPath(address, kept), ...kept.filter((one) => one.in !== 'path'), ...inQuery(query)].slice(
        0,
        MOST_PARAMETERS,
      ),
      body:
        root.swagger === undefined
          ? bodyOf(operation.requestBody === undefined ? null : within(operation.requestBody), resolver)
          : bodyOfParameters(described, consumes, resolver),
      name: '',
      label: [string(operation.operationId), string(operation.summary)]
        .flatMap((one) => (one === null ? [] : [wordsOf(one)]))
        .join(' ')
        .slice(0, 200),
      ...saidOf(operation, within, walk),
    }
  } catch (error) {
    if (error instanceof Unresolved) return error.message
    throw error
  }
}

const saidOf = (
  operation: Json,
  within: (value: unknown) => At,
  { root, resolver }: Walk,
): Pick<Operation, 'signIn' | 'answer' | 'readOnly' | 'forAdministrators'> => {
  const answer = answerOf(operation, within(null).file, resolver)
  const readOnly = readOnlyOf(operation.requestBody === undefined ? null : within(operation.requestBody), resolver)
  return {
    ...(asksForSignIn(operation, root) ? { signIn: true as const } : {}),
    ...(isForAdministrators(operation, root) ? { forAdministrators: true as const } : {}),
    ...(answer === null ? {} : { answer }),
    ...(readOnly.length === 0 ? {} : { readOnly }),
  }
}

/** One for each pair of braces, described or not. */
const inPath = (path: string, parameters: Operation['parameters']): Operation['parameters'] =>
  [...new Set([...path.matchAll(/\{([^{}]{1,100})\}/g)].map(([, name = '']) => name))].map(
    (name) =>
      parameters.find((one) => one.in === 'path' && one.name === name) ?? {
        ...{ in: 'path', name, value: '1', given: false, required: true },
      },
  )

/** Some write parameters that are always the same behind the path. */
const inQuery = (query: string): Operation['parameters'] =>
  [...new URLSearchParams(query)].map(([name, value]) => ({ in: 'query', name, value, given: true, required: true }))

const withoutSecrets = (
  parameters: Operation['parameters'],
  where: string,
  { leftOut }: Walk,
): Operation['parameters'] =>
  parameters.filter(({ in: place, name }) => {
    const isSecret = (place === 'header' || place === 'cookie') && isSecretHeader(name)
    const reason = 'it says who asks: the login of the run is sent instead'
    if (isSecret && !leftOut.has(name))
      leftOut.set(name, { where: `${place} ${name.slice(0, 100)} of ${where}`, reason })
    return !isSecret
  })

/** Without a slash at its end. A server on the site's own host is preferred to the first. */
export const prefixOf = (servers: readonly unknown[], root: Json, { host, foundAt }: ReadOptions): string => {
  if (root.swagger !== undefined) return folder(string(root.basePath) ?? '')
  const addresses = servers.map((one) => addressOf(object(one)))
  const own = addresses.find((one) => hostOf(one) !== null && hostOf(one) === host)
  return folder(pathOf(own ?? addresses[0] ?? '/', foundAt))
}

/** Variables with their defaults, or the first that is allowed. */
const addressOf = (server: Json | null): string =>
  (string(server?.url) ?? '/').replace(/\{([^{}]{1,100})\}/g, (_whole, name: string) => {
    const variable = object(object(server?.variables)?.[name])
    return string(variable?.default) ?? string(list(variable?.enum)[0]) ?? ''
  })

const hostOf = (address: string): string | null => /^[a-z][a-z\d+.-]*:\/\/([^/?#]+)/i.exec(address)?.[1] ?? null

/** Addresses that no parser takes, since a variable has no default, still have a path. */
const pathOf = (address: string, foundAt: string | null): string => {
  const named = /^(?:[a-z\d+.-]*:)?\/\/[^/?#]*([^?#]*)/i.exec(address)
  if (named) return named[1] ?? ''
  if (/^[^/]*:/.test(address)) return ''
  return URL.parse(address, foundAt ?? 'http://site.invalid/')?.pathname ?? ''
}

const folder = (path: string): string => {
  const plain = path.replace(/[?#].*$/s, '').replace(/\/+$/, '')
  return plain === '' || plain.startsWith('/') ? plain : `/${plain}`
}
