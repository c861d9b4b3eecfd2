/** Asks for scripts as a page of another site would include them, and looks for what they tell of who is signed in (CAPEC-111). */

import type { HttpExchange } from '../../../../egress/door/egress.ts'
import { ANOTHER_SITE } from '../../../../page/another-site.ts'
import { readHtml } from '../../../../page/html.ts'
import { textOf } from '../../../../page/text.ts'
import type { CollectContext } from '../../../module.ts'
import type { CrawlFacts, RequestTemplate } from '../../crawl/facts.ts'
import { isTokenName } from '../../insertion-points/tokens.ts'
import { ask, goThrough, Left, neverApplies, notAsked } from '../asking.ts'
import type { ScriptSeen, Topic } from '../facts.ts'
import { isCarried, type OwnSession, sameSiteOf, withoutOpener } from './own-session.ts'
import { withoutSecrets } from './sockets.ts'

const MOST = 60

export const askScripts = async (
  ctx: CollectContext,
  crawl: CrawlFacts,
  own: OwnSession | string,
  until: number,
): Promise<Topic<ScriptSeen>> => {
  if (!ctx.hasCredentials) return notAsked('not_tested', 'nobody is signed in, of whom a script could tell')
  const isOpened = isCarried(ctx, own)
  if (!isOpened) return withoutOpener(own)
  const sameSite = sameSiteOf(own)
  if (sameSite === 'strict' || sameSite === 'lax')
    return neverApplies('the session’s cookie has SameSite, and comes with no script that other sites include')
  const { included, silent, beyond } = await includedBy(ctx, crawl)
  const all = candidatesOf(crawl, included)
  const left = {
    ...(all.length > MOST ? { [`beyond the first ${MOST}`]: all.length - MOST } : {}),
    ...(silent > 0 ? { 'that pages include which did not answer': silent } : {}),
    ...(beyond > 0 ? { [`of pages beyond the first ${MOST_PAGES}`]: beyond } : {}),
  }
  return goThrough(ctx, { name: 'scripts', items: all.slice(0, MOST), until, left }, (url) => look(ctx, url, sameSite))
}

const MOST_PAGES = 8

/** What `<script src>` names within the site, on a page of each set of scripts. `silent`: pages that did not answer; `beyond`: pages that were not read for it. */
const includedBy = async (
  ctx: CollectContext,
  { scripted = [] }: CrawlFacts,
): Promise<{ readonly included: readonly string[]; readonly silent: number; readonly beyond: number }> => {
  const pages = [...new Map(scripted.toReversed().map(({ url, code }) => [code, url])).values()].toReversed()
  const included = new Set<string>()
  let silent = 0
  for (const url of pages.slice(0, MOST_PAGES)) {
    const page = await askOrNull(ctx, url)
    if (page === null) silent += 1
    for (const { src } of page === null ? [] : readHtml(textOf(page), url).scripts) {
      const address = URL.parse(src?.url ?? '')
      if (address?.origin === new URL(url).origin) included.add(address.href)
    }
  }
  return { included: [...included], silent, beyond: Math.max(0, pages.length - MOST_PAGES) }
}

const askOrNull = async (ctx: CollectContext, url: string): Promise<HttpExchange | null> => {
  try {
    return await ask(ctx, { url, method: 'GET' })
  } catch (error) {
    if (error instanceof Left) return null
    throw error
  }
}

/** By their type, or by a parameter that names a function of the page; those that programs make first. */
const candidatesOf = ({ requests, urls }: CrawlFacts, included: readonly string[]): readonly string[] => {
  const asked = requests.filter(isPlain)
  const known = new Set(asked.map(({ url }) => url))
  const types = new Map(urls.map(({ url, contentType }) => [url, contentType]))
  const left = new Set(requests.flatMap(({ url, harm }) => (harm === null ? [] : [url])))
  const scripts = urls.flatMap(({ url, contentType }) => (SCRIPT.test(contentType) && !left.has(url) ? [url] : []))
  const called = [...known].filter((url) => CALLED.test(url) || SCRIPT.test(types.get(url) ?? ''))
  const records = [...known].filter((url) => JSON_TYPE.test(types.get(url) ?? '')).slice(0, MOST_RECORDS)
  const isFile = (url: string): boolean => /\.m?js$/.test(new URL(url).pathname)
  return [
    ...new Set(
      [...called, ...scripts, ...records.map(withCallback), ...included.filter((url) => !left.has(url))].map(
        withoutSecrets,
      ),
    ),
  ].toSorted((a, b) => Number(isFile(a)) - Number(isFile(b)))
}

/** What may write, as a link that deletes, is no script that another site would include. */
const isPlain = ({ method, encoding, harm, bound, headers = [] }: RequestTemplate): boolean =>
  method === 'GET' && encoding === 'none' && harm === null && bound === undefined && headers.length === 0

const SCRIPT = /(?:java|ecma)script/i
const CALLED = /[?&](?:json_?p|[\w-]*callback|cb)=[^&]/i

const JSON_TYPE = /\bjson\b/i
const MOST_RECORDS = 20
/** Frameworks wrap any answer in JSON into a call of what these name, whether or not a page asks for it (JSONP). */
const withCallback = (url: string): string => {
  const address = new URL(url)
  for (const name of ['callback', 'jsonp']) address.searchParams.set(name, 'show')
  return address.href
}

const look = async (ctx: CollectContext, url: string, sameSite: string | null): Promise<readonly ScriptSeen[]> => {
  const included = (authenticated: boolean) => ask(ctx, { url, method: 'GET', headers: FROM_ELSEWHERE, authenticated })
  const own = await included(true)
  if (!isRun(own)) return []
  const told = toldOf(textOf(own), ctx.session?.account)
  if (told.length === 0) return []
  const nobody = textOf(await included(false))
  const again = await included(true)
  if (!isRun(again)) return []
  // What everybody is told is nobody's, and what is another value each time may be made up.
  const stays = textOf(again)
  const held = told.filter(({ value }) => !nobody.includes(value) && stays.includes(value))
  return held.length === 0 ? [] : [seenOf(url, held, own, sameSite)]
}

/** As a browser asks for what `<script src>` of another site names (Fetch Metadata). */
const FROM_ELSEWHERE: readonly (readonly [string, string])[] = [
  ['Accept', '*/*'],
  ['Referer', `${ANOTHER_SITE}/`],
  ['Sec-Fetch-Site', 'cross-site'],
  ['Sec-Fetch-Mode', 'no-cors'],
  ['Sec-Fetch-Dest', 'script'],
]

/**
 * Whether browsers run it there: `nosniff` and Cross-Origin-Resource-Policy are obeyed (Fetch), HTML is no script, and a beginning such as
 * `)]}'` or `for(;;);` keeps its values from whoever includes it.
 */
const isRun = ({ status, headers, ...answer }: HttpExchange): boolean => {
  if (status < 200 || status >= 300) return false
  const headerOf = (name: string): string => headers.find(([one]) => one.toLowerCase() === name)?.[1] ?? ''
  if (/same-(?:origin|site)/i.test(headerOf('cross-origin-resource-policy'))) return false
  const text = textOf({ headers, ...answer }).trimStart()
  if (text === '' || text.startsWith('<') || /^(?:\)\]\}|(?:for|while)\s*\(|throw\b|&&&)/.test(text)) return false
  const type = headerOf('content-type')
  if (SCRIPT.test(type)) return true
  const isCall = /^(?:\/\*[^*]*\*\/\s*)?[\w$][\w$.[\]]*\s*\(/.test(text)
  return (
    isCall && !/nosniff/i.test(headerOf('x-content-type-options')) && !/^(?:image|audio|video|text\/csv)/i.test(type)
  )
}

interface Told {
  readonly name: string
  readonly value: string
  readonly what: string
}

const MEMBER =
  /(?:(["'])([\w$-]{1,60})\1|\b([A-Za-z_$][\w$]{0,59}))\s*[:=]\s*(?:"((?:\\.|[^"\\\n]){3,400})"|'((?:\\.|[^'\\\n]){3,400})')/g
const MAIL = /^[^\s@<>/]{1,64}@[^\s@.<>/]+(?:\.[^\s@.<>/]+)+$/
const PERSON =
  /^(?:user_?name|login|account_?name|nick_?name|(?:full|first|last|display|given|family)_?name|phone|mobile|address|street|iban)$/i
const SECRET = /^(?:.*_)?(?:token|secret|api_?key|session_?id|jwt|passw(?:or)?d)$/i

/** Members of its objects and variables that are somebody's, or let in. */
const toldOf = (text: string, account: string | undefined): readonly Told[] =>
  [...text.matchAll(MEMBER)].flatMap(([, , quoted, bare, double, single]): Told[] => {
    const [name, value] = [quoted ?? bare ?? '', double ?? single ?? '']
    const what = whatOf(name.replace(/([a-z])([A-Z])/g, '$1_$2'), value, account)
    return what === null ? [] : [{ name, value, what }]
  })

const whatOf = (name: string, value: string, account: string | undefined): string | null => {
  if (value === account) return 'what the account signs in by'
  if (MAIL.test(value)) return 'an e-mail address'
  if ((SECRET.test(name) || isTokenName(name)) && /^[\w+/=.:-]{12,}$/.test(value)) return 'a token'
  return PERSON.test(name) ? 'who is signed in' : null
}

const seenOf = (url: string, held: readonly Told[], own: HttpExchange, sameSite: string | null): ScriptSeen => {
  const names = [...new Set(held.map(({ name }) => name))].slice(0, 10)
  const mark = `told to who is signed in alone: ${names.join(', ')}`
  const type = own.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? 'none'
  const headers = FROM_ELSEWHERE.map(([name, value]) => ` -H '${name}: ${value}'`).join('')
  return {
    ...{ method: 'GET', url, names, what: [...new Set(held.map(({ what }) => what))].toSorted(), sameSite, mark },
    excerpt: [
      `GET ${new URL(url).pathname}, as a page of ${ANOTHER_SITE} includes it`,
      `status ${own.status}, Content-Type: ${type}`,
      mark,
    ].join('\n'),
    replay: `curl -isk${headers} -b '<the cookies>' '${url.replaceAll("'", '%27')}'`,
  }
}
