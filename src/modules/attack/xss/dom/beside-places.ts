/** The scripts of pages are looked at while places are asked. */
import { heldBeside } from '../../../faults.ts'
import type { CollectContext } from '../../../module.ts'
import type { CrawlFacts } from '../../crawl/facts.ts'
import { openProbedSession } from '../../insertion-points/session.ts'
import type { DomFacts } from '../facts.ts'
import type { Prover } from '../proving.ts'
import { exploreDom } from './explore.ts'
import { scriptedPages } from './pages.ts'

/** Pages that are open at once while places are asked, while others ask theirs, and from then on. */
const [PAGES_BESIDE, PAGES_WAITING, ALL_PAGES] = [2, 4, 6]
/** Milliseconds that pages under way may still take, and what is known of them to be proven. */
const UNDER_WAY = 15_000
/** Seconds before its end by which the module is done with them. */
const LEAST_LEFT = 20
/** With so many places there is one: each page takes of the pace what several questions do. */
export const MANY_PLACES = 4_000

interface Exploring {
  /** What is said of it where it came to no end. */
  readonly unseen: DomFacts
  /** What it has found by now. */
  readonly soFar: () => DomFacts
  /** The places of this module were asked: more pages are open at once. */
  readonly hasten: () => void
  /** What it has found. `until`, by performance.now(): no page is begun any more; before this was called it may go on. */
  readonly end: (until: number) => Promise<DomFacts>
  /** All pages were looked at. */
  readonly isDone: () => boolean
  /** Nothing is begun any more, and nothing is under way. */
  readonly over: () => Promise<void>
}

/**
 * The scripts of pages, from now on, beside the places: it asks the site for little and waits for the browser much, while the places take
 * what the pace allows.
 */
export const exploring = (ctx: CollectContext, crawl: CrawlFacts, prover: Prover | string): Exploring => {
  const pages = scriptedPages(crawl)
  const unseen = { pages: 0, left: pages.length, hits: [] }
  let until = Number.POSITIVE_INFINITY
  let open = crawl.points.length < MANY_PLACES ? PAGES_BESIDE : 1
  let found = (): DomFacts => unseen
  const explore = async (): Promise<DomFacts> => {
    if (typeof prover === 'string') return unseen
    const session = await openProbedSession(ctx, crawl)
    return exploreDom({
      ...{ pages, prover, excludes: ctx.egress.excludes },
      held: (work) => heldBeside(ctx, 'scripts of pages', work),
      mayContinue: async () => !ctx.signal.aborted && performance.now() < until && (await session.check()) !== 'lost',
      isOver: () => ctx.signal.aborted || performance.now() >= until + UNDER_WAY || ctx.secondsToEnd() < LEAST_LEFT,
      // What is proven at places waits for the browser as well.
      atOnce: () => (until < Number.POSITIVE_INFINITY ? ALL_PAGES : open),
      progress: (done, beside) => {
        if (until < Number.POSITIVE_INFINITY) ctx.progress(`scripts of ${done} of ${pages.length} pages${beside}`, 0.99)
      },
      soFar: (facts) => {
        found = facts
      },
    })
  }
  const work = explore()
  let isDone = false
  // Whoever waits for it hears of it.
  work.then(
    ({ left }) => {
      isDone = left === 0
    },
    () => undefined,
  )
  return {
    unseen,
    soFar: () => found(),
    isDone: () => isDone,
    hasten: () => {
      open = PAGES_WAITING
    },
    end: (last) => {
      until = last
      return work
    },
    over: async () => {
      until = 0
      await work.catch(() => undefined)
    },
  }
}
