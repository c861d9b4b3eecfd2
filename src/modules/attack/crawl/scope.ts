/** Which addresses belong to the site that was verified. */
import { getDomain } from 'tldts'
import { isOfSite, type SiteTarget } from '../../../contract/site-scope.ts'

export interface Scope {
  /** The registered host and its www. sibling; a registered port binds both. */
  readonly holds: (url: URL) => boolean
  /** Another host of the same registrable domain. */
  readonly isRelative: (url: URL) => boolean
}

export const scopeOf = (target: SiteTarget): Scope => {
  const domain = getDomain(target.host, { allowPrivateDomains: true })
  const holds = (url: URL): boolean => isOfSite(target, url)
  return {
    holds,
    isRelative: (url) =>
      !holds(url) && domain !== null && getDomain(url.hostname, { allowPrivateDomains: true }) === domain,
  }
}
