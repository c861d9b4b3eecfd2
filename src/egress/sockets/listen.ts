/** Opens what listens: the browser's proxy on loopback, and the listener for calls from targets. */
import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Server, type ServerOptions } from 'node:http'
import { type AddressInfo, isIP } from 'node:net'

/**
 * An HTTP server that listens. An error that comes later, such as running out of descriptors while accepting, costs the
 * connection that it befell and is told to `failed`; the server goes on.
 * @throws when the address or port cannot be listened on
 */
export const listenHttp = async (
  options: ServerOptions,
  at: { readonly port: number; readonly bind: string },
  failed: (error: Error) => void,
): Promise<{ readonly server: Server; readonly port: number }> => {
  const server = createServer(options)
  server.listen(at.port, at.bind)
  await once(server, 'listening')
  server.on('error', failed)
  return { server, port: (server.address() as AddressInfo).port }
}

/**
 * A UDP socket that listens. From then on an error is one datagram's, told to `failed`.
 * @throws when the address or port cannot be listened on
 */
export const listenUdp = async (
  at: { readonly port: number; readonly bind: string },
  failed: (error: Error) => void,
): Promise<UdpSocket> => {
  const socket = createSocket(isIP(at.bind) === 6 ? 'udp6' : 'udp4')
  socket.bind(at.port, at.bind)
  await once(socket, 'listening')
  return socket.on('error', failed)
}
