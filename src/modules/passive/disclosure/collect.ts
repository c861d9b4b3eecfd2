import { targetFailure } from '../../../egress/door/target-failure.ts'
import { secretPassages } from '../../../knowledge/secrets/find.ts'
import { headerOf } from '../../../page/exchange.ts'
import { readHtml } from '../../../page/html.ts'
import { modulesOf } from '../../../page/page-modules.ts'
import type { CollectContext } from '../../module.ts'
import type { SiteFacts } from '../site/facts.ts'
import type { DisclosureFacts, Fetched, ScriptFacts, SourceMapFacts } from './facts.ts'
import { inlineMap, mapAddress, parseMap } from './maps.ts'

const MOST_SCRIPTS = 20
const MOST_MAPS = 10
/** Of those that what makes up the pages lies in, and of those that links lead to files of. */
const MOST_FOLDERS = 5
/** The last part of a path is the name of a file. */
const OF_A_FILE = /\/[^/]*\.\w{1,8}$/
const MOST_REDIRECTS = 3
const KEPT_TEXT = 256 * 1024
const LARGEST_MAP = 4 * 1024 * 1024
/** An overlong encoding of a slash: no UTF-8, and every decoder has to say what it does about it. */
const MALFORMED_PATH = '/%c0%ae%c0%ae'

/** Asks for what the pages themselves name, three fixed addresses, and one path that does not decode. */
export const collectDisclosure = async (ctx: CollectContext, site: SiteFacts): Promise<DisclosureFacts> => {
  const origin = new URL(site.baseUrl).origin
  const { scripts: named, folders: seen } = addressesOf(site, origin)
  const scripts: ScriptFacts[] = []
  for (const [index, url] of named.entries()) {
    ctx.progress(`script ${index + 1} of ${named.length}`, (0.6 * index) / named.length)
    const answer = await fetch(ctx, url, LARGEST_MAP)
    if (answer?.status === 200) scripts.push(describeScript(answer))
  }
  ctx.progress('source maps', 0.6)
  const maps = await collectMaps(ctx, scripts, origin)
  ctx.progress('robots.txt, security.txt and folders', 0.8)
  const folders: Fetched[] = []
  for (const url of seen) {
    const answer = await fetch(ctx, url)
    if (answer !== null) folders.push(answer)
  }
  return {
    scripts: scripts.map((script) => ({ ...script, body: keptOf(script.body) })),
    unfetched: named.length - scripts.length,
    maps,
    robots: await follow(ctx, `${origin}/robots.txt`),
    securityTxt: await follow(ctx, `${origin}/.well-known/security.txt`),
    securityTxtAtRoot: await fetch(ctx, `${origin}/security.txt`),
    malformed: await fetch(ctx, `${origin}${MALFORMED_PATH}`),
    folders,
  }
}

/** Of a long one what tells a secret behind that, too. */
const keptOf = (body: string): string => `${body.slice(0, KEPT_TEXT)}${secretPassages(body, KEPT_TEXT)}`

const folderOf = (url: string): string => new URL('./', url).href

const addressesOf = (site: SiteFacts, origin: string): { readonly scripts: string[]; readonly folders: string[] } => {
  const scripts = new Set<string>()
  const folders = new Set<string>()
  const linked = new Set<string>()
  for (const page of site.pages) {
    const html = readHtml(page.body, page.url)
    const own = (references: readonly ({ readonly url: string | null } | null)[]): string[] =>
      references.flatMap((reference) => (reference?.url?.startsWith(`${origin}/`) ? [reference.url] : []))
    const imported = html.scripts.flatMap(({ src, code }) => (src === null ? importsIn(code, html.base) : []))
    for (const url of own([...html.scripts.map(({ src }) => src), ...modulesOf(html), ...imported])) scripts.add(url)
    const files = [...html.scripts.map(({ src }) => src), ...html.stylesheets, ...html.media, ...html.resources]
    for (const url of own(files)) folders.add(folderOf(url))
    for (const url of own(html.links)) if (OF_A_FILE.test(new URL(url).pathname)) linked.add(folderOf(url))
  }
  const below = [folders, linked.difference(folders)].map((some) => [...some].filter((url) => url !== `${origin}/`))
  return {
    scripts: [...scripts].slice(0, MOST_SCRIPTS),
    folders: below.flatMap((some) => some.slice(0, MOST_FOLDERS)),
  }
}

/** What a script within a page imports (ECMA-262, 13.3.10 and 16.2.2): of many builds the only name of their first file. */
const importsIn = (code: string, base: string): readonly { readonly url: string | null }[] =>
  [...code.slice(0, KEPT_TEXT).matchAll(IMPORTS)].slice(0, MOST_SCRIPTS).map(([, name = '']) => ({
    url: /^(?:\.{0,2}\/|https?:)/.test(name) ? (URL.parse(name, base)?.href ?? null) : null,
  }))
const IMPORTS = /\bimport\s*(?:\(\s*|[\w*{},\s$]{1,200}?\bfrom\s*)?["']([^"'\s]{1,300}\.m?js(?:\?[^"'\s]{0,100})?)["']/g

const describeScript = (answer: Fetched): ScriptFacts => ({ ...answer, mapUrl: mapAddress(answer) })

const collectMaps = async (
  ctx: CollectContext,
  scripts: readonly ScriptFacts[],
  origin: string,
): Promise<readonly SourceMapFacts[]> => {
  const maps: SourceMapFacts[] = []
  for (const script of scripts.filter(({ mapUrl }) => mapUrl !== null).slice(0, MOST_MAPS)) {
    const url = script.mapUrl ?? ''
    if (url === 'inline') {
      const map = parseMap(inlineMap(script.body) ?? '', script.url, script.url)
      if (map !== null) maps.push(map)
      continue
    }
    // Maps of other hosts are somebody else's.
    if (!url.startsWith(`${origin}/`)) continue
    const answer = await fetch(ctx, url, LARGEST_MAP)
    const map = answer?.status === 200 ? parseMap(answer.body, script.url, url) : null
    if (map !== null) maps.push(map)
  }
  return maps
}

/** Null when the target did not answer. */
const fetch = async (ctx: CollectContext, url: string, kept = KEPT_TEXT): Promise<Fetched | null> => {
  try {
    const { status, headers, body, truncated } = await ctx.egress.http({ url, maxBody: kept })
    return { url, status, headers, body: body.toString('utf8'), truncated }
  } catch (error) {
    if (targetFailure(error) === null) throw error
    return null
  }
}

/** Follows redirects that stay on the origin. */
const follow = async (ctx: CollectContext, url: string): Promise<Fetched | null> => {
  let answer = await fetch(ctx, url)
  for (let count = 0; count < MOST_REDIRECTS && answer !== null; count++) {
    const location = headerOf(answer, 'location')
    const next = location === null ? null : URL.parse(location, answer.url)
    if (answer.status < 300 || answer.status >= 400 || next?.origin !== new URL(url).origin) break
    answer = await fetch(ctx, next.href)
  }
  return answer
}
