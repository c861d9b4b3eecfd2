/** Names of a script. */
import { ScriptError, type ScriptValue } from './value.ts'

export interface Scope {
  readonly names: Map<string, ScriptValue>
  readonly parent: Scope | null
  readonly globals: Map<string, ScriptValue>
}

export interface Environment {
  readonly globals: Map<string, ScriptValue>
  readonly scope: Scope
}

export const childOf = (parent: Scope): Scope => ({ names: new Map(), parent, globals: parent.globals })

export const declare = (scope: Scope, name: string, value: ScriptValue): void => {
  scope.names.set(name, value)
}

const holder = (scope: Scope, name: string): Map<string, ScriptValue> | null => {
  for (let at: Scope | null = scope; at !== null; at = at.parent) if (at.names.has(name)) return at.names
  return scope.globals.has(name) ? scope.globals : null
}

export const read = (scope: Scope, name: string, quiet = false): ScriptValue => {
  if (name === 'undefined') return undefined
  if (name === 'NaN') return Number.NaN
  const names = holder(scope, name)
  if (names === null && !quiet) throw new ScriptError(`${name} is not defined`)
  return names?.get(name)
}

export const write = (scope: Scope, name: string, value: ScriptValue): void => {
  ;(holder(scope, name) ?? scope.globals).set(name, value)
}
