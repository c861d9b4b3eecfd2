/** One pass over the tree of a file that finds its scopes, functions, holders, calls and strings. */
import type {
  AnyNode,
  CallExpression,
  Class,
  ExportDefaultDeclaration,
  ExportNamedDeclaration,
  MemberExpression,
  Node,
  Program,
  VariableDeclaration,
} from 'acorn'
import {
  addedTo,
  bind,
  createScope,
  declareParam,
  declarePattern,
  functionScope,
  MAX_APPENDS,
  returned,
} from './declare.ts'
import { mayDraw } from './drawn-forms.ts'
import { createHolders, type Holders } from './holders.ts'
import { bundledExports, importsOf, namesDeclared } from './modules.ts'
import { leads, sendsTo, setsCookie } from './page-writes.ts'
import {
  type CallSite,
  type Expr,
  type Fn,
  type Holder,
  lookUp,
  type ProgramFacts,
  type Scope,
  type Sending,
} from './program.ts'
import {
  chainOf,
  childrenOf,
  type FunctionNode,
  halvesOf,
  isFunction,
  keyOf,
  listOf,
  literal,
  mayLead,
  memberName,
} from './syntax.ts'

/** A number, a path, or a short hash. */
const MODULE = /^\d+$|^\.{0,2}\/|^(?=.*[\d+/=])[\w+/=-]{3,8}$/
const WAITING: ReadonlySet<string> = new Set(['then', 'catch', 'finally', 'subscribe', 'pipe', 'toPromise'])

/** `nextId`: numbers for functions and holders, never the same twice where files are read together. */
export const walk = (program: Program, nextId: () => number): ProgramFacts => new Walk(nextId).facts(program)

class Walk {
  readonly #nextId: () => number
  readonly #stack: Expr[] = []
  readonly #calls: CallSite[] = []
  readonly #sends: Sending[] = []
  readonly #strings: Expr[] = []
  readonly #places: Expr[] = []
  readonly #cookies: Expr[] = []
  readonly #drawn: Expr[] = []
  readonly #fnOf = new Map<Node, Fn>()
  readonly #holders: Holders
  readonly #exports = new Map<string, Expr>()
  readonly #modules = new Set<string>()
  readonly #moduleFns = new Map<Fn, string>()
  readonly #halves = new Set<Node>()
  readonly #waited = new Set<Node>()
  readonly #eachOf = new Map<Node, Expr>()
  /** Writes to names, told when all declarations are known: a name may stand before its declaration. */
  readonly #writes: (() => void)[] = []

  constructor(nextId: () => number) {
    this.#nextId = nextId
    this.#holders = createHolders(nextId)
  }

  facts(program: Program): ProgramFacts {
    const scope = createScope(null, { fn: null, holder: null })
    this.#push(program.body, scope)
    for (let next = this.#stack.pop(); next !== undefined; next = this.#stack.pop()) this.#visit(next.node, next.scope)
    for (const write of this.#writes) write()
    this.#holders.finish()
    for (const call of this.#calls) call.waited = this.#waited.has(call.node)
    return {
      top: scope,
      calls: this.#calls,
      sends: this.#sends,
      ...{ strings: this.#strings, places: this.#places, cookies: this.#cookies, drawn: this.#drawn },
      fnOf: this.#fnOf,
      holderOf: this.#holders.of,
      exports: this.#exports,
      ...{ modules: this.#modules, moduleFns: this.#moduleFns },
    }
  }

  #push(nodes: readonly (Node | null | undefined)[], scope: Scope): void {
    for (let index = nodes.length - 1; index >= 0; index -= 1) {
      const node = nodes[index]
      if (node) this.#stack.push({ node: node as AnyNode, scope })
    }
  }

  #visit(node: AnyNode, scope: Scope): void {
    if (isFunction(node)) this.#function(node, scope)
    else if (!this.#declaration(node, scope)) {
      if (node.type === 'ReturnStatement') returned(node.argument as AnyNode | null, scope)
      else this.#expression(node, scope)
      this.#push(childrenOf(node), scope)
    }
  }

  /** What makes a scope or puts names into one. False where the node does neither. */
  #declaration(node: AnyNode, scope: Scope): boolean {
    switch (node.type) {
      case 'ClassDeclaration':
      case 'ClassExpression':
        this.#class(node, scope)
        return true
      case 'BlockStatement':
      case 'StaticBlock':
      case 'ForStatement':
      case 'SwitchStatement':
        this.#push(childrenOf(node), createScope(scope, null))
        return true
      case 'ForInStatement':
      case 'ForOfStatement':
        this.#loop(node, createScope(scope, null))
        return true
      case 'CatchClause':
        this.#caught(node, createScope(scope, null))
        return true
      case 'VariableDeclaration':
        this.#variables(node, scope)
        return true
      case 'ImportDeclaration':
        importsOf(node, scope)
        return true
      case 'ExportNamedDeclaration':
        this.#exported(node, scope)
        return true
      case 'ExportDefaultDeclaration':
        this.#exportedDefault(node, scope)
        return true
      default:
        return false
    }
  }

  #caught(node: Extract<AnyNode, { type: 'CatchClause' }>, inner: Scope): void {
    if (node.param) declarePattern(node.param, inner, null)
    this.#push([node.body], inner)
  }

  #expression(node: AnyNode, scope: Scope): void {
    switch (node.type) {
      case 'CallExpression':
        this.#calls.push({ node, scope, waited: false })
        this.#call(node, scope)
        break
      case 'NewExpression':
        this.#calls.push({ node, scope, waited: false })
        break
      case 'AwaitExpression':
      case 'YieldExpression':
        if (node.argument) this.#waited.add(node.argument)
        break
      case 'MemberExpression':
        if (WAITING.has(memberName(node) ?? '')) this.#waited.add(node.object)
        break
      case 'AssignmentExpression':
        this.#assignment(node, scope)
        break
      case 'UpdateExpression':
        if (node.argument.type === 'Identifier') this.#spoil(node.argument, scope)
        break
      case 'ObjectExpression':
        this.#object(node, scope)
        break
      default:
        this.#text(node, scope)
    }
  }

  /** Halves of a sum are no addresses of their own. */
  #text(node: AnyNode, scope: Scope): void {
    if (node.type === 'BinaryExpression') {
      if (node.operator !== '+') return
      if (!this.#halves.has(node)) this.#strings.push({ node, scope })
      this.#halves.add(node.left)
      this.#halves.add(node.right)
    } else if (!this.#halves.has(node) && mayLead(node)) this.#strings.push({ node, scope })
  }

  #function(node: FunctionNode, scope: Scope): void {
    const own = this.#holders.ownerOf(node)
    const fn: Fn = this.#fnOf.get(node) ?? this.#fn(node, scope, own ?? scope.holder, own)
    if (node.type === 'FunctionDeclaration' && node.id) {
      const binding = bind(functionScope(scope), node.id.name)
      binding.writes.push({ node, scope, path: [] })
    } else if (node.type === 'FunctionExpression' && node.id) {
      bind(fn.scope, node.id.name).writes.push({ node, scope, path: [] })
    }
    for (const [index, param] of node.params.entries()) declareParam(param, fn, index, fn.scope, this.#eachOf.get(node))
    if (node.type === 'ArrowFunctionExpression' && node.expression)
      fn.returns.push({ node: node.body as AnyNode, scope: fn.scope })
    const body = node.body.type === 'BlockStatement' ? node.body.body : [node.body]
    this.#push([...node.params, ...body], fn.scope)
  }

  #fn(node: FunctionNode, scope: Scope, holder: Holder | null, owner: Holder | null): Fn {
    // A function that is called with `new` is its own holder.
    const own = node.type === 'FunctionDeclaration' && owner === null ? this.#holders.make(node) : holder
    const inner = createScope(scope, { fn: null, holder: own })
    const names = new Set(this.#holders.namesOf(node))
    const fn: Fn = { id: this.#nextId(), node, scope: inner, names, owner, returns: [] }
    inner.fn = fn
    this.#fnOf.set(node, fn)
    return fn
  }

  #class(node: Class, scope: Scope): void {
    const inner = createScope(scope, null)
    if (node.id) {
      bind(inner, node.id.name).writes.push({ node: node as AnyNode, scope, path: [] })
      if (node.type === 'ClassDeclaration')
        bind(scope, node.id.name).writes.push({ node: node as AnyNode, scope, path: [] })
    }
    const holder = this.#holders.make(node)
    if (node.superClass) holder.base = { node: node.superClass as AnyNode, scope: inner }
    // What `this` is in initialisers and static blocks.
    const members: Scope = { ...createScope(inner, { fn: scope.fn, holder }), ofFunction: true }
    for (const member of node.body.body) {
      if (member.type === 'StaticBlock') continue
      const name = keyOf(member)
      const value = member.value as AnyNode | null | undefined
      if (name === null || !value) continue
      if (isFunction(value)) this.#holders.method(value, holder, name)
      if (member.type !== 'MethodDefinition' || member.kind === 'method')
        this.#holders.field(holder, name, { node: value, scope: members })
      else if (member.kind === 'get') {
        this.#holders.field(holder, name, { node: value, scope: members })
        holder.getters.add(name)
      }
    }
    this.#push([node.superClass], scope)
    this.#push(childrenOf(node.body as AnyNode), members)
  }

  #object(node: Extract<AnyNode, { type: 'ObjectExpression' }>, scope: Scope): void {
    const properties = node.properties.filter((one) => one.type === 'Property')
    const isObject = properties.some(({ value }) => isFunction(value))
    const holder = isObject ? (this.#holders.withinOf(node) ?? this.#holders.make(node)) : null
    for (const property of properties) {
      const name = keyOf(property)
      if (name === null) continue
      // Tables of routes have them for keys.
      if (!property.computed && literal(property.key)?.startsWith('/'))
        this.#strings.push({ node: property.key as AnyNode, scope })
      const value = property.value as AnyNode
      if (holder) this.#holders.field(holder, name, { node: value, scope })
      if (value.type === 'ObjectExpression') this.#holders.within(value, node, name)
      if (!isFunction(value) || !holder) continue
      if (property.kind === 'init' && !this.#holders.ownerOf(value)) this.#holders.method(value, holder, name)
      this.#module(name, value)
    }
  }

  /** A bundled module stands under its number or path. */
  #module(name: string, value: FunctionNode): void {
    if (value.params.length > 3 || !MODULE.test(name)) return
    this.#modules.add(name)
    this.#writes.push(() => {
      const fn = this.#fnOf.get(value)
      if (fn) this.#moduleFns.set(fn, name)
    })
  }

  #loop(node: Extract<AnyNode, { type: 'ForInStatement' | 'ForOfStatement' }>, inner: Scope): void {
    if (node.left.type === 'VariableDeclaration') {
      const target = node.left.kind === 'var' ? functionScope(inner) : inner
      const each = node.type === 'ForOfStatement' ? 'of' : 'in'
      for (const { id } of node.left.declarations)
        declarePattern(id, target, { node: node.right as AnyNode, scope: inner, each })
    } else if (node.left.type === 'Identifier') this.#spoil(node.left, inner)
    this.#push([node.right, node.body], inner)
  }

  #variables(node: VariableDeclaration, scope: Scope): void {
    const target = node.kind === 'var' ? functionScope(scope) : scope
    for (const { id, init } of node.declarations) {
      const value = init as AnyNode | null | undefined
      declarePattern(id, target, value ? { node: value, scope } : undefined)
      if (value?.type === 'FunctionExpression' && id.type === 'Identifier') this.#holders.constructs(value)
      this.#push([value, id.type === 'Identifier' ? null : id], scope)
    }
  }

  #exported(node: ExportNamedDeclaration, scope: Scope): void {
    for (const { local, exported } of node.specifiers) {
      const name = exported.type === 'Identifier' ? exported.name : (literal(exported) ?? '')
      if (!node.source) this.#exports.set(name, { node: local as AnyNode, scope })
    }
    const declared = node.declaration
    if (!declared) return
    for (const id of namesDeclared(declared)) this.#exports.set(id.name, { node: id, scope })
    this.#push([declared], scope)
  }

  #exportedDefault({ declaration }: ExportDefaultDeclaration, scope: Scope): void {
    this.#exports.set('default', { node: declaration as AnyNode, scope })
    this.#push([declaration], scope)
  }

  #assignment(node: Extract<AnyNode, { type: 'AssignmentExpression' }>, scope: Scope): void {
    const { left, right, operator } = node
    const value: Expr = { node: right as AnyNode, scope }
    if (leads(left)) this.#places.push(value)
    if (setsCookie(left)) this.#cookies.push(value)
    const follows = operator === '=' || operator === '||=' || operator === '??='
    if (left.type === 'MemberExpression') this.#memberWrite(left, value, operator === '=')
    else if (left.type === 'Identifier' && operator === '+=') this.#append(left.name, [value])
    else if (left.type !== 'Identifier' || !follows) this.#spoil(left, scope)
    else this.#nameWrite(left.name, value)
  }

  /** `address += '&page=' + n` */
  #append(name: string, values: readonly Expr[]): void {
    this.#writes.push(() => {
      const [first] = values
      const binding = first && this.#holders.binding(name, first.scope)
      if (binding && binding.appends.length < MAX_APPENDS) binding.appends.push(...values)
    })
  }

  #nameWrite(name: string, value: Expr): void {
    if (value.node.type === 'FunctionExpression') this.#holders.constructs(value.node)
    const added = addedTo(name, value)
    if (added !== null) {
      this.#halves.add(value.node)
      this.#append(name, added)
    } else
      this.#writes.push(() => {
        // What nobody has declared is one name in each function that writes it: old pages call all they put together alike.
        if (lookUp(name, value.scope) === null && value.scope.fn) bind(functionScope(value.scope), name)
        this.#holders.binding(name, value.scope)?.writes.push({ ...value, path: [] })
      })
  }

  #memberWrite(left: MemberExpression, value: Expr, plain: boolean): void {
    if (isFunction(value.node)) this.#holders.assigned(left, value)
    this.#writes.push(() => this.#holders.write(left, value, plain))
  }

  /** A name that changes in ways that are not followed. */
  #spoil(pattern: Node, scope: Scope): void {
    const one = pattern as AnyNode
    if (one.type === 'Identifier')
      this.#writes.push(() => {
        const binding = this.#holders.binding(one.name, scope)
        if (binding) binding.opaque = true
      })
    else if (one.type === 'ArrayPattern' || one.type === 'ObjectPattern' || one.type === 'AssignmentPattern')
      for (const child of childrenOf(one)) this.#spoil(child, scope)
    else if (one.type === 'Property') this.#spoil(one.value, scope)
  }

  #call(node: CallExpression, scope: Scope): void {
    for (const half of halvesOf(node)) this.#halves.add(half)
    const list = listOf(node)
    if (list !== null) this.#eachOf.set(node.arguments[0] as AnyNode, { node: list, scope })
    if (mayDraw(node)) this.#drawn.push({ node, scope })
    const chain = chainOf(node.callee)
    const how = chain?.names.at(-1)
    if (sendsTo(node) && node.arguments[0]) this.#places.push({ node: node.arguments[0] as AnyNode, scope })
    this.#holders.call(node, scope, (write) => this.#writes.push(write))
    const [first, second] = node.arguments as AnyNode[]
    if (first && chain?.root.type === 'Identifier' && chain.names.length === 1) {
      const of = chain.root.name
      if (how === 'send') this.#sends.push({ of, node: first, scope })
      if (how === 'setRequestHeader' && second) this.#sends.push({ of, node: first, value: second, scope })
    }
    const given = bundledExports(node)
    if (given === null) return
    this.#writes.push(() => {
      let of = scope.fn
      while (of && !this.#moduleFns.has(of)) of = of.scope.parent?.fn ?? null
      const key = of ? this.#moduleFns.get(of) : undefined
      if (key === undefined) return
      for (const [name, getter] of given) {
        const shown = this.#fnOf.get(getter)?.returns[0]
        if (shown) this.#exports.set(`${key}#${name}`, shown)
      }
    })
  }
}
