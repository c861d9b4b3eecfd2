import { targetFailure } from '../../../egress/door/target-failure.ts'
import { openFeed } from '../../../knowledge/feeds/items.ts'
import { detect, type Found } from '../../../knowledge/fingerprints/match.ts'
import type { Signal } from '../../../knowledge/fingerprints/product.ts'
import { allProducts, FINGERPRINTS_VERSION } from '../../../knowledge/fingerprints/products.ts'
import { detectRetire } from '../../../knowledge/fingerprints/retire.ts'
import { faviconHash } from '../../../knowledge/murmur.ts'
import { headerOf } from '../../../page/exchange.ts'
import { readHtml } from '../../../page/html.ts'
import type { CollectContext } from '../../module.ts'
import type { DisclosureFacts } from '../disclosure/facts.ts'
import type { SiteFacts } from '../site/facts.ts'
import { type Beside, servicesFound, signalsBeside } from './beside.ts'
import type { TechnologyFacts } from './facts.ts'
import { linesOf, openCycles } from './release-lines.ts'
import { signalsOf } from './signals.ts'

const LARGEST_ICON = 262_144

/** Reads what other modules saw; of the target it asks the icon alone. */
export const collectTechnology = async (
  ctx: CollectContext,
  site: SiteFacts,
  disclosure: DisclosureFacts,
  beside: Beside = {},
): Promise<TechnologyFacts> => {
  ctx.progress('icon')
  const favicon = await fetchIcon(ctx, site)
  ctx.progress('fingerprints', 0.5)
  const icon: readonly Signal[] =
    favicon === null ? [] : [{ source: 'favicon', name: '', text: String(favicon.hash), url: favicon.url }]
  const signals = [...signalsOf(site, disclosure), ...signalsBeside(beside), ...icon]
  const retire = detectByRetire(ctx.knowledge, signals)
  const technologies = detect(signals, allProducts(), [...retire.found, ...servicesFound(beside)])
  const cycles = openCycles(ctx.knowledge)
  try {
    return {
      technologies,
      favicon,
      endOfLife: linesOf(technologies, cycles),
      knowledge: {
        fingerprints: FINGERPRINTS_VERSION,
        endoflife: cycles.version,
        ...(retire.version === null ? {} : { retire: retire.version }),
      },
    }
  } finally {
    cycles.close()
  }
}

/** What the operator's data of retire.js recognise; nothing where it was never imported. */
const detectByRetire = (
  folder: string | undefined,
  signals: readonly Signal[],
): { readonly found: readonly Found[]; readonly version: string | null } => {
  const feed = folder === undefined ? null : openFeed(folder, 'retire')
  if (feed === null) return { found: [], version: null }
  try {
    return { found: detectRetire(feed, signals, allProducts()), version: feed.version }
  } finally {
    feed.close()
  }
}

const fetchIcon = async (ctx: CollectContext, site: SiteFacts): Promise<TechnologyFacts['favicon']> => {
  const [start] = site.pages
  const origin = new URL(site.baseUrl).origin
  const named = start ? readHtml(start.body, start.url).resources : []
  const link = named.find(({ attributes, url }) => isIcon(attributes.rel) && url?.startsWith(`${origin}/`))
  const url = link?.url ?? `${origin}/favicon.ico`
  try {
    const { status, headers, body, truncated } = await ctx.egress.http({ url, maxBody: LARGEST_ICON })
    const type = headerOf({ headers }, 'content-type') ?? ''
    if (status !== 200 || truncated || body.length === 0 || /^text\/html/i.test(type)) return null
    return { url, hash: faviconHash(body) }
  } catch (error) {
    if (targetFailure(error) === null) throw error
    return null
  }
}

const isIcon = (rel: string | undefined): boolean => /(?:^|\s)icon(?:\s|$)/i.test(rel ?? '')
