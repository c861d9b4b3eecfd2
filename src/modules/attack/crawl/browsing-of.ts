/** The browser's part of a crawl: what it is led by, and what becomes of what it shows. */
import { openFeed } from '../../../knowledge/feeds/items.ts'
import { pageExpressions } from '../../../knowledge/fingerprints/globals.ts'
import { hashRouteOf, withoutHash } from '../../../page/shape.ts'
import { type Decision, decide } from '../../../safety/policy.ts'
import { harmOfLink } from '../../../safety/safety.ts'
import { createDoubtful } from '../../doubtful.ts'
import { choicesIn } from '../insertion-points/routed.ts'
import { isToken } from '../insertion-points/tokens.ts'
import { type Browsing, createBrowsing } from './browsing.ts'
import type { Crawling } from './crawling.ts'
import { createElsewhere } from './elsewhere.ts'
import { withoutQuery } from './fetching.ts'
import { meantBy } from './meant.ts'

/** `opens`: of pages that run scripts, which are opened. */
export const browsingOf = (crawling: Crawling, opens: (url: string) => boolean = () => true): Browsing => {
  const { ctx, site, until, dry, around, judge, scope, notes, requests } = crawling
  const { frontier, fetcher, session, crawler, admission, last } = crawling
  const { reading } = crawler
  const missing = site.missing[0]?.url ?? null
  /** Ids of requests. */
  const shown = new Set<string>()
  return createBrowsing({
    launch: ctx.browser,
    scripted: () => reading.scripted.filter(({ url }) => opens(url)),
    chosenIn: (url) => choicesIn(crawling.routes.of(url)).join('&'),
    guessed: () => reading.guessed().filter(({ url }) => frontier.harmOf(url) === null),
    meant: () => meantBy(requests.all(frontier.harmOf)),
    missing,
    isPage: (url) => void reading.isPage(url),
    follow: async () => {
      await crawler.run(until.browser())
      for (const url of reading.tabled()) if (isRouteToOpen(url, null, judge)) reading.isRoute(url)
    },
    notes,
    doubt: createDoubtful([ctx.session]),
    inScope: scope.holds,
    decide: (asked, seen) => (dry ? orNever : asIs)(decide(asked, seen, around())),
    link: (url, on, label, harm) => {
      if (isRouteToOpen(url, harm ?? harmOfLink(label), judge) && reading.isRoute(url)) return true
      // A page names itself, whether it is one or not, and with what its forms bring.
      if (withoutQuery(url) === missing) return false
      const itself = withoutHash(url) === withoutHash(on)
      const isNew = frontier.add(url, 1, 'browser', on, label, harm)
      return isNew || (!itself && reading.isPage(url))
    },
    request: (draft) => {
      const url = URL.parse(draft.url)
      admission.note(draft.withheld ?? [])
      const isPlace = url && scope.holds(url) && !(draft.method === 'GET' && withoutQuery(draft.url) === missing)
      const listed = isPlace ? requests.add({ ...draft, url: withoutHash(url.href) }) : null
      if (listed === null || shown.has(listed.id)) return false
      shown.add(listed.id)
      return true
    },
    elsewhere: createElsewhere(scope, notes),
    cookie: (name, value) => {
      // A session that a script keeps there is no setting.
      if (!isToken(name, value)) fetcher.keep(name, value)
    },
    expressions: expressionsFor(ctx.knowledge),
    alive: session.alive,
    signal: last.signal,
    progress: crawling.progress(0.5, 0.85),
    until: until.browser,
  })
}

/** What a router is told by the # is judged as the path that it stands for. */
const isRouteToOpen = (address: string, harm: string | null, judge: Crawling['judge']): boolean => {
  const route = hashRouteOf(address)
  return route !== null && judge(new URL(route.replace(/^!/, ''), address).href, harm) === null
}

/** A dry run sends nothing that may write, however seldom. */
const orNever = (decision: Decision): Decision =>
  decision.send === 'bounded' ? { send: 'never', reason: decision.reason } : decision
const asIs = (decision: Decision): Decision => decision

/** What the running pages are asked for, so that the inventory knows what scripts brought. */
const expressionsFor = (knowledge: string | undefined): readonly string[] => {
  const retire = knowledge === undefined ? null : openFeed(knowledge, 'retire')
  try {
    return pageExpressions(retire)
  } finally {
    retire?.close()
  }
}
