/** Every host name that the site shows: in its certificate, its policies, its markup. */

import { type HtmlPage, readHtml } from '../../../page/html.ts'
import type { Page } from '../../../page/page.ts'
import { bare } from '../../../protocols/dns/wire.ts'
import type { SiteFacts } from '../site/facts.ts'
import type { TlsFacts } from '../tls/facts.ts'
import type { NameSource, SeenName } from './facts.ts'

const MOST_NAMES = 500

/** Names in order of first sight, sources of the same name together. */
export const seenNames = (host: string, site: SiteFacts, tls: TlsFacts): readonly SeenName[] => {
  const seen = new Map<string, { sources: Set<NameSource>; seenAt: string }>()
  const add = (name: string, source: NameSource, seenAt: string) => {
    const key = bare(name)
    if (!HOST.test(key) || key.length > 253 || (!seen.has(key) && seen.size >= MOST_NAMES)) return
    const entry = seen.get(key) ?? { sources: new Set(), seenAt }
    entry.sources.add(source)
    seen.set(key, entry)
  }
  add(host, 'host', host)
  for (const certificate of tls.certificates.filter(({ isAuthority }) => !isAuthority)) {
    for (const name of certificate.dnsNames ?? [])
      add(name.replace(/^\*\./, ''), 'certificate', `certificate ${certificate.sha256.slice(0, 16)}`)
  }
  for (const page of site.pages) {
    for (const name of policyHosts(page)) add(name, 'policy', page.url)
    for (const [name, source] of markupHosts(readHtml(page.body, page.url))) add(name, source, page.url)
  }
  return [...seen].map(([name, { sources, seenAt }]) => ({ name, sources: [...sources], seenAt }))
}

/** At least two labels, the last with a letter: no address, no bare word. */
const HOST = /^(?=.*\.)(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9])?\.)+(?=[a-z0-9-]*[a-z])[a-z0-9-]+$/

const markupHosts = (html: HtmlPage): readonly (readonly [string, NameSource])[] => [
  ...html.scripts.flatMap(({ src }) => hostOf(src?.url ?? null, 'script')),
  ...html.stylesheets.flatMap(({ url }) => hostOf(url, 'script')),
  ...html.links.flatMap(({ url }) => hostOf(url, 'link')),
]

const hostOf = (text: string | null, source: NameSource): readonly (readonly [string, NameSource])[] => {
  const url = text === null ? null : URL.parse(text)
  return url && /^https?:$/.test(url.protocol) ? [[url.hostname, source]] : []
}

/** Hosts of Content-Security-Policy sources; a wildcard stands for the domain below it. */
const policyHosts = ({ headers }: Page): readonly string[] =>
  headers
    .filter(([name]) => /^content-security-policy(?:-report-only)?$/i.test(name))
    .flatMap(([, value]) => value.slice(0, 16_384).split(/[\s;,]+/))
    .flatMap((source) => {
      const match = /^(?:(?:https?|wss?):\/\/)?(?:\*\.)?([a-z0-9_-]+(?:\.[a-z0-9_-]+)+)(?::[\d*]+)?(?:\/|$)/i.exec(
        source,
      )
      return match?.[1] === undefined ? [] : [match[1]]
    })
