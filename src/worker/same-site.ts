import { splitDomain } from '../contract/domain-name.ts'

/** Only the host itself and its www twin: a redirect to elsewhere may be anybody's. `domain` may have a port. */
export const isSameSite = (next: URL, domain: string): boolean => {
  const { host, port } = splitDomain(domain)
  const bare = (name: string): string => name.replace(/^www\./, '')
  return bare(next.hostname) === bare(host) && next.port === (port === null ? '' : String(port))
}
