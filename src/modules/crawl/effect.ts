/** What a request does to the site: reads it, or writes something to it. */
import type { RequestTemplate } from './facts.ts'

const READING = /(?:^|[/_.-])(?:search|find|filter|lookup|query|list|suche|recherche|buscar)(?:$|[/_.?-])/i

/** A SOAP operation by its name. */
const READING_OPERATION =
  /<(?:[\w.-]+:)?Body>\s*<(?:[\w.-]+:)?(?:get|find|search|list|look[-_]?up|query|read|count|check)/i

/** By the method's own meaning (RFC 9110, 9.2.1); a search that is posted reads, too, and so does a GraphQL query. */
export const effectOf = ({
  method,
  url,
  encoding,
  body,
}: Pick<RequestTemplate, 'method' | 'url' | 'encoding' | 'body'>): 'reads' | 'writes' => {
  if (['GET', 'HEAD', 'OPTIONS'].includes(method)) return 'reads'
  if (READING.test(new URL(url).pathname)) return 'reads'
  if (encoding === 'xml' && READING_OPERATION.test(body ?? '')) return 'reads'
  return encoding === 'json' && /"query"\s*:\s*"\s*(?:query\b|\{)/.test(body ?? '') ? 'reads' : 'writes'
}
