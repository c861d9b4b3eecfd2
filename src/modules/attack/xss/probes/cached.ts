/**
 * Headers that come out in a page which a cache keeps for everybody. Asked in three steps, of which only the last sends a
 * header: a cache tells of itself; a parameter of our own makes it keep another copy, three times in a row; then a word in
 * a header, under such a parameter, so that the copy that everybody gets is never touched. Without the run's credentials.
 */
import { randomBytes } from 'node:crypto'
import type { HttpExchange, HttpRequest } from '../../../../egress/door/egress.ts'
import { targetFailure } from '../../../../egress/door/target-failure.ts'
import { headerOf, pageRequest } from '../../../../page/exchange.ts'
import { textOf } from '../../../../page/text.ts'
import type { CollectContext } from '../../../module.ts'
import type { CrawlFacts, RequestTemplate } from '../../crawl/facts.ts'
import { withQuery } from '../../insertion-points/compose.ts'
import { curlOf } from '../../insertion-points/replay.ts'
import { around } from '../../insertion-points/verdict.ts'
import type { CachedFacts, CachedHit } from '../facts.ts'

/** Pages that are asked whether a cache stands before them, and of those where one does and keeps no copies apart; copies that have to be apart. */
const MOST_PAGES = 60
const MOST_IN_VAIN = 12
const COPIES = 3
/** What servers behind a proxy build addresses and texts from. User-Agent stays ours. */
const NAMES = ['X-Forwarded-Host', 'X-Host', 'X-Forwarded-Server', 'X-Original-Host', 'X-Forwarded-For', 'Referer']
const MOST_NAMES = 3
const ROUNDS = 2

export const askCached = async (ctx: CollectContext, crawl: CrawlFacts): Promise<CachedFacts> => {
  const pages = pagesOf(crawl).filter((url) => !ctx.egress.excludes(withQuery(url, mark(), '1')))
  let [asked, kept, inVain] = [0, 0, 0]
  const hits: CachedHit[] = []
  for (const url of pages.slice(0, MOST_PAGES)) {
    if (inVain === MOST_IN_VAIN && kept === 0) break
    asked += 1
    const asking = askerOf(ctx, url)
    const keeps = await keepsCopies(asking)
    if (keeps === 'no') inVain += 1
    if (keeps !== 'yes') continue
    kept += 1
    hits.push(...(await poisonable(asking, url)))
  }
  return { pages: asked, kept, hits, left: pages.length - asked }
}

/** One page of each shape, those that no program but a server answers left out. */
const pagesOf = ({ requests }: CrawlFacts): readonly string[] => {
  const asked = requests.filter(
    ({ method, harm, sent, url }: RequestTemplate) =>
      method === 'GET' &&
      harm === null &&
      sent &&
      !/\.(?:js|css|png|jpe?g|gif|svg|ico|woff2?)$/i.test(new URL(url).pathname),
  )
  // What is made for everybody takes no values most often.
  const pages = [...new Map(asked.map(({ shape, url }) => [shape, url])).values()]
  return [...pages.filter((url) => !url.includes('?')), ...pages.filter((url) => url.includes('?'))]
}

const mark = (): string => `qx${randomBytes(5).toString('hex')}`

type Seen = Pick<HttpExchange, 'headers' | 'status'> & { readonly text: string; readonly request: HttpRequest }
/** A copy of its own for each value of `copy`. Null where the page did not answer. */
type Asking = (copy: string, headers?: readonly (readonly [string, string])[]) => Promise<Seen | null>

const askerOf = (ctx: CollectContext, url: string): Asking => {
  const parameter = mark()
  return async (copy, headers = []) => {
    const request = pageRequest(withQuery(url, parameter, copy), { authenticated: false, headers })
    try {
      const exchange = await ctx.egress.http(request)
      return { ...exchange, text: textOf(exchange), request }
    } catch (error) {
      if (targetFailure(error) === null) throw error
      return null
    }
  }
}

/**
 * Nothing but ordinary requests. Where the parameter is no part of the key, the first answer to a new value comes out of
 * the cache as well, and the page is left alone. 'unsaid': it comes out of no cache that tells of itself, as one of a few folders does.
 */
const keepsCopies = async (ask: Asking): Promise<'yes' | 'no' | 'unsaid'> => {
  for (let copy = 0; copy < COPIES; copy += 1) {
    const value = mark()
    const first = await ask(value)
    if (!first || first.status >= 400 || fromCache(first) === 'unsaid') return 'unsaid'
    if (fromCache(first) !== 'no') return 'no'
    const second = await ask(value)
    if (!second || fromCache(second) !== 'yes') return 'no'
  }
  return 'yes'
}

/** In the cache's own words: RFC 9211, RFC 9111 (Age), and what products say. */
export const fromCache = ({ headers }: Pick<HttpExchange, 'headers'>): 'yes' | 'no' | 'unsaid' => {
  const said = headers.filter(([name]) => SAYING.test(name)).map(([, value]) => value)
  const varnish = headerOf({ headers }, 'x-varnish')
  const age = headerOf({ headers }, 'age')
  if (said.some((value) => /\bhit\b/i.test(value)) || /^\d+ \d+$/.test(varnish ?? '') || Number(age) > 0) return 'yes'
  if (said.some((value) => /\b(?:miss|bypass|expired|dynamic|fwd)\b/i.test(value)) || varnish !== null) return 'no'
  return said.length === 0 && age === null ? 'unsaid' : 'no'
}

const SAYING = /^(?:cache-status|(?:x-)?(?:[\w-]{1,30}-)?cache(?:-(?:status|lookup|hits?|result))?)$/i

const poisonable = async (ask: Asking, url: string): Promise<readonly CachedHit[]> => {
  const words = NAMES.map((name) => [name, mark()] as const)
  const shown = await ask(
    mark(),
    words.map(([name, word]) => [name, sentIn(name, word)]),
  )
  if (!shown) return []
  const reflected = words.filter(([, word]) => shows(shown, word)).slice(0, MOST_NAMES)
  const hits: CachedHit[] = []
  for (const [name] of reflected) {
    const rounds: CachedHit['rounds'][number][] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const [copy, word] = [mark(), mark()]
      const sent = await ask(copy, [[name, sentIn(name, word)]])
      const got = sent && shows(sent, word) ? await ask(copy) : null
      if (!sent || !got || !shows(got, word)) break
      const replay = `${curlOf(sent.request)}\n${curlOf(got.request)}`
      rounds.push({ word, excerpt: around(whole(got), word), replay })
    }
    if (rounds.length === ROUNDS) hits.push({ url, header: name, rounds })
  }
  return hits
}

/** Names of hosts exist nowhere (RFC 2606). */
const sentIn = (name: string, word: string): string => {
  if (name === 'Referer') return `https://${word}.example/`
  return name === 'X-Forwarded-For' ? word : `${word}.example`
}

const whole = ({ headers, text }: Seen): string =>
  `${headers.map(([name, value]) => `${name}: ${value}`).join('\n')}\n\n${text}`
const shows = (seen: Seen, word: string): boolean => whole(seen).includes(word)
