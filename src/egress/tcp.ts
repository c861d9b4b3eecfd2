/** Opens sockets, and only to addresses: names were resolved and judged before. */
import { connect, type Socket } from 'node:net'
import { EgressError } from './egress.ts'

export interface Dial {
  /** Canonical address that the guard allowed. */
  readonly address: string
  readonly port: number
  /** Rejects the attempt with its reason. */
  readonly signal: AbortSignal
}

/** @throws EgressError unreachable, timeout, aborted */
export const dial = ({ address, port, signal }: Dial): Promise<Socket> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason)
      return
    }
    const socket = connect({ host: address, port, autoSelectFamily: false, noDelay: true })
    const settle = () => {
      signal.removeEventListener('abort', abort)
      socket.off('error', fail)
      socket.off('connect', succeed)
    }
    const abort = () => {
      settle()
      socket.on('error', ignoreLate)
      socket.destroy()
      reject(signal.reason)
    }
    const fail = (error: Error) => {
      settle()
      socket.destroy()
      reject(socketError(error, `${address} port ${port}`))
    }
    const succeed = () => {
      settle()
      resolve(socket)
    }
    signal.addEventListener('abort', abort, { once: true })
    socket.once('error', fail)
    socket.once('connect', succeed)
  })

/** The failure of a socket in the words of egress. */
export const socketError = (error: unknown, what: string): EgressError => {
  if (error instanceof EgressError) return error
  const code = errorCode(error)
  if (code === 'ETIMEDOUT') return new EgressError('timeout', `${what}: timed out`, { cause: error })
  const known = UNREACHABLE[code]
  if (known) return new EgressError('unreachable', `${what}: ${known}`, { cause: error })
  return new EgressError('protocol', `${what}: ${protocolDetail(error, code)}`.slice(0, 300), { cause: error })
}

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

/** True when the address cannot be reached from this machine at all, so that another address may be tried. */
export const isNoRoute = (error: unknown): boolean =>
  error instanceof EgressError && NO_ROUTE.has(errorCode(error.cause))

/** True when this machine has run out of ports, descriptors or buffers: no statement about the target. */
export const isExhausted = (error: unknown): boolean =>
  error instanceof EgressError && EXHAUSTED.has(errorCode(error.cause))

const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ECONNABORTED: 'connection aborted',
  EPIPE: 'connection closed by the peer',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network unreachable',
  EHOSTDOWN: 'host is down',
  EADDRNOTAVAIL: 'no local address or port left',
  EAFNOSUPPORT: 'address family not supported',
  EACCES: 'not permitted by this machine',
  EPERM: 'not permitted by this machine',
  EMFILE: 'this machine has no descriptors left',
  ENFILE: 'this machine has no descriptors left',
  ENOBUFS: 'this machine has no buffers left',
}
const NO_ROUTE: ReadonlySet<string> = new Set(['ENETUNREACH', 'EHOSTUNREACH', 'EAFNOSUPPORT', 'EADDRNOTAVAIL'])
const EXHAUSTED: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'EADDRNOTAVAIL'])

const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** After an abort the caller has its answer; a socket without a listener would end the process. */
const ignoreLate = () => undefined
