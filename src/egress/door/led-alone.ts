/** Addresses that another identity of the run alone is led to: what its pages show, and where its forms go, nobody else is answered. */
import type { HttpRequest } from './egress.ts'

export interface LedAlone {
  /** See `Egress.leads`. */
  readonly leads: (as: string, method: string, url: string) => void
  /** As whom this is asked; null where the address says nothing, or the request says it itself. */
  readonly askedAs: (request: Pick<HttpRequest, 'method' | 'url' | 'as' | 'authenticated'>) => string | null
  /** The same request, as that one. */
  readonly joined: (request: HttpRequest) => HttpRequest
}

const MOST = 5_000

export const createLedAlone = (isOwn: (url: URL) => boolean): LedAlone => {
  const led = new Map<string, { readonly as: string; readonly chosen: readonly (readonly [string, string])[] }[]>()
  let count = 0
  const askedAs: LedAlone['askedAs'] = ({ method = 'GET', url: address, as, authenticated }) => {
    if (count === 0 || as !== undefined || authenticated === false) return null
    const url = URL.parse(address)
    const known = url === null ? undefined : led.get(keyOf(method, url))
    const found = known?.find(({ chosen }) => chosen.every(([name, value]) => url?.searchParams.get(name) === value))
    return found?.as ?? null
  }
  return {
    leads: (as, method, address) => {
      const url = URL.parse(address)
      if (url === null || !isOwn(url) || count >= MOST) return
      const key = keyOf(method, url)
      count += 1
      led.set(key, [...(led.get(key) ?? []), { as, chosen: [...url.searchParams] }])
    },
    askedAs,
    joined: (request) => {
      const as = askedAs(request)
      return as === null ? request : { ...request, as }
    },
  }
}

const keyOf = (method: string, { origin, pathname }: URL): string =>
  `${method.toUpperCase().replace('HEAD', 'GET')} ${origin}${pathname}`
