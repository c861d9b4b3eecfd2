/** Expressions are parsed once. */
import { type Expression, parseExpression } from './expression/parse.ts'

const cache = new Map<string, Expression>()
const KEPT = 50_000

/** @throws DslError */
export const compiled = (source: string): Expression => {
  const kept = cache.get(source)
  if (kept !== undefined) return kept
  if (cache.size >= KEPT) cache.clear()
  const expression = parseExpression(source)
  cache.set(source, expression)
  return expression
}
