/**
 * Whether the run's credentials work: a page that differs with and without them is the canary, asked for again every
 * minute. What was fetched since the last proof is doubtful once it is lost.
 */
import { targetFailure } from '../../../egress/door/target-failure.ts'
import { pageRequest } from '../../../page/exchange.ts'
import { likeness } from '../../../page/similarity.ts'
import { isAlike, type Look, lookOf, type Seen, sameHead, telling } from '../../../page/who-sees.ts'
import type { CollectContext, RunSession } from '../../module.ts'
import type { SiteFacts } from '../../passive/site/facts.ts'
import type { SessionFacts } from './facts.ts'

/** Milliseconds between two proofs. */
const EVERY = 60_000
const MAX_CANDIDATES = 6
/** Two loads of one page by one person are at least this alike, or the page is no canary. */
const STABLE = 0.9
const DIFFERENT = 0.85

export interface Session {
  /** Proves it again when a minute has passed. False once it is lost. */
  readonly alive: () => Promise<boolean>
  /** Proves it now. */
  readonly prove: () => Promise<boolean>
  /**
   * Where no page of the start differed: looks among what was met since, the most telling first. Applications of one page show
   * strangers the same document, and only what their scripts ask for tells who asks.
   */
  readonly seek: (urls: readonly string[]) => Promise<void>
  readonly fetched: (url: string) => void
  /** Of those, what was answered under a session that another has replaced since: to be asked again. Each once. */
  readonly again: () => readonly string[]
  readonly facts: () => SessionFacts
}

export const openSession = async (ctx: CollectContext, site: SiteFacts): Promise<Session> =>
  ctx.session === undefined ? ownSession(ctx, site) : watchedSession(ctx.session)

/** Proven for the whole run by who signed in. What was fetched under a session that is over may have been shown to nobody. */
const watchedSession = (watched: RunSession): Session => {
  let under = watched.session()
  let proofs = watched.proofs()
  let since: string[] = []
  const settle = (): readonly string[] => {
    const doubtful = watched.session() === under ? [] : since
    if (watched.session() !== under || watched.proofs() !== proofs) since = []
    under = watched.session()
    proofs = watched.proofs()
    return doubtful
  }
  return {
    prove: watched.prove,
    alive: async () => watched.lost() === null,
    seek: async () => undefined,
    fetched: (url) => {
      if (since.length < MOST_DOUBTFUL) since.push(url)
    },
    again: settle,
    facts: () => ({
      state: watched.lost() === null ? 'live' : 'lost',
      canary: watched.proofAt,
      ...{ withThem: 'the proof of the identity', withoutThem: null, proofs: watched.proofs() },
      doubtful: watched.lost() === null ? [] : since,
    }),
  }
}
const MOST_DOUBTFUL = 500

const ownSession = async (ctx: CollectContext, site: SiteFacts): Promise<Session> => {
  let canary = ctx.hasCredentials ? await findCanary(ctx, [site.baseUrl, ...site.pages.map(({ url }) => url)]) : null
  let state: SessionFacts['state'] = !ctx.hasCredentials ? 'none' : canary === null ? 'unproven' : 'live'
  let proofs = canary === null ? 0 : 1
  let provenAt = performance.now()
  let since: string[] = []

  const prove = async (): Promise<boolean> => {
    if (canary === null || state === 'lost') return state !== 'lost'
    const now = await look(ctx, canary.url, true)
    // No answer says nothing about the session; the next proof will.
    if (now === null) return true
    const { seenBy } = canary
    if (seenBy(now) !== 'ours') {
      // An error, a limit or a page that has changed altogether is nobody's: what a stranger sees there now tells.
      const [again, stranger] = [await look(ctx, canary.url, true), await look(ctx, canary.url, false)]
      if (again === null || stranger === null || again.status >= 500 || again.status === 429) return true
      const who = seenBy(again)
      if (who === 'theirs' || (who === 'neither' && isAlike(again, stranger))) {
        state = 'lost'
        return false
      }
    }
    proofs += 1
    provenAt = performance.now()
    since = []
    return true
  }

  return {
    prove,
    seek: async (urls) => {
      if (state !== 'unproven') return
      canary = await findCanary(ctx, urls)
      if (canary === null) return
      state = 'live'
      proofs = 1
      provenAt = performance.now()
    },
    alive: async () => (state === 'live' && performance.now() - provenAt > EVERY ? prove() : state !== 'lost'),
    fetched: (url) => {
      if (state !== 'none' && since.length < MOST_DOUBTFUL) since.push(url)
    },
    // Nobody begins this one anew.
    again: () => [],
    facts: () => ({
      state,
      canary: canary?.url ?? null,
      withThem: canary ? describe(canary.withThem) : null,
      withoutThem: canary ? describe(canary.withoutThem) : null,
      proofs,
      doubtful: state === 'lost' ? since : [],
    }),
  }
}

interface Canary {
  readonly url: string
  readonly withThem: Look
  readonly withoutThem: Look
  readonly seenBy: (seen: Look) => Seen
}

/** Pages behind a login first: they differ most. */
const PRIVATE = /account|profile|dashboard|konto|settings|orders|admin|me$|mein/i

const findCanary = async (ctx: CollectContext, urls: readonly string[]): Promise<Canary | null> => {
  const ranked = [...new Set(urls)].toSorted((a, b) => Number(PRIVATE.test(b)) - Number(PRIVATE.test(a)))
  for (const url of ranked.slice(0, MAX_CANDIDATES)) {
    const [first, without, second] = [
      await look(ctx, url, true),
      await look(ctx, url, false),
      await look(ctx, url, true),
    ]
    if (first === null || without === null || second === null || first.status >= 400) continue
    const stable = sameHead(first, second) && likeness(first.text, second.text) >= STABLE
    const differs = !sameHead(first, without) || likeness(first.text, without.text) < DIFFERENT
    if (stable && differs) {
      const seenBy = telling([first, second], [without])
      return { url, withThem: first, withoutThem: without, seenBy }
    }
  }
  return null
}

const look = async (ctx: CollectContext, url: string, authenticated: boolean): Promise<Look | null> => {
  try {
    return lookOf(await ctx.egress.http(pageRequest(url, { authenticated })))
  } catch (error) {
    if (targetFailure(error) === null) throw error
    return null
  }
}

const describe = ({ status, location, text }: Look): string =>
  location === '' ? `status ${status}, ${text.length} characters` : `status ${status} to ${location}`
