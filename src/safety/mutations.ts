/**
 * What a GraphQL request is told to do: the fields at the root of its mutations name it, as the path of an address does elsewhere. Read
 * whatever the document is otherwise: what one parser refuses (see descriptions/graphql) another server may carry out.
 */
import { jsonTreeOf } from '../page/json.ts'

/** Characters of a document that are read. */
const LONGEST = 20_000
/** Texts and comments, whose words name nothing (GraphQL, 2.1.4 and 2.9.4). */
const UNSAID = /"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"|#[^\n]*/g

/** Name of a field, without its alias, or of one of its arguments. */
export interface Mutated {
  readonly kind: 'field' | 'argument'
  readonly name: string
}

/** Also of each request of a batch. */
export const mutationsIn = (body: string | null): readonly Mutated[] => {
  if (!body?.includes('mutation')) return []
  const whole = jsonTreeOf(body)
  return [whole].flat().flatMap((one) => {
    const document = typeof one === 'object' && one !== null && 'query' in one ? one.query : null
    return typeof document === 'string' ? rootsIn(document.slice(0, LONGEST).replace(UNSAID, ' ')) : []
  })
}

const rootsIn = (document: string): readonly Mutated[] => {
  const found: Mutated[] = []
  let [isMutation, braces, rounds] = [false, 0, 0]
  for (const { 0: token, index } of document.matchAll(/[A-Za-z_]\w*|[{}():@]|\.\.\./g)) {
    if (token === '(') rounds += 1
    else if (token === ')') rounds -= 1
    else if (rounds > 0) {
      if (isMutation && braces > 0 && isBefore(document, index, token)) found.push({ kind: 'argument', name: token })
    } else if (token === '{') braces += 1
    else if (token === '}') braces -= 1
    else if (braces === 0 && /^(?:query|mutation|subscription|fragment)$/.test(token)) isMutation = token === 'mutation'
    else if (isMutation && braces === 1 && /^\w/.test(token) && isField(document, index, token))
      found.push({ kind: 'field', name: token })
  }
  return found
}

/** A colon follows it. */
const isBefore = (document: string, at: number, name: string): boolean =>
  /^\w/.test(name) && /^\s*:/.test(document.slice(at + name.length))

/** Neither an alias, nor the name of a directive or a fragment. */
const isField = (document: string, at: number, name: string): boolean =>
  !isBefore(document, at, name) && !/(?:@|\.\.\.)\s*$/.test(document.slice(Math.max(0, at - 40), at))
