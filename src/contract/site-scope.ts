/** Which addresses belong to a site that was registered. */

export interface SiteTarget {
  /** ASCII host name without port. */
  readonly host: string
  /** The port registered with the domain, or null for the defaults (80 and 443). */
  readonly port: number | null
}

/** The registered host and its www. sibling; a registered port binds both, and is the only one. */
export const isOfSite = ({ host, port }: SiteTarget, url: URL): boolean =>
  (url.protocol === 'http:' || url.protocol === 'https:') &&
  url.username === '' &&
  withoutWww(url.hostname) === withoutWww(host) &&
  (port === null ? url.port === '' : portOf(url) === port)

const portOf = ({ port, protocol }: URL): number => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port))

const withoutWww = (name: string): string => name.replace(/^www\./, '')
