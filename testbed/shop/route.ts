import type { HeaderPairs } from '../headers.ts'
import type { Markup } from './html.ts'

/** One running shop: the flawed one or its fixed twin. */
export interface Shop {
  readonly host: string
  readonly fixed: boolean
  /** Authority for links to the shop over http and https, with a port where it is not the default. */
  readonly httpOrigin: string
  readonly httpsOrigin: string
  readonly carts: Carts
}

export interface Carts {
  /** Goods by slug; empty for an unknown session. */
  readonly read: (session: string | null) => ReadonlyMap<string, number>
  readonly add: (session: string, slug: string) => void
  readonly empty: (session: string) => void
}

export interface Ask {
  readonly method: string
  readonly url: URL
  readonly header: (name: string) => string | null
  readonly cookie: (name: string) => string | null
  readonly form: URLSearchParams
  readonly secure: boolean
  /** Fresh for each answer; names the scripts that the policy allows. */
  readonly nonce: string
  readonly shop: Shop
}

export interface Reply {
  readonly status?: number
  /** A page is framed by the layout and sent as HTML. */
  readonly page?: { readonly title: string; readonly body: Markup }
  readonly body?: string
  readonly type?: string
  readonly headers?: HeaderPairs
}

/** A route answers an address, or passes it on with null. */
export interface Route {
  /** Exact path, or a prefix when it ends in '/*'. */
  readonly path: string
  readonly answer: (ask: Ask) => Reply | null
}

export const matches = (route: Route, path: string): boolean =>
  route.path.endsWith('/*') ? path.startsWith(route.path.slice(0, -1)) : route.path === path

export const redirect = (location: string, headers: HeaderPairs = []): Reply => ({
  status: 303,
  body: '',
  type: 'text/plain; charset=utf-8',
  headers: [['Location', location], ...headers],
})
