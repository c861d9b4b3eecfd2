/** Cookies that the site has set, each with the addresses that it is sent to (RFC 6265, 5.1.4 and 5.4). */
import { parseSetCookie } from '../../../page/cookies/set-cookie.ts'

export interface Kept {
  readonly name: string
  readonly value: string
  /** Of the addresses that it is sent to. */
  readonly path: string
  /** A script has set it: whoever has the script has it, too. */
  readonly byScript?: true
  /** The program at that address sets it, one of few: it reads what it has written. */
  readonly own?: true
}

export interface Jar {
  /** Name to value, wherever they belong. */
  readonly all: ReadonlyMap<string, string>
  /** A Set-Cookie header of an answer from this address. */
  readonly set: (url: string, line: string) => void
  /** One that a script has set, for all addresses. */
  readonly keep: (name: string, value: string) => void
  /** Those of an address, of the longest path first, as browsers send them. */
  readonly at: (url: string) => readonly Kept[]
}

/** Browsers keep more for a host; a site of many pages may set one for each. */
const MOST = 1_000
/** So many are sent with one request. */
const MOST_SENT = 50
/** What more programs set is set for all of them, as a session is. */
const MOST_SETTING = 4

export const createJar = (): Jar => {
  const all = new Map<string, string>()
  const paths = new Map<string, string>()
  const byScripts = new Set<string>()
  const setting = new Map<string, Set<string>>()
  const put = (name: string, value: string, path: string): void => {
    if (!all.has(name) && all.size >= MOST) return
    const before = paths.get(name)
    // One of that name for several parts of the site is taken to belong to all of it.
    paths.set(name, before === undefined || before === path ? path : '/')
    all.set(name, value)
  }
  const isSetBy = (name: string, pathname: string): boolean => {
    const setters = setting.get(name)
    return setters !== undefined && setters.size <= MOST_SETTING && setters.has(pathname)
  }
  return {
    all,
    set: (url, line) => {
      const cookie = parseSetCookie(line)
      if (!cookie || cookie.name === '') return
      byScripts.delete(cookie.name)
      const setters = setting.get(cookie.name) ?? new Set<string>()
      if (setting.size < MOST || setting.has(cookie.name)) setting.set(cookie.name, setters)
      if (setters.size <= MOST_SETTING) setters.add(new URL(url).pathname)
      put(cookie.name, cookie.value, cookie.path ?? defaultPath(url))
    },
    keep: (name, value) => {
      if (all.has(name)) return
      byScripts.add(name)
      put(name, value, '/')
    },
    at: (url) => {
      const { pathname } = new URL(url)
      return [...all]
        .map(([name, value]) => ({
          ...{ name, value, path: paths.get(name) ?? '/' },
          ...(byScripts.has(name) ? { byScript: true as const } : {}),
          ...(isSetBy(name, pathname) ? { own: true as const } : {}),
        }))
        .filter(({ path }) => isWithin(pathname, path))
        .toSorted((a, b) => b.path.length - a.path.length)
        .slice(0, MOST_SENT)
    },
  }
}

const defaultPath = (url: string): string => {
  const { pathname } = new URL(url)
  return pathname.slice(0, Math.max(1, pathname.lastIndexOf('/')))
}

const isWithin = (pathname: string, path: string): boolean =>
  pathname === path || (pathname.startsWith(path) && (path.endsWith('/') || pathname[path.length] === '/'))
