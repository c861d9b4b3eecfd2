/** Small servers that speak as much of a protocol as a probe hears. */
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

export interface Fake {
  readonly port: number
  readonly close: () => Promise<void>
}

/** `answer` gets all that one connection has sent so far, and how often it answered; null waits for more. */
export interface FakeProtocol {
  readonly greeting?: string | Buffer
  readonly answer?: (received: Buffer, turn: number, port: number) => string | Buffer | null
}

export const serveFake = (address: string, protocol: FakeProtocol, port = 0): Promise<Fake> =>
  serveSockets(
    address,
    (socket, own) => {
      if (protocol.greeting !== undefined) socket.write(bytesOf(protocol.greeting))
      let received = Buffer.alloc(0)
      let turn = 0
      socket.on('data', (chunk: Buffer) => {
        received = Buffer.concat([received, chunk])
        const reply = protocol.answer?.(received, turn, own) ?? null
        if (reply === null) return
        turn += 1
        received = Buffer.alloc(0)
        socket.write(bytesOf(reply))
      })
    },
    port,
  )

export const serveSockets = async (
  address: string,
  serve: (socket: Socket, port: number) => void,
  port = 0,
): Promise<Fake> => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket))
    serve(socket, own)
  })
  server.listen(port, address)
  await once(server, 'listening')
  const bound = server.address()
  const own = bound !== null && typeof bound === 'object' ? bound.port : 0
  return {
    port: own,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

const bytesOf = (bytes: string | Buffer): Buffer => (typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
