/** What a TLS handshake shows: negotiated values and the chain as the server sent it. */
import type { X509Certificate } from 'node:crypto'
import type { Dialled } from '../door/dialer.ts'
import type { TlsSession, TlsTarget } from '../door/egress.ts'
import { certificateError, handshake } from '../sockets/tls.ts'
import { tapped } from './tls-tap.ts'

/** Ends the socket in any case. @throws EgressError */
export const inspectTls = async (target: TlsTarget, dialled: Dialled, signal: AbortSignal): Promise<TlsSession> => {
  const tap = tapped(dialled.socket)
  try {
    const { socket, ocspResponse } = await handshake(tap.stream, { ...target, onKeyLog: tap.keyLog }, signal)
    const chain = tap.chain()
    const leaf = socket.getPeerX509Certificate()
    const session: TlsSession = {
      address: dialled.address,
      protocol: socket.getProtocol() ?? 'unknown',
      cipher: socket.getCipher().standardName,
      alpn: typeof socket.alpnProtocol === 'string' ? socket.alpnProtocol : null,
      chain: chain.length > 0 ? chain : builtChain(leaf),
      ocspResponse,
      authorizationError: certificateError(socket),
    }
    socket.destroy()
    return session
  } finally {
    dialled.socket.destroy()
  }
}

/** The chain as the library put it together: the fallback where the handshake could not be read. */
const builtChain = (leaf: X509Certificate | undefined): Buffer[] => {
  const chain: Buffer[] = []
  for (let next = leaf; next && chain.length < 16; next = next.issuerCertificate) {
    if (chain.some((known) => known.equals(next?.raw ?? Buffer.alloc(0)))) break
    chain.push(next.raw)
  }
  return chain
}
