/** Code that stands in pages, read together with the files of the site: what an element runs calls functions that these have. */
import type { HtmlElement } from '../../../page/html.ts'
import { createPageValues } from './page-values.ts'
import type { Draft } from './requests.ts'
import type { Shown } from './scripts/controls.ts'
import { EXAMPLE } from './scripts/endpoint.ts'
import type { Endpoint, ScriptCookie, Scripts } from './scripts.ts'

/** Texts that are read, and characters of one: most of what is longer holds data. */
const MOST = 4_000
const LONGEST = 20_000

export interface PageCode {
  /** What the texts of one page ask for by the functions of files, those that were read before and those that come. */
  readonly read: (
    page: {
      readonly inline: readonly string[]
      readonly handlers: readonly string[]
      readonly forms: readonly Draft[]
      readonly controlled: readonly Pick<HtmlElement, 'attributes'>[]
      readonly shown: Shown
    },
    url: string,
  ) => readonly Endpoint[]
  /** With the values of pages that were read, see `page-values.ts`. */
  readonly filled: (endpoint: Endpoint) => Endpoint
}

export const createPageCode = (site: Scripts): PageCode => {
  const known = new Set<string>()
  const values = createPageValues()
  return {
    filled: values.filled,
    read: ({ inline, handlers, forms, controlled, shown }, url) => {
      values.saw(forms)
      site.learn(inline)
      site.handed(controlled)
      const fresh = [...inline, ...handlers].filter((code) => code.length <= LONGEST && !known.has(code))
      const some = fresh.slice(0, Math.max(0, MOST - known.size))
      for (const code of some) known.add(code)
      return some.length === 0 ? [] : site.all(some, url, shown)
    },
  }
}

/** Pages whose requests are kept for cookies that a file will tell of, and cookies of one page. */
const MOST_PAGES = 4_000
const MOST_COOKIES = 10

/**
 * Cookies that the code of a page sets go with the forms of that page and with what its code sends: with all requests those of many pages would
 * be too many. Which they are is known when the file is read whose function sets them. `tell` takes a request that is known once more, with its
 * cookies.
 */
export const createPageCookies = (tell: (draft: Draft) => void) => {
  const sent = new Map<string, { readonly drafts: Draft[]; readonly shown: Shown }>()
  return {
    has: (page: string, draft: Draft, shown: Shown): void => {
      const before = sent.get(page)
      if (before) before.drafts.push(draft)
      else if (sent.size < MOST_PAGES) sent.set(page, { drafts: [draft], shown })
    },
    sets: (cookies: readonly ScriptCookie[]): void => {
      for (const [page, set] of Map.groupBy(cookies, (one) => one.page)) {
        const { drafts, shown } = sent.get(page ?? '') ?? { drafts: [], shown: [] }
        // What a person types is kept as it stands in its field.
        const typed = new Map(shown.map(([name, value]) => [name, encodeURIComponent(value)]))
        const sentAs = ({ name, value }: ScriptCookie) => (value === EXAMPLE ? (typed.get(name) ?? value) : value)
        const pairs = set.slice(0, MOST_COOKIES).map((one) => `${one.name}=${sentAs(one)}`)
        for (const draft of drafts)
          tell({ ...draft, headers: [...(draft.headers ?? []), ['Cookie', pairs.join('; ')]] })
      }
    },
  }
}
