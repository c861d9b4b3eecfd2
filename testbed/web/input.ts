/** Reads the one input of a case out of a request, wherever it stands. */
import type { IncomingMessage } from 'node:http'
import { nameOf, type Raw } from './case.ts'
import type { Place } from './place.ts'

const MOST = 65_536

export interface Input {
  readonly value: string
  readonly raw: Raw
}

export const readInput = async (request: IncomingMessage, place: Place): Promise<Input> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += (chunk as Buffer).length
    if (size > MOST) throw new Error('the body is too long')
    chunks.push(chunk as Buffer)
  }
  const body = Buffer.concat(chunks).toString()
  const url = new URL(request.url ?? '/', 'http://testbed')
  return { value: valueIn(request, place, url, body), raw: { search: url.search.slice(1), body } }
}

const valueIn = (request: IncomingMessage, place: Place, url: URL, body: string): string => {
  const name = nameOf(place)
  switch (place) {
    case 'query':
      return url.searchParams.get(name) ?? ''
    case 'form':
      return new URLSearchParams(body).get(name) ?? ''
    case 'multipart':
      return /name="q"\r\n\r\n([\s\S]*?)\r\n--/.exec(body)?.[1] ?? ''
    case 'json':
      if (body === '') return ''
      return String((JSON.parse(body) as { item: { q: unknown } }).item.q)
    case 'xml':
      return unescapeXml(/<q>([\s\S]*?)<\/q>/.exec(body)?.[1] ?? '')
    case 'path':
      return decodeURIComponent(url.pathname.split('/')[Number(name) + 1] ?? '')
    case 'cookie':
      return decodeURIComponent(/(?:^|;\s*)q=([^;]*)/.exec(request.headers.cookie ?? '')?.[1] ?? '')
    case 'header':
      return request.headers.referer ?? ''
  }
}

export const unescapeXml = (text: string): string =>
  text.replace(
    /&(lt|gt|quot|apos|amp);/g,
    (_, name: string) => ({ lt: '<', gt: '>', quot: '"', apos: "'" })[name] ?? '&',
  )
