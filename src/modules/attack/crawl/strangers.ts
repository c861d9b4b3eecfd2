/**
 * What a site shows to those who are not signed in alone: the form to sign in, to register, to have a password sent. A run
 * with credentials would never see their links.
 */
import type { HttpExchange } from '../../../egress/door/egress.ts'
import { targetFailure } from '../../../egress/door/target-failure.ts'
import { headerOf, pageRequest } from '../../../page/exchange.ts'
import { isHtml, mediaTypeOf, textOf } from '../../../page/text.ts'
import type { CollectContext } from '../../module.ts'
import { isToken } from '../insertion-points/tokens.ts'
import { readPage } from './pages.ts'

export interface StrangerParts {
  readonly ctx: Pick<CollectContext, 'egress' | 'signal'>
  /** Addresses to begin at: the start page, pages that send strangers away. */
  readonly from: readonly string[]
  /** Those that the run has seen with its credentials. */
  readonly known: readonly string[]
  /** Equal where the same code answers: of a front controller its parts are told apart. */
  readonly kindOf: (url: string) => string
  /** Whether it is of the site, and the policy lets it be asked for. */
  readonly mayAsk: (url: string) => boolean
  readonly isOver: () => boolean
}

export interface StrangerPage {
  readonly url: string
  readonly exchange: HttpExchange
}

const MOST_PAGES = 20

/** Pages without credentials, of kinds that were not seen with them, and those that they were found from. */
export const strangerPages = async ({
  ctx,
  from,
  known,
  kindOf,
  mayAsk,
  isOver,
}: StrangerParts): Promise<StrangerPage[]> => {
  const kinds = new Set(known.map(kindOf))
  const waiting = [...new Set(from)].filter(mayAsk)
  const asked = new Set(waiting.map(kindOf))
  const pages: StrangerPage[] = []
  for (let url = waiting.shift(); url !== undefined && pages.length < MOST_PAGES; url = waiting.shift()) {
    if (isOver()) return pages
    const exchange = await answerAt(ctx, url)
    if (exchange === null) continue
    if (exchange.status === 200 && isHtml(mediaTypeOf(exchange), textOf(exchange))) pages.push({ url, exchange })
    for (const next of leadsOf(exchange, url).map(withoutTokens)) {
      const isNew = mayAsk(next) && !kinds.has(kindOf(next)) && !asked.has(kindOf(next))
      if (!isNew) continue
      asked.add(kindOf(next))
      waiting.push(next)
    }
  }
  return pages
}

/** A link with a token that works could do something, whoever follows it. */
const withoutTokens = (address: string): string => {
  const url = new URL(address)
  const tokens = [...url.searchParams].filter(([name, value]) => isToken(name, value))
  for (const [name] of tokens) url.searchParams.delete(name)
  return tokens.length === 0 ? address : url.href
}

const leadsOf = (exchange: HttpExchange, url: string): readonly string[] => {
  const location = exchange.status >= 300 && exchange.status < 400 ? headerOf(exchange, 'location') : null
  const moved = location === null ? null : URL.parse(location, url)
  if (moved) return [moved.href]
  return readPage(textOf(exchange), url).links.flatMap(({ url: next, source, harm }) =>
    source === 'script' || harm !== null ? [] : [next],
  )
}

/** Null where nothing answers. */
const answerAt = async ({ egress, signal }: StrangerParts['ctx'], url: string): Promise<HttpExchange | null> => {
  try {
    return await egress.http(pageRequest(url, { authenticated: false }))
  } catch (error) {
    signal.throwIfAborted()
    if (targetFailure(error) === null) throw error
    return null
  }
}
