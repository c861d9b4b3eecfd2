/**
 * Asks what nobody in particular is refused in other ways, see ways.ts. Let through is what is refused before and behind it, shows the same twice,
 * and shows something else than the start page and than what the same way shows of a name that nothing has.
 */

import { randomBytes } from 'node:crypto'
import type { HttpExchange, HttpRequest } from '../../../../egress/door/egress.ts'
import { targetFailure } from '../../../../egress/door/target-failure.ts'
import { exchangeText, headerOf } from '../../../../page/exchange.ts'
import { shapeOf } from '../../../../page/shape.ts'
import { likeness } from '../../../../page/similarity.ts'
import { harmOfAddress } from '../../../../safety/safety.ts'
import type { CollectContext } from '../../../module.ts'
import type { CrawlFacts } from '../../crawl/facts.ts'
import { untilWithin } from '../../insertion-points/times.ts'
import { type Answer, readAnswer } from '../answers.ts'
import type { Asked, Bypass } from '../facts.ts'
import type { Case, World } from '../judging.ts'
import { isAnswer, isGranted } from '../parties.ts'
import { replayOf } from '../replay.ts'
import { isPersonal } from '../telling.ts'
import { type Open, singly, type Way, waysTo } from './ways.ts'

/** Addresses of one run that are asked in every way; some thirty requests each. */
const MOST = 24
/** Addresses of one guard and kind at which no way has helped: all it refuses besides is refused by the same. */
const ENOUGH = 3
/** Addresses that are asked as they are, which tells the guard. */
const MOST_LOOKED_AT = 150
/** Milliseconds for all of them, where a run has the usual time. */
const LONGEST = 150_000
const TIMEOUT = 10_000
const MOST_BYTES = 256 * 1024
const MOST_PLACES = 20
const SAME = 0.9
/** What is shown differs from what the one is shown whom it is for, by name, date and number. */
const OF_ONE = 0.4

interface Refused {
  readonly url: string
  /** As somebody is shown it by right; null where nobody is known to be. */
  readonly shown: Answer | null
}

export interface Bypasses {
  readonly hits: readonly Bypass[]
  readonly asked: Asked
}

const NOT_ALL = 'more is refused than is asked in other ways'
const OUT_OF_TIME = 'the time for other ways to what is refused was over'
const SILENT = 'what is refused was not answered again'
const WAY_SILENT = 'one of the other ways to it was not answered'
const LEFT_ALONE = 'left alone by the policy of the run'

export const askBypasses = async (
  ctx: CollectContext,
  crawl: Pick<CrawlFacts, 'urls'>,
  cases: readonly Case[],
  world: Pick<World, 'nobody'>,
): Promise<Bypasses> => {
  const until = untilWithin(ctx, LONGEST * ctx.timeFactor)
  const { known, left } = refusedOf(ctx, crawl, cases, world)
  const open = openOf(crawl, cases, world)
  const hits = new Map<string, Bypass>()
  const reasons = new Map<string, number>()
  const leave = (reason: string, count = 1): void => void reasons.set(reason, (reasons.get(reason) ?? 0) + count)
  leave(LEFT_ALONE, left)
  leave(NOT_ALL, Math.max(0, known.length - MOST_LOOKED_AT))
  const barren = new Map<string, number>()
  let [asked, whole] = [0, 0]
  for (const [index, refused] of known.slice(0, MOST_LOOKED_AT).entries()) {
    if (performance.now() > until) {
      leave(OUT_OF_TIME)
      continue
    }
    ctx.progress(`other ways to what is refused, ${index} of ${known.length}`, 0.97)
    const now = await ask(ctx, { url: refused.url })
    if (now === null || now.state === 'failed') {
      leave(SILENT)
      continue
    }
    // Nobody is refused there any more.
    if (!isRefusal(now)) continue
    const guard = guardOf(refused, now)
    const none = barren.get(guard) ?? 0
    if (none >= ENOUGH) asked += 1
    else if (whole >= MOST) leave(NOT_ALL)
    if (none >= ENOUGH || whole >= MOST) continue
    whole += 1
    const { hit, why } = await askOne(ctx, refused, now, open, hits)
    if (why === null) asked += 1
    else leave(why)
    // Where a way has helped once, each is asked by itself.
    if (why === null) barren.set(guard, hit === null ? none + 1 : Number.NEGATIVE_INFINITY)
    if (hit === null) continue
    const before = hits.get(hit.way)
    hits.set(hit.way, before === undefined ? hit : { ...before, also: [...before.also, hit.url].slice(0, MOST_PLACES) })
  }
  const missing = [...reasons].filter(([, count]) => count > 0).map(([reason, count]) => ({ reason, count }))
  return {
    hits: [...hits.values()],
    asked: {
      asked,
      known: missing.reduce((sum, { count }) => sum + count, asked),
      reasons: missing.toSorted((a, b) => b.count - a.count),
    },
  }
}

/** One of each shape: what somebody is shown first, as it tells most. `left`: those that the policy or the operator leaves alone. */
const refusedOf = (
  ctx: CollectContext,
  { urls }: Pick<CrawlFacts, 'urls'>,
  cases: readonly Case[],
  { nobody }: Pick<World, 'nobody'>,
): { readonly known: readonly Refused[]; readonly left: number } => {
  const shown = cases.flatMap(({ operation, asked, answers: [answer], replies }): readonly Refused[] => {
    const reply = replies.get(nobody)
    const isPlain = operation.template.method === 'GET' && isGranted(answer)
    return isAnswer(reply) && isRefusal(reply) && isPlain ? [{ url: asked.request.url, shown: answer }] : []
  })
  const crawled = urls
    .filter(({ status }) => status === 401 || status === 403)
    .map(({ url }): Refused => ({ url, shown: null }))
  const byShape = new Map<string, Refused>()
  for (const one of [...shown, ...crawled]) {
    const plain = one.url.split('#')[0] ?? one.url
    if (!byShape.has(shapeOf(plain))) byShape.set(shapeOf(plain), { ...one, url: plain })
  }
  const all = [...byShape.values()]
  const known = all.filter(({ url }) => harmOfAddress(url) === null && !ctx.egress.excludes(url))
  return { known: byFolder(known), left: all.length - known.length }
}

/** One of each folder, then the second of each: rules are for folders. */
const byFolder = (list: readonly Refused[]): readonly Refused[] => {
  const folders = Object.values(Object.groupBy(list, ({ url }) => new URL('.', url).href)).map((some) => some ?? [])
  const longest = Math.max(0, ...folders.map(({ length }) => length))
  return Array.from({ length: longest }, (_, at) => folders.flatMap((some) => some[at] ?? [])).flat()
}

const FILE = /\.([a-z\d]{1,5})$/i

/** What nobody is refused, found or not: a rule in front does not know what there is. */
const openOf = (
  { urls }: Pick<CrawlFacts, 'urls'>,
  cases: readonly Case[],
  { nobody }: Pick<World, 'nobody'>,
): Open => {
  const asked = [
    ...cases.map(({ asked: { request }, replies }) => [request.url, replies.get(nobody)] as const),
    ...[...nobody.own].map(([, { request, first }]) => [request.url, first] as const),
  ]
  const known = new Set(asked.map(([url]) => url))
  const open = asked.flatMap(([url, reply]) => (isAnswer(reply) && !isRefusal(reply) ? [url] : []))
  // What the run was answered, it may have been as somebody.
  const crawled = urls.filter(
    ({ url, status }) => !known.has(url) && !REFUSING.has(status) && !(status >= 300 && status < 400),
  )
  const paths = [...new Set([...open, ...crawled.map(({ url }) => url)].map((url) => new URL(url).pathname))]
  const endings = paths.flatMap((path) => FILE.exec(path)?.[1]?.toLowerCase() ?? []).filter((one) => !PROGRAM.test(one))
  return { paths: paths.filter((one) => one !== '/'), extensions: byCount(endings) }
}
const REFUSING: ReadonlySet<number> = new Set([401, 403, 407])
const PROGRAM = /^(?:php\d?|phtml|aspx?|jspx?|do|action|cgi|pl|html?)$/

const byCount = (list: readonly string[]): readonly string[] => {
  const counts = new Map<string, number>()
  for (const one of list) counts.set(one, (counts.get(one) ?? 0) + 1)
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([one]) => one)
}

/**
 * What refuses it, as far as its answer tells: the same to another address below the same folder of the site comes of one rule. Names of folders, of files and of
 * others are read in different ways.
 */
const guardOf = ({ url }: Refused, { exchange, text }: Answer): string => {
  const { pathname, host } = new URL(url)
  const [folder = '', ...below] = pathname.split('/').slice(1)
  const ending = pathname.endsWith('/') ? '/' : (FILE.exec(pathname)?.[1] ?? '')
  // Answers name what was asked for, and when.
  const said = pathname.split('/').reduce((rest, part) => (part.length > 2 ? rest.replaceAll(part, '*') : rest), text)
  return JSON.stringify([
    ...[host, below.length === 0 ? '' : folder, ending, exchange.status],
    ...['content-type', 'www-authenticate', 'server'].map((name) => headerOf(exchange, name)),
    said.replace(/\d+/g, '0').slice(0, MOST_SAID),
  ])
}
const MOST_SAID = 2_000

interface Said {
  readonly hit: Bypass | null
  /** Why it was not asked in full; null where it was, or where one way was enough. */
  readonly why: string | null
}

/** `hits`: by the ways that they were let through by, which are tried first here. */
const askOne = async (
  ctx: CollectContext,
  refused: Refused,
  before: Answer,
  open: Open,
  hits: ReadonlyMap<string, Bypass>,
): Promise<Said> => {
  const plain = { url: refused.url }
  const start = await ask(ctx, { url: `${new URL(refused.url).origin}/` })
  const ways = waysTo(refused.url, open).toSorted((a, b) => Number(hits.has(b.id)) - Number(hits.has(a.id)))
  let why: string | null = null
  for (const way of ways) {
    const found = await letThrough(ctx, refused, way, start)
    if (found === 'silent') why = WAY_SILENT
    if (found === 'silent' || found === null) continue
    const { way: by, answer } = (await aloneOf(ctx, refused, way, start)) ?? found
    const again = await ask(ctx, plain)
    // What is refused at times tells nothing of ways.
    if (again === null || !isRefusal(again)) return { hit: null, why: SILENT }
    return { hit: bypassOf(ctx, refused, by, before, answer), why: null }
  }
  return { hit: null, why }
}

const aloneOf = async (
  ctx: CollectContext,
  refused: Refused,
  way: Way,
  start: Answer | null,
): Promise<Through | null> => {
  for (const one of singly(way)) {
    const found = await letThrough(ctx, refused, one, start)
    if (found !== null && found !== 'silent') return found
  }
  return null
}

const isRefusal = (answer: Answer): boolean => answer.state === 'refused' && answer.exchange.status !== 404

interface Through {
  readonly way: Way
  readonly answer: Answer
}

const letThrough = async (
  ctx: CollectContext,
  refused: Refused,
  way: Way,
  start: Answer | null,
): Promise<Through | 'silent' | null> => {
  const answer = await ask(ctx, way.request)
  if (answer === null) return 'silent'
  if (!isContent(answer) || isLike(answer, start)) return null
  if (refused.shown !== null && !showsTheSame(answer, refused.shown)) return null
  const void_ = await ask(ctx, ofNothing(way, refused.url))
  if (void_ === null) return 'silent'
  // What everything is answered is no answer to this.
  if (isContent(void_) && (answer.state === 'empty' || isLike(answer, void_))) return null
  // The start page may have changed since, as others add to it: what shows there is nothing of what is refused.
  const now = await ask(ctx, { url: `${new URL(refused.url).origin}/` })
  const again = await ask(ctx, way.request)
  if (now === null || again === null) return 'silent'
  if (isLike(answer, now) || isLike(again, now)) return null
  return isContent(again) && isLike(answer, again) ? { way, answer } : null
}

const isContent = ({ state, exchange }: Answer): boolean =>
  exchange.status >= 200 &&
  exchange.status < 300 &&
  (state === 'granted' || (state === 'empty' && exchange.body.length > 0))

const isLike = (a: Answer, b: Answer | null): boolean =>
  b !== null && (a.text === b.text || likeness(a.text, b.text) >= SAME)

const showsTheSame = (answer: Answer, shown: Answer): boolean =>
  likeness(answer.text, shown.text) >= OF_ONE ||
  [...shown.values].some((value) => value.length > 5 && answer.values.has(value))

/** The same way to a name in the same folder that nothing has. */
const ofNothing = ({ request }: Way, url: string): Pick<HttpRequest, 'url' | 'target' | 'headers'> => {
  const { pathname } = new URL(url)
  const last = pathname.split('/').findLast((one) => one !== '') ?? ''
  const name = `qx${randomBytes(4).toString('hex')}`
  const ending = FILE.exec(last)?.[0] ?? ''
  const swap = (text: string): string => {
    if (last === '') return text.replace('/', `/${name}`)
    // Coded or in other case, it begins or ends with another letter.
    const at = [last, last.toUpperCase(), last.toLowerCase(), last.slice(1)].find(
      (one) => one !== '' && text.includes(one),
    )
    return at === undefined ? `${text}${name}` : text.replace(at, `${name}${ending}`)
  }
  const { target, headers } = request
  // Where a header alone says what is asked for, the address is that of another page.
  const isToldApart = headers?.some(([, value]) => value.includes(pathname)) && !request.url.includes(last)
  return {
    url: isToldApart ? request.url : swap(request.url),
    ...(target === undefined ? {} : { target: swap(target) }),
    ...(headers === undefined
      ? {}
      : { headers: headers.map(([key, value]) => [key, value.includes(pathname) ? swap(value) : value] as const) }),
  }
}

/** Null where it was not answered. */
const ask = async (
  { egress, signal }: Pick<CollectContext, 'egress' | 'signal'>,
  request: Pick<HttpRequest, 'url' | 'target' | 'headers'>,
): Promise<Answer | null> => {
  signal.throwIfAborted()
  try {
    const exchange: HttpExchange = await egress.http({
      ...{ ...request, timeout: TIMEOUT, maxBody: MOST_BYTES, authenticated: false, stranger: true },
    })
    return readAnswer(exchange)
  } catch (error) {
    if (targetFailure(error) === null) throw error
    return null
  }
}

const bypassOf = (ctx: CollectContext, { url, shown }: Refused, way: Way, before: Answer, answer: Answer): Bypass => {
  const told = shown === null ? [] : answer.leaves.filter(({ value }) => value.length > 5 && shown.values.has(value))
  const leaves = [...told.filter(isPersonal), ...told].slice(0, 3)
  const { target, headers } = way.request
  const asked = target === undefined ? way.request.url : `${new URL(url).origin}${target}`
  return {
    ...{ way: way.id, words: way.words, url, also: [], asked, status: before.exchange.status },
    values: leaves.map(({ name, value }) => (name === '' ? value : `${name}: ${value}`).slice(0, 80)),
    excerpt: [
      `GET ${url}: HTTP ${before.exchange.status}`,
      `asked ${way.words}: HTTP ${answer.exchange.status}`,
      answer.text,
    ]
      .join('\n')
      .slice(0, 2_000),
    replay: replayOf({ url: asked, headers: headers ?? [] }, NOBODY).replace('curl -si', 'curl -si --path-as-is'),
    evidence: [before, answer].map(({ exchange, text }, index) =>
      ctx.evidence({
        filename: index === 0 ? 'refused.txt' : 'answered.txt',
        contentType: 'text/plain',
        body: exchangeText(exchange, text),
      }),
    ),
  }
}
const NOBODY = { isNobody: true, name: '' } as const
