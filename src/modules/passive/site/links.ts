/** Which links of the start page are worth a request, gentlest first: never one that might change something. */

import { type HtmlLink, readHtml } from '../../../page/html.ts'
import { asksFirst } from '../../../safety/form-effect.ts'
import { type Asked, decide } from '../../../safety/policy.ts'
import { harmOfLink } from '../../../safety/safety.ts'
import { createLinkTokens } from '../../../safety/signed-in.ts'

const FILE =
  /\.(pdf|zip|gz|tgz|rar|7z|exe|dmg|iso|apk|jpe?g|png|gif|webp|avif|svg|ico|css|m?js|json|xml|rss|atom|txt|csv|docx?|xlsx?|pptx?|mp[34]|webm|ogg|woff2?|ttf|ics|vcf)$/i
/** Pages that the context table weighs are worth more than the tenth article. */
const TELLING =
  /(checkout|kasse|payment|cart|basket|warenkorb|log-?in|sign-?in|account|konto|register|contact|kontakt|search)/i

/**
 * Addresses on the start page's own origin, without fragment, each once and never the start page itself. Of pages that
 * look alike (/product/1, /product/2) the first comes before the rest. At most `limit`. A passive run stores nothing anywhere: what is
 * asked is decided as on a production system, and by `signedIn`, as opening a form may begin a record there.
 */
export const linksToFollow = (html: string, pageUrl: string, limit: number, signedIn = false): readonly string[] => {
  const page = new URL(pageUrl)
  const candidates = new Map<string, { readonly url: URL; readonly order: number }>()
  const { links } = readHtml(html, pageUrl)
  const tokens = createLinkTokens()
  tokens.note(links.flatMap(({ url }) => (url !== null && URL.parse(url)?.origin === page.origin ? [url] : [])))
  for (const link of links) {
    const url = safeTarget(link, page, signedIn)
    // A token made for this link alone says that it does something.
    if (url && tokens.without(url.href) !== url.href) continue
    if (url && url.href !== page.href && !candidates.has(url.href))
      candidates.set(url.href, { url, order: candidates.size })
  }
  const seen = new Map<string, number>()
  return [...candidates.values()]
    .map(({ url, order }) => {
      const shape = url.pathname.replace(/\d+/g, '0').split('/').slice(0, 3).join('/')
      const alike = seen.get(shape) ?? 0
      seen.set(shape, alike + 1)
      return { href: url.href, rank: [TELLING.test(url.pathname) ? 0 : 1, alike, order] as const }
    })
    .toSorted((a, b) => a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1] || a.rank[2] - b.rank[2])
    .slice(0, limit)
    .map(({ href }) => href)
}

const safeTarget = (link: HtmlLink, page: URL, signedIn: boolean): URL | null => {
  const url = link.url === null ? null : URL.parse(link.url)
  if (!url || url.origin !== page.origin || url.username !== '' || link.attributes.download !== undefined) return null
  url.hash = ''
  if (harmOfLink(link.label) !== null || asksFirst(link) || FILE.test(url.pathname)) return null
  const asked: Asked = { method: 'GET', url: url.href, encoding: 'none', fields: [], body: null }
  const around = { environment: 'production', signedIn, staff: false, excludes: () => false } as const
  return decide(asked, null, around).send === 'send' ? url : null
}
