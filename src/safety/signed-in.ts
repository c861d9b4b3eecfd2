/** What is special to a run with credentials: forms hold tokens that work, and may do whatever the account may. */

import type { CrawledUrl, CrawlFacts } from '../modules/attack/crawl/facts.ts'
import { isSafe } from './effect.ts'
import { ROUTING } from './words.ts'

/** What it does stands in the page's code and not in its name; a page that asks for it by itself shows that it reads. */
export const ON_DEMAND = 'only a script names it, which may do so when something is pressed'

const ADMINISTRATION =
  /(?:^|[/_.=-])(?:wp-?admin|admin(?:s|istrators?|istration|area|panel|console|cp)?|manager?|management|backend|backoffice|cpanel|dashboard\/settings|verwaltung)(?:$|[/_.?&-])/i
const BEGINNING = /(?:^|[/_.-])(?:new|create|add|compose|neu|anlegen)(?:\.\w{1,5})?$/i

/** Whether the account saw pages of an administration, by addresses that answered it. */
export const isStaff = (urls: readonly Pick<CrawledUrl, 'url' | 'status'>[]): boolean =>
  urls.some(({ url, status }) => status === 200 && ADMINISTRATION.test(new URL(url).pathname))

/** By its last word, or by what a parameter says is to be done. */
export const beginsRecord = (address: string): boolean => {
  const { pathname, searchParams } = new URL(address)
  if (BEGINNING.test(pathname)) return true
  return [...searchParams].some(([name, value]) => ROUTING.test(name) && /^(?:new|create|add|compose)$/i.test(value))
}

/** What a check of stored values has to say of the requests that were left alone; null where none was. */
export const leftUntold = ({ requests }: Pick<CrawlFacts, 'requests'>): string | null => {
  const left = requests.filter(({ method, harm }) => harm !== null && harm !== ON_DEMAND && !isSafe(method)).length
  return left === 0 ? null : `${left} requests that may store something are not sent`
}

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
