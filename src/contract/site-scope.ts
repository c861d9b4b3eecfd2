/** Which addresses belong to a site that was registered. */

export interface SiteTarget {
  /** ASCII host name without port. */
  readonly host: string
  /** The port registered with the domain, or null for the defaults (80 and 443). */
  readonly port: number | null
}

/** The registered host and its www. sibling; a registered port binds both, and is the only one. False of what is no address. */
export const isOfSite = ({ host, port }: SiteTarget, address: URL | string): boolean => {
  const url = typeof address === 'string' ? URL.parse(address) : address
  return (
    url !== null &&
    (url.protocol === 'http:' || url.protocol === 'https:') &&
    url.username === '' &&
    withoutWww(url.hostname) === withoutWww(host) &&
    isAtPort(port, url)
  )
}

/** `port`: as of a SiteTarget. */
export const isAtPort = (port: number | null, url: URL): boolean =>
  port === null ? url.port === '' : portOf(url) === port

const portOf = ({ port, protocol }: URL): number => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port))

const withoutWww = (name: string): string => name.replace(/^www\./, '')
