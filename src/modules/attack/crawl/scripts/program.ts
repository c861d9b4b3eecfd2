/**
 * What a file of JavaScript declares: its lexical scopes with all that is written to each name, its functions, and what `this`
 * holds in them. An expression is known by its node and the scope that it stands in.
 */
import type { AnyNode, Node } from 'acorn'
import type { FunctionNode } from './syntax.ts'

export interface Expr {
  readonly node: AnyNode
  readonly scope: Scope
}

export interface Scope {
  readonly parent: Scope | null
  /** True where `var` lands. */
  readonly ofFunction: boolean
  fn: Fn | null
  /** What `this` is; null where nobody can tell. */
  readonly holder: Holder | null
  names: Map<string, Binding> | null
}

/** One value that a name gets: the expression, and where it is taken apart the way to its part. */
export interface Write extends Expr {
  readonly path: readonly string[]
  /** It gets one after the other of what the expression holds, or of its names: `for (… of x)`, `for (… in x)`. */
  readonly each?: 'of' | 'in'
}

export interface Binding {
  readonly name: string
  readonly writes: Write[]
  /** Of a function: its place, and the way to the part that the name stands for. */
  param: {
    readonly fn: Fn
    readonly index: number
    readonly path: readonly string[]
    readonly or: Expr | null
    /** What it is called for each of: `x.forEach(…)`. */
    readonly each?: Expr
  } | null
  /** `file#name` of what is imported. */
  imported: string | null
  /** True where it changes in ways that are not followed. */
  opaque: boolean
  /** What is put behind the text that it holds, in their order: `address += '&page=2'`. */
  readonly appends: Expr[]
  /** What is put into it after it was made. */
  readonly members: Member[]
}

/** `x.a.b = value`, `x.a.append('b', value)`. */
export interface Member {
  readonly path: readonly string[]
  readonly value: Expr
  /** Put in with the name of a file. */
  readonly file?: true
  /** In place of the last name of the path, which is empty: `x.append(name, value)`. */
  readonly named?: Expr
}

export interface Sending extends Expr {
  /** Name of what sends it. */
  readonly of: string
  /** Of a header, whose name is the expression itself. */
  readonly value?: Expr['node']
}

export interface Fn {
  /** Of all functions of all files that are read together. */
  readonly id: number
  readonly node: FunctionNode
  readonly scope: Scope
  /** Properties that it is called by. */
  readonly names: Set<string>
  /** What it is a method of. */
  readonly owner: Holder | null
  readonly returns: Expr[]
}

/** A class, a function that is called with `new`, or an object with methods. */
export interface Holder {
  readonly id: number
  readonly fields: Map<string, Expr[]>
  /** Into what stands in its fields: the first name is that of the field. */
  readonly members: Member[]
  base: Expr | null
  /** The function that makes one. */
  readonly maker: FunctionNode | null
  /** Fields that a function works out. */
  readonly getters: Set<string>
}

export interface CallSite extends Expr {
  /** Its answer is waited for: `.then`, `.subscribe`, `await`. */
  waited: boolean
}

/** The file, so to speak, of what every script of a page reaches. */
export const GLOBAL = '*'

export interface ProgramFacts {
  readonly top: Scope
  readonly calls: readonly CallSite[]
  /** Strings that may be addresses by themselves. */
  /** `request.send(body)` and `request.setRequestHeader(name, value)`, whatever `request` is. */
  readonly sends: readonly Sending[]
  readonly strings: readonly Expr[]
  /** Where somebody is sent: `location.href = …`. */
  readonly places: readonly Expr[]
  /** What `document.cookie` is given. */
  readonly cookies: readonly Expr[]
  /** Calls that draw forms and what stands in them. */
  readonly drawn: readonly Expr[]
  readonly fnOf: ReadonlyMap<Node, Fn>
  readonly holderOf: ReadonlyMap<Node, Holder>
  /** Names by which other files reach what this one has: `name` of a module file, `id#name` of a bundled module. */
  readonly exports: ReadonlyMap<string, Expr>
  /** Bundled modules by what they are asked for, and the functions that they are. */
  readonly modules: ReadonlySet<string>
  readonly moduleFns: ReadonlyMap<Fn, string>
}

/** The name as it is known in a scope; null for what the file does not declare. */
export const lookUp = (name: string, from: Scope): Binding | null => {
  for (let scope: Scope | null = from; scope !== null; scope = scope.parent) {
    const found = scope.names?.get(name)
    if (found) return found
  }
  return null
}

/** The method or field of a holder or of what it extends. */
export const fieldOf = (
  holder: Holder,
  name: string,
  baseOf: (holder: Holder) => Holder | null,
): readonly Expr[] | null => {
  let one: Holder | null = holder
  for (let depth = 0; one !== null && depth < 8; depth += 1) {
    const found = one.fields.get(name)
    if (found) return found
    one = baseOf(one)
  }
  return null
}
