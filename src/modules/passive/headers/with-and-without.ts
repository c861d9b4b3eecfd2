/** What an address answers with the run's session and without it. */

import type { EvidenceRef } from '../../../contract/evidence.ts'
import {
  EgressError,
  type EgressErrorCode,
  type HeaderPairs,
  type HttpExchange,
  type HttpRequest,
} from '../../../egress/door/egress.ts'
import { shareInCommon } from '../../../page/similarity.ts'
import { broughtAlong } from '../../brought-along.ts'
import { linesOf, maskCookie } from '../../evidence/pages.ts'
import type { CollectContext } from '../../module.ts'
import type { HeadersFacts } from './facts.ts'

/** Bytes: enough to tell two answers apart. */
export const MAX_BODY = 262_144

/** Why there was no answer, in a sentence; only a cancelled run is passed on. */
export const ask = async (ctx: CollectContext, request: HttpRequest): Promise<HttpExchange | string> => {
  try {
    return await ctx.egress.http(request)
  } catch (error) {
    ctx.signal.throwIfAborted()
    const code = codeOf(error)
    if (code === null || code === 'aborted') throw error
    return `${code}: ${(error as Error).message}`
  }
}

const codeOf = (error: unknown): EgressErrorCode | null => (error instanceof EgressError ? error.code : null)

/**
 * The same for whoever asks, another for each, or another each time so that nothing can be said. `changed`: another for each at first, and
 * then the same: something was stored meanwhile, or the session is over.
 */
export type Likeness = 'alike' | 'differs' | 'unclear' | 'changed'

/**
 * What is drawn anew for each answer, as the id of a frame, tells nobody apart, and no more does when it was made, or the token of a form, which
 * says whose session it is and nothing of theirs; a name or a number may be the whole difference. Asks again for both where the bodies are not equal.
 */
export const likenessOf = async (
  ctx: CollectContext,
  mine: HttpRequest,
  [own, nobody]: readonly [HttpExchange, HttpExchange],
): Promise<Likeness> => {
  if (own.body.equals(nobody.body)) return 'alike'
  const again = [await ask(ctx, mine), await ask(ctx, { url: mine.url, authenticated: false, maxBody: MAX_BODY })]
  const [later] = again
  if ([nobody, again[1]].some((one) => isSame(later, one))) return 'changed'
  const [first = [], strange = [], second = [], stranger = []] = [own, nobody, ...again].map((one) =>
    typeof one === 'string' ? [] : partsOf(one),
  )
  if (first.length !== second.length || strange.length !== stranger.length) return 'unclear'
  if (first.length !== strange.length) return 'differs'
  const isAlike = first.every(
    (part, at) =>
      part === strange[at] ||
      (part !== second[at] && strange[at] !== stranger[at]) ||
      [first, strange].every((parts) => isTokenOfForm(parts, at)),
  )
  return isAlike ? 'alike' : 'differs'
}

const isSame = (one: HttpExchange | string | undefined, other: HttpExchange | string | undefined): boolean =>
  typeof one === 'object' && typeof other === 'object' && one.status === other.status && one.body.equals(other.body)

/** Words and numbers, and what stands between them. */
const partsOf = ({ body }: HttpExchange): readonly string[] =>
  body
    .toString('latin1')
    .replace(TIMES, 'at')
    .split(/([^A-Za-z\d]+)/)

/** RFC 3339, RFC 5322 (3.3), and seconds or milliseconds since 1970, of these years. */
const TIMES =
  /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?|\b(?:[A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d(?::\d\d)? (?:[A-Z]{1,5}|[+-]\d{4})|\b1[6-9]\d{8}(?:\d{3})?\b/g

/** A value that only a machine makes, of a field that nobody sees, wherever the markup stands. */
const isTokenOfForm = (parts: readonly string[], at: number): boolean =>
  OPAQUE.test(parts[at] ?? '') && HIDDEN.test(parts.slice(Math.max(0, at - MARKUP), at).join(''))
const OPAQUE = /^(?=\D*\d)(?=[^a-z]*[a-z])[\da-z]{8,}$/i
/** Parts that a tag may have. */
const MARKUP = 40
const HIDDEN = /<input\b[^<>]*\btype=[\\"']*hidden\b[^<>]*\bvalue=[\\"']*$/i

/** With what of the session a browser sends where the page of another site asks it to. */
const asOfBrowser = async ({ egress }: CollectContext, url: string): Promise<HttpRequest> => {
  const sent = await broughtAlong(egress, url)
  return { url, maxBody: MAX_BODY, ...(sent === null ? {} : { authenticated: false, headers: sent }) }
}

/** Which of them show nothing of whose session it is, and for which there was no time. `until`: milliseconds on the process's clock. */
export const alikeAsNobody = async (
  ctx: CollectContext,
  urls: readonly string[],
  until: number,
): Promise<Pick<HeadersFacts, 'corsAlike' | 'corsUncompared'>> => {
  const isAlike = async (url: string): Promise<boolean> => {
    const mine = await asOfBrowser(ctx, url)
    const own = await ask(ctx, mine)
    const nobody = await ask(ctx, { url, authenticated: false, maxBody: MAX_BODY })
    if (typeof own === 'string' || typeof nobody === 'string' || own.status !== nobody.status) return false
    // What is asked for by another method alone was not read.
    if (own.status >= 400 && ![401, 403].includes(own.status)) return false
    return ['alike', 'changed'].includes(await likenessOf(ctx, mine, [own, nobody]))
  }
  const alike: string[] = []
  let asked = 0
  for (; asked < urls.length && performance.now() < until; asked += AT_ONCE) {
    const some = urls.slice(asked, asked + AT_ONCE)
    const told = await Promise.all(some.map(isAlike))
    alike.push(...some.filter((_url, at) => told[at] === true))
  }
  return { corsAlike: alike, corsUncompared: urls.slice(asked) }
}
/** As many as origins are tried at once. */
export const AT_ONCE = 6

/** Share of words that two answers have in common, 0 to 1. Tokens and times that change with every load are few. */
export const SAME = 0.9
export const similarity = (one: string, other: string): number => shareInCommon(wordsOf(one), wordsOf(other))
const wordsOf = (text: string): ReadonlySet<string> => new Set(text.slice(0, MAX_BODY).match(/\p{L}{2,40}/gu) ?? [])

/** An exchange without its body. */
export const keepHead = (ctx: CollectContext, answer: HttpExchange, filename: string): EvidenceRef => {
  const { method, url, headers } = answer.request
  const lines = [
    `${method} ${url}`,
    ...linesOf(headers),
    '',
    `HTTP/${answer.httpVersion} ${answer.status} ${answer.statusText}`,
    ...linesOf(answer.headers),
  ]
  return ctx.evidence({ filename, contentType: 'text/plain; charset=utf-8', body: `${lines.join('\n')}\n` })
}

/** Values of cookies may open somebody's session. */
export const masked = ({ headers }: { readonly headers: HeaderPairs }): HeaderPairs =>
  headers.map(([name, value]) => [name, name.toLowerCase() === 'set-cookie' ? maskCookie(value) : value])
