/** What is special to a run with credentials: forms hold tokens that work, and may do whatever the account may. */

import type { CrawledUrl, CrawlFacts } from '../modules/attack/crawl/facts.ts'
import { shapeOf } from '../page/shape.ts'
import { isSafe } from './effect.ts'
import { ROUTING, wordsOf } from './words.ts'

/** What it does stands in the page's code and not in its name; a page that asks for it by itself shows that it reads. */
export const ON_DEMAND = 'only a script names it, which may do so when something is pressed'

const ADMINISTRATION =
  /(?:^|[/_.=-])(?:wp-?admin|admin(?:s|istrators?|istration|area|panel|console|cp)?|manager?|management|backend|backoffice|cpanel|dashboard\/settings|verwaltung)(?:$|[/_.?&-])/i
const BEGINNING = /(?:^|[/_.-])(?:new|create|add|compose|neu|anlegen)(?:\.\w{1,5})?$/i
/** Shown as one thing and no list: where the account has none yet, it is made as soon as its page is opened. */
const MAKES_KEY = /(?:^|\/)(?:api|atom|rss|feed|calendar|ical|personal[_-]?access)[_-]?(?:key|token)(?:\.\w{1,5})?$/i

/** Whether the account saw pages of an administration, by addresses that answered it. */
export const isStaff = (urls: readonly Pick<CrawledUrl, 'url' | 'status'>[]): boolean =>
  urls.some(({ url, status }) => status === 200 && ADMINISTRATION.test(new URL(url).pathname))

/** By its last word, a key of an account among them, or by what a parameter says is to be done. */
export const beginsRecord = (address: string): boolean => {
  const { pathname, searchParams } = new URL(address)
  if (BEGINNING.test(pathname) || MAKES_KEY.test(pathname)) return true
  return [...searchParams].some(([name, value]) => ROUTING.test(name) && /^(?:new|create|add|compose)$/i.test(value))
}

/** What a check of stored values has to say of the requests that were left alone; null where none was. */
export const leftUntold = ({ requests }: Pick<CrawlFacts, 'requests'>): string | null => {
  const left = requests.filter(({ method, harm }) => harm !== null && !isSafe(method)).length
  return left === 0 ? null : `${left} requests that may store something are not sent`
}

/** Names of parameters without which a link that changes something is refused. */
const TOKEN = /^_?(?:wp_?)?nonce$|csrf|xsrf|authenticity_?token|^sectok$|^form_?key$/i
/** Named so, it may be one as well: `token`, `security_token`, `my_post_key`. */
const MAY_BE_TOKEN = /(?:^|_|-)(?:token|nonce|(?:post|auth|form|sess(?:ion)?)[_-]?(?:key|hash))$/i
/** What chooses what is shown, or hands it out to whoever has the address. */
const CHOOSES =
  /(?:^|_|-)(?:page|next|prev(?:ious)?|continu(?:e|ation)|cursor|sync|access|refresh|api|feed|rss|share|invit(?:e|ation)|download|preview|view)(?:$|_|-)/i
const OPAQUE = /^(?=\D*\d)[\w+/=.~-]{16,200}$/
/** A page that has fewer links shows nothing of what the site puts into each. */
const LEAST_LINKS = 4
/** Of the links of a page: what stands in so many is the session, which the site carries in its addresses. */
const CARRIED = 0.8

export interface LinkTokens {
  /** The addresses that one page links to. */
  readonly note: (addresses: readonly string[]) => void
  /**
   * The address without its token against forged requests: a search answers as before, and a link that would trash, activate
   * or switch something is refused by the site itself.
   */
  readonly without: (address: string) => string
}

/** Names alone do not tell a token of one link from a session that stands in all of them; the links of a page do. */
export const createLinkTokens = (): LinkTokens => {
  const carried = new Set<string>()
  return {
    note: (addresses) => {
      const kinds = new Map(addresses.map((address) => [kindOf(address), namesIn(address)]))
      if (kinds.size < LEAST_LINKS) return
      for (const name of new Set([...kinds.values()].flat()))
        if ([...kinds.values()].filter((names) => names.includes(name)).length >= CARRIED * kinds.size)
          carried.add(name)
    },
    without: (address) => {
      const url = URL.parse(address)
      const names = url ? namesIn(address).filter((name) => TOKEN.test(name) || !carried.has(name)) : []
      if (!url || names.length === 0) return address
      for (const name of names) url.searchParams.delete(name)
      return url.href
    },
  }
}

/** Many records have links of one kind; where a front controller leads to is another kind each. */
const kindOf = (address: string): string => {
  const routes = [...(URL.parse(address)?.searchParams ?? [])].filter(([name]) => ROUTING.test(name))
  return JSON.stringify([URL.canParse(address) ? shapeOf(address) : address, routes.map(([, value]) => wordsOf(value))])
}

const namesIn = (address: string): readonly string[] =>
  [...(URL.parse(address)?.searchParams ?? [])].flatMap(([name, value]) =>
    TOKEN.test(name) || (MAY_BE_TOKEN.test(name) && !CHOOSES.test(name) && OPAQUE.test(value)) ? [name] : [],
  )
