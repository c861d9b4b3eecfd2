/** Does a source expression allow an address: https://www.w3.org/TR/CSP3/#match-url-to-source-expression */
import type { HostSource, Source } from './source.ts'

const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: '80', https: '443', ws: '80', wss: '443', ftp: '21' }
const NETWORK = ['http', 'https', 'ws', 'wss']

/** `self` is the address of the page that carries the policy. Redirects are not considered. */
export const matchesSource = (source: Source, url: URL, self: URL): boolean => {
  switch (source.kind) {
    case 'scheme':
      return schemeMatches(source.scheme, schemeOf(url))
    case 'host':
      return hostSourceMatches(source, url, self)
    case 'keyword':
      return source.keyword === 'self' && selfMatches(url, self)
    default:
      return false
  }
}

const hostSourceMatches = (source: HostSource, url: URL, self: URL): boolean => {
  const scheme = schemeOf(url)
  if (source.host === '*' && source.scheme === null && source.port === null && source.path === null) {
    return NETWORK.includes(scheme) || scheme === schemeOf(self)
  }
  return (
    schemeMatches(source.scheme ?? schemeOf(self), scheme) &&
    url.hostname !== '' &&
    hostMatches(source.host, url.hostname.toLowerCase()) &&
    portMatches(source, url) &&
    pathMatches(source.path, url.pathname)
  )
}

/** A secure form of the scheme is as good: http allows https, ws allows wss, http and https. */
const schemeMatches = (allowed: string, scheme: string): boolean =>
  allowed === scheme ||
  (allowed === 'http' && scheme === 'https') ||
  (allowed === 'ws' && ['wss', 'http', 'https'].includes(scheme)) ||
  (allowed === 'wss' && scheme === 'https')

const hostMatches = (pattern: string, host: string): boolean => {
  if (pattern === '*') return true
  if (pattern.startsWith('*.')) return host.endsWith(pattern.slice(1))
  return pattern === host
}

const portMatches = (source: HostSource, url: URL): boolean => {
  const actual = portOf(url)
  if (source.port === '*') return true
  if (source.port === null) return actual === DEFAULT_PORTS[schemeOf(url)]
  return source.port === actual || (source.port === '80' && actual === '443')
}

const pathMatches = (pattern: string | null, path: string): boolean => {
  if (pattern === null || pattern === '/') return true
  const [wanted, actual] = [decode(pattern), decode(path)]
  return wanted.endsWith('/') ? actual.startsWith(wanted) : actual === wanted
}

const selfMatches = (url: URL, self: URL): boolean => {
  if (url.origin !== 'null' && url.origin === self.origin) return true
  const defaults = [url, self].every((one) => portOf(one) === DEFAULT_PORTS[schemeOf(one)])
  return (
    url.hostname === self.hostname &&
    (portOf(url) === portOf(self) || defaults) &&
    schemeOf(url) !== schemeOf(self) &&
    schemeMatches(schemeOf(self), schemeOf(url))
  )
}

const schemeOf = (url: URL): string => url.protocol.slice(0, -1)
const portOf = (url: URL): string => url.port || (DEFAULT_PORTS[schemeOf(url)] ?? '')
/** Undecodable text stays as it is: it then matches only itself. */
const decode = (path: string): string =>
  path.replace(/%[0-9a-f]{2}/gi, (hex) => String.fromCharCode(Number.parseInt(hex.slice(1), 16)))
