/**
 * Other ways to ask for an address that is refused: what guards it and what answers it may read one request differently. One decodes, folds
 * or cuts a path before the other does (CWE-289, CWE-178, CWE-647), takes another header for the path or the sender (CWE-290), or looks for
 * a public address anywhere in what was asked (OWASP WSTG-ATHZ-02).
 */
import type { HeaderPairs, HttpRequest } from '../../../../egress/door/egress.ts'

export interface Way {
  /** By which the cause of two findings is told apart. */
  readonly id: string
  /** Behind "asked": `with “/” behind it`. */
  readonly words: string
  readonly request: Pick<HttpRequest, 'url' | 'target' | 'headers'>
}

/** What the site shows to everybody, by which a guard may let others through. */
export interface Open {
  /** Paths that nobody is refused. */
  readonly paths: readonly string[]
  /** Ends of names of such files: `md`, `css`. */
  readonly extensions: readonly string[]
}

const MOST_NEAR = 3
const PUBLIC =
  /(?:^|\/)(?:log-?in|sign-?in|register|sign-?up|health|ping|status|version|public|static|assets|ip|docs)\b/i
const MOST_EXTENSIONS = 2

/** For one address, those that promise most first. Ids are the same for all addresses of a site. */
export const waysTo = (address: string, open: Open): readonly Way[] => [
  ...byPath(address),
  ...byEnding(address, open),
  ...byQuery(address, open),
  ...byHeader(address),
]

const byPath = (address: string): readonly Way[] => {
  const { pathname, search } = new URL(address)
  const segments = pathname.split('/').slice(1)
  const isFolder = segments.at(-1) === ''
  const last = isFolder ? segments.at(-2) : segments.at(-1)
  if (last === undefined || last === '') return []
  const way = (id: string, words: string, path: string): Way => ({
    ...{ id, words, request: { url: address, target: `${path}${search}` } },
  })
  const bare = isFolder ? pathname.slice(0, -1) : pathname
  const folder = bare.slice(0, -last.length)
  const other = last === last.toUpperCase() ? last.toLowerCase() : last.toUpperCase()
  const coded = `%${last.charCodeAt(0).toString(16).padStart(2, '0')}${last.slice(1)}`
  return [
    isFolder ? way('slash', 'without the “/” behind it', bare) : way('slash', 'with “/” behind it', `${bare}/`),
    ...(other === last ? [] : [way('case', 'in other case', `${folder}${other}${isFolder ? '/' : ''}`)]),
    way('slashes', 'with two slashes before it', `/${pathname}`),
    way('dot', 'with “/./” in its path', `/.${pathname}`),
    way('dot-coded', 'with “%2e/” in its path', `/%2e${pathname}`),
    way('dot-end', 'with “/.” behind it', `${bare}/.`),
    way('up', 'by way of a folder that is left again', `/x/..${pathname}`),
    way('parameter', 'with “;” behind a segment, where path parameters begin', `${bare};x=1${isFolder ? '/' : ''}`),
    way('parameter-up', 'with “..;/” in its path', `/x/..;${pathname}`),
    way('parameter-first', 'with “;/” before its path', `/;${pathname}`),
    ...(/^[\w-]/.test(last) ? [way('coded', 'with a coded letter', `${folder}${coded}${isFolder ? '/' : ''}`)] : []),
    ...(/^[\w-]/.test(last)
      ? [way('coded-twice', 'with a letter coded twice', `${folder}${coded.replace('%', '%25')}`)]
      : []),
    way('space', 'with a coded space behind it', `${bare}%20`),
    way('tab', 'with a coded tab behind it', `${bare}%09`),
    way('null', 'with a coded null byte behind it', `${bare}%00`),
  ]
}

/** A guard that goes by the end of a name lets through what another part of the server cuts there. */
const byEnding = (address: string, { extensions }: Open): readonly Way[] => {
  const { pathname, search } = new URL(address)
  if (pathname.endsWith('/')) return []
  const endings = [...new Set([...extensions.slice(0, MOST_EXTENSIONS), 'css'])]
  const way = (id: string, words: string, ending: string): Way => ({
    ...{ id, words, request: { url: address, target: `${pathname}${ending}${search}` } },
  })
  return endings.flatMap((one) => [
    way('null-ending', `with a null byte and “.${one}” behind it`, `%00.${one}`),
    way('null-ending-twice', `with a null byte that is coded twice and “.${one}” behind it`, `%2500.${one}`),
    way('ending-parameter', `with “;.${one}” behind it`, `;.${one}`),
    way('ending-below', `with “/x.${one}” behind it`, `/x.${one}`),
  ])
}

const byQuery = (address: string, { paths }: Open): readonly Way[] => {
  const { pathname, search } = new URL(address)
  const before = search === '' ? '?' : `${search}&`
  const way = (id: string, words: string, query: string): Way => ({
    ...{ id, words, request: { url: address, target: `${pathname}${before}${query}` } },
  })
  return [
    ...nearTo(pathname, paths).map((path) => way('query-path', `with the public ${path} in its query`, `x=${path}`)),
    way('query-ending', 'with “.css” at the end of its query', 'x=.css'),
    way(
      'query-role',
      'with parameters that say that it is an administrator',
      ROLE.map((one) => one.join('=')).join('&'),
    ),
  ]
}

/** Those that have most in common with the path, and one that is public by its name. */
const nearTo = (path: string, paths: readonly string[]): readonly string[] => {
  const inCommon = (other: string): number => {
    const [a, b] = [path.split('/'), other.split('/')]
    const apart = a.findIndex((segment, at) => segment !== b[at])
    return apart === -1 ? a.length : apart
  }
  const near = paths.toSorted((a, b) => inCommon(b) - inCommon(a)).slice(0, MOST_NEAR)
  return [...new Set([...near, ...paths.filter((one) => PUBLIC.test(one)).slice(0, 1)])]
}

const ROLE = [
  ['admin', 'true'],
  ['is_admin', '1'],
  ['role', 'admin'],
  ['debug', '1'],
  ['authenticated', 'true'],
] as const

/** Of who asks, as a proxy in front would say. */
const SENDER: HeaderPairs = [
  ['X-Forwarded-For', '127.0.0.1'],
  ['X-Real-IP', '127.0.0.1'],
  ['X-Client-IP', '127.0.0.1'],
  ['True-Client-IP', '127.0.0.1'],
  ['X-Originating-IP', '127.0.0.1'],
  ['Forwarded', 'for=127.0.0.1'],
]
const COOKIES = ['admin=true', 'is_admin=1', 'role=admin', 'authenticated=1', 'logged_in=true']

const byHeader = (address: string): readonly Way[] => {
  const { origin, pathname, search } = new URL(address)
  const way = (id: string, words: string, headers: HeaderPairs): Way => ({
    id,
    words,
    request: { url: address, headers },
  })
  const path = `${pathname}${search}`
  return [
    way('sender', 'with headers that say that it comes from the server itself', SENDER),
    way('referer', 'with itself as the page that leads there', [['Referer', address]]),
    way('cookies', 'with cookies that say that it is an administrator', [['Cookie', COOKIES.join('; ')]]),
    ...(pathname === '/'
      ? []
      : ['X-Original-URL', 'X-Rewrite-URL'].map(
          (name): Way => ({
            id: name.toLowerCase(),
            words: `at the root, with its path in ${name}`,
            request: { url: `${origin}/`, headers: [[name, path]] },
          }),
        )),
  ]
}

/** What several headers together were let through by, one at a time. */
export const singly = (way: Way): readonly Way[] => {
  const { headers = [] } = way.request
  if (way.id === 'cookies')
    return COOKIES.map((one) => ({
      ...{ id: way.id, words: `with the cookie ${one}`, request: { ...way.request, headers: [['Cookie', one]] } },
    }))
  if (way.id !== 'sender') return []
  return headers.map((one) => ({
    ...{ id: way.id, words: `with ${one.join(': ')}`, request: { ...way.request, headers: [one] } },
  }))
}
