/** Which further pages are looked at, and what a page says. */
import type { Page } from 'playwright-core'
import type { ConsentWords } from '../../../knowledge/consent/label.ts'
import { harmOfAddress, harmOfLink } from '../../../safety/safety.ts'
import { createLinkTokens } from '../../../safety/signed-in.ts'
import { unreadable } from './snapshot.ts'
import { within } from './times.ts'

export interface PageLink {
  readonly url: string
  readonly label: string
}

export interface PageText {
  readonly links: readonly PageLink[]
  readonly language: string
  readonly text: string
}

/** Null when the page does not let itself be read. */
export const readLinks = async (page: Page): Promise<PageText | null> => {
  const read = await within('reading a page', page.mainFrame().evaluate<PageText>(LINKS), 5_000).catch(unreadable)
  return 'links' in read ? read : null
}

/** The privacy policy first, then where people type, then others; never one that buys, ends a session or changes anything. */
export const subpagesOf = (
  links: readonly PageLink[],
  start: string,
  words: ConsentWords,
  most: number,
): readonly string[] => {
  const home = new URL(start)
  const ranked = new Map<string, number>()
  const tokens = createLinkTokens()
  tokens.note(links.flatMap(({ url }) => (URL.parse(url)?.origin === home.origin ? [url] : [])))
  for (const { url, label } of links) {
    const to = URL.parse(url)
    if (!to || to.origin !== home.origin || to.pathname === home.pathname || BUYING.test(`${to.pathname} ${label}`))
      continue
    if (harmOfAddress(url) !== null || harmOfLink(label) !== null || tokens.without(url) !== url) continue
    if (/\.(?:pdf|zip|jpe?g|png|docx?|xlsx?|ics|exe|dmg)$/i.test(to.pathname)) continue
    to.hash = ''
    const policy = words.policyOf(label, to.href)
    const rank = policy === 'privacy' ? 0 : FORMS.test(`${to.pathname} ${label}`) ? 1 : policy === null ? 2 : 3
    if (!ranked.has(to.href)) ranked.set(to.href, rank)
  }
  return [...ranked]
    .toSorted((a, b) => a[1] - b[1])
    .slice(0, most)
    .map(([url]) => url)
}

const BUYING = /unsubscribe|basket|cart|checkout|\border\b|warenkorb|kasse/i
const FORMS = /contact|kontakt|login|sign|register|anmelden|newsletter|search|suche|account|form/i

const LINKS = `(() => {
  const links = []
  const walk = (root) => {
    for (const element of root.querySelectorAll('*')) {
      if (element.tagName === 'A' && typeof element.href === 'string' && element.href && links.length < 600)
        links.push({ url: element.href.slice(0, 1000), label: (element.innerText || element.getAttribute('aria-label') || element.title || '').trim().slice(0, 120) })
      if (element.shadowRoot) walk(element.shadowRoot)
    }
  }
  walk(document)
  return {
    links,
    language: (document.documentElement.lang || '').slice(0, 20),
    text: (document.body ? document.body.innerText : '').slice(0, 200000),
  }
})()`
