/** Calls that send a request: fetch, XMLHttpRequest, axios, jQuery, the clients of Angular and their like. */
import type { AnyNode, CallExpression, NewExpression } from 'acorn'
import { endpointOf, isEndpointKind } from './endpoints-of-slices.ts'
import type { Evaluator } from './evaluate.ts'
import { isBareClient, isClient, isCollection, isMethod, isTelling, isTellingVerb, isVerb } from './names.ts'
import { type CallSite, lookUp, type Scope } from './program.ts'
import { ofSocket } from './sockets.ts'
import { bare, isFunction, literal, memberName } from './syntax.ts'
import { choice, entry, known, objectOf, text, unknown, type Value } from './value.ts'

/** A request in terms of the parameters of the functions around it. */
export interface Sent {
  readonly method: Value
  readonly address: Value
  /** In front of an address that names no host. */
  readonly base: Value | null
  /** By which another file gives the client, whose settings are known once that file is read; null where it is none of another file. */
  readonly client: string | null
  readonly query: Value | null
  readonly body: Value | null
  readonly headers: Value | null
  /** An object is sent as a form does. */
  readonly asForm: boolean
  /** A client of HTTP for certain: an address without a slash in front is one, too. */
  readonly evident: boolean
  /** It is a request only where `client` turns out to be a client. */
  readonly unsure: boolean
  /** Where in the code. */
  readonly at: number
  /** Property by which the client was called; null where a minifier has named it. */
  readonly by: string | null
  /** It goes into a cookie of the page: its address is the text that sets it, and no request is sent. */
  readonly cookie?: true
  /** It opens a WebSocket. */
  readonly socket?: true
  /** The page whose own code sends it; absent of a file. */
  readonly page?: string
}

const FUNCTIONS: ReadonlySet<string> = new Set([
  'fetch',
  'ajax',
  'axios',
  'request',
  '$fetch',
  'ofetch',
  'ky',
  'getJSON',
  'getScript',
  'sendBeacon',
])
const GLOBALS: ReadonlySet<string> = new Set(['window', 'self', 'globalThis', 'top', 'parent'])
const METHOD = ['method', 'type', 'httpMethod', 'verb']
const ADDRESS = ['url', 'uri', 'path', 'endpoint', 'href']
const PARAMS = ['params', 'query', 'searchParams', 'queryParams']
const BODY = ['body', 'data', 'json', 'payload', 'form']

const GET = text('GET')
const NOTHING = {
  at: 0,
  base: null,
  client: null,
  unsure: false,
  query: null,
  body: null,
  headers: null,
  asForm: false,
  evident: true,
  by: null,
} as const

/** What a script sets a cookie to goes with the requests of its page. */
export const cookieSent = (value: Value): Sent => ({ ...NOTHING, method: GET, address: value, cookie: true })

/** Null where the call sends nothing, as far as is seen. */
export const sentBy = (site: CallSite, evaluator: Evaluator): Sent | null => {
  const { node, scope } = site
  if (node.type === 'NewExpression') return ofNew(node, scope, evaluator)
  if (node.type !== 'CallExpression' || node.arguments.length === 0) return null
  const callee = bare(node.callee)
  const name = callee.type === 'Identifier' ? callee.name : (memberName(callee) ?? '')
  const owner = callee.type === 'MemberExpression' ? bare(callee.object) : null
  const cheap = FUNCTIONS.has(name) || name === 'open' || isVerb(name) || isEndpointKind(name) || mayDescribe(node)
  if (!cheap || evaluator.spent) return null
  const call: Asked = {
    site,
    node,
    scope,
    name,
    owner,
    by: owner === null ? null : clientName(owner, scope, evaluator),
    evaluator,
  }
  const sent = ofEndpoint(call) ?? ofName(call) ?? ofMethodWord(call) ?? ofVerb(call) ?? ofDescription(call)
  return sent && { ...sent, at: node.start }
}

interface Asked {
  readonly site: CallSite
  readonly node: CallExpression
  readonly scope: Scope
  readonly name: string
  readonly owner: AnyNode | null
  readonly by: string | null
  readonly evaluator: Evaluator
}

const argument = ({ node, scope, evaluator }: Asked, index: number): Value | null => {
  const one = node.arguments[index]
  return one === undefined || one.type === 'SpreadElement' ? null : evaluator.read(one, scope)
}

/** The last property before the method, or the name itself. */
export const nameOf = (owner: AnyNode): string | null => {
  const name = owner.type === 'Identifier' ? owner.name : owner.type === 'CallExpression' ? null : memberName(owner)
  return name !== null && isTelling(name) ? name : null
}

/** `$` is jQuery where the file does not say otherwise: minifiers call anything so. */
const clientName = (owner: AnyNode, scope: Scope, evaluator: Evaluator): string | null => {
  const name = nameOf(owner)
  if (name !== '$' || owner.type !== 'Identifier') return name
  const { kind } = evaluator.read(owner, scope)
  return kind === 'import' || kind === 'param' ? name : null
}

/** A table with what to ask for and by which method, or a method for its first argument. */
const mayDescribe = (node: CallExpression): boolean =>
  (node.arguments as readonly AnyNode[]).slice(0, 4).some((one) => {
    if (one.type === 'Literal' || one.type === 'TemplateLiteral') return isMethod(literal(one))
    if (one.type !== 'ObjectExpression') return false
    const names = one.properties.map((each) =>
      each.type === 'Property' && each.key.type === 'Identifier' ? each.key.name : '',
    )
    return METHOD.some((name) => names.includes(name))
  })

const ofNew = (node: NewExpression, scope: Scope, evaluator: Evaluator): Sent | null => {
  const name = node.callee.type === 'Identifier' && lookUp(node.callee.name, scope) === null ? node.callee.name : ''
  if (name !== 'EventSource' && name !== 'Request' && name !== 'WebSocket') return null
  const address = evaluator.read(node.arguments[0], scope)
  if (name === 'WebSocket') return { ...NOTHING, method: GET, address: ofSocket(address), socket: true }
  return settings(evaluator.read(node.arguments[1], scope), { ...NOTHING, method: GET, address })
}

const ofName = (call: Asked): Sent | null => {
  const { name, owner } = call
  const first = argument(call, 0)
  if (first === null || !FUNCTIONS.has(name)) return null
  const second = argument(call, 1)
  // this.http.request('POST', '/x', {body: …}), and within of a client what its other methods end in
  const named = name === 'request' && owner !== null && isMethod(known(first)) && second !== null
  // A function of the file's own: what it does is read where it stands.
  if (!named && isFunctionOf(call)) return null
  const ofPage = owner?.type === 'Identifier' && GLOBALS.has(owner.name)
  if (owner !== null && !ofPage && call.by !== null && name !== 'ajax' && isCollection(call.by)) return null
  // Collections of models have a `fetch` and a `request` of their own.
  const evident =
    owner === null ? name !== 'request' : ofPage || name === 'ajax' || (call.by !== null && isClient(call.by))
  const start = { ...NOTHING, evident, method: GET, by: ofPage ? null : call.by }
  if (name === 'sendBeacon') return { ...start, method: text('POST'), address: first, body: argument(call, 1) }
  if (name === 'getJSON' || name === 'getScript') return { ...start, address: first, query: asData(second) }
  if (named) return settings(argument(call, 2), { ...start, method: first, address: second })
  if (first.kind === 'request')
    return settings(first.args[1] ?? null, { ...start, address: first.args[0] ?? unknown() })
  const options = first.kind === 'text' ? second : (objectOf(first) ?? second)
  const asForm = name === 'ajax'
  return settings(options, {
    ...start,
    asForm,
    address: objectOf(first) ? (entry(objectOf(first), ...ADDRESS) ?? unknown()) : first,
  })
}

/** What an interface declares, and its own functions send: a path, or settings with one. */
const ofEndpoint = ({ site, name, by, evaluator }: Asked): Sent | null => {
  const found = endpointOf(site, name, evaluator)
  if (found === null) return null
  const { asked, base, client } = found
  const options = objectOf(asked)
  const address = options ? entry(options, 'url') : asked
  if (address === null || (!beginsWithSlash(address) && address.kind !== 'text')) return null
  return settings(options, { ...NOTHING, method: GET, address, base, client, by })
}

/** What a table of settings says beside the address. */
const settings = (given: Value | null, start: Omit<Sent, 'base'> & { base: Value | null }): Sent => {
  const options = optionsIn(given)
  if (options === null) return start
  const part = (names: readonly string[]): Value | null => partOf(options, names)
  const method = start.method === GET ? (part(METHOD) ?? GET) : start.method
  const reads = /^(?:GET|HEAD)$/i.test(known(method) ?? '')
  const asked = part(PARAMS)
  return {
    ...start,
    method,
    base: part(['baseURL', 'baseUrl', 'prefixUrl', 'prefix']) ?? start.base,
    // jQuery puts the data of what reads into the query.
    query: asked ?? (reads && options.kind === 'object' ? asData(part(['data'])) : start.query),
    body: reads ? start.body : (part(BODY) ?? start.body),
    headers: withType(part(['headers']) ?? start.headers, part(['contentType'])),
  }
}

/** jQuery is told the media type beside the header lines (jQuery.ajax, contentType). */
const withType = (headers: Value | null, type: Value | null): Value | null => {
  if (known(type) === null || !/\//.test(known(type) ?? '') || type === null) return headers
  const before = objectOf(headers)
  if (headers !== null && before === null) return headers
  return {
    kind: 'object',
    entries: [['Content-Type', type] as const, ...(before?.entries ?? [])],
    rest: before?.rest ?? [],
  }
}

/** What a caller gives comes before what stands there for a caller who gives nothing. */
const optionsIn = (given: Value | null): Value | null => {
  if (given?.kind === 'choice') return given.of.find((one) => one.kind === 'param') ?? objectOf(given)
  return given?.kind === 'param' ? given : objectOf(given)
}

/** Of what a caller gives each may be there: the names that most clients use are asked for. */
const partOf = (options: Value, names: readonly string[]): Value | null => {
  if (options.kind === 'object') return entry(options, ...names) ?? ofRest(options.rest, names)
  if (options.kind !== 'param') return null
  return choice(names.slice(0, 2).map((name) => ({ ...options, path: [...options.path, name], name })))
}

const ofRest = (rest: readonly Value[], names: readonly string[]): Value | null => {
  const open = rest.map(optionsIn).find((one) => one?.kind === 'param')
  return open ? partOf(open, names) : null
}

const asData = (value: Value | null): Value | null =>
  value !== null && (objectOf(value) || ['form', 'param', 'text'].includes(value.kind)) ? value : null

/** XMLHttpRequest's `open('POST', '/x')`, and functions of the application's own: `api('POST', '/things', {…})`, `send('/things', 'POST')`. */
const ofMethodWord = (call: Asked): Sent | null => {
  const [first, second] = [argument(call, 0), argument(call, 1)]
  if (first === null || second === null) return null
  const start = { ...NOTHING, by: call.by }
  if (call.name === 'open' && call.owner !== null) {
    const of = call.owner.type === 'Identifier' ? call.owner.name : null
    const body = of === null ? null : call.evaluator.sentBy(of, call.scope)
    const headers = of === null ? null : call.evaluator.headersSetBy(of, call.scope)
    if (isMethod(known(first))) return { ...start, method: first, address: second, body, headers }
    if (first.kind === 'param' && call.node.arguments.length >= 2 && second.kind !== 'unknown')
      return { ...start, method: first, address: second }
    return null
  }
  if (isFunctionOf(call)) return null
  const upper = (value: Value): boolean => /^(?:GET|POST|PUT|PATCH|DELETE)$/.test(known(value) ?? '')
  const [verb, path] = upper(first) ? [first, second] : [second, first]
  if (!upper(verb) || !beginsWithSlash(path)) return null
  return { ...start, method: verb, address: path, body: known(verb) === 'GET' ? null : asBody(argument(call, 2)) }
}

/** The file has the function itself: what it does is read there. */
const isFunctionOf = ({ node, scope, evaluator, name, owner }: Asked): boolean => {
  const callee = bare(node.callee)
  if (callee.type === 'Identifier') return lookUp(name, scope)?.writes.some((write) => isFunction(write.node)) ?? false
  const holder = owner === null ? null : evaluator.holderOf(evaluator.read(owner, scope))
  return holder !== null && evaluator.fieldValue(holder, name)?.kind === 'fn'
}

const beginsWithSlash = (value: Value): boolean => {
  if (value.kind === 'choice') return value.of.some(beginsWithSlash)
  if (value.kind !== 'text') return false
  const [first, second] = value.pieces
  return /^(?:\/|https?:)/.test(String(typeof first === 'string' ? first : typeof second === 'string' ? second : ''))
}

/** `axios.create()`: what it has for all requests is told by interceptors, if at all. */
export const isCreated = (value: Value): boolean =>
  value.kind === 'made' && value.by === 'create' && value.args.length === 0

const beginsWithGiven = (address: Value): boolean =>
  address.kind === 'text' && typeof address.pieces[0] === 'object' && address.pieces[0].kind === 'param'

const asBody = (value: Value | null): Value | null => (value?.kind === 'fn' ? null : value)

/** axios.post('/x', {…}), $.post('/x', {…}), this.http.get('/x', {params: …}) */
const ofVerb = (call: Asked): Sent | null => {
  const { name, owner, by, evaluator, scope, node } = call
  // What a client does is known, whether the file has it or not.
  if (owner === null || !isVerb(name) || (!(by !== null && isBareClient(by)) && isFunctionOf(call))) return null
  const address = argument(call, 0)
  if (address === null) return null
  const jquery = by === '$' || by === 'jQuery'
  const object = evaluator.read(owner, scope)
  const unsure = !jquery && !isSending(call, address, object)
  if (unsure && !mayBeSending(call, address, object)) return null
  const second = argument(call, 1)
  const takesBody = name !== 'get' && name !== 'head' && name !== 'delete'
  const start: Sent = {
    ...NOTHING,
    ...settingsOf(object),
    unsure,
    by,
    method: text(name.toUpperCase()),
    address,
    asForm: jquery,
    evident: isEvident(call, object),
  }
  if (jquery) return takesBody ? { ...start, body: asBody(second) } : { ...start, query: asData(second) }
  if (!takesBody) return optionsOf(second, start)
  return optionsOf(argument(call, 2), { ...start, body: node.arguments[1] ? asBody(second) : null })
}

/** What a client has for all of its requests, `axios.create({baseURL: …})`. */
export const settingsOf = (object: Value): Pick<Sent, 'base' | 'headers' | 'client'> => {
  const own = object.kind === 'client' ? objectOf(object.settings) : null
  return {
    base: entry(own, 'baseURL', 'baseUrl', 'prefixUrl'),
    headers: entry(own, 'headers'),
    client: object.kind === 'import' ? object.ref : null,
  }
}

/** Of something that another file has, nobody can tell yet whether it is a client. */
const mayBeSending = ({ node }: Asked, address: Value, object: Value): boolean =>
  object.kind === 'import' &&
  address.kind === 'text' &&
  typeof address.pieces[0] === 'string' &&
  !(node.arguments as AnyNode[]).slice(1).some(isFunction)

/** Settings beside the body: the query and headers alone. */
const optionsOf = (given: Value | null, start: Sent): Sent => {
  const options = optionsIn(given)
  if (options === null) return start
  const deletes = known(start.method) === 'DELETE'
  return {
    ...start,
    query: partOf(options, PARAMS),
    headers: partOf(options, ['headers']) ?? start.headers,
    body: start.body ?? (deletes ? partOf(options, BODY) : null),
  }
}

const isEvident = ({ by }: Asked, object: Value): boolean => object.kind === 'client' || (by !== null && isClient(by))

const isSending = (call: Asked, address: Value, object: Value): boolean => {
  const { by, name, node, site } = call
  if (object.kind === 'form' || object.kind === 'file' || object.kind === 'object' || object.kind === 'list')
    return false
  if (by !== null && isCollection(by)) return false
  // A route of a server or of a router: get('/x', handler)
  if ((node.arguments as AnyNode[]).slice(1).some(isFunction)) return false
  if (isMadeCollection(call)) return false
  const evident = isEvident(call, object)
  const sure = evident || isTellingVerb(name) || site.waited
  if (beginsWithSlash(address)) return sure || node.arguments.length > 1 || (by === null && object.kind !== 'param')
  if (address.kind === 'param' || address.kind === 'choice') return sure
  if (isCreated(object) && beginsWithGiven(address)) return sure || node.arguments.length > 1
  if (!evident || address.kind !== 'text') return false
  // Requests of a library of data have members, too.
  return (
    by === null || isBareClient(by) || site.waited || isTellingVerb(name) || known(address)?.includes('/') !== false
  )
}

/** `new Map`, `new URL(…).searchParams`, `document`: no clients. */
const isMadeCollection = ({ owner, scope }: Asked): boolean => {
  const one = owner as AnyNode
  if (one.type === 'NewExpression') return true
  if (one.type !== 'Identifier') return false
  return lookUp(one.name, scope)?.writes.some(({ node }) => isNewCollection(bare(node))) ?? false
}

const isNewCollection = (node: AnyNode): boolean =>
  node.type === 'NewExpression' &&
  node.callee.type === 'Identifier' &&
  /^(?:Map|Set|WeakMap|WeakSet|Headers|URLSearchParams|FormData|URL)$/.test(node.callee.name)

/** The client itself, or what it is a method of: `client({url: …})`, `client.request({url: …})`. */
const calledIn = ({ node, owner, scope, evaluator }: Asked): Value => evaluator.read(owner ?? bare(node.callee), scope)

/** `send({url: '/x', method: 'POST', data: {…}})`, whoever sends it. */
const ofDescription = (call: Asked): Sent | null => {
  if (isFunctionOf(call)) return null
  for (let index = 0; index < Math.min(2, call.node.arguments.length); index += 1) {
    const object = call.node.arguments[index]?.type === 'ObjectExpression' ? objectOf(argument(call, index)) : null
    const own = entry(object, ...ADDRESS)
    const address = own ?? (index === 1 ? argument(call, 0) : null)
    // `type` is the method of a request where its address stands beside it.
    const method = own ? entry(object, ...METHOD) : entry(object, 'method')
    if (object && address && isMethod(known(method)) && beginsWithSlash(address)) {
      const start = { ...NOTHING, ...settingsOf(calledIn(call)), method: GET, address, by: call.by }
      return { ...settings(object, start), evident: false }
    }
  }
  return null
}
