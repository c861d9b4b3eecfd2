/**
 * Functions that send what their callers give, joined with those callers, over all files that are read together. A caller is known by
 * the function itself, by the class or export that its object comes from, or by a method name that nothing else has.
 */
import { given, openFns } from './given.ts'
import { isBareClient, isCommon, isTellingVerb } from './names.ts'
import { GLOBAL } from './program.ts'
import { type Sent, settingsOf } from './sent.ts'
import { Shared } from './shared.ts'
import type { Given, Value } from './value.ts'

/** What is kept of a function when its file is gone. */
export interface FnFacts {
  readonly id: number
  readonly names: readonly string[]
  /** The class or object that it is a method of. */
  readonly owner: number | null
  /** By which other files reach it or its owner. */
  readonly refs: readonly string[]
  /** Its name says that it takes whatever address it is given. */
  readonly generic: boolean
}

export interface CallFacts {
  /** The function, where the file has it itself. */
  readonly fn: number | null
  readonly name: string
  readonly owner: number | null
  readonly ref: string | null
  /** Property that the object of the call is reached by. */
  readonly receiver: string | null
  readonly args: readonly Value[]
  /** What the functions around the called one were called with. */
  readonly given: readonly Given[]
  /** Parts that its arguments have. */
  readonly weight: number
  /** Functions that it stands in. */
  readonly inside: readonly number[]
  /** As in Sent. */
  readonly page?: string
}

interface Wrapper {
  readonly fn: FnFacts
  readonly sent: Sent
  readonly depth: number
  /** Functions whose parameters stand in it no more. */
  readonly filled: ReadonlySet<number>
  /** Somebody has named an address. */
  told: boolean
}

const DEEPEST = 3
const MOST_OF_NAME = 8
const MOST_CALLS_OF_NAME = 200
const MOST_WRAPPERS = 3_000
const MOST_CLIENTS = 200
const MOST_WAITING = 3_000
const MOST_CALLS = 60_000
/** Parts of arguments that are kept: of all files, and of one. */
const MOST_PARTS = 600_000
const MOST_PARTS_OF_FILE = 60_000
/** Pairs of a wrapper and a caller that one file may add. */
const MOST_PAIRS = 3_000

export class Wrappers {
  /** What files have from each other beside functions. */
  readonly shared = new Shared()
  readonly #fns = new Map<number, FnFacts>()
  readonly #wrappers = new Map<string, Wrapper[]>()
  readonly #calls = new Map<string, CallFacts[]>()
  /** Properties that are evidently objects with wrappers, each with the owner of these. */
  readonly #receivers = new Map<string, number>()
  /** Clients with settings of their own, by what other files reach them by; and what was sent by those that nobody knows yet. */
  readonly #clients = new Map<string, Value>()
  /** What objects with wrappers were made with, by what other files reach them by. */
  readonly #made = new Map<string, readonly Given[]>()
  #waiting: Sent[] = []
  #fresh: Wrapper[] = []
  #sent: Sent[] = []
  #pairs = 0
  #count = { wrappers: 0, calls: 0, parts: 0, ofFile: 0 }

  /** A request as it stands in the code; `fns`: the functions around it. */
  place(sent: Sent, fns: readonly FnFacts[], depth = 0, filled: ReadonlySet<number> = NONE): void {
    const open = this.#open(
      PARTS.map((part) => sent[part]),
      fns,
    )
    const of = [...open].flatMap((id) => this.#fns.get(id) ?? []).slice(0, 2)
    if (of.length === 0 || depth > DEEPEST) {
      if (of.length === 0) this.#sent.push(sent)
      return
    }
    for (const fn of of) this.#wrap({ fn, sent, depth, filled, told: false })
  }

  /** True where a function is behind the call that sends something. */
  call(call: CallFacts, fns: readonly FnFacts[]): boolean {
    this.#open(call.args, fns)
    const matches = this.#matching(call)
    for (const wrapper of matches) this.#pair(wrapper, call)
    this.#keep(call)
    return matches.length > 0
  }

  /** What has become known since it was asked last: a wrapper that no caller has told anything stands for itself. */
  take(): readonly Sent[] {
    const generic = this.#fresh.filter(isGenericWrapper).map(patternOf)
    const own = this.#fresh.filter((one) => !one.told && !isGenericWrapper(one) && !generic.includes(patternOf(one)))
    const all = [...this.#sent, ...own.map(({ sent }) => sent)].flatMap((sent) => this.#withClient(sent))
    this.#fresh = []
    this.#sent = []
    this.#pairs = 0
    this.#count.ofFile = 0
    return this.shared.told(all)
  }

  /** A client that other files reach by `ref`: what they have sent by it so far is told anew, with what it has for all requests. */
  client(ref: string, client: Value): void {
    if (this.#clients.has(ref) || this.#clients.size >= MOST_CLIENTS) return
    this.#clients.set(ref, client)
    this.#sent.push(...this.#waiting.filter((sent) => sent.client === ref))
    this.#waiting = this.#waiting.filter((sent) => sent.client !== ref)
  }

  /** What other files reach by `ref` was made by calls of these functions. */
  made(ref: string, given: readonly Given[]): void {
    if (this.#made.size < MOST_CLIENTS && !this.#made.has(ref)) this.#made.set(ref, given)
  }

  #givenFor({ given: own, ref }: CallFacts): readonly Given[] {
    return own.length > 0 || ref === null ? own : (this.#made.get(ref) ?? [])
  }

  /** None where only the client would make it a request, and none is known. */
  #withClient(sent: Sent): readonly Sent[] {
    if (sent.client === null) return [sent]
    const client = this.#clients.get(sent.client)
    if (client === undefined) {
      if (this.#waiting.length < MOST_WAITING) this.#waiting.push(sent)
      return sent.unsure ? [] : [sent]
    }
    const { base, headers } = settingsOf(client)
    return [{ ...sent, base: sent.base ?? base, headers: sent.headers ?? headers, evident: true }]
  }

  /** The functions whose parameters the values hold; of these alone something is kept. */
  #open(values: readonly (Value | null)[], fns: readonly FnFacts[]): ReadonlySet<number> {
    const open = new Set(values.flatMap((value) => [...openFns(value)]))
    for (const fn of fns) if (open.has(fn.id)) this.#fns.set(fn.id, fn)
    return open
  }

  #wrap(wrapper: Wrapper): void {
    if (this.#count.wrappers >= MOST_WRAPPERS) return
    this.#count.wrappers += 1
    this.#fresh.push(wrapper)
    const keys = [`#${wrapper.fn.id}`, ...wrapper.fn.names, ...wrapper.fn.refs.map((ref) => `@${ref}`)]
    for (const key of keys) {
      const those = this.#wrappers.get(key) ?? []
      if (those.length < MOST_OF_NAME + 1) this.#wrappers.set(key, [...those, wrapper])
    }
    const waiting = keys.flatMap((key) => this.#calls.get(key) ?? [])
    for (const call of new Set(waiting)) if (this.#matching(call).includes(wrapper)) this.#pair(wrapper, call)
  }

  #keep(call: CallFacts): void {
    const { calls, parts, ofFile } = this.#count
    if (calls >= MOST_CALLS || parts >= MOST_PARTS || ofFile >= MOST_PARTS_OF_FILE) return
    const key = call.fn !== null ? `#${call.fn}` : call.ref !== null && call.name === '' ? `@${call.ref}` : call.name
    const those = this.#calls.get(key) ?? []
    if (those.length >= MOST_CALLS_OF_NAME) return
    this.#count.calls += 1
    this.#count.parts += call.weight
    this.#count.ofFile += call.weight
    this.#calls.set(key, [...those, call])
  }

  #matching(call: CallFacts): readonly Wrapper[] {
    // One that has what another object was made with is another object's.
    const [made] = this.#givenFor(call)
    const all = this.#candidates(call).filter(
      ({ fn, filled }) => !call.inside.includes(fn.id) && !(made && filled.has(made.fn)),
    )
    if (call.fn !== null || call.name === '') return all
    if (call.owner !== null) return all.filter(({ fn }) => fn.owner === call.owner)
    const ref = call.ref
    const exact = ref === null ? [] : all.filter(({ fn }) => fn.refs.includes(ref))
    if (exact.length > 0) return exact
    const [first] = all
    // The same name in several classes says nothing.
    if (!first || all.length > MOST_OF_NAME || all.some(({ fn }) => fn.owner !== first.fn.owner)) return []
    return all.filter((wrapper) => this.#isMeant(wrapper, call))
  }

  #candidates(call: CallFacts): readonly Wrapper[] {
    if (call.fn !== null) return this.#wrappers.get(`#${call.fn}`) ?? []
    if (call.name === '') return this.#wrappers.get(`@${call.ref}`) ?? []
    return this.#wrappers.get(call.name) ?? []
  }

  /** By name alone: what is called by the property that the wrapper itself sends with is the client within. */
  #isMeant({ sent, fn }: Wrapper, { name, receiver, ref, args }: CallFacts): boolean {
    if (receiver !== null && (receiver === sent.by || isBareClient(receiver))) return false
    if (!isFitting(sent, fn, args)) return false
    // It comes from another file than the function does.
    if (ref !== null && !isGlobal(ref) && fn.refs.some((one) => !isGlobal(one))) return false
    if (!isCommon(name)) return true
    return (
      receiver !== null && (this.#receivers.get(receiver) === fn.owner || (isTellingVerb(name) && sent.by !== null))
    )
  }

  #pair(wrapper: Wrapper, call: CallFacts): void {
    this.#pairs += 1
    if (this.#pairs > MOST_PAIRS) return
    const calls = [...this.#givenFor(call), { fn: wrapper.fn.id, values: call.args }]
    const filled = { ...filledBy(wrapper.sent, calls), ...(call.page === undefined ? {} : { page: call.page }) }
    if (isTold(wrapper.sent, filled)) wrapper.told = true
    if (call.receiver !== null) this.#known(call.receiver, wrapper)
    this.place(filled, [], wrapper.depth + 1, new Set([...wrapper.filled, ...calls.map(({ fn }) => fn)]))
  }

  /** Whose other methods are meant by the same property from here on. */
  #known(receiver: string, { fn, sent }: Wrapper): void {
    if (this.#receivers.has(receiver) || receiver === sent.by || fn.owner === null) return
    this.#receivers.set(receiver, fn.owner)
    for (const calls of [...this.#calls.values()])
      for (const call of calls) {
        if (call.receiver !== receiver || !isCommon(call.name)) continue
        for (const wrapper of this.#matching(call)) this.#pair(wrapper, call)
      }
  }
}

const isGlobal = (ref: string): boolean => ref.startsWith(`${GLOBAL}#`)

const PARTS = ['method', 'address', 'base', 'query', 'body', 'headers'] as const

const NONE: ReadonlySet<number> = new Set()

const filledBy = (sent: Sent, calls: readonly Given[]): Sent => {
  const known = (value: Value): Value => calls.reduce((whole, { fn, values }) => given(whole, fn, values), value)
  const fill = (value: Value | null): Value | null => (value === null ? null : known(value))
  return {
    ...sent,
    method: known(sent.method),
    address: known(sent.address),
    ...{ base: fill(sent.base), query: fill(sent.query), body: fill(sent.body), headers: fill(sent.headers) },
  }
}

/** Whether the two halves of an address have one slash between them. */
const isFitting = ({ address }: Sent, fn: FnFacts, args: readonly Value[]): boolean => {
  const pieces = address.kind === 'text' ? address.pieces : []
  const at = pieces.findIndex((piece) => typeof piece !== 'string' && piece.kind === 'param' && piece.fn === fn.id)
  const [before, gap] = [pieces[at - 1], pieces[at]]
  if (typeof gap !== 'object' || gap.kind !== 'param' || typeof before !== 'string') return true
  const value = args[gap.index]
  const given = value?.kind === 'text' ? value.pieces[0] : undefined
  if (typeof given !== 'string') return true
  return before.endsWith('/') ? !given.startsWith('/') : !/\w$/.test(before) || /^[/?]/.test(given)
}

const saidOf = (value: Value): number =>
  value.kind === 'choice'
    ? Math.max(...value.of.map(saidOf))
    : value.kind === 'text'
      ? value.pieces.reduce((sum, piece) => sum + (typeof piece === 'string' ? piece.length : 0), 0)
      : 0

/** Members of a body that the code names, with what it says of their values. */
const saidIn = (body: Value | null): number => {
  if (body?.kind === 'json') return saidIn(body.of)
  const entries = body?.kind === 'form' || body?.kind === 'object' ? body.entries : []
  return entries.reduce((sum, [, value]) => sum + 1 + saidOf(value), 0)
}

/** A caller has put something into the address, or into the body that goes to the one address of them all. */
const isTold = (before: Sent, filled: Sent): boolean =>
  saidOf(filled.address) > saidOf(before.address) ||
  saidIn(filled.body) > saidIn(before.body) ||
  (before.address.kind === 'param' && filled.address.kind === 'choice')

/** It takes any address, so that alone it stands for none: `get(path) { return http.get('/api/' + path) }`. */
const isGenericWrapper = (wrapper: Wrapper): boolean => {
  const { fn, sent } = wrapper
  const { address, method } = sent
  // `'/a?q=' + (text || '')`: what stands there for a caller who gives nothing makes two of one.
  if (address.kind === 'choice')
    return address.of.every((one) => isGenericWrapper({ ...wrapper, sent: { ...sent, address: one } }))
  if (method.kind === 'param' && address.kind !== 'text') return true
  if (address.kind !== 'text') return true
  const at = address.pieces.findIndex((piece) => typeof piece !== 'string' && piece.kind === 'param')
  if (at < 0) return false
  const [before, behind] = [address.pieces[at - 1], address.pieces[at + 1]]
  if (typeof before === 'string' && /[^/=&?:,.@(~-]$/.test(before)) return true
  if (at === address.pieces.length - 1 && typeof before !== 'string') return true
  if (behind !== undefined && typeof before !== 'string') return typeof behind !== 'string' || !behind.startsWith('/')
  return fn.generic && at === address.pieces.length - 1
}

/** What stands before the first gap, for the functions of one object, or for one function that is of none. */
const patternOf = ({ fn, sent: { address } }: Wrapper): string => {
  const [first, ...more] = address.kind === 'text' ? address.pieces : []
  return typeof first !== 'string' ? `#${fn.id}` : JSON.stringify([fn.owner ?? `#${fn.id}`, first, more.length])
}
