/** TLS over a socket that is already open, as tolerant as a scanner must be: old versions, weak ciphers, bad chains. */
import { constants } from 'node:crypto'
import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import tls from 'node:tls'
import { EgressError, type TlsTarget } from '../door/egress.ts'
import { socketError } from './errors.ts'
import { unheard } from './tcp.ts'

/**
 * The floor for talking to a site at all; what a site offers is the tls module's to judge, not egress's to refuse.
 * SECLEVEL=0 admits short keys and SHA-1, LEGACY_SERVER_CONNECT servers without RFC 5746.
 */
export const TOLERANT = {
  minVersion: 'TLSv1',
  ciphers: 'DEFAULT:@SECLEVEL=0',
  secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT,
} as const

export type TlsOptions = Pick<
  TlsTarget,
  'servername' | 'minVersion' | 'maxVersion' | 'ciphers' | 'alpn' | 'requestOcsp'
> & { readonly host: string; readonly onKeyLog?: (line: Buffer) => void }

export interface Handshake {
  readonly socket: tls.TLSSocket
  readonly ocspResponse: Buffer | null
}

/**
 * Completes a handshake over `socket`, whatever the certificate. Destroys the socket when it fails. Errors after that
 * belong to whoever listens, as with `dial`.
 * @throws EgressError protocol, unreachable, or the signal's reason
 */
export const handshake = (socket: Duplex, options: TlsOptions, signal: AbortSignal): Promise<Handshake> =>
  new Promise((resolve, reject) => {
    const what = `TLS with ${options.host}`
    let ocspResponse: Buffer | null = null
    if (signal.aborted) {
      socket.destroy()
      reject(signal.reason)
      return
    }
    let secured: tls.TLSSocket
    try {
      secured = tls.connect(connectOptions(socket, options))
    } catch (cause) {
      // A cipher list or version range that this OpenSSL cannot offer.
      socket.destroy()
      reject(new EgressError('protocol', `${what}: ${cause instanceof Error ? cause.message : cause}`, { cause }))
      return
    }
    secured.on('error', unheard)
    const settle = () => {
      signal.removeEventListener('abort', abort)
      secured.off('error', fail)
      secured.off('close', closed)
      secured.off('secureConnect', succeed)
    }
    const give = (reason: unknown) => {
      settle()
      secured.destroy()
      socket.destroy()
      reject(reason)
    }
    const abort = () => give(signal.reason)
    const fail = (error: Error) => give(socketError(error, what))
    const closed = () => give(new EgressError('protocol', `${what}: closed during the handshake`))
    const succeed = () => {
      settle()
      resolve({ socket: secured, ocspResponse })
    }
    signal.addEventListener('abort', abort, { once: true })
    secured.once('error', fail)
    secured.once('close', closed)
    secured.once('secureConnect', succeed)
    if (options.onKeyLog) secured.on('keylog', options.onKeyLog)
    secured.once('OCSPResponse', (response: Buffer) => {
      ocspResponse = response && response.length > 0 ? Buffer.from(response) : null
    })
  })

/**
 * The server's side of TLS over a client's socket, for the browser's tunnels; `opened` is called when the handshake is
 * done. What fails, or takes longer than `patience` milliseconds, ends both.
 */
export const serveTls = (
  client: Duplex,
  options: { readonly secureContext: tls.SecureContext; readonly patience: number },
  opened: (socket: tls.TLSSocket) => void,
): void => {
  const { secureContext, patience } = options
  const socket = new tls.TLSSocket(client, { isServer: true, secureContext, ALPNProtocols: ['http/1.1'] })
  const timer = setTimeout(() => socket.destroy(), patience)
  socket.once('close', () => clearTimeout(timer))
  socket.on('error', () => client.destroy())
  socket.once('secure', () => {
    clearTimeout(timer)
    opened(socket)
  })
}

/** Why the default verification refuses the peer, as an OpenSSL or Node code, or null. */
export const certificateError = (socket: tls.TLSSocket): string | null => {
  if (socket.authorized) return null
  // Typed as an Error, but the runtime gives the code as a string.
  const reason: unknown = socket.authorizationError
  if (reason instanceof Error) return 'code' in reason ? String(reason.code) : reason.message
  return typeof reason === 'string' && reason !== '' ? reason : 'unauthorized'
}

const connectOptions = (socket: Duplex, options: TlsOptions): tls.ConnectionOptions => {
  const plain = options.minVersion === undefined && options.maxVersion === undefined && options.ciphers === undefined
  const name = options.servername === undefined ? (isIP(options.host) ? null : options.host) : options.servername
  return {
    socket,
    host: options.host,
    rejectUnauthorized: false,
    ALPNProtocols: options.alpn ? [...options.alpn] : undefined,
    requestOCSP: options.requestOcsp ?? false,
    // An IP address is no server name (RFC 6066, 3); the identity is checked against the host in any case.
    servername: name ?? '',
    checkServerIdentity: (_, certificate) => tls.checkServerIdentity(name ?? options.host, certificate),
    ...(plain
      ? { secureContext: tolerantContext() }
      : {
          minVersion: options.minVersion ?? TOLERANT.minVersion,
          maxVersion: options.maxVersion,
          ciphers: options.ciphers ?? TOLERANT.ciphers,
          secureOptions: TOLERANT.secureOptions,
        }),
  }
}

/** Made once: loading the roots costs milliseconds. */
let shared: tls.SecureContext | null = null
const tolerantContext = (): tls.SecureContext => {
  shared ??= tls.createSecureContext(TOLERANT)
  return shared
}
