/** What a request does to the site: reads it, or writes something to it. */
import type { RequestTemplate } from '../modules/attack/crawl/facts.ts'
import { ROUTING, wordsOf } from './words.ts'

const READING = /(?:^|[/_.-])(?:search|find|filter|lookup|query|list|suche|recherche|buscar)(?:$|[/_.?-])/i

/** A SOAP operation by its name. */
const READING_OPERATION =
  /<(?:[\w.-]+:)?Body>\s*<(?:[\w.-]+:)?(?:get|find|search|list|look[-_]?up|query|read|count|check)/i

/** By what its form says, then by the method's own meaning (RFC 9110, 9.2.1); a search that is posted reads, too, and so does a GraphQL query. */
export const effectOf = ({
  method,
  url,
  encoding,
  body,
  effect,
}: Pick<RequestTemplate, 'method' | 'url' | 'encoding' | 'body' | 'effect'>): 'reads' | 'writes' => {
  if (effect !== undefined) return effect
  if (['GET', 'HEAD', 'OPTIONS'].includes(method)) return 'reads'
  if (READING.test(new URL(url).pathname)) return 'reads'
  if (encoding === 'xml' && READING_OPERATION.test(body ?? '')) return 'reads'
  return encoding === 'json' && /"query"\s*:\s*"\s*(?:query\b|\{)/.test(body ?? '') ? 'reads' : 'writes'
}

/** What keeps, where it stands for what a place does: the name of a file that is handed to it may be one that it writes. */
const KEEPS: ReadonlySet<string> = new Set(
  'upload export save saveas backup dump write log logfile outfile output dest destination targetfile store append touch rename move copy'.split(
    ' ',
  ),
)

/**
 * Whether a value of this place may become the name of a file that is written, emptied, renamed or deleted. Such a place gets
 * no value that names a file which exists.
 */
export const mayWriteFiles = (
  { effect, url }: { readonly effect: 'reads' | 'writes'; readonly url: string },
  name: string,
): boolean => {
  if (effect === 'writes') return true
  const { pathname, searchParams } = new URL(url)
  const routes = [...searchParams].flatMap(([route, value]) => (ROUTING.test(route) ? [value] : []))
  return [name, ...pathname.split('/').slice(-2), ...routes].some((text) =>
    wordsOf(text).some((word) => KEEPS.has(word)),
  )
}
