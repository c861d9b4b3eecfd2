import { getDomain } from 'tldts'

/**
 * Do two addresses belong to one registrable domain? Names below a hoster's public suffix (github.io) are each their own.
 * Addresses without a registrable domain (IP addresses, single labels) are compared by host.
 */
export const isSameSite = (one: string, other: string): boolean => {
  const [a, b] = [URL.parse(one), URL.parse(other)]
  if (a === null || b === null) return false
  return a.hostname === b.hostname || siteOf(a.hostname) === siteOf(b.hostname)
}

const siteOf = (hostname: string): string => getDomain(hostname, { allowPrivateDomains: true }) ?? hostname
