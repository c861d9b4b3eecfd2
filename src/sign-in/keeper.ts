/**
 * Watches over the session of a run. It is proven every fifty requests and after an answer that looks as if nobody were signed in; where it is
 * lost, everybody waits while it is begun anew, and what was answered to nobody is sent again. Which address ended it is learned, and
 * that one is left alone from then on.
 */
import type { HttpExchange } from '../egress/door/egress.ts'
import type { Refused, SessionGate, Ticket } from '../egress/door/session-gate.ts'
import { headerOf } from '../page/exchange.ts'
import { SignInFailed } from './failure.ts'
import type { Session } from './sign-in.ts'

/** Requests between two proofs. */
const EVERY = 50
/** After a loss that nothing explains, so that few addresses are suspected of the next. */
const CAREFUL = [10, 5] as const
/** Requests after which it is trusted again. */
const TRUSTED = 500
/** Times that a session is begun anew. */
export const MOST_RENEWALS = 5
/** Milliseconds before its end at which a token is renewed. */
const AHEAD = 10_000
/** Odd answers, by what was asked, that are remembered. */
const MOST_KNOWN = 2_000
/** More that may have ended a session are not asked once more: the next loss will have fewer. */
const MOST_SUSPECTS = 10
/** Suspects of a run that are asked once more. */
const MOST_TRIALS = 40
/** Addresses that were found to end it: each has cost a session that does not count. */
const MOST_ENDING = 5
/** Addresses that are known not to end it, at most. */
const MOST_CLEARED = 50_000

export interface KeeperPorts {
  /** Null: it cannot be begun anew, as nothing says how. @throws SignInFailed */
  readonly signIn: (() => Promise<Session>) | null
  /** Null: nothing was said of who asks. */
  readonly prove: () => Promise<{ readonly isSignedIn: boolean | null; readonly why: string }>
  /** From now on requests carry it. */
  readonly become: (session: Session) => void
  /** Sends a GET with the session; what it answers does not count. */
  readonly ask: (url: string) => Promise<void>
  /** Whether an address is one at which one signs in. */
  readonly isSignIn: (url: URL) => boolean
  /** What people should know, for the audit log. */
  readonly told: (event: 'session_lost' | 'session_renewed' | 'session_ended_by', detail: string) => void
  /** Milliseconds since the epoch. */
  readonly clock: () => number
}

export interface Keeper extends SessionGate {
  /** Counts the sessions. */
  readonly session: () => number
  /** Null while there is one; else why there is none any more. */
  readonly lost: () => string | null
  /** How often it was proven. */
  readonly proofs: () => number
  /** Proves it now, and begins it anew where it has to. False once it is lost. */
  readonly prove: () => Promise<boolean>
}

interface Asked {
  readonly method: string
  readonly href: string
}

export const createKeeper = (first: Session, ports: KeeperPorts): Keeper => {
  const memory: Memory = { rhythm: createRhythm(), suspects: createSuspects(), known: new Set() }
  const { rhythm, suspects } = memory
  const { now, alone, begin, check } = createWatch(first, ports, memory)
  const isOver = (): boolean => now.current.expiresAt !== null && ports.clock() > now.current.expiresAt - AHEAD

  return {
    session: () => now.session,
    lost: () => now.lost,
    proofs: () => now.proofs,
    prove: async () => {
      await check(null)
      return now.lost === null
    },
    enter: async ({ url, method }, signal): Promise<Refused | Ticket> => {
      for (;;) {
        signal.throwIfAborted()
        if (suspects.hasEnded(url, method))
          return { code: 'excluded', reason: 'it has ended the session of this run before' }
        if (now.lost !== null) return { code: 'auth_lost', reason: now.lost }
        if (now.work !== null) await now.work
        else if (isOver() && ports.signIn !== null) await alone(() => begin('its token was at its end', false))
        else if (rhythm.isDue()) await check(null)
        else break
      }
      rhythm.asked()
      return { session: now.session }
    },
    left: async (exchange, ticket) => {
      const url = new URL(exchange.request.url)
      const { method } = exchange.request
      if (ticket.session === now.session) suspects.asked({ method, href: url.href })
      const oddness = oddnessOf(exchange, now.current, ports.isSignIn)
      if (oddness === null) return false
      const mayRepeat = REPEATABLE.has(method) || exchange.status === 401
      if (ticket.session < now.session) return mayRepeat
      if (now.lost !== null || !isNews(memory.known, `${exchange.status} ${keyOf(method, url)}`)) return false
      // Who comes while it is proven is told by the proof under way.
      const isTold = oddness === 'replaces' || (oddness === 'ends' && REPEATABLE.has(method))
      await (now.work ?? check(isTold ? { method, href: url.href } : null))
      return mayRepeat && oddness === 'odd' && ticket.session < now.session
    },
  }
}

/** What is known of the session of now. */
interface Memory {
  readonly rhythm: ReturnType<typeof createRhythm>
  readonly suspects: ReturnType<typeof createSuspects>
  /** Odd answers that have been looked into. */
  readonly known: Set<string>
}

/** Whether an odd answer has not been looked into yet; it is from now on. */
const isNews = (known: Set<string>, seen: string): boolean => {
  if (known.has(seen)) return false
  if (known.size < MOST_KNOWN) known.add(seen)
  return true
}

interface Now {
  session: number
  current: Session
  lost: string | null
  proofs: number
  /** The proof or sign-in under way. */
  work: Promise<void> | null
}

/** Proves the session, begins it anew, and finds out what ended it. */
const createWatch = (first: Session, ports: KeeperPorts, { rhythm, suspects, known }: Memory) => {
  const now: Now = { session: 0, current: first, lost: null, proofs: 0, work: null }
  let renewals = 0

  /** One at a time: who comes meanwhile waits for it. */
  const alone = (what: () => Promise<void>): Promise<void> => {
    now.work ??= what().finally(() => {
      now.work = null
    })
    return now.work
  }

  const lose = (reason: string): void => {
    now.lost = reason
    ports.told('session_lost', reason)
  }

  const begin = async (why: string, counts: boolean): Promise<void> => {
    if (ports.signIn === null) return lose(`the session was lost (${why}), and nothing says how to begin it anew`)
    if (counts && renewals >= MOST_RENEWALS)
      return lose(`the session was lost (${why}), and it was begun anew ${MOST_RENEWALS} times`)
    if (counts) renewals += 1
    try {
      now.current = await ports.signIn()
      ports.become(now.current)
      const { isSignedIn, why: still } = await ports.prove()
      if (isSignedIn === false) throw new SignInFailed(`signed in anew, it is not proven: ${still}`)
      now.proofs += 1
      now.session += 1
      suspects.forget()
      rhythm.proven()
      known.clear()
      ports.told('session_renewed', counts ? `${why}; ${renewals} of ${MOST_RENEWALS}` : why)
    } catch (error) {
      if (!(error instanceof SignInFailed)) throw error
      lose(`the session was lost (${why}), and signing in failed: ${error.message}`)
    }
  }

  /** Asks once more, signed in: a session that dies of age must not cost an innocent page. */
  const tryOut = async (found: readonly Asked[]): Promise<void> => {
    for (const one of found) {
      if (now.lost !== null || !suspects.tries()) return
      await ports.ask(one.href)
      const { isSignedIn } = await ports.prove()
      if (isSignedIn !== false) {
        suspects.clear([one])
        continue
      }
      return begin(`${accuse(one)} ended it`, false)
    }
  }

  /** From now on it is left alone. What it is called. */
  const accuse = (one: Asked): string => {
    const name = `${one.method} ${new URL(one.href).pathname}`
    suspects.convict(one)
    rhythm.explained()
    ports.told('session_ended_by', name)
    return name
  }

  /**
   * `ender`: what was asked when the session's cookie was taken back; of an act only where it signs in and gave another one, as
   * many servers take back the cookie of a session that has long been over.
   */
  const check = (ender: Asked | null): Promise<void> =>
    alone(async () => {
      if (now.lost !== null) return
      const before = suspects.take()
      rhythm.proven()
      const { isSignedIn, why } = await ports.prove()
      if (isSignedIn !== false) {
        // Without an answer nothing is proven.
        if (isSignedIn) now.proofs += 1
        if (isSignedIn) suspects.clear(before)
        else suspects.giveBack(before)
        return
      }
      if (ender !== null && !REPEATABLE.has(ender.method) && suspects.hasRoom())
        return begin(`${accuse(ender)} ended it`, false)
      const found = suspects.of(ender, before)
      rhythm.lost()
      await begin(why, true)
      await tryOut(found)
    })

  return { now: now as Readonly<Now>, alone, begin, check }
}

/** When the next proof is due: sooner after losses that nothing explains. */
const createRhythm = () => {
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

/** What was asked since the last proof, and which addresses are known to end a session or not to. */
const createSuspects = () => {
  let since: Asked[] = []
  let trials = 0
  const ending: Asked[] = []
  const cleared = new Set<string>()
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
    /** Whether one more may be asked once more; counts it. */
    tries: (): boolean => {
      if (trials >= MOST_TRIALS || !hasRoom()) return false
      trials += 1
      return true
    },
    /** Whether one more may be found to end it. */
    hasRoom,
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

/** May be sent twice. Others only where the answer says that nothing was done (RFC 9110, 15.5.2). */
const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** The address without the values of its query: by those it is the same page. */
const keyOf = (method: string, { pathname, searchParams }: URL): string => {
  const names = [...new Set(searchParams.keys())].toSorted().join('&')
  return `${method} ${pathname}${names === '' ? '' : `?${names}`}`
}

/** The same page, whatever else is said in the query; a token in it is another one in each session. */
const isSame = (ender: URL, url: URL): boolean =>
  ender.pathname === url.pathname &&
  [...ender.searchParams].every(
    ([name, value]) =>
      url.searchParams.has(name) && (value.length >= TOKEN || url.searchParams.getAll(name).includes(value)),
  )
const TOKEN = 16

/** 419 and 440 are what frameworks say of a session that is over. */
const ODD: ReadonlySet<number> = new Set([401, 403, 407, 419, 440])

/**
 * Null: as it is answered to somebody. 'ends': the answer takes the session's cookie back. 'replaces': what was sent signs in, and
 * the answer gives the cookie another value, as to somebody else.
 */
export const oddnessOf = (
  exchange: Pick<HttpExchange, 'status' | 'headers' | 'request'>,
  { cookie }: Pick<Session, 'cookie'>,
  isSignIn: (url: URL) => boolean,
): 'odd' | 'ends' | 'replaces' | null => {
  const { method, url } = exchange.request
  const acts = !REPEATABLE.has(method) && isSignIn(new URL(url))
  const own = new Map((cookie ?? '').split(';').map((pair) => splitPair(pair)))
  for (const [name, line] of exchange.headers) {
    if (name.toLowerCase() !== 'set-cookie') continue
    const [key, value] = splitPair(line.split(';')[0] ?? '')
    if (!own.has(key)) continue
    if (value === '' || /;\s*max-age=(?:0|-\d+)\s*(?:;|$)/i.test(line) || isPast(line)) return 'ends'
    if (value !== own.get(key) && acts) return 'replaces'
  }
  if (ODD.has(exchange.status)) return 'odd'
  const location = exchange.status >= 300 && exchange.status < 400 ? headerOf(exchange, 'location') : null
  const to = location === null ? null : URL.parse(location, exchange.request.url)
  return to !== null && isSignIn(to) ? 'odd' : null
}

const splitPair = (pair: string): readonly [string, string] => {
  const at = pair.indexOf('=')
  return at < 0 ? [pair.trim(), ''] : [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
}

const isPast = (line: string): boolean => {
  const expires = Date.parse(/;\s*expires=([^;]+)/i.exec(line)?.[1] ?? '')
  return !Number.isNaN(expires) && expires < Date.now()
}
