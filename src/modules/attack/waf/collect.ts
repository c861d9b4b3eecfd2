/**
 * Asks an ordinary page with a parameter that nobody reads: one attack-shaped value of each kind, each beside a harmless
 * value of the same length. Blocked is what all three probes and none of the three controls show.
 */
import { randomInt } from 'node:crypto'
import type { HttpExchange } from '../../../egress/door/egress.ts'
import { targetFailure } from '../../../egress/door/target-failure.ts'
import { CORE_RULE_SET, type RuleSet } from '../../../knowledge/waf/rule-sets.ts'
import { recognise, type Seen } from '../../../knowledge/waf/vendors.ts'
import { type BlockPage, isBlockPage } from '../../../page/block-page.ts'
import { exchangeText, headerOf, pageRequest } from '../../../page/exchange.ts'
import { readHtml } from '../../../page/html.ts'
import { likeness } from '../../../page/similarity.ts'
import { textOf } from '../../../page/text.ts'
import { ModuleEnding } from '../../endings.ts'
import type { CollectContext } from '../../module.ts'
import type { SiteFacts } from '../../passive/site/facts.ts'
import type { Category, RecognisedProduct, Sample, WafFacts } from './facts.ts'
import { differs } from './judging.ts'

/** They look like an attack; where one is taken at its word all the same, it names a file of the kernel, which nobody can alter. */
const PROBES: Readonly<Record<Category, string>> = {
  xss: '<script>alert(document.cookie)</script>',
  sqli: "1' UNION SELECT username,password FROM users-- -",
  'path-traversal': '../../../../../../proc/version',
  command: ';cat /proc/version|id',
  xxe: '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///proc/version">]><a>&b;</a>',
}
const REPEATS = 2
const KEPT_TEXT = 2_000
/** Below this share of common words an answer is another page. */
const OTHER = 0.7
const MAX_BODY = 256 * 1024

/** @throws ModuleEnding `skipped` where every page is excluded from the run */
export const collectWaf = async (ctx: CollectContext, site: SiteFacts): Promise<WafFacts> => {
  const base = [site.baseUrl, ...site.pages.map(({ url }) => url)].find((url) => !ctx.egress.excludes(url))
  if (base === undefined) throw new ModuleEnding('skipped', 'the run excludes every page that could be asked')
  const seen: Seen[] = [...site.pages, ...site.missing]
    .slice(0, 12)
    .map(({ status, headers, body }) => seenOf(status, headers, body))
  const normal = await ask(ctx, base)
  const page = normal ? textOf(normal) : ''
  if (normal) seen.push(seenOf(normal.status, normal.headers, page))
  const samples: Sample[] = []
  const categories = Object.keys(PROBES) as Category[]
  const sample = async (category: Category, kind: Sample['kind']) => {
    const name = randomName()
    const value = kind === 'probe' ? PROBES[category] : harmless(PROBES[category].length)
    const url = new URL(base)
    url.searchParams.set(name, value)
    const exchange = await ask(ctx, url.href)
    if (exchange) seen.push(seenOf(exchange.status, exchange.headers, textOf(exchange)))
    samples.push(sampleOf(ctx, kind, category, url.href, exchange, page))
  }
  for (const [index, category] of categories.entries()) {
    ctx.progress(`${category}: ${index + 1} of ${categories.length} kinds`, index / (categories.length + 1))
    await sample(category, 'control')
    await sample(category, 'probe')
  }
  // Only what differed once is asked again.
  const suspects = categories.filter((category) => differs(samples, category))
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    for (const category of suspects) {
      await sample(category, 'probe')
      await sample(category, 'control')
    }
  }
  const products = recognise(seen).map(({ product, certainty, signals }) => ({
    id: product.id,
    name: product.name,
    kind: product.kind,
    certainty,
    signals,
  }))
  const challenged =
    normal !== null && [401, 403, 429, 503].includes(normal.status) && products.some(({ kind }) => kind !== 'edge')
  const blockPage = blockPageOf(samples, suspects)
  const ruleSet = await ruleSetOf(ctx, base, blockPage, CORE_RULE_SET)
  return { url: base, products: [...products, ...(ruleSet ? [ruleSet] : [])], samples, blockPage, challenged }
}

/** Null unless it refuses, with the page of before, each name that the rule set refuses, and none of those beside them. */
const ruleSetOf = async (
  ctx: CollectContext,
  base: string,
  page: BlockPage | null,
  { id, name, kind, endings, sign }: RuleSet,
): Promise<RecognisedProduct | null> => {
  // Of connections that are cut, nobody's manner shows.
  if (page === null || page.status === null) return null
  const isRefused = async (url: URL): Promise<boolean | null> => {
    const exchange = ctx.egress.excludes(url.href) ? null : await ask(ctx, url.href)
    if (exchange === null) return null
    if (isBlockPage(page, { status: exchange.status, text: textOf(exchange) })) return true
    return exchange.status === page.status ? null : false
  }
  for (const [refused, passed] of endings) {
    const file = randomName()
    const value = new URL(base)
    value.searchParams.set(randomName(), `${file}.${refused}`)
    for (const [url, expected] of [
      [new URL(`/${file}.${refused}`, base), true],
      [new URL(`/${file}.${passed}`, base), false],
      // The same name where it is no file.
      [value, false],
    ] as const)
      if ((await isRefused(url)) !== expected) return null
  }
  return { id, name, kind, certainty: 'firm', signals: [sign] }
}

const ask = async (ctx: CollectContext, url: string): Promise<HttpExchange | null> => {
  try {
    return await ctx.egress.http(pageRequest(url, { authenticated: false, maxBody: MAX_BODY }))
  } catch (error) {
    ctx.signal.throwIfAborted()
    if (targetFailure(error) === null) throw error
    return null
  }
}

const seenOf = (status: number, headers: HttpExchange['headers'], body: string): Seen => ({
  status,
  headers: headers.map(([name, value]) => [name.toLowerCase(), value] as const),
  cookies: headers.flatMap(([name, value]) =>
    name.toLowerCase() === 'set-cookie' ? [value.split('=')[0]?.trim() ?? ''] : [],
  ),
  body: body.slice(0, 8_192),
})

const sampleOf = (
  ctx: CollectContext,
  kind: Sample['kind'],
  category: Category,
  url: string,
  exchange: HttpExchange | null,
  page: string,
): Sample => {
  const text = exchange ? textOf(exchange) : ''
  const alike = exchange ? Math.round(likeness(text, page) * 1000) / 1000 : 0
  return {
    kind,
    category,
    url,
    status: exchange?.status ?? null,
    location: (exchange && headerOf(exchange, 'location')?.replace(/[?#].*$/, '')) ?? '',
    title: readHtml(text, url).title,
    // The site's own page is kept elsewhere, and may hold what should not be kept twice.
    text: exchange && (exchange.status >= 400 || alike < OTHER) ? text.slice(0, KEPT_TEXT) : '',
    likeness: alike,
    evidence: exchange
      ? ctx.evidence({
          filename: `${kind}-${category}.txt`,
          contentType: 'text/plain; charset=utf-8',
          body: exchangeText(exchange, text.slice(0, KEPT_TEXT)),
        })
      : null,
  }
}

const blockPageOf = (samples: readonly Sample[], suspects: readonly Category[]): BlockPage | null => {
  const found = samples.findLast(
    ({ kind, category }) => kind === 'probe' && suspects.includes(category) && differs(samples, category),
  )
  return found ? { status: found.status, title: found.title, text: found.text } : null
}

const LETTERS = 'bcdfghjklmnpqrstvwxz'
const randomName = (): string => Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]).join('')

/** Words of the same length as the probe, of which no rule could think ill. */
const harmless = (length: number): string =>
  'green tents for the long way home and back again until spring'
    .repeat(2)
    .slice(0, length)
    .trimEnd()
    .padEnd(length, 's')
