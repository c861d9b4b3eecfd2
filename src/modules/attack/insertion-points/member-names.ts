/** Names of members in bodies of JSON that a program may look for something by: `{"filters": {"lane": "A"}}`. */
import { jsonOf } from '../../../page/json.ts'

const WORD = /^[a-z][\w.-]{1,60}$/i
/** Below this depth a body is data. */
const DEEPEST = 4

/**
 * JSON Pointer and name of each that stands within an object of the body, in its order; of an object without members the pointer of one without a name.
 * Members of the body itself are what the program has bound, and a document of GraphQL declares its variables.
 */
export const namesWithin = (body: string): readonly (readonly [pointer: string, name: string])[] => {
  const root = jsonOf(body)
  if (!isObject(root) || 'jsonrpc' in root || isGraphql(root)) return []
  const visit = (value: unknown, pointer: string, depth: number): readonly (readonly [string, string])[] => {
    if (depth > DEEPEST) return []
    if (Array.isArray(value)) return value.slice(0, 1).flatMap((one) => visit(one, `${pointer}/0`, depth + 1))
    if (!isObject(value)) return []
    const members = Object.entries(value)
    if (members.length === 0) return depth === 0 ? [] : [[`${pointer}/`, '']]
    return members.flatMap(([name, inner]) => {
      const at = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
      const isName = depth > 0 && WORD.test(name) && !isObject(inner) && !Array.isArray(inner)
      return [...(isName ? [[at, name] as const] : []), ...visit(inner, at, depth + 1)]
    })
  }
  return visit(root, '', 0)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isGraphql = ({ query }: Record<string, unknown>): boolean => typeof query === 'string' && /\{[^}]*\w/.test(query)
