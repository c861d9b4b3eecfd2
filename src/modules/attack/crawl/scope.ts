/** Which addresses belong to the site that was verified. */
import { getDomain } from 'tldts'

export interface Scope {
  /** The registered host and its www. sibling; a registered port binds both. */
  readonly holds: (url: URL) => boolean
  /** Another host of the same registrable domain. */
  readonly isRelative: (url: URL) => boolean
}

export const scopeOf = (target: { readonly host: string; readonly port: number | null }): Scope => {
  const bare = (name: string): string => name.replace(/^www\./, '')
  const domain = getDomain(target.host, { allowPrivateDomains: true })
  const holds = (url: URL): boolean =>
    (url.protocol === 'http:' || url.protocol === 'https:') &&
    url.username === '' &&
    bare(url.hostname) === bare(target.host) &&
    (url.port === '' || Number(url.port) === target.port)
  return {
    holds,
    isRelative: (url) =>
      !holds(url) && domain !== null && getDomain(url.hostname, { allowPrivateDomains: true }) === domain,
  }
}
