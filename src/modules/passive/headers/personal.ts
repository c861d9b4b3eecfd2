/** Answers for one person beyond the documents that `site` kept: data, downloads and pages that a crawl or the scripts of a page name. */

import { shapeOf } from '../../../page/shape.ts'
import type { CrawlFacts } from '../../attack/crawl/facts.ts'
import type { CollectContext } from '../../module.ts'
import { forbidsStoring } from './cache-rules.ts'
import type { AnonymousAnswer, HeadersFacts, PersonalAnswer } from './facts.ts'
import { AT_ONCE, ask, keepHead, likenessOf, MAX_BODY, masked, SAME, similarity } from './with-and-without.ts'

const MOST = 80
/** Files that a browser loads for a page are made for whoever opens it. */
const OF_PAGES = /javascript|ecmascript|\bcss\b|^(?:image|font|audio|video)\/|manifest/
/** To be asked later again. */
const TOO_MANY = 429

/**
 * Addresses whose answers may be for one person: interfaces that pages name, then what a crawl has met and may ask again. Of addresses that
 * differ in their values, one; data before pages.
 */
export const answersToJudge = (
  interfaces: readonly string[],
  crawl: CrawlFacts | null,
  known: readonly AnonymousAnswer[],
): readonly string[] => {
  const harmful = new Set(crawl?.requests.flatMap(({ url, harm }) => (harm === null ? [] : [url])))
  const isKnown = new Set(known.map(({ url }) => url))
  const met = (crawl?.urls ?? []).filter(
    ({ url, status, contentType }) =>
      status < 300 && !OF_PAGES.test(contentType) && !harmful.has(url) && !isKnown.has(url),
  )
  const [pages, data] = [true, false].map((isPage) =>
    met.filter(({ contentType }) => contentType.includes('html') === isPage).map(({ url }) => url),
  )
  const all = Map.groupBy([...interfaces, ...(data ?? []), ...(pages ?? [])], shapeOf)
  return [...all.values()].flatMap(([first]) => (first ? [first] : []))
}

type Personal = Required<Pick<HeadersFacts, 'personal' | 'personalClosed' | 'personalUnasked' | 'sessionHeaders'>>

/**
 * Which of these addresses answer somebody who is signed in otherwise than anybody, and may be kept. One request for each whose answer
 * forbids that, two to four for the others. `until`: milliseconds on the process's clock.
 */
export const collectPersonal = async (
  ctx: CollectContext,
  urls: readonly string[],
  until: number,
): Promise<Personal> => {
  const personal: PersonalAnswer[] = []
  const by = new Set<string>()
  let personalClosed = 0
  let personalUnasked = Math.max(0, urls.length - MOST)
  const some = urls.slice(0, MOST)
  for (let at = 0; at < some.length; at += AT_ONCE) {
    const next = some.slice(at, at + AT_ONCE)
    const told = performance.now() < until ? await Promise.all(next.map((url) => personalAt(ctx, url))) : null
    for (const seen of told ?? next.map(() => 'unasked' as const)) {
      if (seen === 'closed') personalClosed += 1
      else if (seen === 'unasked') personalUnasked += 1
      else if (seen !== null) personal.push(seen)
    }
  }
  for (const [name] of (await ctx.egress.credentialsFor?.(urls[0] ?? '')) ?? []) by.add(name.toLowerCase())
  return { personal, personalClosed, personalUnasked, sessionHeaders: [...by] }
}

/** Null: nothing there, or the same for everybody. */
const personalAt = async (ctx: CollectContext, url: string): Promise<PersonalAnswer | 'closed' | 'unasked' | null> => {
  const mine = { url, maxBody: MAX_BODY }
  const own = await ask(ctx, mine)
  if (typeof own === 'string' || own.status === TOO_MANY || own.status >= 500) return 'unasked'
  if (own.status < 200 || own.status > 299) return null
  if (forbidsStoring(own.headers)) return 'closed'
  const nobody = await ask(ctx, { ...mine, authenticated: false })
  if (typeof nobody === 'string' || nobody.status === TOO_MANY || nobody.status >= 500) return 'unasked'
  if (own.status === nobody.status) {
    const likeness = await likenessOf(ctx, mine, [own, nobody])
    if (likeness === 'alike') return null
    if (likeness === 'changed') return 'unasked'
    if (likeness === 'unclear' && similarity(own.body.toString('utf8'), nobody.body.toString('utf8')) >= SAME)
      return null
  }
  return { url, status: own.status, headers: masked(own), evidence: keepHead(ctx, own, 'answer-of-session.txt') }
}
