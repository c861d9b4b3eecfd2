/** How files of a site name each other, and modules within a file. */
import type { AnyNode, CallExpression, ExportNamedDeclaration, Identifier, ImportDeclaration } from 'acorn'
import { bind } from './declare.ts'
import type { Scope } from './program.ts'
import { type FunctionNode, isFunction, keyOf, literal, memberName } from './syntax.ts'

/** `n.d(t, {a: () => x})`, `n.d(t, "a", function(){return x})`: what a bundled module shows to others. */
export const bundledExports = (
  node: CallExpression,
): readonly (readonly [name: string, getter: FunctionNode])[] | null => {
  if (memberName(node.callee) !== 'd') return null
  const [, second, third] = node.arguments
  const name = literal(second)
  if (name !== null && isFunction(third)) return [[name, third]]
  const table = second as AnyNode | undefined
  if (table?.type !== 'ObjectExpression') return null
  return table.properties.flatMap((property) => {
    if (property.type !== 'Property' || !isFunction(property.value)) return []
    const key = keyOf(property)
    return key === null ? [] : [[key, property.value] as const]
  })
}

export const importsOf = (node: ImportDeclaration, scope: Scope): void => {
  const file = fileName(String(node.source.value))
  for (const one of node.specifiers) {
    const binding = bind(scope, one.local.name)
    if (one.type === 'ImportSpecifier')
      binding.imported = `${file}#${one.imported.type === 'Identifier' ? one.imported.name : (literal(one.imported) ?? '')}`
    else binding.imported = `${file}#${one.type === 'ImportDefaultSpecifier' ? 'default' : '*'}`
  }
}

/** By which files of one build name each other: without folder, query and ending. */
export const fileName = (address: string): string =>
  (
    address
      .replace(/[?#].*$/s, '')
      .split('/')
      .at(-1) ?? ''
  ).replace(/\.[cm]?[jt]sx?$/, '')

/** What is exported where it is declared. */
export const namesDeclared = (declared: NonNullable<ExportNamedDeclaration['declaration']>): readonly Identifier[] =>
  declared.type === 'VariableDeclaration'
    ? declared.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id] : []))
    : [declared.id]
