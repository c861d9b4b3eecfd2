/** Which of the fetched pages a check about documents may judge, and the reading of their headers and markup. */
import type { HeaderPairs } from '../../egress/egress.ts'
import { type HtmlPage, readHtml } from '../html.ts'
import type { Unjudged } from '../module.ts'
import type { Page, SiteFacts } from '../site/facts.ts'

const HTML = ['text/html', 'application/xhtml+xml']

/** Pages that a browser renders as a document: a successful answer of an HTML type. */
export const documentsOf = (site: SiteFacts): readonly Page[] =>
  site.pages.filter((page) => isHtml(page) && page.status >= 200 && page.status < 300)

/** HTML answers of status 400 and above, those to made-up paths included. */
export const errorPagesOf = (site: SiteFacts): readonly Page[] =>
  [...site.pages, ...site.missing].filter((page) => isHtml(page) && page.status >= 400)

export const isHtml = (page: Page): boolean => HTML.includes(page.contentType)

/** What a check about documents says when there is none: nothing fetched and nothing to judge are two things. */
export const withoutDocuments = (site: SiteFacts): Unjudged | null => {
  if (documentsOf(site).length > 0) return null
  if (site.pages.length === 0) return { state: 'not_tested', reason: 'No page of the site could be fetched.' }
  if (!site.pages.some(isHtml)) return { state: 'not_applicable', reason: 'The site answers with no HTML page.' }
  const statuses = [...new Set(site.pages.map(({ status }) => status))].join(', ')
  return { state: 'not_tested', reason: `Every HTML page answered with an error or a redirect (status ${statuses}).` }
}

/** Values of every line of this name, in order of arrival. */
export const valuesOf = (headers: HeaderPairs, name: string): readonly string[] =>
  headers.filter(([one]) => one.toLowerCase() === name).map(([, value]) => value.trim())

/** RFC 9110, 5.3: repeated lines read as one list; null when there is none. */
export const combined = (headers: HeaderPairs, name: string): string | null => {
  const values = valuesOf(headers, name)
  return values.length === 0 ? null : values.join(', ')
}

/** The markup of a page, parsed once however many checks ask. */
export const markupOf = (page: Page): HtmlPage => {
  const known = READ.get(page)
  if (known) return known
  const html = readHtml(page.body, page.url)
  READ.set(page, html)
  return html
}

const READ = new WeakMap<Page, HtmlPage>()
