/**
 * What was sent once and comes out elsewhere: every word that a probe sent is looked for in pages that are asked for
 * anew; only where one shows is a payload sent, once or twice, and the page opened by another visitor.
 */
import type { HttpExchange } from '../../../../egress/door/egress.ts'
import { targetFailure } from '../../../../egress/door/target-failure.ts'
import { pageRequest } from '../../../../page/exchange.ts'
import { isHtml, mediaTypeOf, textOf } from '../../../../page/text.ts'
import type { CollectContext } from '../../../module.ts'
import type { CrawlFacts } from '../../crawl/facts.ts'
import { Blocked, type Probe, Unsendable } from '../../insertion-points/prober.ts'
import { placeOf } from '../../insertion-points/records.ts'
import { around } from '../../insertion-points/verdict.ts'
import { contextsOf } from '../contexts.ts'
import type { StoredFacts, StoredHit } from '../facts.ts'
import { candidatesFor } from '../payloads/candidates.ts'
import { ALL_WAYS } from '../payloads/ways.ts'
import { newNonce, type Prover } from '../proving.ts'
import { runsIn } from './running.ts'

const MOST_PAGES = 60
const MOST_PLACES = 20
/** Each stays on the site. */
const MOST_PAYLOADS = 2
const AT_ONCE = 6
const WORDS = /qx[0-9a-f]{10}/gi

/** A word, and where it was sent. */
export interface Planted {
  readonly word: string
  readonly probe: Probe
  /** Where the answer led. */
  readonly location: string
}

export const askStored = async (
  ctx: CollectContext,
  crawl: CrawlFacts,
  planted: readonly Planted[],
  prover: Prover | string,
): Promise<StoredFacts> => {
  const writing = planted.filter(({ probe }) => probe.request.effect !== 'reads')
  if (writing.length === 0) return { planted: 0, pages: 0, hits: [] }
  const byWord = new Map(planted.map((one) => [one.word, one]))
  const pages = pagesOf(crawl, writing).filter((url) => !ctx.egress.excludes(url))
  const seen = new Map<Planted, { readonly url: string; readonly text: string }>()
  for (let at = 0; at < pages.length; at += AT_ONCE) {
    const batch = await Promise.all(
      pages.slice(at, at + AT_ONCE).map(async (url) => ({ url, text: await pageAt(ctx, url, true) })),
    )
    for (const { url, text } of batch) {
      for (const [word] of text?.matchAll(WORDS) ?? []) {
        const one = byWord.get(word.toLowerCase())
        if (one && !seen.has(one)) seen.set(one, { url, text: text ?? '' })
      }
    }
  }
  const hits: StoredHit[] = []
  for (const [one, page] of [...seen].slice(0, MOST_PLACES)) {
    ctx.signal.throwIfAborted()
    const hit = await tryStored(ctx, one, page, prover)
    if (hit) hits.push(hit)
  }
  return { planted: writing.length, pages: pages.length, hits }
}

/** Pages that show forms first, then those that answers led to, then all others. */
const pagesOf = ({ urls, requests }: CrawlFacts, planted: readonly Planted[]): readonly string[] => {
  const harmful = new Set(requests.filter(({ harm }) => harm !== null).map(({ url }) => url))
  const answered = urls
    .filter(({ status, contentType }) => status === 200 && /html|^$/.test(contentType))
    .map(({ url }) => url)
  const led = planted.flatMap(({ probe, location }) => {
    const url = location === '' ? null : URL.parse(location, probe.request.url)
    return url && url.host === new URL(probe.request.url).host ? [url.href] : []
  })
  const all = [...planted.flatMap(({ probe }) => probe.request.seenOn), ...led, ...answered]
  return [...new Set(all.map((url) => url.split('#')[0] ?? url))]
    .filter((url) => !harmful.has(url))
    .slice(0, MOST_PAGES)
}

const pageAt = async (ctx: CollectContext, url: string, authenticated: boolean): Promise<string | null> => {
  let exchange: HttpExchange
  try {
    exchange = await ctx.egress.http(pageRequest(url, { authenticated }))
  } catch (error) {
    ctx.signal.throwIfAborted()
    if (targetFailure(error) === null) throw error
    return null
  }
  const text = textOf(exchange)
  return isHtml(mediaTypeOf(exchange), text) ? text : null
}

const tryStored = async (
  ctx: CollectContext,
  { word, probe }: Planted,
  page: { readonly url: string; readonly text: string },
  prover: Prover | string,
): Promise<StoredHit | null> => {
  const [context] = contextsOf(page.text, word)
  if (!context) return null
  // Without credentials there is nobody else to be; with them, a stranger may see it, too.
  const seenBy = !ctx.hasCredentials || (await pageAt(ctx, page.url, false))?.includes(word) ? 'anyone' : 'account'
  for (let way = 0; way < MOST_PAYLOADS; way += 1) {
    const nonce = newNonce()
    const candidate = [...candidatesFor({ context, ways: ALL_WAYS, nonce, dress: 'plain', lost: new Set() })][way]
    if (!candidate) break
    const { payload, code } = candidate
    const sent = await sendOnce(probe, payload)
    if (sent === null) return null
    const text = await pageAt(ctx, page.url, seenBy === 'account')
    if (!text || !runsIn(text, code)) continue
    const proof = await provenBy(prover, page.url, nonce, seenBy === 'account')
    if (proof && proof.ran === null) continue
    const mark = text.includes(payload) ? payload : code
    return {
      at: placeOf(probe.point),
      page: page.url,
      context,
      payload,
      ran: proof !== null,
      seenBy,
      excerpt: around(text, mark),
      mark,
      replay: sent,
      screenshot: proof?.screenshot ?? null,
    }
  }
  return null
}

const provenBy = async (prover: Prover | string, url: string, nonce: number, authenticated: boolean) => {
  if (typeof prover === 'string') return null
  const stranger = await prover.stranger({ authenticated })
  try {
    return await stranger.prove({ method: 'GET', url, body: null }, nonce)
  } finally {
    await stranger.close()
  }
}

/** A command that sends the same, null where the place cannot hold it or something in front refuses it. */
const sendOnce = async (probe: Probe, payload: string): Promise<string | null> => {
  try {
    return (await probe.send(payload, { language: 'markup' })).replay
  } catch (error) {
    if (error instanceof Unsendable || error instanceof Blocked) return null
    throw error
  }
}
