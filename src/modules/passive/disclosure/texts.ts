/** Everything that the checks of this module read, under one shape. */

import type { EvidenceRef } from '../../../contract/evidence.ts'
import type { Location } from '../../../contract/finding.ts'
import { findSecrets } from '../../../knowledge/secrets/find.ts'
import type { HtmlPage } from '../../../page/html.ts'
import { readHtml } from '../../../page/html.ts'
import type { Page } from '../../../page/page.ts'
import { findPasswords } from '../../../page/passwords.ts'
import type { SiteFacts } from '../site/facts.ts'
import type { DisclosureFacts } from './facts.ts'

export interface Text {
  readonly url: string
  readonly status: number
  readonly body: string
  readonly evidence: readonly EvidenceRef[]
}

/** Pages, answers to missing paths, and the answer to the malformed one. */
export const pageTexts = (facts: DisclosureFacts, site: SiteFacts): readonly Text[] => [
  ...[...site.pages, ...site.missing].map(({ url, status, body, evidence }) => ({
    url,
    status,
    body,
    evidence: [evidence],
  })),
  ...(facts.malformed === null ? [] : [{ ...facts.malformed, evidence: [] }]),
]

/** What a browser loads as code: scripts and, where they are published, the sources behind them. */
export const codeTexts = (facts: DisclosureFacts): readonly Text[] => [
  ...facts.scripts.map(({ url, status, body }) => ({ url, status, body, evidence: [] })),
  ...facts.maps.map(({ url, text }) => ({ url, status: 200, body: text, evidence: [] })),
]

const parsed = new WeakMap<Page, HtmlPage>()

/** Parses a page once for all checks. */
export const htmlOf = (page: Page): HtmlPage => {
  const known = parsed.get(page)
  if (known !== undefined) return known
  const html = readHtml(page.body, page.url)
  parsed.set(page, html)
  return html
}

/** The text around an offset, with the secrets and passwords near it concealed. */
export const excerptAround = (text: string, index: number, length: number, reach = 200): string => {
  const cut = conceal(text).slice(Math.max(0, index - reach), index + length + reach)
  return cut.replace(/[^\P{C}\n\t]/gu, ' ').trim()
}

export const places = (urls: readonly string[]): readonly Location[] => urls.slice(1, 50).map((url) => ({ url }))

/** The text with each secret and password overwritten at its own length, so that offsets stay. */
export const conceal = (text: string): string =>
  [...findSecrets(text).map(({ secret }) => secret), ...findPasswords(text)].reduce(
    (concealed, value) => concealed.replaceAll(value, '*'.repeat(value.length)),
    text,
  )
