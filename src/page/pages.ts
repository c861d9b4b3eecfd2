/** Which of the fetched pages a check about documents may judge, and the reading of their headers and markup. */
import type { HeaderPairs } from '../egress/door/egress.ts'
import { type HtmlPage, readHtml } from './html.ts'
import type { Page } from './page.ts'

const HTML = ['text/html', 'application/xhtml+xml']

export const isHtml = (page: Page): boolean => HTML.includes(page.contentType)

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
