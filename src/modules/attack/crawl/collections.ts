/**
 * Collections of an interface: what an address hands out as data by GET, it keeps when JSON is posted there (RFC 9110, 9.3.3: "appending data to
 * a resource's existing representations"). Of a production system such a request of a script is not tried with made-up values.
 */
import { isGraphqlQuery } from '../../../safety/effect.ts'
import type { CrawledUrl, RequestTemplate } from './facts.ts'

const pathOf = (address: string): string => {
  const { origin, pathname } = new URL(address)
  return `${origin}${pathname.replace(/\/$/, '')}`
}

/** Whether one of these, which nobody has sent, would add to what its own address hands out. */
export const createAdding = (
  requests: readonly Pick<RequestTemplate, 'method' | 'url' | 'source' | 'sent'>[],
  urls: readonly Pick<CrawledUrl, 'url' | 'status' | 'contentType'>[],
): ((request: Pick<RequestTemplate, 'method' | 'url' | 'source' | 'encoding' | 'body'>) => boolean) => {
  const data = new Set([
    ...urls.flatMap(({ url, status, contentType }) =>
      status === 200 && /\bjson\b/i.test(contentType) ? [pathOf(url)] : [],
    ),
    ...requests.flatMap(({ method, url, source, sent }) =>
      method === 'GET' && sent && source === 'browser' ? [pathOf(url)] : [],
    ),
  ])
  return (request) =>
    request.method === 'POST' &&
    request.source === 'script' &&
    request.encoding === 'json' &&
    !isGraphqlQuery(request) &&
    data.has(pathOf(request.url))
}
