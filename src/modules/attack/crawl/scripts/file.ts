/** One file: the requests that its calls send, its callers of functions that do, and the addresses that it names beside. */
import type { AnyNode, Node } from 'acorn'
import { makerIn } from './construction.ts'
import { controllerIn } from './controllers.ts'
import type { Controls } from './controls.ts'
import { type Documents, documentCallOf } from './documents.ts'
import type { Endpoint } from './endpoint.ts'
import { baseOfSlice } from './endpoints-of-slices.ts'
import { Evaluator } from './evaluate.ts'
import type { Globals } from './globals.ts'
import { fileName } from './modules.ts'
import { isBareClient, isCollection, isCommon, isGeneric } from './names.ts'
import { filledAddress, isPath, isPlace, isQueried, pathsInMarkup } from './paths.ts'
import {
  type CallSite,
  type Expr,
  type Fn,
  GLOBAL,
  type Holder,
  lookUp,
  type ProgramFacts,
  type Scope,
} from './program.ts'
import { cookieSent, isCreated, nameOf, type Sent, sentBy } from './sent.ts'
import { bare, isFunction, memberName } from './syntax.ts'
import { type Given, known, settled, unknown, type Value } from './value.ts'
import type { CallFacts, FnFacts, Wrappers } from './wrappers.ts'

/** Parts of the values that one call gives. */
const MOST_PARTS = 400
const MOST_FIELDS = 30
const MOST_GLOBALS = 2_000

const NO_SETTINGS: Value = { kind: 'client', settings: { kind: 'object', entries: [], rest: [] } }
const clientAt = (base: Value): Value => ({
  ...{ kind: 'client', settings: { kind: 'object', entries: [['baseURL', settled(base)]], rest: [] } },
})

/** Where code stands: in a file, by whose address others import it, or in a page. */
export type Whence = { readonly url: string } | { readonly page: string; readonly controls?: Controls }

/** The addresses that it names beside; its requests are told to the wrappers. `globals`: what pages gave. */
export const readFile = (
  facts: ProgramFacts,
  whence: Whence,
  wrappers: Wrappers,
  globals: Globals,
  documents: Documents,
): readonly Endpoint[] => new File(facts, whence, { wrappers, globals, documents }).read()

interface Asked {
  readonly site: CallSite
  readonly sent: Sent
}

/** What files that are read together have in common. */
interface Beside {
  readonly wrappers: Wrappers
  readonly globals: Globals
  readonly documents: Documents
}

class File {
  readonly #facts: ProgramFacts
  readonly #of: { readonly page?: string }
  readonly #evaluator: Evaluator
  readonly #wrappers: Wrappers
  readonly #documents: Documents
  readonly #refs: { readonly fns: Map<number, string[]>; readonly holders: Map<number, string[]> }
  readonly #kept = new Map<Fn, FnFacts>()
  /** Arguments of wrappers are no addresses of their own. */
  readonly #used = new Set<Node>()

  constructor(facts: ProgramFacts, whence: Whence, { wrappers, globals, documents }: Beside) {
    this.#facts = facts
    this.#documents = documents
    this.#of = 'page' in whence ? { page: whence.page } : {}
    this.#wrappers = wrappers
    this.#evaluator =
      'url' in whence
        ? new Evaluator(facts, globals, controllerIn(whence.url))
        : new Evaluator(facts, globals, null, whence.controls)
    this.#refs = this.#exported(fileName('url' in whence ? whence.url : ''))
  }

  read(): readonly Endpoint[] {
    const asked: Asked[] = []
    const others: CallSite[] = []
    for (const site of this.#facts.calls) {
      const named = documentCallOf(site, this.#evaluator)
      if (named)
        this.#documents.call({ document: settled(named.document), variables: this.#plainValue(named.variables) })
      const sent = sentBy(site, this.#evaluator)
      if (sent) asked.push({ site, sent })
      if (sent) this.#asked(site.node)
      else if (mayWrap(site.node)) others.push(site)
    }
    // What surely sends comes first: what looks like it may be a caller of a function that does.
    for (const { site, sent } of asked.toSorted((one, other) => rankOf(one.sent) - rankOf(other.sent)))
      this.#place(site, sent)
    for (const { node, scope } of this.#facts.cookies)
      this.#wrappers.place(this.#plain(cookieSent(this.#evaluator.read(node, scope))), this.#around(scope))
    for (const site of others) this.#call(site)
    return this.#named()
  }

  /** What a request is sent to is no address beside. */
  #asked(node: AnyNode): void {
    const first = (node.type === 'CallExpression' ? node.arguments[0] : undefined) as AnyNode | undefined
    if (first) this.#used.add(first)
    for (const one of first?.type === 'ObjectExpression' ? first.properties : [])
      if (one.type === 'Property' && one.value.type !== 'Literal') this.#used.add(one.value)
  }

  #place(site: CallSite, sent: Sent): void {
    const call = this.#callOf(site)
    // A file that is read later may have the function behind it: then both are listed.
    if (call === null || !this.#joins(call, site)) this.#wrappers.place(this.#plain(sent), this.#around(site.scope))
  }

  #call(site: CallSite): void {
    if (this.#evaluator.spent) return
    const call = this.#callOf(site)
    if (call?.args.some(tells)) this.#joins(call, site)
  }

  /** True where a function is known that sends what the call gives. */
  #joins(call: CallFacts, { node, scope }: CallSite): boolean {
    const joins = this.#wrappers.call(call, this.#around(scope))
    if (joins && node.type === 'CallExpression') for (const one of node.arguments) this.#used.add(one)
    return joins
  }

  #plainGiven(given: readonly Given[] = []): readonly Given[] {
    return given.map(({ fn, values }) => ({ fn, values: values.map((value) => settled(value)) }))
  }

  /** `new Api('/v1')`, `super('/users')` */
  #constructs(node: AnyNode, scope: Scope): Fn | null {
    const isSuper = node.type === 'CallExpression' && node.callee.type === 'Super'
    if (!isSuper && node.type !== 'NewExpression') return null
    const made = isSuper ? scope.holder?.base : { node: node.callee as AnyNode, scope }
    const holder = made ? this.#evaluator.holderOf(this.#evaluator.read(made.node, made.scope)) : null
    return holder && makerIn(this.#facts, holder)
  }

  #callOf({ node, scope }: CallSite): CallFacts | null {
    if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return null
    const maker = this.#constructs(node, scope)
    if (maker === null && node.type === 'NewExpression') return null
    const callee = bare(node.callee)
    // What a caller gives may be anything.
    if (callee.type === 'Identifier' && lookUp(callee.name, scope)?.param) return null
    const value =
      callee.type === 'Identifier' || callee.type === 'MemberExpression'
        ? this.#evaluator.read(callee, scope)
        : unknown()
    const args = (): Pick<CallFacts, 'args' | 'weight'> => {
      const budget = { left: MOST_PARTS }
      const values = node.arguments.slice(0, 5).map((one) => this.#argument(one as AnyNode, scope, budget))
      return { args: values, weight: MOST_PARTS - budget.left }
    }
    const inside = this.#around(scope).map(({ id }) => id)
    const nowhere = { fn: null, name: '', owner: null, ref: null, receiver: null, given: [], inside, ...this.#of }
    if (maker !== null) return { ...nowhere, fn: maker.id, ...args() }
    if (value.kind === 'fn') {
      const receiver = callee.type === 'MemberExpression' ? nameOf(bare(callee.object)) : null
      return { ...nowhere, fn: value.fn.id, receiver, given: this.#plainGiven(value.given), ...args() }
    }
    if (value.kind === 'import') return { ...nowhere, ref: value.ref, ...args() }
    if (callee.type !== 'MemberExpression') return null
    const name = memberName(callee) ?? ''
    const object = this.#evaluator.read(callee.object, scope)
    // With settings of its own: what it does is known.
    if (object.kind === 'client') return null
    const receiver = nameOf(bare(callee.object))
    const ref = this.#refOf(object)
    if (name === '' || (isCommon(name) && ref === null && (receiver === null || isCollection(receiver)))) return null
    const owner = ref === null ? (this.#evaluator.holderOf(object)?.id ?? null) : null
    return { ...nowhere, name, owner, ref, receiver, ...args() }
  }

  /** Where an object comes from that another file has: imported, injected, or what its class extends. */
  #refOf(object: Value): string | null {
    if (object.kind === 'import') return object.ref
    if (object.kind === 'made' && object.ref !== undefined) return object.ref
    if (object.kind === 'made' && object.args.length <= 2) {
      const first = object.args[0]
      return first?.kind === 'import' ? first.ref : null
    }
    const base = object.kind === 'instance' ? object.holder.base : null
    const above = base ? this.#evaluator.read(base.node, base.scope) : null
    return above?.kind === 'import' ? above.ref : null
  }

  #argument(node: AnyNode, scope: Scope, budget: { left: number }): Value {
    return isFunction(node) || node.type === 'SpreadElement'
      ? unknown()
      : this.#plainValue(this.#evaluator.read(node, scope), budget)
  }

  #plainValue(value: Value, budget = { left: MOST_PARTS }): Value {
    return settled(value.kind === 'instance' && value.made ? this.#dataOf(value.holder) : value, budget)
  }

  /** What an object of a class holds as a body has it. */
  #dataOf(holder: Holder): Value {
    const entries = [...holder.fields.keys()].slice(0, MOST_FIELDS).flatMap((name) => {
      const value = this.#evaluator.fieldValue(holder, name)
      return value && ['text', 'data', 'unknown', 'list', 'object'].includes(value.kind) ? [[name, value] as const] : []
    })
    return { kind: 'object', entries, rest: [] }
  }

  #plain(sent: Sent): Sent {
    const plain = (value: Value | null): Value | null => (value === null ? null : this.#plainValue(value))
    return {
      ...sent,
      ...this.#of,
      method: settled(sent.method),
      address: settled(sent.address),
      ...{ base: plain(sent.base), query: plain(sent.query), body: plain(sent.body), headers: plain(sent.headers) },
    }
  }

  /** The functions around, nearest first. */
  #around(from: Scope): readonly FnFacts[] {
    const found: FnFacts[] = []
    for (let fn = from.fn; fn !== null && found.length < 6; fn = fn.scope.parent?.fn ?? null)
      found.push(this.#factsOf(fn))
    // What its object was made with may stand in what a method sends.
    const maker = from.holder && makerIn(this.#facts, from.holder)
    return maker && maker.id !== from.fn?.id ? [...found, this.#factsOf(maker)] : found
  }

  #factsOf(fn: Fn): FnFacts {
    const before = this.#kept.get(fn)
    if (before) return before
    const owner = fn.owner?.id ?? null
    const names = [...fn.names]
    const refs = [
      ...(this.#refs.fns.get(fn.id) ?? []),
      ...(owner === null ? [] : (this.#refs.holders.get(owner) ?? [])),
    ]
    const made = { id: fn.id, names, owner, refs, generic: names.some(isGeneric) }
    this.#kept.set(fn, made)
    return made
  }

  /** By which names other files reach functions and objects of this one. */
  #exported(file: string): { fns: Map<number, string[]>; holders: Map<number, string[]> } {
    const refs = { fns: new Map<number, string[]>(), holders: new Map<number, string[]>() }
    for (const [name, { node, scope }] of this.#facts.exports) {
      const ref = name.includes('#') ? name : `${file}#${name}`
      const value = this.#evaluator.read(node, scope)
      this.#wrappers.shared.show(ref, settled(value))
      this.#reached(refs, ref, value)
    }
    this.#wrappers.shared.read(file)
    const { top } = this.#facts
    for (const name of [...(top.names?.keys() ?? [])].slice(0, MOST_GLOBALS))
      this.#reached(refs, `${GLOBAL}#${name}`, this.#evaluator.named(name, top))
    return refs
  }

  #reached(refs: { fns: Map<number, string[]>; holders: Map<number, string[]> }, ref: string, value: Value): void {
    const add = (to: Map<number, string[]>, id: number): unknown => to.set(id, [...(to.get(id) ?? []), ref])
    if (value.kind === 'fn') add(refs.fns, value.fn.id)
    const made = givenIn(value)
    if (made.length > 0) this.#wrappers.made(ref, this.#plainGiven(made))
    if (value.kind === 'client') this.#wrappers.client(ref, settled(value))
    if (isCreated(value)) this.#wrappers.client(ref, NO_SETTINGS)
    const base = baseOfSlice(value)
    if (base) this.#wrappers.client(ref, clientAt(base))
    const holder = this.#evaluator.holderOf(value)
    if (holder) add(refs.holders, holder.id)
    const methods = value.kind === 'object' ? value.entries.map(([, one]) => one) : []
    const owner = methods.find((one) => one.kind === 'fn')
    if (owner?.kind === 'fn' && owner.fn.owner) add(refs.holders, owner.fn.owner.id)
  }

  /** Addresses that no call has for its argument. */
  #named(): readonly Endpoint[] {
    const texts = (given: readonly Expr[], fits: (text: string) => boolean): readonly Endpoint[] =>
      given
        .filter(({ node }) => !this.#used.has(node))
        .flatMap(({ node, scope }) => plainText(this.#evaluator.read(node, scope)) ?? [])
        .flatMap((text) => (fits(text) ? [text] : pathsInMarkup(text)))
        .map((address) => ({ method: 'GET', address, body: null, called: false }))
    return [
      ...texts(this.#facts.strings, (text) => isPath(text) || isQueried(text)),
      ...texts(this.#facts.places, isPlace),
    ]
  }
}

/** What a function, an object of a class, or one with functions was made with. */
const givenIn = (value: Value): readonly Given[] => {
  if (value.kind === 'fn' || value.kind === 'instance') return value.given ?? []
  const first = value.kind === 'object' ? value.entries.find(([, one]) => one.kind === 'fn')?.[1] : undefined
  return first?.kind === 'fn' ? (first.given ?? []) : []
}

/** A text that is known from its start. */
const plainText = (value: Value): string | null => {
  if (value.kind !== 'text' || typeof value.pieces[0] !== 'string') return null
  return filledAddress(value.pieces)
}

/** A method that is given numbers alone is one of the language. */
const mayWrap = (node: AnyNode): boolean => {
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return false
  const given = (node.arguments as AnyNode[]).filter((one) => !isFunction(one))
  return given.length > 0 && (node.callee.type === 'Identifier' || !given.every(isNumber))
}

const isNumber = (node: AnyNode): boolean => node.type === 'Literal' && typeof node.value !== 'string'

/** Something that a wrapper could send. */
const tells = (value: Value): boolean =>
  value.kind === 'object' ||
  value.kind === 'form' ||
  value.kind === 'json' ||
  value.kind === 'param' ||
  value.kind === 'choice' ||
  value.kind === 'made' ||
  value.kind === 'data' ||
  (value.kind === 'text' && value.pieces.some((piece) => typeof piece === 'string'))

/** What no collection has comes before what one may have: it tells what the others are. */
const rankOf = ({ by, evident, method }: Sent): number => {
  const sure = by === null || isBareClient(by)
  const tells = /^(?:POST|PUT|PATCH)$/i.test(known(method) ?? '')
  return (sure ? 0 : 4) + (evident ? 0 : 2) + (tells ? 0 : 1)
}
