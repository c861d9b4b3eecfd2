/** Cookies without which an address shows nothing: a basket, the step of a form in several, which pages of the site have begun. */
import { mergeCookies } from './credentials.ts'
import type { HttpRequest } from './egress.ts'

export interface Besides {
  /** From now on requests to this address, whatever its query, bring them. `cookies`: as the header has them. */
  readonly carry: (url: string, cookies: string) => void
  /** The request with what its address wants; what it has itself of that name holds, and whoever asks as nobody or as another brings nothing. */
  readonly joined: (request: HttpRequest) => HttpRequest
}

const MOST = 200

export const createBesides = (isOwn: (url: URL) => boolean): Besides => {
  const wanted = new Map<string, string>()
  return {
    carry: (address, cookies) => {
      const url = URL.parse(address)
      if (url !== null && isOwn(url) && (wanted.size < MOST || wanted.has(keyOf(url)))) wanted.set(keyOf(url), cookies)
    },
    joined: (request) => {
      if (wanted.size === 0 || request.authenticated === false || request.as != null) return request
      const url = URL.parse(request.url)
      const cookies = url === null ? undefined : wanted.get(keyOf(url))
      if (cookies === undefined) return request
      const headers = request.headers ?? []
      const at = headers.findIndex(([name]) => name.toLowerCase() === 'cookie')
      const cookie = mergeCookies(cookies, headers[at]?.[1] ?? '')
      return {
        ...request,
        headers: at < 0 ? [...headers, ['Cookie', cookie]] : headers.with(at, ['Cookie', cookie]),
      }
    },
  }
}

const keyOf = ({ origin, pathname }: URL): string => `${origin}${pathname}`
