/** What stands in the fields of a page, where its code takes it from there: `document.getElementById('berth').value`, `$('#berth').val()`. */
import type { AnyNode, Node } from 'acorn'
import type { Scope } from './program.ts'
import { bare, memberName } from './syntax.ts'
import { known, unknown, type Value } from './value.ts'

/** By name, and by id where there is one, what stands in the fields of a page. */
export type Shown = readonly (readonly [name: string, value: string])[]
/** The same, to look up. */
export type Controls = ReadonlyMap<string, string>

export type ControlReader = (node: AnyNode, scope: Scope) => Value | null

/** Null where an expression takes nothing from a field of the page, or nothing stands there. */
export const createControls = (controls: Controls, read: (node: Node, scope: Scope) => Value): ControlReader => {
  if (controls.size === 0) return () => null
  return (node, scope) => {
    const control = controlOf(node, (one) => known(read(one, scope)))
    const value = control === null ? undefined : controls.get(control)
    return control === null || value === undefined ? null : unknown(control, value)
  }
}

const controlOf = (node: AnyNode, textOf: (node: Node) => string | null, depth = 0): string | null => {
  if (node.type === 'MemberExpression') {
    if (memberName(node) !== 'value') return null
    const held = bare(node.object)
    if (held.type === 'CallExpression') return selected(held, textOf)
    // form.elements['berth'].value, form.elements.berth.value
    const list = held.type === 'MemberExpression' ? bare(held.object) : null
    if (held.type !== 'MemberExpression' || list?.type !== 'MemberExpression' || memberName(list) !== 'elements')
      return null
    return held.computed ? textOf(held.property) : memberName(held)
  }
  if (node.type !== 'CallExpression' || node.arguments.length > 0) return null
  const callee = bare(node.callee)
  if (callee.type !== 'MemberExpression') return null
  const held = bare(callee.object)
  if (AS_IT_IS.has(memberName(callee) ?? '')) return depth < DEEPEST ? controlOf(held, textOf, depth + 1) : null
  return memberName(callee) === 'val' && held.type === 'CallExpression' ? selected(held, textOf) : null
}

const DEEPEST = 3
const AS_IT_IS: ReadonlySet<string> = new Set(['trim', 'toString', 'valueOf'])

const selected = (
  node: Extract<AnyNode, { type: 'CallExpression' }>,
  textOf: (node: Node) => string | null,
): string | null => {
  const [first] = node.arguments
  const callee = bare(node.callee)
  const by = callee.type === 'Identifier' ? callee.name : memberName(callee)
  if (first === undefined || by === null || !BY.has(by)) return null
  const text = textOf(first)
  if (text === null || by === 'getElementById') return text
  const [, id, name] = SELECTOR.exec(text) ?? []
  return id ?? name ?? null
}
const BY: ReadonlySet<string> = new Set(['getElementById', 'querySelector', '$', 'jQuery'])
/** `#berth`, `input[name="berth"]` */
const SELECTOR = /^(?:#([\w-]{1,60})|(?:input|textarea|select)?\[name=["']?([\w.-]{1,60})["']?\])$/
