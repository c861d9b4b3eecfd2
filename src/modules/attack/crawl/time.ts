/** How long the crawl may take: its share of the run's time, and of what the places that it knows will not need. */
import type { CollectContext } from '../../module.ts'
import { secondsForPlaces, TIMES } from '../insertion-points/times.ts'

/** Milliseconds from the start, where a run has the usual time: how long the static crawl, the browser and the rest may take. */
const STATIC_UNTIL = 90_000
const BROWSER_UNTIL = 170_000
const ALL_UNTIL = 210_000

/** What is under way then is left: a crawl that overran its module would leave all others without an inventory. */
const LEAVE_AFTER = 222_000

/** The most that it takes beyond its share, and the part it takes of what is spare, in milliseconds and as a share. */
const MOST_BEYOND = 300_000
const OF_SPARE = 0.5

/** Of a short run the crawl takes more than of a usual one, up to this share of what it would have there: what it does not read nobody asks. */
const OF_USUAL = 0.6
const MORE_WHERE_SHORT = 1.75

/** Requests that a place takes of all modules, on the whole, and as many as are sent in a second where nobody asks for fewer. */
const REQUESTS_OF_PLACE = 60
const USUAL_PACE = 20

/** To learn what a request does: its pages before, between and after, and itself twice. */
const REQUESTS_TO_LEARN = 8
/** Of the time for places, so much at most is spent on learning what is left to learn. */
const OF_PLACES = 0.15

/** Milliseconds for which an answer stands: to count the places of a large site takes a while. */
const STANDS = 10_000

export interface CrawlTimes {
  /** By performance.now(): when each part is over, as it stands. The static crawl goes on after the browser. */
  readonly static: number
  readonly browser: () => number
  readonly all: () => number
  /** Until when what so many requests do is learned, from now on: all else of the crawl ends as before, and is left so much later. */
  readonly learning: (requests: number) => number
  /** When what is under way is left. */
  readonly leave: () => number
}

type Run = Pick<CollectContext, 'timeFactor' | 'secondsLeft'> & {
  readonly options: Pick<CollectContext['options'], 'requests_per_second'>
}

/** From now on. `places`: how many are known so far. `leaveAt`: milliseconds from now, else as long as there is time to spare. */
export const timesOfCrawl = (ctx: Run, places: () => number, leaveAt?: number): CrawlTimes => {
  const began = performance.now()
  const { timeFactor } = ctx
  const crawlFactor = Math.min(Math.max(timeFactor, OF_USUAL), timeFactor * MORE_WHERE_SHORT)
  let [beyond, asOf, taught] = [0, Number.NEGATIVE_INFINITY, 0]
  const after = (share: number) => (): number => {
    if (performance.now() - asOf > STANDS) {
      beyond = spareFor(ctx, places(), began + ALL_UNTIL * crawlFactor)
      asOf = performance.now()
    }
    return began + share + beyond
  }
  const leave = after(LEAVE_AFTER * crawlFactor)
  return {
    static: began + STATIC_UNTIL * crawlFactor,
    browser: after(BROWSER_UNTIL * crawlFactor),
    all: after(ALL_UNTIL * crawlFactor),
    learning: (requests) => {
      if (leaveAt !== undefined) return began + leaveAt
      const most = Math.min(MOST_BEYOND * timeFactor - beyond, secondsForPlaces(ctx) * OF_PLACES * 1_000)
      taught = Math.min(most, ((requests * REQUESTS_TO_LEARN) / paceOf(ctx)) * 1_000)
      return performance.now() + taught
    },
    leave: () => (leaveAt === undefined ? leave() + taught : began + leaveAt),
  }
}

/** Milliseconds that the crawl may take beyond its share, which is over at `end`. */
const spareFor = (ctx: Run, places: number, end: number): number => {
  const needed = Math.max(TIMES.places * ctx.timeFactor, (places * REQUESTS_OF_PLACE) / paceOf(ctx))
  const untilEnd = Math.max(0, end - performance.now()) / 1_000
  const secondsLeft = (): number => ctx.secondsLeft() - untilEnd
  const spare = secondsForPlaces({ timeFactor: ctx.timeFactor, secondsLeft }) - needed
  return Math.min(MOST_BEYOND * ctx.timeFactor, Math.max(0, spare * OF_SPARE * 1_000))
}

/** Requests a second. */
const paceOf = ({ options }: Run): number => Math.min(USUAL_PACE, options.requests_per_second ?? USUAL_PACE)
