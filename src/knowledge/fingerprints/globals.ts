/** What is asked of a running page: the names in our rules, and the expressions of imported retire.js data. */
import { type Expression, parseExpressionAt } from 'acorn'
import type { OpenFeed } from '../feeds/items.ts'
import { extractorsOf } from '../feeds/parse/retire.ts'
import { allProducts } from './products.ts'

/** Expressions that read and change nothing, as text of JavaScript. */
export const pageExpressions = (retire: OpenFeed | null): readonly string[] => {
  const ours = allProducts().flatMap(({ rules }) =>
    rules.flatMap(({ source, name }) => (source === 'global' ? [name] : [])),
  )
  const theirs = retire === null ? [] : [...extractorsOf(retire).values()].flatMap(({ func }) => func.filter(isReading))
  return [...new Set([...ours, ...theirs])]
}

/** Methods that give a text and touch nothing. */
const READING = ['toString', 'split', 'querySelector', 'getAttribute', 'join']

/** Members, literals, choices and few calls: nothing that assigns, constructs, loads or calls the page's own functions. */
export const isReading = (source: string): boolean => {
  try {
    const expression = parseExpressionAt(source, 0, { ecmaVersion: 'latest' })
    return expression.end === source.trimEnd().length && reads(expression)
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

const reads = (node: Expression): boolean => {
  switch (node.type) {
    case 'Identifier':
    case 'Literal':
      return true
    case 'MemberExpression':
      return isExpression(node.object) && reads(node.object) && isExpression(node.property) && reads(node.property)
    case 'LogicalExpression':
      return reads(node.left) && reads(node.right)
    case 'BinaryExpression':
      return node.operator === '+' && isExpression(node.left) && reads(node.left) && reads(node.right)
    case 'ConditionalExpression':
      return reads(node.test) && reads(node.consequent) && reads(node.alternate)
    case 'ParenthesizedExpression':
      return reads(node.expression)
    case 'ArrayExpression':
      return node.elements.every((one) => one !== null && isExpression(one) && reads(one))
    case 'CallExpression': {
      const { callee, arguments: given } = node
      if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier') return false
      return (
        READING.includes(callee.property.name) &&
        isExpression(callee.object) &&
        reads(callee.object) &&
        given.every((one) => one.type === 'Literal')
      )
    }
    default:
      return false
  }
}

const isExpression = (node: { readonly type: string }): node is Expression =>
  !['Super', 'PrivateIdentifier', 'SpreadElement'].includes(node.type)

/** Runs in the page; gives `{expression: value}` of those that it has, at most 200 characters each; `[object]` for what is no text. */
export const globalsScript = (expressions: readonly string[]): string => `(() => {
  const found = {}
  const note = (name, read) => {
    try {
      const value = read()
      if (value === undefined || value === null || value === false) return
      found[name] = typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 200) : '[object]'
    } catch { /* the page has it not */ }
  }
  ${expressions.map((one) => `note(${JSON.stringify(one)}, () => (${one}))`).join('\n  ')}
  return found
})()`
