/** What a socket's failure means: about the peer, about the way there, or about this machine alone. */
import { EgressError } from '../door/egress.ts'

/**
 * The failure of a socket in the words of egress. `unreachable` with `noRoute` where this machine has no way to the
 * address, `exhausted` where it has no descriptors, ports or buffers left: neither is a statement about the peer.
 */
export const socketError = (error: unknown, what: string): EgressError => {
  if (error instanceof EgressError) return error
  const code = errorCode(error)
  if (code === 'ETIMEDOUT') return new EgressError('timeout', `${what}: timed out`, { cause: error })
  const ours = EXHAUSTED[code]
  if (ours) return new EgressError('exhausted', `${what}: ${ours}`, { cause: error })
  const known = UNREACHABLE[code]
  if (known) {
    return new EgressError('unreachable', `${what}: ${known}`, { cause: error, noRoute: NO_ROUTE.has(code) })
  }
  return new EgressError('protocol', `${what}: ${protocolDetail(error, code)}`.slice(0, 300), { cause: error })
}

/** True when there is no way to the address, by word of this machine or of a router: another one may be tried. */
export const isNoRoute = (error: unknown): boolean =>
  error instanceof EgressError && (error.noRoute || errorCode(error.cause) === 'EHOSTUNREACH')

/** True when this machine has run out of ports, descriptors or buffers: no statement about the target. */
export const isExhausted = (error: unknown): boolean => error instanceof EgressError && error.code === 'exhausted'

/** The TLS library words its errors for its authors, with file and line of its source; a report needs a sentence. */
const protocolDetail = (error: unknown, code: string): string => {
  if (!(error instanceof Error)) return String(error)
  if (!code.startsWith('ERR_SSL_')) return `${code ? `${code}: ` : ''}${error.message}`
  const reason = 'reason' in error && typeof error.reason === 'string' ? error.reason : ''
  return (
    TLS_WORDS[code] ??
    `the TLS handshake failed: ${reason || code.slice('ERR_SSL_'.length).toLowerCase().replaceAll('_', ' ')}`
  )
}

const TLS_WORDS: Readonly<Record<string, string>> = {
  ERR_SSL_WRONG_VERSION_NUMBER: 'what answers there is not TLS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'what answers there is not TLS',
  ERR_SSL_HTTP_REQUEST: 'what answers there is not TLS',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'no TLS version in common',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'the server refused the TLS version',
  'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE': 'the server refused the handshake',
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: 'the server refused the handshake',
  ERR_SSL_UNEXPECTED_EOF_WHILE_READING: 'the server hung up during the handshake',
}

const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ECONNABORTED: 'connection aborted',
  EPIPE: 'connection closed by the peer',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network unreachable',
  ENETDOWN: 'network down',
  EHOSTDOWN: 'host is down',
  EAFNOSUPPORT: 'address family not supported',
  EINVAL: 'this machine drops what goes there', // Linux, of a blackhole route
  EACCES: 'not permitted by this machine',
  EPERM: 'not permitted by this machine',
}
/** EHOSTUNREACH is not among them: as a rule a router far away says it of a host that is down. */
const NO_ROUTE: ReadonlySet<string> = new Set(['ENETUNREACH', 'ENETDOWN', 'EAFNOSUPPORT', 'EINVAL'])
const EXHAUSTED: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: 'this machine has no address or port left for it',
  EADDRINUSE: 'this machine has no port left for it',
  EMFILE: 'this machine has no descriptors left',
  ENFILE: 'this machine has no descriptors left',
  ENOBUFS: 'this machine has no buffers left',
  ENOMEM: 'this machine has no memory left',
}

const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
