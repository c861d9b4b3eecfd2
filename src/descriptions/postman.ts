/**
 * Collections of Postman (2.0 and 2.1), with the values of their environment. Scripts in them are never run, and credentials
 * are left out. https://schema.postman.com/
 */
import { type Json, list, object, plain, string } from './json.ts'
import { type Description, type LeftOut, MOST_OPERATIONS, type Refusal, wordsOf } from './operation.ts'
import { operationOfRecorded, type Pair, pairsOf, type Recorded, type RecordedBody } from './requests.ts'
import { isSecretName, isSecretValue } from './secrets.ts'
import type { Path, Tree } from './tree.ts'

export const isPostman = (value: unknown): boolean =>
  /schema\.(?:get)?postman\.com\/json\/collection\/v2/.test(string(object(object(value)?.info)?.schema) ?? '') ||
  (typeof object(object(value)?.info)?._postman_id === 'string' && Array.isArray(object(value)?.item))

export const isPostmanEnvironment = (value: unknown): boolean => {
  const root = object(value)
  return Array.isArray(root?.values) && (root._postman_variable_scope !== undefined || typeof root.name === 'string')
}

interface Walk {
  readonly tree: Tree
  readonly variables: ReadonlyMap<string, string>
  readonly operations: ReturnType<typeof operationOfRecorded>[]
  readonly refused: Refusal[]
  readonly leftOut: Map<string, LeftOut>
}

const DEEPEST = 20

/** `environments`: values that stand in for `{{names}}`, the last holds. */
export const readPostman = (tree: Tree, environments: readonly unknown[]): Description => {
  const root = object(tree.value) ?? {}
  const leftOut = new Map<string, LeftOut>()
  const known = [...pairsOf(root.variable), ...environments.flatMap((one) => enabled(object(one)?.values))]
  const variables = new Map(
    known
      .filter(({ name, value }) => {
        const isSecret =
          value !== '' && (isSecretName(name) || isSecretValue(value) || secretsOf(environments).has(name))
        if (isSecret)
          leftOut.set(name, { where: `variable ${name}`, reason: 'a credential: the login of the run is sent instead' })
        return !isSecret
      })
      .map(({ name, value }) => [name, value]),
  )
  const walk: Walk = { tree, variables, operations: [], refused: [], leftOut }
  if (root.auth) leftOut.set('auth', { where: 'sign-in of the collection', reason: WHY_AUTH })
  walkItems(list(root.item), ['item'], [], walk)
  return {
    ...{ kind: 'Postman 2', title: string(object(root.info)?.name, 500) ?? '' },
    described: walk.operations.length + walk.refused.length,
    operations: walk.operations,
    refused: walk.refused,
    leftOut: [...leftOut.values()],
  }
}

const WHY_AUTH = 'the login of the run is sent instead'

const enabled = (values: unknown): readonly Pair[] =>
  pairsOf(list(values).filter((one) => object(one)?.enabled !== false))

/** Names that the environment itself calls secret. */
const secretsOf = (environments: readonly unknown[]): ReadonlySet<string> =>
  new Set(
    environments
      .flatMap((one) => list(object(one)?.values))
      .flatMap((one) => (object(one)?.type === 'secret' ? [plain(object(one)?.key)] : [])),
  )

const walkItems = (items: readonly unknown[], path: Path, folders: readonly string[], walk: Walk): void => {
  for (const [index, value] of items.entries()) {
    const item = object(value) ?? {}
    const name = string(item.name, 200) ?? ''
    const at = [...path, index]
    if (Array.isArray(item.item)) {
      if (path.length < DEEPEST * 2) walkItems(item.item, [...at, 'item'], [...folders, name], walk)
      continue
    }
    const where = [...folders, name].join(' / ').slice(0, 500)
    const request = typeof item.request === 'string' ? { url: item.request, method: 'GET' } : object(item.request)
    const reason = !request ? 'it has no request' : walk.operations.length >= MOST_OPERATIONS ? TOO_MANY : null
    const recorded = request && reason === null ? recordedOf(request, name, where, walk) : null
    if (!recorded) walk.refused.push({ where, line: walk.tree.lineOf(at), reason: reason ?? 'its address is none' })
    else walk.operations.push(operationOfRecorded(recorded, (one) => walk.leftOut.set(one.where, one)))
  }
}

const TOO_MANY = `only the first ${MOST_OPERATIONS} operations are taken`

const recordedOf = (request: Json, name: string, where: string, walk: Walk): Recorded | null => {
  const filled = (text: string): string =>
    // A value may name others in turn.
    [1, 2, 3].reduce(
      (so) => so.replace(/\{\{([^{}]{1,100})\}\}/g, (whole, key: string) => walk.variables.get(key.trim()) ?? whole),
      text,
    )
  const method = (string(request.method, 20) ?? 'GET').toUpperCase()
  if (!/^[A-Z]{1,20}$/.test(method)) return null
  const url = addressOf(request.url)
  const [before = '', search = ''] =
    filled(url.raw)
      .split('#')[0]
      ?.split(/\?(.*)/s) ?? []
  const given = new Map(url.variables.map((one) => [one.name, filled(one.value)]))
  // Of the host nothing is taken, whether it is a variable or a name.
  const path = before.replace(/^(?:[a-z][a-z\d+.-]*:\/\/[^/]*|\{\{[^{}]*\}\}|[^/]+)/i, '')
  const variables: Pair[] = []
  const segments = path.split('/').map((segment) => {
    const named = /^:(.{1,100})$/.exec(segment)?.[1] ?? /^\{\{([^{}]{1,100})\}\}$/.exec(segment)?.[1]
    if (named === undefined) return segment.replace(/[{}]/g, '')
    variables.push({ name: named, value: unresolved(given.get(named) ?? '') })
    return `{${named}}`
  })
  const query = url.query ?? [...new URLSearchParams(search)].map(([key, value]) => ({ name: key, value }))
  return {
    ...{ method, where, label: wordsOf(name), variables },
    path: `/${segments.join('/').replace(/^\/+/, '')}`,
    query: query.map((one) => ({ name: one.name, value: unresolved(filled(one.value)) })),
    headers: pairsOf(request.header).map((one) => ({ name: one.name, value: unresolved(filled(one.value)) })),
    body: bodyOf(object(request.body), request, filled),
  }
}

/** A name that no environment knows is no value. */
const unresolved = (value: string): string => (/\{\{[^{}]*\}\}/.test(value) ? '' : value)

const addressOf = (url: unknown): { raw: string; variables: readonly Pair[]; query: readonly Pair[] | null } => {
  if (typeof url === 'string') return { raw: url, variables: [], query: null }
  const { raw, host, path, variable, query } = object(url) ?? {}
  const joined = (value: unknown, by: string): string =>
    Array.isArray(value) ? value.map((one) => plain(object(one)?.value ?? one)).join(by) : plain(value)
  const text = string(raw) ?? `${joined(host, '.')}/${joined(path, '/')}`
  return { raw: text, variables: pairsOf(variable), query: query === undefined ? null : pairsOf(query) }
}

const LANGUAGES: Readonly<Record<string, string>> = {
  json: 'application/json',
  xml: 'application/xml',
  html: 'text/html',
}

const bodyOf = (body: Json | null, request: Json, filled: (text: string) => string): RecordedBody | null => {
  const fields = (value: unknown) =>
    pairsOf(value).map(({ name, value: text }) => {
      const isFile = list(value).some((one) => object(one)?.key === name && object(one)?.type === 'file')
      return { name, value: unresolved(filled(text)), type: isFile ? 'file' : 'text' }
    })
  switch (body?.mode) {
    case 'urlencoded':
      return { type: 'application/x-www-form-urlencoded', fields: fields(body.urlencoded) }
    case 'formdata':
      return { type: 'multipart/form-data', fields: fields(body.formdata) }
    case 'graphql': {
      const { query, variables } = object(body.graphql) ?? {}
      return {
        type: 'application/json',
        text: JSON.stringify({ query: plain(query), variables: parsed(filled(plain(variables))) }),
      }
    }
    case 'raw': {
      const language = string(object(object(body.options)?.raw)?.language)
      const named = pairsOf(request.header).find(({ name }) => /^content-type$/i.test(name))?.value
      const text = filled(plain(body.raw))
        .replace(/"\{\{[^{}]*\}\}"/g, '"test"')
        .replace(/\{\{[^{}]*\}\}/g, '1')
      const guessed = /^\s*[[{]/.test(text) ? 'application/json' : 'text/plain'
      return { type: (named ?? LANGUAGES[language ?? ''] ?? guessed).split(';')[0] ?? guessed, text }
    }
    default:
      return null
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text === '' ? '{}' : text)
  } catch (error) {
    if (error instanceof SyntaxError) return {} // Variables that only a script would fill in.
    throw error
  }
}
