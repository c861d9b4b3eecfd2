/**
 * What a run with credentials leaves alone beyond what every run does. Signed in, forms hold tokens that work and may do
 * whatever the account may: rename the site, set a password, run a statement. What only adds words is still sent, but
 * not with the rights of staff, whose words are published and may hold markup by design.
 */

import type { CrawledUrl, CrawlFacts, RequestTemplate } from '../modules/attack/crawl/facts.ts'
import { effectOf } from './effect.ts'
import { harmOfAddress, isSearch } from './safety.ts'
import { ROUTING } from './words.ts'

export const STAFF = 'it writes, signed in as staff'
export const CHANGES = 'it changes what belongs to the account'
/** Some applications make an empty record as soon as its form is opened; once is enough. */
export const BEGINS = 'it may begin a record of its own each time it is asked for'
/** What it does stands in the page's code and not in its name; a page that asks for it by itself shows that it reads. */
export const ON_DEMAND = 'only a script names it, which may do so when something is pressed'

const ADMINISTRATION =
  /(?:^|[/_.=-])(?:wp-?admin|admin(?:s|istrators?|istration|area|panel|console|cp)?|manager?|management|backend|backoffice|cpanel|dashboard\/settings|verwaltung)(?:$|[/_.?&-])/i
const BEGINNING = /(?:^|[/_.-])(?:new|create|add|compose|neu|anlegen)(?:\.\w{1,5})?$/i
const ADDS =
  /(?:^|[^a-z])(?:comments?|reply|replies|answers?|messages?|reviews?|feedback|guestbook|notes?|posts?|questions?|tickets?|kommentar\w{0,2}|nachricht\w{0,2}|bewertung\w{0,2})(?:$|[^a-z])/i
const ALTERS =
  /(?:^|[^a-z])(?:set|save|store|update|create|alter|insert|edit|change|rename|move|tables?|databases?|settings?|options?|config\w{0,10}|preferences?|profile|account|users?|roles?|permissions?|password|passwd|pass|email|import|export|install|activate|enable|execute|sql|backup)(?:$|[^a-z])/i

/** Whether the account saw pages of an administration, by addresses that answered it. */
export const isStaff = (urls: readonly Pick<CrawledUrl, 'url' | 'status'>[]): boolean =>
  urls.some(({ url, status }) => status === 200 && ADMINISTRATION.test(new URL(url).pathname))

/** Why a request is not sent signed in, null where it is. */
export const leftAlone = (request: RequestTemplate, staff: boolean): string | null => {
  const { url, fields, method } = request
  if (request.harm !== null) return request.harm
  if (method === 'GET' && begins(url)) return BEGINS
  if (effectOf(request) === 'reads') return null
  const address = spaced(`${new URL(url).pathname} ${new URL(url).search}`)
  const names = fields.map(({ name, value, type }) =>
    spaced(type === 'hidden' ? `${name} ${value.slice(0, 40)}` : name),
  )
  const alters = [address, ...names].some((text) => ALTERS.test(text)) || fields.some(({ type }) => type === 'password')
  const adds = method === 'POST' && [address, ...names].some((text) => ADDS.test(text))
  if (method === 'POST' && !alters && !adds && isSearch(url, fields)) return null
  if (staff) return STAFF
  return adds && !alters ? null : CHANGES
}

/** By its last word, or by what a parameter says is to be done. */
const begins = (address: string): boolean => {
  const { pathname, searchParams } = new URL(address)
  if (BEGINNING.test(pathname)) return true
  return [...searchParams].some(([name, value]) => ROUTING.test(name) && /^(?:new|create|add|compose)$/i.test(value))
}

/**
 * Whether a request that a page makes by itself stores something: a preference that was seen, a draft. Told by its address,
 * whatever its method, and by what its body names as the thing to do; loading pages by POST goes on.
 */
export const isAlteration = (method: string, address: string, body: string): boolean => {
  if (['GET', 'HEAD', 'OPTIONS'].includes(method)) return harmOfAddress(address) !== null
  const url = URL.parse(address)
  if (!url || ['PUT', 'PATCH', 'DELETE'].includes(method)) return true
  if (ALTERS.test(spaced(`${url.pathname} ${url.search}`))) return true
  const text = body.slice(0, 20_000)
  const named = [...text.matchAll(DEED)].map((match) =>
    decodeURIComponent((match[1] ?? '').replace(/%(?![\da-f]{2})/gi, '')),
  )
  return named.some((deed) => ALTERS.test(spaced(deed)) || ADDS.test(spaced(deed))) || /\bmutation\b/.test(text)
}

/** `action=options` in a form, `"method": "users.save"` in JSON, a part of a multipart body. */
const DEED =
  /(?:^|[&"'\s])(?:action|do|op|cmd|command|task|method|operation|operationName|event)(?:=|"\s*:\s*"|"\s*\r\n\r\n)([^&"'\r\n]{1,80})/gi

/** What a check of stored values has to say of the requests that were left alone; null where none was. */
export const leftUntold = ({ requests }: Pick<CrawlFacts, 'requests'>): string | null => {
  const left = requests.filter(({ harm }) => harm === STAFF || harm === CHANGES).length
  return left === 0 ? null : `${left} requests that may store something are not sent signed in`
}

/** Words that are written together, apart. */
const spaced = (text: string): string => text.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()

/** Names of parameters without which a link that changes something is refused. */
const TOKEN = /^_?(?:wp_?)?nonce$|csrf|xsrf|authenticity_?token|^sectok$|^form_?key$/i

/**
 * The address without its token against forged requests: a search answers as before, and a link that would trash, activate
 * or switch something is refused by the site itself.
 */
export const withoutToken = (address: string): string => {
  const url = URL.parse(address)
  const names = url ? [...url.searchParams.keys()].filter((name) => TOKEN.test(name)) : []
  if (!url || names.length === 0) return address
  for (const name of names) url.searchParams.delete(name)
  return url.href
}
