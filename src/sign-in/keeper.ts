/**
 * Watches over the session of a run. It is proven every fifty requests and after an answer that looks as if nobody were signed in; where it is
 * lost, everybody waits while it is begun anew, and what was answered to nobody is sent again. Which address ended it is learned, and
 * that one is left alone from then on. What answers hand on in its place is taken (rotation.ts), and an end that is known is not waited for.
 */
import type { HeaderPairs, HttpExchange } from '../egress/door/egress.ts'
import type { Refused, SessionGate, Ticket } from '../egress/door/session-gate.ts'
import { oddnessOf, REPEATABLE } from './answers.ts'
import { SignInFailed } from './failure.ts'
import { createLifetime, renewedAt } from './lifetime.ts'
import { createRotation, type Why } from './rotation.ts'
import type { Session } from './sign-in.ts'
import { type Asked, createRhythm, createSuspects, introducedBy, introducing, keyOf } from './suspects.ts'
import { createUnproven } from './unproven.ts'

/** Times that a session is begun anew. */
export const MOST_RENEWALS = 5
/** Odd answers, by what was asked, that are remembered. */
const MOST_KNOWN = 2_000
/** Times in a row that one request waits for a session which is at its end when it has just been begun. */
const MOST_ENDS = 2

export interface KeeperPorts {
  /** Null: it cannot be begun anew, as nothing says how. @throws SignInFailed */
  readonly signIn: (() => Promise<Session>) | null
  /** Null: nothing was said of who asks. */
  readonly prove: () => Promise<{
    readonly isSignedIn: boolean | null
    readonly why: string
    readonly answer?: HttpExchange
  }>
  /** From now on requests carry it. `isPassing`: until the next answer, which ends it. */
  readonly become: (session: Session, isPassing?: boolean) => void
  /** Sends a GET with the session; what it answers does not count. */
  readonly ask: (url: string, headers?: HeaderPairs) => Promise<HttpExchange | null>
  /** Whether an address is one at which one signs in. */
  readonly isSignIn: (url: URL) => boolean
  /** What is known to end a session, of all who look in this run; what is found is added. None by default. */
  readonly ending?: Asked[]
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
  /** Requests of a module whose answers no proof has followed yet, and those that were refused for want of a session. */
  readonly unproven: (module: string) => { readonly answered: number; readonly refused: number }
  /** What was asked since the last proof of a session that is lost; nothing while there is one. */
  readonly doubtful: () => readonly Asked[]
  /** An answer to somebody that no gate was asked for. */
  readonly saw: (exchange: HttpExchange) => void
}

export const createKeeper = (first: Session, ports: KeeperPorts): Keeper => {
  const memory = createMemory(first, ports)
  const { now, rhythm, suspects, unproven, rotation } = memory
  const beginning = createBeginning(ports, memory)
  const { check, isOver } = createWatch(ports, memory, beginning)

  return {
    session: () => now.session,
    lost: () => now.lost,
    proofs: () => now.proofs,
    unproven: unproven.of,
    doubtful: () => (now.lost === null ? [] : unproven.all()),
    prove: async () => {
      await check(null, 'due')
      return now.lost === null
    },
    enter: async ({ url, method, module, sets }, signal): Promise<Refused | Ticket> => {
      for (let ends = 0; ; ) {
        signal.throwIfAborted()
        if (suspects.hasEnded(url, method))
          return { code: 'excluded', reason: 'it has ended the session of this run before' }
        const header = suspects.boundTo(sets)
        if (header !== null)
          return { code: 'excluded', reason: `the session of this run ends where another ${header} is said` }
        if (now.lost !== null) {
          unproven.refused(module)
          return { code: 'auth_lost', reason: now.lost }
        }
        if (now.work !== null) await now.work
        else if (isOver() && ends < MOST_ENDS) {
          ends += 1
          await beginning.alone(() => beginning.begin('it was at its end', false))
        } else if (rhythm.isDue()) await check(null, 'due')
        else if (rotation.mayLeave()) break
        else await rotation.turn()
      }
      rhythm.asked()
      return { session: now.session, module, sets, version: rotation.leaves() }
    },
    gone: rotation.arrived,
    saw: rotation.saw,
    left: async (exchange, ticket) => {
      const url = new URL(exchange.request.url)
      const { method } = exchange.request
      const asked = { method, href: url.href, brings: introducing(ticket.sets) }
      if (ticket.session === now.session) {
        suspects.asked(asked)
        unproven.answered(asked, ticket.module)
      }
      const oddness = oddnessOf(exchange, rotation.current(), ports.isSignIn)
      if (oddness === null && ticket.session === now.session) rotation.answered(exchange, ticket)
      // The next may leave, with what this one has brought.
      rotation.arrived()
      if (oddness === null) return false
      const mayRepeat = REPEATABLE.has(method) || exchange.status === 401
      if (ticket.session < now.session) return mayRepeat
      // It came too late for a value that was replaced while it was under way.
      if (rotation.isOvertaken(ticket)) return mayRepeat && oddness === 'odd'
      if (now.lost !== null || !isNews(memory.known, `${exchange.status} ${keyOf(method, url)}`)) return false
      // Who comes while it is proven is told by the proof under way.
      const isTold = oddness === 'replaces' || (oddness === 'ends' && REPEATABLE.has(method))
      await (now.work ?? check(isTold ? asked : null, oddness === 'odd' ? 'odd' : 'ended'))
      return mayRepeat && oddness === 'odd' && (ticket.session < now.session || rotation.isOvertaken(ticket))
    },
  }
}

interface Now {
  session: number
  lost: string | null
  proofs: number
  renewals: number
  /** The proof or sign-in under way. */
  work: Promise<void> | null
  /** Milliseconds since the epoch. */
  begunAt: number
  provenAt: number
}

/** What is known of the session of now. */
interface Memory {
  readonly now: Now
  readonly rhythm: ReturnType<typeof createRhythm>
  readonly suspects: ReturnType<typeof createSuspects>
  readonly unproven: ReturnType<typeof createUnproven>
  readonly lifetime: ReturnType<typeof createLifetime>
  readonly rotation: ReturnType<typeof createRotation>
  /** Odd answers that have been looked into. */
  readonly known: Set<string>
}

const createMemory = (first: Session, ports: KeeperPorts): Memory => {
  const [begunAt, provenAt] = [ports.clock(), ports.clock()]
  return {
    now: { ...{ session: 0, lost: null, proofs: 0, renewals: 0, work: null }, begunAt, provenAt },
    ...{ rhythm: createRhythm(), suspects: createSuspects(ports.ending ?? []), unproven: createUnproven() },
    lifetime: createLifetime(),
    ...{ rotation: createRotation(first, ports), known: new Set<string>() },
  }
}

/** Whether an odd answer has not been looked into yet; it is from now on. */
const isNews = (known: Set<string>, seen: string): boolean => {
  if (known.has(seen)) return false
  if (known.size < MOST_KNOWN) known.add(seen)
  return true
}

interface Beginning {
  /** One at a time: who comes meanwhile waits for it. */
  readonly alone: (what: () => Promise<void>) => Promise<void>
  /** `counts`: it is one of those that there may be so many of. */
  readonly begin: (why: string, counts: boolean) => Promise<void>
}

/** Begins a session anew, or says that it is lost. */
const createBeginning = (
  ports: KeeperPorts,
  { now, rhythm, suspects, unproven, rotation, known }: Memory,
): Beginning => {
  const lose = (reason: string): void => {
    now.lost = reason
    ports.told('session_lost', reason)
  }
  return {
    alone: (what) => {
      now.work ??= what().finally(() => {
        now.work = null
      })
      return now.work
    },
    begin: async (why, counts) => {
      if (ports.signIn === null) return lose(`the session was lost (${why}), and nothing says how to begin it anew`)
      if (counts && now.renewals >= MOST_RENEWALS)
        return lose(`the session was lost (${why}), and it was begun anew ${MOST_RENEWALS} times`)
      if (counts) now.renewals += 1
      try {
        rotation.begun(await ports.signIn())
        const { isSignedIn, why: still } = await rotation.prove('due')
        if (isSignedIn === false) throw new SignInFailed(`signed in anew, it is not proven: ${still}`)
        now.proofs += 1
        now.session += 1
        now.begunAt = ports.clock()
        now.provenAt = now.begunAt
        suspects.forget()
        unproven.begun()
        rhythm.proven()
        known.clear()
        ports.told('session_renewed', counts ? `${why}; ${now.renewals} of ${MOST_RENEWALS}` : why)
      } catch (error) {
        if (!(error instanceof SignInFailed)) throw error
        lose(`the session was lost (${why}), and signing in failed: ${error.message}`)
      }
    },
  }
}

/** The one whose answer was odd, and the one before it. */
const CERTAIN = 2

/** Proves the session, and finds out what ended it. */
const createWatch = (
  ports: KeeperPorts,
  { now, rhythm, suspects, unproven, lifetime, rotation }: Memory,
  { alone, begin }: Beginning,
) => {
  /** Asks once more, signed in: a session that dies of age must not cost an innocent page. */
  const tryOut = async (found: readonly Asked[]): Promise<void> => {
    for (const [at, one] of found.entries()) {
      if (now.lost !== null || !suspects.tries()) return
      const answer = await ports.ask(one.href)
      if (answer !== null) rotation.saw(answer)
      const { isSignedIn } = await rotation.prove('ended')
      if (isSignedIn !== false) {
        suspects.clear([one])
        continue
      }
      // Of a session that was asked for hardly anything else it is certain: left alone from now on, it ends none any more.
      if (at < CERTAIN) now.renewals -= 1
      return begin(`${accuse(one)} ended it`, false)
    }
  }

  /** A session that is bound to the browser it began in ends where a probe names another. What does so is not sent any more. */
  const tryIntroductions = async (found: ReadonlyMap<string, string>): Promise<boolean> => {
    for (const [name, href] of found) {
      if (now.lost !== null || !suspects.tries()) return false
      const answer = await ports.ask(href, [[name, introducedBy(name)]])
      if (answer !== null) rotation.saw(answer)
      const { isSignedIn } = await rotation.prove('ended')
      if (isSignedIn !== false) continue
      suspects.bind(name)
      rhythm.explained()
      ports.told('session_ended_by', `another ${name}`)
      now.renewals -= 1
      await begin(`another ${name} ended it`, false)
      return true
    }
    return false
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
  const check = (ender: Asked | null, proof: Why): Promise<void> =>
    alone(async () => {
      if (now.lost !== null) return
      const before = suspects.take()
      const mark = unproven.mark()
      rhythm.proven()
      const { isSignedIn, why, isReplaced } = await rotation.prove(proof)
      if (isSignedIn !== false) {
        // Without an answer nothing is proven.
        if (!isSignedIn) return suspects.giveBack(before)
        now.proofs += 1
        now.provenAt = ports.clock()
        // What took back one value of several ended that one.
        if (ender !== null && isReplaced && suspects.hasRoom()) accuse(ender)
        else suspects.clear(before)
        unproven.proven(mark)
        return
      }
      if (ender !== null && !REPEATABLE.has(ender.method) && suspects.hasRoom())
        return begin(`${accuse(ender)} ended it`, false)
      const found = suspects.of(ender, before)
      const introductions = suspects.introductions(before)
      rhythm.lost()
      const [proven, over] = [now.provenAt - now.begunAt, ports.clock() - now.begunAt]
      await begin(why, true)
      if (await tryIntroductions(introductions)) return
      const accused = suspects.accused()
      await tryOut(found)
      if (suspects.accused() === accused) lifetime.ended(proven, over)
    })

  /** When the session is begun anew before it ends, in milliseconds since the epoch; null where nobody knows its end. */
  const endsAt = (): number | null => {
    const { expiresAt } = rotation.current()
    const lasts = [
      ...(expiresAt === null ? [] : [expiresAt - now.begunAt]),
      ...[lifetime.lasts()].filter((one) => one !== null),
    ]
    return lasts.length === 0 ? null : now.begunAt + renewedAt(Math.min(...lasts))
  }
  const isOver = (): boolean => ports.signIn !== null && ports.clock() > (endsAt() ?? Number.POSITIVE_INFINITY)

  return { check, isOver }
}
