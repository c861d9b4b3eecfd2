/**
 * A session that goes on under other values: cookies that answers renew, tokens that they hand on in a header. Most servers take the former value
 * for a while, so the newest is taken at the next proof, and falls back where that fails. Where a server takes a value no more once it has
 * given the next, each is taken at once, and requests leave one after the other, as two at once would end each other.
 */
import { sleep } from '../contract/sleep.ts'
import type { HttpExchange } from '../egress/door/egress.ts'
import type { Ticket } from '../egress/door/session-gate.ts'
import { renewalIn } from './answers.ts'
import type { KeeperPorts } from './keeper.ts'
import type { Session } from './sign-in.ts'

const MOST_OFFERED = 3
/** Milliseconds for requests that are under way when a proof fails. */
const LANDING = 2_000

/** By the clock; after an answer to nobody; after one that took the session's cookie back. */
export type Why = 'due' | 'odd' | 'ended'

export interface Rotation {
  readonly current: () => Session
  /** Another session: nothing that the one before was offered counts. */
  readonly begun: (session: Session) => void
  /**
   * With the newest value first, as it lasts longer; after an answer to nobody with the former, to see whether it is taken still. `isReplaced`:
   * the former is not, and a newer one is.
   */
  readonly prove: (why: Why) => Promise<Awaited<ReturnType<KeeperPorts['prove']>> & { readonly isReplaced: boolean }>
  /** To somebody, as far as is known. */
  readonly answered: (exchange: HttpExchange, ticket: Ticket) => void
  /** Of a request that no gate was asked for: a proof. */
  readonly saw: (exchange: HttpExchange) => void
  /** Its answer was for a value that another has replaced since. */
  readonly isOvertaken: (ticket: Ticket) => boolean
  readonly mayLeave: () => boolean
  /** Waits until a request that is under way has come back. */
  readonly turn: () => Promise<void>
  /** One leaves: the number of the value that it carries. */
  readonly leaves: () => number
  /** One is back, or will not come. */
  readonly arrived: () => void
}

export const createRotation = (first: Session, { prove, become }: Pick<KeeperPorts, 'prove' | 'become'>): Rotation => {
  let current = first
  /** The newest first: one that was given to nobody must not hide one that serves. */
  let offered: readonly Session[] = []
  let version = 0
  /** A former value was taken no more: names of those that are taken at once. */
  const strict = new Set<string>()
  let names: readonly string[] = []
  const turns = createTurns()

  const take = (session: Session): void => {
    current = session
    version += 1
    become(session, strict.size > 0)
  }
  const offer = (exchange: HttpExchange, sets: ReadonlySet<string>): void => {
    const found = renewalIn(exchange, current, sets)
    if (found === null) return
    names = found.names
    if (names.some((name) => strict.has(name))) {
      take(found.session)
      return
    }
    offered = [found.session, ...offered].slice(0, MOST_OFFERED)
  }
  const proven: KeeperPorts['prove'] = async () => {
    const seen = await prove()
    if (seen.isSignedIn && seen.answer) offer(seen.answer, NOTHING)
    return seen
  }
  /**
   * A session that lies in its cookie holds what the next page tells once, "saved": the proof was told it, and was given a value without. Where
   * the former stayed, each page until the next proof would tell it again. Null where the proof was given no other, or one of nobody's.
   */
  const provenNext = async (): Promise<Awaited<ReturnType<KeeperPorts['prove']>> | null> => {
    const [next] = offered
    if (next === undefined) return null
    const former = current
    offered = []
    take(next)
    const seen = await proven()
    if (seen.isSignedIn !== false) return seen
    take(former)
    return null
  }
  /** Null: none of them is anybody's. */
  const provenOffered = async (): Promise<Awaited<ReturnType<KeeperPorts['prove']>> | null> => {
    const former = current
    const candidates = offered
    offered = []
    for (const one of candidates) {
      take(one)
      const seen = await proven()
      if (seen.isSignedIn) return (await provenNext()) ?? seen
      if (seen.isSignedIn !== false) return seen
    }
    if (candidates.length > 0) take(former)
    return null
  }

  return {
    current: () => current,
    begun: (session) => {
      offered = []
      take(session)
    },
    prove: async (why) => {
      if (strict.size > 0) await turns.landed()
      const newest = why === 'due' ? await provenOffered() : null
      const seen = newest ?? (await proven())
      if (seen.isSignedIn !== false) return { ...seen, isReplaced: false }
      const asked = version
      if (offered.length === 0) await turns.landed()
      const renewed = asked === version ? await provenOffered() : await proven()
      if (renewed?.isSignedIn && why !== 'ended') {
        for (const name of names) strict.add(name)
        const [next] = offered
        offered = []
        if (next !== undefined) take(next)
      }
      return { ...(renewed ?? seen), isReplaced: renewed?.isSignedIn === true }
    },
    saw: (exchange) => offer(exchange, NOTHING),
    answered: (exchange, ticket) => {
      if (ticket.version === version) offer(exchange, ticket.sets)
    },
    isOvertaken: (ticket) => ticket.version !== version,
    mayLeave: () => strict.size === 0 || turns.underWay() === 0,
    turn: turns.turn,
    leaves: () => {
      turns.leave()
      return version
    },
    arrived: turns.arrive,
  }
}
const NOTHING: ReadonlySet<string> = new Set()

/** Requests that are under way, and who waits for one to come back. */
const createTurns = () => {
  let underWay = 0
  let waiting: (() => void)[] = []
  const turn = (): Promise<void> => new Promise((resolve) => waiting.push(resolve))
  /** What is under way may bring the next value. */
  const landed = async (): Promise<void> => {
    for (const until = performance.now() + LANDING; underWay > 0 && performance.now() < until; )
      await Promise.race([turn(), sleep(LANDING)])
    await sleep(0)
  }
  return {
    turn,
    landed,
    underWay: () => underWay,
    leave: () => {
      underWay += 1
    },
    arrive: () => {
      underWay -= 1
      const now = waiting
      waiting = []
      for (const resolve of now) resolve()
    },
  }
}
