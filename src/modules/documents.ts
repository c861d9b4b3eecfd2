/**
 * Documents that the crawl of an active run met beyond those of `site`, for modules that judge pages: each that shows something
 * new to the module. Answers to probes are none: what a payload wrote into a page says nothing of the site's own markup.
 */
import { isOfSite } from '../contract/site-scope.ts'
import type { HttpExchange } from '../egress/door/egress.ts'
import type { Page } from '../page/page.ts'
import { pageKindOf } from '../page/page-kind.ts'
import { isHtml } from '../page/pages.ts'
import { mediaTypeOf, textOf } from '../page/text.ts'
import type { Check, Judgement, Watcher, Watching } from './module.ts'
import { hasOwnWord } from './own-words.ts'
import type { SiteFacts } from './passive/site/facts.ts'
import { documentsOf, documentsOfNobody } from './passive/site/facts-pages.ts'

const MOST_PAGES = 240
/** Characters of all pages that are kept. */
const MOST_TEXT = 6_000_000
const MOST_PATHS = 20_000

/** What facts gain by it; absent where there was no crawl. */
export interface FurtherPages {
  readonly further?: readonly Page[]
  /** Documents with something new for which there was no room: nobody judges them. */
  readonly beyond?: number
  /** In words, what the crawl was cut off before; absent where it came to its end. */
  readonly cutOff?: string
}

/**
 * `marksOf`: what of a page the module judges, as short texts that are equal where pages are alike to it. A page is kept when a
 * mark of it was met less than `each` times.
 */
export const watchDocuments = <Of extends FurtherPages>(
  { target, signedIn }: Watching,
  { marksOf, each }: { readonly marksOf: (page: Page) => Iterable<string>; readonly each: number },
): Watcher<Of> => {
  const urls = new Set<string>()
  /** Of documents that answered to an address without words of ours. */
  const paths = new Set<string>()
  const counts = new Map<string, number>()
  const pages: Page[] = []
  let size = 0
  let beyond = 0

  const keep = (page: Page): void => {
    const marks = [...new Set(marksOf(page))].filter((mark) => (counts.get(mark) ?? 0) < each)
    if (marks.length === 0) return
    if (pages.length >= MOST_PAGES || size + page.body.length > MOST_TEXT) {
      beyond += 1
      return
    }
    for (const mark of marks) counts.set(mark, (counts.get(mark) ?? 0) + 1)
    size += page.body.length
    pages.push({ ...page, kind: pageKindOf(page.url, page.body, signedIn) })
  }

  return {
    see: (exchange, module) => {
      const { url, method } = exchange.request
      if (method !== 'GET' || exchange.status < 200 || exchange.status > 299 || !isOfSite(target, url)) return
      // Asked with names and values that we made up, a page that is known is the same page.
      const isMadeUp = hasOwnWord(url)
      if (!isMadeUp && paths.size < MOST_PATHS) paths.add(pathOf(url))
      if (module !== 'crawl' || urls.has(url) || (isMadeUp && paths.has(pathOf(url)))) return
      const page = pageOf(exchange)
      if (!isHtml(page)) return
      urls.add(url)
      keep(page)
    },
    conclude: (facts, cutOff = null) => ({
      ...facts,
      further: pages,
      beyond,
      ...(cutOff === null ? {} : { cutOff }),
    }),
  }
}

const pathOf = (url: string): string => url.replace(/[?#].*$/s, '')

const pageOf = (exchange: HttpExchange): Page => ({
  url: exchange.request.url,
  status: exchange.status,
  headers: exchange.headers,
  contentType: mediaTypeOf(exchange),
  body: textOf(exchange),
  size: exchange.body.length,
  truncated: exchange.truncated,
  kind: 'plain',
  depth: 2,
  certificateError: exchange.certificateError,
  evidence: null,
})

/** Documents of `site` and those beyond, each address once; what nobody is shown there in place of them beside. */
export const documentsSeen = (site: SiteFacts, { further = [] }: FurtherPages): readonly Page[] => {
  const pages = [...documentsOf(site), ...documentsOfNobody(site)]
  const known = new Set(pages.map(({ url }) => url))
  return [...pages, ...further.filter(({ url }) => !known.has(url))]
}

/** A check of documents passes nothing where the crawl was cut off, or some with something new were beyond the bounds; what it found is true. */
export const overAll = <Id extends 'headers' | 'markup', Need extends 'site' | 'cookies' = 'site'>(
  check: Check<Id, Need>,
): Check<Id, Need> => ({
  findings: check.findings,
  judge: (facts, known, about) => {
    const { beyond = 0, cutOff }: FurtherPages = facts
    const judgement = check.judge(facts, known, about)
    if (beyond > 0)
      return openUnless(check, judgement, `${beyond} documents with something new were beyond what is kept of a crawl.`)
    return cutOff === undefined ? judgement : openUnless(check, judgement, cutOff)
  },
})

/** A check of what all answers of the run show passes nothing where the crawl was cut off. */
export const overCrawl = <Id extends 'cookies', Need extends 'site'>(check: Check<Id, Need>): Check<Id, Need> => ({
  findings: check.findings,
  judge: (facts, known, about) => {
    const { cutOff }: Pick<FurtherPages, 'cutOff'> = facts
    const judgement = check.judge(facts, known, about)
    return cutOff === undefined ? judgement : openUnless(check, judgement, cutOff)
  },
})

/** The judgement, with what it would have passed as inconclusive for this reason. */
export const openUnless = (
  { findings }: Pick<Check<'headers'>, 'findings'>,
  judgement: Judgement,
  reason: string,
): Judgement => {
  if ('state' in judgement) return judgement
  const open = findings.filter((definition) => !judgement.some((finding) => finding.definition === definition))
  return open.length === 0
    ? judgement
    : { state: 'inconclusive', reason, only: open.map(({ id }) => id), findings: judgement }
}
