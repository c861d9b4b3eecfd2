/**
 * Lists of visits. A page that shows the run's own User-Agent writes down who asks, and by the time that it is read, what was said of a visitor's headers is
 * behind what others asked since: a few pages are asked for again with a word in each, and the list is read at once. It is often for staff alone.
 */
import type { CollectContext } from '../../../module.ts'
import { groupOf } from '../../insertion-points/groups.ts'
import type { ProbePoint } from '../../insertion-points/inventory.ts'
import type { Probe } from '../../insertion-points/prober.ts'
import { eachAlone } from './alone.ts'
import { newWord } from './reflection.ts'
import { lookAt, type Place, type Planted, type SeenSoFar, type Shown } from './stored-pages.ts'
import { sendOnce } from './stored-proofs.ts'

const WRITTEN_DOWN = ['User-Agent', 'Referer', 'X-Forwarded-For'] as const
/** Many programs write down some of their pages alone; the start page is among them. */
const MOST_PAGES = 4
const MOST_LISTS = 2
/** As `egress` says who asks, and as a list may cut it. */
const OWN_AGENT = /Sonde\/\d[\w.-]*(?:;| \()? ?run /

export interface Visits {
  /** Notes a page that was read. */
  heard(page: Shown): void
  /** What the lists show of words that are said now: nothing in production, where what is written down stays. */
  ask(ctx: CollectContext, isOver: () => boolean): Promise<SeenSoFar>
}

/** `pages`: probes of any place of pages that the run knows. */
export const createVisits = (pages: readonly Probe[], at: (point: ProbePoint) => Probe): Visits => {
  const lists = new Map<string, Place>()
  return {
    heard: ({ url, drawnOn, text, ...rest }) => {
      if (lists.size < MOST_LISTS && OWN_AGENT.test(text)) lists.set(url, { ...rest, url, drawnOn })
    },
    ask: async (ctx, isOver) => {
      const seen: SeenSoFar = new Map()
      if (ctx.target.environment !== 'test') return seen
      for (const list of lists.values())
        for (const visit of visitsOf(pages)) {
          if (isOver()) return seen
          const all: Planted = { word: newWord(), probe: at(visit), location: '' }
          await sendOnce(all.probe, all.word)
          const shown = await lookAt(ctx, [list], [all])
          if (shown.size === 0) continue
          for (const [one, where] of await eachAlone(ctx, shown, at)) seen.set(one, where)
          break
        }
      return seen
    },
  }
}

/** The headers of a page, as one place: of different paths, the shortest first. */
const visitsOf = (pages: readonly Probe[]): readonly ProbePoint[] => {
  const read = pages.map(({ request }) => request).filter(({ method }) => method === 'GET')
  const byPath = new Map(read.map((request) => [new URL(request.url).pathname, request]))
  return [...byPath]
    .toSorted(([a], [b]) => a.length - b.length)
    .slice(0, MOST_PAGES)
    .map(([, request]) => groupOf(WRITTEN_DOWN.map((name) => ({ request, place: 'header', name, value: '' }))))
}
