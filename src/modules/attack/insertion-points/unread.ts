/** What the crawl knew of and did not read. Which places it holds nobody knows, so no check of places passes beside it. */
import { ENDS_SESSION } from '../../../safety/deeds.ts'
import type { ModuleId } from '../../facts.ts'
import type { Check, Judgement } from '../../module.ts'
import { type CrawlFacts, NOT_FOLLOWED, PRESSED_IN_PART, type ReachCount, type ReachRow } from '../crawl/facts.ts'
import type { Shortfall } from './facts.ts'
import { largestOf } from './verdict.ts'

/**
 * Addresses, forms, operations and pages that may hold places and were neither asked nor merged, by reason, the largest first.
 * A request whose own places are listed is counted by these and not here.
 */
export const unreadOf = (crawl: CrawlFacts): readonly Shortfall[] => countsOf(crawl, isUnread)

/** Of it, what the crawl would have read, had it had the time or a browser: not what the policy of the run leaves alone, nor pages alike. */
const cutOffOf = (crawl: CrawlFacts): readonly Shortfall[] =>
  countsOf(crawl, (one) => isUnread(one) && one.fate === 'cut_off' && one.reason !== PRESSED_IN_PART)

const countsOf = (
  crawl: CrawlFacts,
  isCounted: (row: Pick<ReachRow, 'fate' | 'holds' | 'reason'>) => boolean,
): readonly Shortfall[] => {
  const counts = new Map<string, number>()
  const add = (reason: string, count: number): void => void counts.set(reason, (counts.get(reason) ?? 0) + count)
  for (const one of crawl.reach?.counts ?? countsWithoutRows(crawl)) if (isCounted(one)) add(wordsOf(one), one.count)
  const listed = listedIn(crawl)
  for (const row of crawl.reach?.rows ?? [])
    if (isCounted(row) && listed.has(`${row.method} ${row.url}`)) add(wordsOf(row), -1)
  const { browser, scripted = [], pointsLeft = 0 } = crawl
  add('beyond the longest list', pointsLeft)
  if (browser.version === null && browser.reason !== NOT_FOLLOWED)
    add(`read without a browser: ${browser.reason ?? 'there was none'}`, scripted.length)
  return [...counts]
    .filter(([, count]) => count > 0)
    .map(([reason, count]) => ({ reason, count }))
    .toSorted((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1))
}

const isUnread = ({ fate, holds }: Pick<ReachRow, 'fate' | 'holds'>): boolean =>
  holds && (fate === 'left_out' || fate === 'cut_off')

const WORDS: Readonly<Record<ReachRow['kind'], string>> = {
  address: 'not read',
  form: 'a form not sent',
  operation: 'an operation not listed',
  browser_page: 'not opened in the browser',
}

const wordsOf = ({ kind, reason }: Pick<ReachRow, 'kind' | 'reason'>): string =>
  reason === PRESSED_IN_PART ? reason : `${WORDS[kind]}: ${reason ?? 'no reason was given'}`

/** Method and address of requests that have places of their own. */
const listedIn = ({ requests, points }: CrawlFacts): ReadonlySet<string> => {
  const withPlaces = new Set(points.map(({ request }) => request))
  return new Set(requests.flatMap(({ id, method, url }) => (withPlaces.has(id) ? [`${method} ${url}`] : [])))
}

/** Of a crawl that kept no rows: its counts by reason. What harm a request would do is told by its places. */
const countsWithoutRows = ({ leftOut, requests, cut }: CrawlFacts): readonly ReachCount[] => {
  const told = new Set(requests.map(({ harm }) => harm))
  return [
    ...Object.entries(leftOut)
      .filter(([reason]) => !told.has(reason))
      .map(([reason, count]) => ({ ...LEFT, reason, count, holds: reason !== ENDS_SESSION && reason !== NO_PAGE })),
    ...(cut === null ? [] : [{ ...LEFT, fate: 'cut_off' as const, reason: cut, count: 1 }]),
  ]
}

const LEFT = { kind: 'address', fate: 'left_out', holds: true } as const
const NO_PAGE = 'a file that is no page'

/**
 * What a check applies to: each of the things that the site's pages hold, all of which are to be asked, or one thing of the site, that has
 * only to be found.
 */
type Applies = 'to each' | 'to one'

/** The same check, which neither passes nor says that there is nothing where the crawl was cut off before what may hold more. */
export const overPages = <Id extends ModuleId, Need extends ModuleId>(
  check: Check<Id, Need>,
  applies: Applies = 'to each',
): Check<Id, Need | 'crawl'> => ({
  findings: check.findings,
  judge: (facts, known, about) => besideUnread(check.judge(facts, known, about), known.crawl, applies),
})

/** As `overPages`, of a judgement. */
export const besideUnread = (judgement: Judgement, crawl: CrawlFacts, applies: Applies = 'to each'): Judgement => {
  if (!isOpen(judgement, applies)) return judgement
  const unread = cutOffOf(crawl)
  if (unread.length === 0) return judgement
  const may = mayHoldMore(unread)
  if (!('state' in judgement))
    return { state: 'inconclusive', reason: `what was found was asked; ${may}`, findings: judgement }
  if (judgement.state === 'judged')
    return { ...judgement, state: 'inconclusive', reason: `what was found was asked; ${may}` }
  return { ...judgement, state: 'inconclusive', reason: `${judgement.reason}; ${may}` }
}

/** In words, what the crawl was cut off before, as watchers are told that judge all answers; null where it came to its end. */
export const cutOffIn = (crawl: CrawlFacts): string | null => {
  const unread = cutOffOf(crawl)
  return unread.length === 0 ? null : mayHoldMore(unread)
}

const mayHoldMore = (unread: readonly Shortfall[]): string =>
  `what the crawl did not come to may hold more: ${largestOf(unread)}`

/** Whether more of what it applies to would change what is said. Findings stand either way. */
const isOpen = (judgement: Judgement, applies: Applies): boolean => {
  if (!('state' in judgement) || judgement.state === 'judged') return applies === 'to each'
  return judgement.state === 'not_applicable' && judgement.only === undefined && judgement.anyway !== true
}
