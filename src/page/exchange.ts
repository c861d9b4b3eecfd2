/** One exchange as text: the evidence that a finding points to, and the request that fetches a page. */
import type { HttpExchange, HttpRequest } from '../egress/door/egress.ts'

/** Characters of the body that evidence keeps. */
const EXCERPT = 16_384

const USUAL: readonly (readonly [string, string])[] = [
  ['Accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
  ['Accept-Language', 'en,*;q=0.5'],
]

/** Asks as a browser asks for a page; a language that is given takes the place of the usual one. */
export const pageRequest = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => {
  const given = more.headers ?? []
  const speaks = given.some(([name]) => name.toLowerCase() === 'accept-language')
  return { url, ...more, headers: [...USUAL.slice(0, speaks ? 1 : 2), ...given] }
}

/** First value of a header field, null where there is none. Name in lower case. */
export const headerOf = ({ headers }: Pick<HttpExchange, 'headers'>, name: string): string | null =>
  headers.find(([one]) => one.toLowerCase() === name)?.[1] ?? null

const withoutValue = (line: string): string => line.replace(/^([^=;]*)=[^;]*/, '$1=…')

/** Request head, response head and the beginning of the body, as they would look on the wire; cookies that are set without their values. */
export const exchangeText = (exchange: HttpExchange, body: string): string => {
  const { request } = exchange
  const url = new URL(request.url)
  const lines = [
    `# ${request.method} ${request.url}`,
    `# answered by ${exchange.address} port ${exchange.port} in ${Math.round(exchange.timing.total)} ms`,
    ...(exchange.certificateError === null ? [] : [`# certificate: ${exchange.certificateError}`]),
    '',
    `${request.method} ${url.pathname}${url.search} HTTP/1.1`,
    ...request.headers.map(([name, value]) => `${name}: ${value}`),
    '',
    `HTTP/${exchange.httpVersion} ${exchange.status} ${exchange.statusText}`,
    // What it gives a session is nobody's to read, and known to be secret only once it is used.
    ...exchange.headers.map(
      ([name, value]) => `${name}: ${name.toLowerCase() === 'set-cookie' ? withoutValue(value) : value}`,
    ),
    '',
    body.slice(0, EXCERPT),
  ]
  if (body.length > EXCERPT) lines.push('', `# ${body.length - EXCERPT} more characters are left out`)
  return lines.join('\n')
}
