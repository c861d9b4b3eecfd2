/** Peers that talk TCP or TLS on one loopback address, and templates asked of them. */
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { runCase, templateOf } from './template-case.ts'

export const peersAt = (address: string) => {
  const closing: (() => Promise<void>)[] = []
  return {
    /** The port that it listens at. */
    serve: async (talk: (socket: Socket) => void, tls?: TlsOptions): Promise<number> => {
      const sockets = new Set<Socket>()
      const listener = (socket: Socket): void => {
        sockets.add(socket)
        socket.on('error', () => undefined) // The other end may go as it likes.
        talk(socket)
      }
      const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener)
      server.on('tlsClientError', () => undefined)
      server.listen(0, address)
      await once(server, 'listening')
      closing.push(async () => {
        for (const socket of sockets) socket.destroy()
        server.close()
        await once(server, 'close')
      })
      const bound = server.address()
      return typeof bound === 'object' && bound !== null ? bound.port : 0
    },
    ran: async (yaml: string, port: number) => {
      const outcome = await runCase(templateOf(yaml), { address, port })
      const extracted = outcome.hits.flatMap((hit) => hit.extracted.flatMap(({ values }) => values))
      return { ...outcome, count: outcome.hits.length, extracted }
    },
    close: async (): Promise<void> => {
      for (const close of closing.splice(0).reverse()) await close()
    },
  }
}
