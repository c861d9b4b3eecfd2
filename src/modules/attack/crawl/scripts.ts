/**
 * Addresses and requests in JavaScript, read by its grammar (acorn): arguments of fetch, XMLHttpRequest, axios, jQuery and
 * their like with method and body, and every other string that is an absolute path. What is put together at run time is
 * filled with an example. Code that does not parse is read for quoted paths alone.
 */
import {
  type AnyNode,
  type AssignmentExpression,
  type CallExpression,
  type Node,
  type ObjectExpression,
  type Program,
  parse,
} from 'acorn'
import { full } from 'acorn-walk'

export interface Endpoint {
  readonly method: string
  /** As written, with examples for what is computed; absolute or relative. */
  readonly address: string
  /** Example of a JSON or form body, where the code shows one. */
  readonly body: {
    readonly encoding: 'json' | 'urlencoded'
    /** At its top. */
    readonly fields: Readonly<Record<string, string>>
    /** The whole document; of JSON. */
    readonly json?: string
  } | null
  /** That the code sets beside: never what may be a secret. */
  readonly headers?: readonly (readonly [name: string, value: string])[]
  /** True where it is an argument of a call that sends a request. */
  readonly called: boolean
}

const MAX_CODE = 2 * 1024 * 1024
const MAX_ENDPOINTS = 200
const EXAMPLE = '1'

export const endpointsOf = (code: string): readonly Endpoint[] => {
  const text = code.slice(0, MAX_CODE)
  const program = parsed(text)
  const found = program ? walkProgram(program) : quotedPaths(text)
  const unique = new Map<string, Endpoint>()
  for (const endpoint of found) {
    const key = `${endpoint.method} ${endpoint.address}`
    const before = unique.get(key)
    if (!before || (!before.called && endpoint.called) || (!before.body && endpoint.body)) unique.set(key, endpoint)
  }
  // A path that is called with another method is no page to open.
  const called = new Set(
    [...unique.values()]
      .filter(({ called: one }) => one)
      .flatMap(({ address }) => [address, address.replace(/\?.*$/, '')]),
  )
  return [...unique.values()].filter((one) => one.called || !called.has(one.address)).slice(0, MAX_ENDPOINTS)
}

const parsed = (code: string): Program | null => {
  for (const sourceType of ['module', 'script'] as const) {
    try {
      return parse(code, { ecmaVersion: 'latest', sourceType, allowHashBang: true, allowReturnOutsideFunction: true })
    } catch (error) {
      // Nested too deep for a recursive parser counts as unreadable, too.
      if (!(error instanceof SyntaxError) && !(error instanceof RangeError)) throw error
    }
  }
  return null
}

type Constants = ReadonlyMap<string, string>

const walkProgram = (program: Program): Endpoint[] => {
  const constants = new Map<string, string>()
  const endpoints: Endpoint[] = []
  /** Halves of a sum are no addresses of their own. */
  const parts = new Set<Node>()
  try {
    full(program, (node) => {
      const one = node as AnyNode
      if (one.type === 'BinaryExpression') for (const side of [one.left, one.right]) parts.add(side)
      if (one.type !== 'VariableDeclarator' || one.id.type !== 'Identifier' || !one.init) return
      const value = textOf(one.init, constants)
      if (value !== null && !constants.has(one.id.name)) constants.set(one.id.name, value)
    })
    full(program, (node) => {
      if (!parts.has(node)) endpoints.push(...ofNode(node as AnyNode, constants))
    })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error // Nested too deep: what was found so far stands.
  }
  return endpoints
}

const ofNode = (node: AnyNode, constants: Constants): Endpoint[] => {
  if (node.type === 'CallExpression') return ofCall(node, constants)
  if (node.type === 'NewExpression') {
    const name = node.callee.type === 'Identifier' ? node.callee.name : ''
    const address = textOf(node.arguments[0], constants)
    const sends = ['EventSource', 'Request'].includes(name) && address !== null
    return sends ? [{ method: 'GET', address, body: null, called: true }] : []
  }
  if (node.type === 'AssignmentExpression') return ofAssignment(node, constants)
  // Tables of routes have them for keys.
  if (node.type === 'Property') return keyOf(node.key)?.startsWith('/') ? ofNode(node.key, constants) : []
  if (node.type !== 'Literal' && node.type !== 'TemplateLiteral' && node.type !== 'BinaryExpression') return []
  const value = textOf(node, constants)
  return value !== null && (isPath(value) || isQueried(value)) ? [plain(value)] : []
}

const LEADING = ['location', 'href', 'src', 'action']

/** `location.href = …`, `frame.src = …`: whatever is put there is an address, relative or not. */
const ofAssignment = ({ left, right }: AssignmentExpression, constants: Constants): Endpoint[] => {
  const name =
    left.type === 'Identifier'
      ? left.name
      : left.type === 'MemberExpression' && left.property.type === 'Identifier'
        ? left.property.name
        : ''
  const address = LEADING.includes(name) ? textOf(right, constants) : null
  return address !== null && isPlace(address) ? [plain(address)] : []
}

const plain = (address: string): Endpoint => ({ method: 'GET', address, body: null, called: false })

/** The string that an expression gives, examples for its unknown parts; null where nothing of it is known. */
const textOf = (node: Node | null | undefined, constants: Constants, depth = 0): string | null => {
  const one = node as AnyNode | null | undefined
  if (!one || depth > 20) return null
  if (one.type === 'Literal') return typeof one.value === 'string' ? one.value : null
  if (one.type === 'Identifier') return constants.get(one.name) ?? null
  if (one.type === 'TemplateLiteral') {
    if (one.quasis.every(({ value }) => (value.cooked ?? '') === '')) return null
    return one.quasis
      .map(({ value }, index) => {
        const inner = one.expressions[index]
        return (value.cooked ?? '') + (inner ? (textOf(inner, constants, depth + 1) ?? EXAMPLE) : '')
      })
      .join('')
  }
  if (one.type === 'BinaryExpression' && one.operator === '+') {
    const left = textOf(one.left, constants, depth + 1)
    const right = textOf(one.right, constants, depth + 1)
    return left === null && right === null ? null : `${left ?? EXAMPLE}${right ?? EXAMPLE}`
  }
  return null
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head']

const ofCall = (call: CallExpression, constants: Constants): Endpoint[] => {
  const { callee } = call
  const name =
    callee.type === 'Identifier'
      ? callee.name
      : callee.type === 'MemberExpression' && callee.property.type === 'Identifier'
        ? callee.property.name
        : ''
  const [first, second] = call.arguments
  const address = textOf(first, constants)
  const settings = objectOf(second)
  const sent = (method: string, to: string | null, body: Endpoint['body'] = null): Endpoint[] =>
    to === null || !isAddress(to) ? [] : [{ method: method.toUpperCase(), address: to, body, called: true }]

  if (name === 'open' && address !== null && METHODS.includes(address.toLowerCase()))
    return sent(address, textOf(second, constants))
  // A function of the application's own: api('POST', '/things', {…}), send('/things', 'POST', {…})
  const other = textOf(second, constants)
  const isMethod = (text: string | null): text is string =>
    text !== null && /^(?:GET|POST|PUT|PATCH|DELETE)$/.test(text)
  const [verb, path] = isMethod(address) ? [address, other] : [other, address]
  if (isMethod(verb) && path?.startsWith('/')) {
    const body = objectOf(call.arguments[2])
    return sent(verb, path, verb === 'GET' || !body ? null : fieldsOf(body, 'json', constants))
  }
  if (name === 'sendBeacon') return sent('POST', address)
  if (name === 'getJSON' || name === 'getScript') return sent('GET', withQuery(address, settings, constants))
  if (['assign', 'replace'].includes(name) && isLocation(callee))
    return address !== null && isPlace(address) ? [plain(address)] : []
  if (['fetch', 'ajax', 'axios', 'request', '$fetch', 'ky'].includes(name)) {
    const given = objectOf(first)
    const options = given ?? settings
    const method = (propertyText(options, ['method', 'type'], constants) ?? 'GET').toUpperCase()
    const to = withBase(
      address ?? propertyText(given, ['url'], constants),
      propertyText(options, ['baseURL'], constants),
    )
    const reads = method === 'GET' || method === 'HEAD'
    const asked = reads ? withQuery(to, objectOf(property(options, ['params', 'data'])), constants) : to
    const headers = headersOf(options, constants)
    return sent(method, asked, reads ? null : bodyOf(options, constants, name === 'ajax')).map((one) =>
      headers.length > 0 ? { ...one, headers } : one,
    )
  }
  // axios.post('/x', {…}), $.post('/x', {…}), http.get('/x')
  if (
    callee.type === 'MemberExpression' &&
    METHODS.includes(name) &&
    address !== null &&
    /^(?:\/|https?:)/.test(address)
  ) {
    const body =
      name !== 'get' && settings ? fieldsOf(settings, isJquery(callee) ? 'urlencoded' : 'json', constants) : null
    // $.get('/x', {…}) puts them into the query, axios.get('/x', {params: {…}}) those.
    const asked = objectOf(property(settings, ['params'])) ?? (isJquery(callee) ? settings : null)
    return sent(name, name === 'get' ? withQuery(address, asked, constants) : address, body)
  }
  return []
}

const isJquery = (callee: CallExpression['callee']): boolean =>
  callee.type === 'MemberExpression' &&
  callee.object.type === 'Identifier' &&
  ['$', 'jQuery'].includes(callee.object.name)

/** `location.assign(…)`, `window.location.replace(…)`. */
const isLocation = (callee: CallExpression['callee']): boolean => {
  if (callee.type !== 'MemberExpression') return false
  const { object } = callee
  if (object.type === 'Identifier') return object.name === 'location'
  return (
    object.type === 'MemberExpression' && object.property.type === 'Identifier' && object.property.name === 'location'
  )
}

const withBase = (address: string | null, base: string | null): string | null =>
  address === null || base === null || /^https?:/.test(address)
    ? address
    : `${base.replace(/\/$/, '')}/${address.replace(/^\//, '')}`

const withQuery = (address: string | null, object: ObjectExpression | null, constants: Constants): string | null => {
  const fields = object ? fieldsOf(object, 'urlencoded', constants)?.fields : undefined
  if (address === null || !fields) return address
  return `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams(fields)}`
}

const SECRET = /auth|token|key|secret|session|cookie|csrf|xsrf/i
const OF_BODIES = /^(?:content-type|content-length|accept)$/i

const headersOf = (options: ObjectExpression | null, constants: Constants): NonNullable<Endpoint['headers']> => {
  const given = objectOf(property(options, ['headers']))
  const fields = Object.entries((given && fieldsOf(given, 'urlencoded', constants)?.fields) ?? {})
  return fields
    .filter(([name]) => /^[\w-]{1,60}$/.test(name) && !SECRET.test(name) && !OF_BODIES.test(name))
    .slice(0, 10)
}

const objectOf = (node: Node | null | undefined): ObjectExpression | null =>
  (node as AnyNode | null | undefined)?.type === 'ObjectExpression' ? (node as ObjectExpression) : null

const property = (object: ObjectExpression | null, names: readonly string[]): Node | null => {
  for (const one of object?.properties ?? []) {
    if (one.type === 'Property' && names.includes(keyOf(one.key) ?? '')) return one.value
  }
  return null
}

const propertyText = (object: ObjectExpression | null, names: readonly string[], constants: Constants): string | null =>
  textOf(property(object, names), constants)

const keyOf = (key: AnyNode): string | null => {
  if (key.type === 'Identifier') return key.name
  return key.type === 'Literal' && typeof key.value === 'string' ? key.value : null
}

/** `body: JSON.stringify({…})`, `data: {…}`, `body: new URLSearchParams({…})`. */
const bodyOf = (options: ObjectExpression | null, constants: Constants, ofJquery: boolean): Endpoint['body'] => {
  const node = property(options, ['body', 'data']) as AnyNode | null
  if (!node) return null
  const direct = objectOf(node)
  // jQuery sends what it is given as a form does.
  if (direct) return fieldsOf(direct, ofJquery ? 'urlencoded' : 'json', constants)
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return null
  const { callee } = node
  const wrapped = objectOf(node.arguments[0])
  if (!wrapped) return null
  return fieldsOf(
    wrapped,
    callee.type === 'Identifier' && callee.name === 'URLSearchParams' ? 'urlencoded' : 'json',
    constants,
  )
}

const fieldsOf = (
  object: ObjectExpression,
  encoding: 'json' | 'urlencoded',
  constants: Constants,
): Endpoint['body'] => {
  const fields = object.properties.slice(0, 50).flatMap((one): [string, string][] => {
    const key = one.type === 'Property' ? keyOf(one.key) : null
    return key === null || one.type !== 'Property' ? [] : [[key, textOf(one.value, constants) ?? EXAMPLE]]
  })
  if (fields.length === 0) return null
  const json = encoding === 'json' ? { json: JSON.stringify(jsonOf(object, constants)) } : {}
  return { encoding, fields: Object.fromEntries(fields), ...json }
}

const DEEPEST = 6
const LONGEST_LIST = 10

/** What an expression becomes in a body: what it says itself, examples for what is worked out elsewhere. */
const jsonOf = (node: Node, constants: Constants, depth = 0): unknown => {
  const one = node as AnyNode
  if (one.type === 'Literal' && ['number', 'boolean'].includes(typeof one.value)) return one.value
  if (one.type === 'Literal' && one.value === null && one.raw === 'null') return null
  if (depth < DEEPEST && one.type === 'ArrayExpression')
    return one.elements
      .slice(0, LONGEST_LIST)
      .map((element) => (element === null ? null : jsonOf(element, constants, depth + 1)))
  if (depth >= DEEPEST || one.type !== 'ObjectExpression') return textOf(one, constants) ?? EXAMPLE
  const pairs = one.properties.slice(0, 50).flatMap((each): [string, unknown][] => {
    const key = each.type === 'Property' ? keyOf(each.key) : null
    return key === null || each.type !== 'Property' ? [] : [[key, jsonOf(each.value, constants, depth + 1)]]
  })
  return Object.fromEntries(pairs)
}

const isAddress = (text: string): boolean =>
  text.length <= 500 && /^[\w./:?=&%{}~@+,;$-]+$/.test(text) && /[a-z]/i.test(text)

const ASSET = /\.(?:js|mjs|css|png|jpe?g|gif|svg|webp|woff2?|ttf|map|ico|mp4)(?:[?#]|$)/i
/** A path as routes are written, and no closing tag, comment, date or regular expression. */
const PATH = /^\/(?!\/)[a-z0-9_.~@{}:%+-]+(?:\/[\w.~@{}:%+-]*)*(?:\?[\w.~@{}:%+=&[\]-]*)?$/i

const isPath = (text: string): boolean => text.length > 2 && text.length <= 200 && PATH.test(text) && !ASSET.test(text)

/** Where somebody is sent: a file name or path, with a query or not. */
const isPlace = (text: string): boolean =>
  text.length > 1 &&
  text.length <= 500 &&
  /^(?:https?:\/\/|\.{0,2}\/|[\w-]+[\w./-]*(?:\?|\.\w{2,5}(?:[?#]|$))|\?)[^\s<>]*$/.test(text) &&
  !ASSET.test(text)

/** `page.php?id=`: a name of a file with a query is nothing else. */
const isQueried = (text: string): boolean =>
  text.length <= 300 &&
  /^(?:[\w.-]+\/)*[\w-]+(?:\.\w{2,5})?\?[\w[\].-]+=[\w.~@{}:%+=&[\]-]*$/.test(text) &&
  !ASSET.test(text)

const quotedPaths = (code: string): Endpoint[] =>
  [...code.matchAll(/["'`](\/[^"'`\s<>\\]{2,200})["'`]/g)]
    .map((match) => match[1] ?? '')
    .filter(isPath)
    .slice(0, MAX_ENDPOINTS)
    .map(plain)
