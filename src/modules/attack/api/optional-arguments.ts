/** A query of GraphQL without the arguments that it need not have: made-up ones find nothing, and what it shows of people goes unseen. */
import type { HttpRequest } from '../../../egress/door/egress.ts'
import { jsonOf } from '../../../page/json.ts'

/** `$city: String`, `$ids: [ID!]`; a type that ends in `!` has to be given (GraphQL 2021, 2.10 and 2.11). */
const DECLARED = /\$(\w{1,60})\s*:\s*([\w[\]!]{1,80})/g

/** Null where it is no such query, or where it has none to leave out. */
export const withoutOptional = (request: HttpRequest): HttpRequest | null => {
  const whole = typeof request.body === 'string' ? jsonOf(request.body) : undefined
  if (typeof whole !== 'object' || whole === null || Array.isArray(whole)) return null
  const { query, variables } = whole as { query?: unknown; variables?: unknown }
  if (typeof query !== 'string' || typeof variables !== 'object' || variables === null) return null
  const optional = new Set(
    [...query.matchAll(DECLARED)].flatMap(([, name = '', type = '']) => (type.endsWith('!') ? [] : [name])),
  )
  const kept = Object.entries(variables).filter(([name]) => !optional.has(name))
  if (kept.length === Object.keys(variables).length) return null
  return { ...request, body: JSON.stringify({ ...whole, variables: Object.fromEntries(kept) }) }
}
