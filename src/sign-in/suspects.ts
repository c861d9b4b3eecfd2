/** When a session is proven, and which of the requests since may have ended it. */
import { REPEATABLE } from './answers.ts'

/** Requests between two proofs. */
const EVERY = 50
/** After a loss that nothing explains, so that few addresses are suspected of the next. */
const CAREFUL = [10, 5] as const
/** Requests after which it is trusted again. */
const TRUSTED = 500
/** More that may have ended a session are not asked once more: the next loss will have fewer. */
const MOST_SUSPECTS = 10
/** Suspects of a run that are asked once more. */
const MOST_TRIALS = 40
/** Addresses that were found to end it: each has cost a session that does not count. */
const MOST_ENDING = 8
/** Addresses that are known not to end it, at most. */
const MOST_CLEARED = 50_000

export interface Asked {
  readonly method: string
  readonly href: string
  /** Of the headers that it brings, those by which servers know a browser again: see `introducing`. */
  readonly brings?: readonly string[]
}

/** Headers to which servers bind a session, in lower case, and another value that a browser may well send. */
const INTRODUCES: ReadonlyMap<string, string> = new Map([
  ['user-agent', 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'],
  ['x-forwarded-for', '198.51.100.7'],
  ['x-real-ip', '198.51.100.7'],
  ['client-ip', '198.51.100.7'],
])

/** Of the headers that a request brings, those by which servers know a browser again. */
export const introducing = (brings: ReadonlySet<string>): readonly string[] =>
  [...INTRODUCES.keys()].filter((name) => brings.has(name))

/** Another value of such a header. */
export const introducedBy = (name: string): string => INTRODUCES.get(name) ?? ''

/** When the next proof is due: sooner after losses that nothing explains. */
export const createRhythm = () => {
  /** Requests since the last proof, and since the last loss. */
  let count = 0
  let untroubled = 0
  /** Losses since one was last explained. */
  let unexplained = 0
  const every = (): number =>
    untroubled >= TRUSTED ? EVERY : (CAREFUL[Math.min(unexplained, CAREFUL.length) - 1] ?? EVERY)
  return {
    isDue: (): boolean => count >= every(),
    asked: (): void => {
      count += 1
      untroubled += 1
    },
    proven: (): void => {
      count = 0
    },
    lost: (): void => {
      unexplained += 1
      untroubled = 0
    },
    explained: (): void => {
      unexplained = 0
    },
  }
}

/**
 * What was asked since the last proof, and which addresses are known to end a session or not to.
 * @param ending those that are known already, and will be: what ended the session of one identity ends that of another.
 */
export const createSuspects = (ending: Asked[]) => {
  let since: Asked[] = []
  let trials = 0
  const cleared = new Set<string>()
  const bound = new Set<string>()
  const hasRoom = (): boolean => ending.length < MOST_ENDING
  return {
    asked: (one: Asked): void => {
      since.push(one)
    },
    /** What no proof has followed yet; a proof follows now. */
    take: (): readonly Asked[] => {
      const before = since
      since = []
      return before
    },
    /** The proof said nothing. */
    giveBack: (before: readonly Asked[]): void => {
      since = [...before, ...since].slice(-2 * EVERY)
    },
    forget: (): void => {
      since = []
    },
    clear: (some: readonly Asked[]): void => {
      for (const { href } of some) if (cleared.size < MOST_CLEARED) cleared.add(href)
    },
    /** What may have ended the session: `ender`, or the few that no proof has followed yet. */
    of: (ender: Asked | null, before: readonly Asked[]): readonly Asked[] => {
      const found = new Map(
        (ender === null ? [...before, ...since] : [ender]).flatMap((one) =>
          one.method === 'GET' && !cleared.has(one.href) ? [[one.href, one] as const] : [],
        ),
      )
      return found.size > MOST_SUSPECTS ? [] : [...found.values()].toReversed()
    },
    /** Headers that came with what may have ended the session, and an address that was asked with each. */
    introductions: (before: readonly Asked[]): ReadonlyMap<string, string> =>
      new Map([...before, ...since].flatMap(({ href, brings = [] }) => brings.map((name) => [name, href] as const))),
    /** The session ends where this header says something else; null where none of them is known to end it. */
    boundTo: (brings: ReadonlySet<string>): string | null =>
      introducing(brings).find((name) => bound.has(name)) ?? null,
    bind: (name: string): void => {
      bound.add(name)
    },
    /** Whether one more may be asked once more; counts it. */
    tries: (): boolean => {
      if (trials >= MOST_TRIALS || !hasRoom()) return false
      trials += 1
      return true
    },
    /** Whether one more may be found to end it. */
    hasRoom,
    /** How many were found to end it. */
    accused: (): number => ending.length,
    convict: (one: Asked): void => {
      ending.push(one)
    },
    /** What an act ended, its method ends again, and the page of its form does not. */
    hasEnded: (url: URL, method: string): boolean =>
      ending.some(
        (ender) => (REPEATABLE.has(ender.method) || ender.method === method) && isSame(new URL(ender.href), url),
      ),
  }
}

/** The same page, whatever else is said in the query or behind the name of its file; a token is another one in each session. */
const isSame = (ender: URL, url: URL): boolean =>
  (ender.pathname === url.pathname ||
    (IS_FILE.test(ender.pathname) && url.pathname.startsWith(`${ender.pathname}/`))) &&
  [...ender.searchParams].every(
    ([name, value]) =>
      url.searchParams.has(name) && (value.length >= TOKEN || url.searchParams.getAll(name).includes(value)),
  )
const TOKEN = 16
/** A program that is asked by its name is also asked with more behind it (`PATH_INFO`, RFC 3875, 4.1.5). */
const IS_FILE = /\.[a-z][a-z\d]{1,4}$/i

/** The address without the values of its query: by those it is the same page. */
export const keyOf = (method: string, { pathname, searchParams }: URL): string => {
  const names = [...new Set(searchParams.keys())].toSorted().join('&')
  return `${method} ${pathname}${names === '' ? '' : `?${names}`}`
}
