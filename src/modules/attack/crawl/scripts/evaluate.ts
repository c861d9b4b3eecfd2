/** What the expressions of one file give. Each name is worked out once, nothing is run, and the work is bounded. */
import type { AnyNode, Node } from 'acorn'
import { type Calls, createCalls } from './calls.ts'
import { type Construction, createConstruction } from './construction.ts'
import { valueOfController } from './controllers.ts'
import { type ControlReader, type Controls, createControls } from './controls.ts'
import { createDrawnForms, type DrawnForms } from './drawn-forms.ts'
import { madeWith } from './given.ts'
import type { Globals } from './globals.ts'
import { either, unary } from './operators.ts'
import {
  type Binding,
  type Expr,
  type Fn,
  fieldOf,
  GLOBAL,
  type Holder,
  lookUp,
  type ProgramFacts,
  type Scope,
} from './program.ts'
import { memberOfShared } from './shared.ts'
import { bare, isFunction, keyOf, memberName } from './syntax.ts'
import {
  changing,
  choice,
  type Entries,
  eachOf,
  isEmpty,
  isFileList,
  isOpen,
  joined,
  known,
  MAX_ENTRIES,
  memberOf,
  text,
  unknown,
  type Value,
} from './value.ts'
import { isEntered, nameOf, withMembers } from './written.ts'

/** Steps that one file may take. */
const MAX_STEPS = 1_500_000
const DEEPEST = 60

export class Evaluator {
  readonly facts: ProgramFacts
  readonly #globals: Globals
  readonly #controller: string | null
  readonly #calls: Calls
  readonly #forms: DrawnForms
  readonly #construction: Construction
  readonly #controls: ControlReader
  readonly #bindings = new Map<Binding, Value>()
  readonly #fields = new Map<Holder, Map<string, Value>>()
  readonly #returns = new Map<Fn, Value>()
  readonly #exported = new Map<string, Value>()
  readonly #reader = (node: Node, scope: Scope): Value => this.read(node, scope)
  #steps = 0
  #depth = 0

  /** `controller`: see `controllerIn`; `controls`: of the page whose own code it is. */
  constructor(facts: ProgramFacts, globals: Globals, controller: string | null = null, controls: Controls = new Map()) {
    this.facts = facts
    this.#globals = globals
    this.#controller = controller
    this.#controls = createControls(controls, this.#reader)
    this.#forms = createDrawnForms(facts, (node, scope) => this.read(node, scope))
    this.#construction = createConstruction(facts, this.#reader, (holder) => this.#baseOf(holder))
    this.#calls = createCalls({
      ...{ facts, lookUp, read: (node, scope) => this.read(node, scope) },
      returnOf: (fn) => this.returnOf(fn),
      memberOf: (value, name) => this.#memberOfAny(value, name),
      holderOf: (value) => this.holderOf(value),
      constructed: this.#construction.of,
      fieldsAbout: ({ start }) => this.#forms.about(start),
    })
  }

  /** True when the file has had its share of work. */
  get spent(): boolean {
    return this.#steps > MAX_STEPS
  }

  /** What an expression gives. */
  read(node: Node | null | undefined, scope: Scope): Value {
    this.#steps += 1
    if (!node || this.#steps > MAX_STEPS || this.#depth > DEEPEST) return unknown()
    this.#depth += 1
    const value = this.#controls(bare(node), scope) ?? this.#expression(bare(node), scope)
    this.#depth -= 1
    return value
  }

  #expression(node: AnyNode, scope: Scope): Value {
    switch (node.type) {
      case 'Literal':
        if (typeof node.value === 'string') return text(node.value)
        if (typeof node.value === 'number' || typeof node.value === 'boolean')
          return { kind: 'data', value: node.value }
        return node.raw === 'null' ? { kind: 'data', value: null } : unknown()
      case 'TemplateLiteral':
        return this.#template(node, scope)
      case 'TaggedTemplateExpression':
        return this.#template(node.quasi, scope)
      case 'Identifier':
        return this.named(node.name, scope)
      case 'ThisExpression':
        return scope.holder ? this.#construction.self(scope.holder) : unknown('this')
      case 'MemberExpression':
        return this.#member(node, scope)
      case 'BinaryExpression':
        return node.operator === '+' ? this.#sum(node, scope) : unknown()
      case 'LogicalExpression':
        return either(node.operator, this.read(node.left, scope), () => this.read(node.right, scope))
      case 'ConditionalExpression':
        return choice([this.read(node.consequent, scope), this.read(node.alternate, scope)].toSorted(openLast))
      case 'AssignmentExpression':
        return this.read(node.right, scope)
      case 'AwaitExpression':
      case 'YieldExpression':
        return this.read(node.argument, scope)
      case 'UnaryExpression':
        return unary(node.operator, node.argument, () => this.read(node.argument, scope))
      case 'ObjectExpression':
        return this.#objectExpression(node, scope)
      case 'ArrayExpression':
        return { kind: 'list', items: node.elements.slice(0, 30).map((one) => this.read(one, scope)) }
      case 'CallExpression':
        return this.#calls.call(node, scope)
      case 'NewExpression':
        return this.#calls.made(node, scope)
      default:
        return this.#declared(node)
    }
  }

  #declared(node: AnyNode): Value {
    const fn = isFunction(node) ? this.facts.fnOf.get(node) : undefined
    if (fn) return { kind: 'fn', fn }
    const holder = this.facts.holderOf.get(node)
    return holder ? { kind: 'instance', holder, made: false } : unknown()
  }

  #template(node: Extract<AnyNode, { type: 'TemplateLiteral' }>, scope: Scope): Value {
    return joined(
      node.quasis.flatMap(({ value }, index) => {
        const inner = node.expressions[index]
        return [text(value.cooked ?? ''), ...(inner ? [this.read(inner, scope)] : [])]
      }),
    )
  }

  /** Taken apart from the left without recursion: sums of thousands are written by programs. */
  #sum(node: Extract<AnyNode, { type: 'BinaryExpression' }>, scope: Scope): Value {
    const parts: Value[] = []
    let one: AnyNode = node
    while (one.type === 'BinaryExpression' && one.operator === '+' && parts.length < 60) {
      parts.unshift(this.read(one.right, scope))
      one = bare(one.left)
    }
    parts.unshift(one.type === 'BinaryExpression' && parts.length >= 60 ? unknown() : this.read(one, scope))
    const isNumber = parts.every((part) => part.kind === 'data')
    return isNumber ? unknown() : joined(parts)
  }

  /** What the object of that name sends in the same function: `request.open('POST', '/x'); request.send(body)`. */
  sentBy(name: string, scope: Scope): Value | null {
    const found = this.facts.sends.find((one) => !one.value && one.of === name && one.scope.fn === scope.fn)
    return found ? this.read(found.node, found.scope) : null
  }

  /** Likewise its headers, an object. */
  headersSetBy(name: string, scope: Scope): Value {
    const own = this.facts.sends.filter((one) => one.of === name && one.scope.fn === scope.fn)
    const entries = own.flatMap(({ node, value, scope: at }) => {
      const header = nameOf(this.read(node, at))
      return value && header !== null ? [[header, this.read(value, at)] as const] : []
    })
    return { kind: 'object', entries, rest: [] }
  }

  /** What a name holds. */
  named(name: string, scope: Scope): Value {
    const binding = lookUp(name, scope)
    if (binding) return this.#bindingValue(binding)
    // Another file of the page may have it.
    return name === 'undefined'
      ? unknown(name)
      : (this.#globals.get(name) ?? { kind: 'import', ref: `${GLOBAL}#${name}` })
  }

  #bindingValue(binding: Binding): Value {
    const before = this.#bindings.get(binding)
    if (before) return before
    this.#bindings.set(binding, unknown(binding.name))
    const value = withMembers(this.#plainBinding(binding), binding.members, this.#reader)
    this.#bindings.set(binding, value)
    return value
  }

  #plainBinding(binding: Binding): Value {
    const { name, appends, opaque, writes } = binding
    if (appends.length === 0) return this.#written(binding)
    const start = this.#written(binding)
    const parts = [start, ...appends.map(({ node, scope }) => this.read(node, scope))]
    // Numbers are added up, and what is written anew meanwhile may be either.
    const isText = parts.some(({ kind }) => kind === 'text') && start.kind !== 'data' && writes.length < 2
    return isText && !opaque ? joined(parts) : changing(name, [start])
  }

  #written({ name, param, imported, opaque, writes }: Binding): Value {
    if (imported !== null) return { kind: 'import', ref: imported }
    if (param !== null) {
      if (writes.length > 0 || opaque) return this.#reassigned(name, param.fn, param.index, param.path, writes)
      const drawn = this.#componentOf(param)
      if (drawn) return { kind: 'instance', holder: drawn, made: true }
      const fields = param.index === 0 ? this.#forms.givenTo(param.fn.node) : null
      if (fields) return param.path.reduce<Value>(memberOf, fields)
      const listed = param.each ? eachOf(this.read(param.each.node, param.each.scope)) : null
      if (listed) return param.path.reduce<Value>(memberOf, listed)
      const given: Value = { kind: 'param', fn: param.fn.id, index: param.index, path: param.path, name }
      return param.or === null ? given : choice([given, this.read(param.or.node, param.or.scope)])
    }
    const values = writes
      .filter(({ node }) => !isEntered(node, name))
      .map(({ node, scope, path, each }) =>
        path.reduce((whole, part) => this.#memberOfAny(whole, part), this.#each(name, this.read(node, scope), each)),
      )
    return opaque ? changing(name, values) : this.#agreed(name, values)
  }

  #each(name: string, value: Value, of: 'of' | 'in' | undefined): Value {
    return of === undefined ? value : (eachOf(value, of) ?? unknown(name))
  }

  /**
   * What Angular compiles a component's markup to gets the component: `template(flags, component)`. It stands within its class, or beside the
   * name of it, where static fields were taken out of the class: `A.ɵcmp = define({type: A, template: …})`.
   */
  #componentOf({ fn, index, path }: NonNullable<Binding['param']>): Holder | null {
    if (index !== 1 || path.length > 0 || !fn.names.has('template')) return null
    const [type] = fn.owner?.fields.get('type') ?? []
    return (type && this.holderOf(this.read(type.node, type.scope))) ?? fn.scope.parent?.holder ?? null
  }

  /** `e = e || {}`: still what the caller gives. */
  #reassigned(name: string, fn: Fn, index: number, path: readonly string[], writes: readonly Expr[]): Value {
    const [write, ...more] = writes
    const node = write ? bare(write.node) : null
    const given: Value = { kind: 'param', fn: fn.id, index, path, name }
    if (write && more.length === 0 && node?.type === 'LogicalExpression' && bare(node.left).type === 'Identifier')
      return choice([given, this.read(node.right, write.scope)])
    return unknown(name)
  }

  /** A name that is written more than once is known where all agree. */
  #agreed(name: string, values: readonly Value[]): Value {
    const telling = values.filter((value) => !isEmpty(value))
    const [first, ...others] = telling
    // An object that is made empty is filled by its members.
    if (first === undefined)
      return values.some((value) => value.kind === 'unknown') ? unknown('undefined') : unknown(name)
    const same = others.every((other) => other === first || (known(other) !== null && known(other) === known(first)))
    if (same) return first.kind === 'unknown' && first.name === '' ? { ...first, name } : first
    return telling.every(isHanded) && telling.some(isBody)
      ? choice(telling.toSorted(bodyFirst))
      : changing(name, telling)
  }

  #memberOfAny(value: Value, name: string): Value {
    if (value.kind === 'instance') {
      const own = this.fieldValue(value.holder, name)
      if (own) return madeWith(own, value.given ?? [])
      return valueOfController(this.#globals, this.#controller, name) ?? unknown(name)
    }
    if (value.kind === 'module')
      return this.#exportedValue(`${value.key}#${name}`) ?? { kind: 'import', ref: `${value.key}#${name}` }
    if (value.kind === 'import' && value.ref === `${GLOBAL}#window`) return this.named(name, this.facts.top)
    if (value.kind === 'import') return memberOfShared(value.ref, name)
    if (value.kind === 'fn') {
      const holder = this.facts.holderOf.get(value.fn.node)
      return (holder ? this.fieldValue(holder, name) : null) ?? unknown(name)
    }
    return memberOf(value, name)
  }

  #exportedValue(ref: string): Value | null {
    const expr = this.facts.exports.get(ref)
    if (!expr) return null
    const before = this.#exported.get(ref)
    if (before) return before
    this.#exported.set(ref, unknown(ref))
    const value = this.read(expr.node, expr.scope)
    this.#exported.set(ref, value)
    return value
  }

  #member(node: Extract<AnyNode, { type: 'MemberExpression' }>, scope: Scope): Value {
    const name = memberName(node)
    const object = this.read(node.object, scope)
    if (name === null) return isFileList(object) ? { kind: 'file' } : unknown()
    return this.#memberOfAny(object, name)
  }

  #baseOf(holder: Holder): Holder | null {
    const { base } = holder
    return base ? this.holderOf(this.read(base.node, base.scope)) : null
  }

  /** What `this` is within the methods of a value; null where it has none. */
  holderOf(value: Value): Holder | null {
    if (value.kind === 'instance') return value.holder
    if (value.kind === 'fn') return this.facts.holderOf.get(value.fn.node) ?? null
    // Injected: inject(Service)
    return value.kind === 'made' && value.args.length === 1 ? this.holderOf(value.args[0] ?? unknown()) : null
  }

  /** A method or field, of what it extends too; null where there is none. */
  fieldValue(holder: Holder, name: string): Value | null {
    const own = this.#fields.get(holder) ?? new Map<string, Value>()
    this.#fields.set(holder, own)
    const before = own.get(name)
    if (before) return before
    own.set(name, unknown(name))
    const writes = fieldOf(holder, name, (one) => this.#baseOf(one))
    const members = holder.members
      .filter(({ path }) => path[0] === name)
      .map((one) => ({ ...one, path: one.path.slice(1) }))
    const component = writes === null ? this.#stateOf(holder, name) : null
    if (writes === null && members.length === 0 && component === null) {
      own.delete(name)
      return null
    }
    const values = (writes ?? []).map((write) => this.read(write.node, write.scope))
    const [first] = values
    const worked = holder.getters.has(name) && first?.kind === 'fn' ? this.returnOf(first.fn) : null
    const value = withMembers(worked ?? component ?? this.#agreed(name, values), members, this.#reader)
    own.set(name, value)
    return value
  }

  /** What the function `data` or `state` of a component gives, its `this` has too. */
  #stateOf(holder: Holder, name: string): Value | null {
    if (name === 'data' || name === 'state') return null
    for (const part of ['data', 'state']) {
      const state = holder.fields.has(part) ? this.fieldValue(holder, part) : null
      if (state?.kind !== 'fn') continue
      const found = memberOf(this.returnOf(state.fn), name)
      if (!isOpen(found)) return found.kind === 'text' || found.kind === 'data' ? changing(name, [found]) : found
    }
    return null
  }

  /** What calling it gives, in terms of its own parameters. */
  returnOf(fn: Fn): Value {
    const before = this.#returns.get(fn)
    if (before) return before
    this.#returns.set(fn, unknown())
    const values = fn.returns.map(({ node, scope }) => this.read(node, scope))
    const value = values.length === 0 ? unknown() : choice(values.toSorted(openLast))
    this.#returns.set(fn, value)
    return value
  }

  #objectExpression(node: Extract<AnyNode, { type: 'ObjectExpression' }>, scope: Scope): Value {
    const entries: (readonly [string, Value])[] = []
    const rest: Value[] = []
    for (const property of node.properties.slice(0, 2 * MAX_ENTRIES)) {
      if (property.type === 'SpreadElement') {
        const spread = this.read(property.argument, scope)
        if (spread.kind === 'object') entries.push(...spread.entries)
        else rest.push(spread)
        continue
      }
      const name = property.computed ? nameOf(this.read(property.key, scope)) : keyOf(property)
      if (name === null || property.kind !== 'init') continue
      entries.push([name, namedBy(name, this.read(property.value, scope))])
    }
    return { kind: 'object', entries: lastOf(entries), rest }
  }
}

/** What nobody knows is at least called so. */
export const namedBy = (name: string, value: Value): Value =>
  value.kind === 'unknown' && value.name !== name ? { ...value, name } : value

/** Of members with one name the last counts. */
export const lastOf = (entries: Entries): Entries => [...new Map(entries)].slice(0, MAX_ENTRIES)

/** What a request carries, and what a caller gives for it: `let b; if (isForm(x)) b = x; else b = JSON.stringify(x)` sends either. */
const isBody = ({ kind }: Value): boolean => kind === 'json' || kind === 'object' || kind === 'form'
const isHanded = (value: Value): boolean => isBody(value) || value.kind === 'param'
const bodyFirst = (one: Value, other: Value): number => Number(isBody(other)) - Number(isBody(one))

const openLast = (one: Value, other: Value): number => Number(isOpen(one)) - Number(isOpen(other))
