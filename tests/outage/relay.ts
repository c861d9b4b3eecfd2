/** A relay before a real server, on a loopback port that stays the same: it can refuse for a while, or fall silent. */
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net'

export interface Relay {
  readonly port: number
  /** Connections are refused, and those that are open are cut. */
  readonly refuse: () => Promise<void>
  /** Connections are taken, and nothing is said on any of them. */
  readonly silence: () => void
  readonly restore: () => Promise<void>
  readonly close: () => Promise<void>
}

export const openRelay = async (to: NetConnectOpts, host = '127.0.0.1'): Promise<Relay> => {
  const open = new Set<Socket>()
  let silent = false
  const keep = (socket: Socket): void => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    // A cut connection is what this is for; the other end is cut with it.
    socket.on('error', () => undefined)
  }
  const server = createServer((near) => {
    keep(near)
    if (silent) return near.resume()
    const far = connect(to)
    keep(far)
    near.pipe(far).pipe(near)
    near.once('close', () => far.destroy())
    far.once('close', () => near.destroy())
    return near
  })
  const listen = (port: number): Promise<void> =>
    new Promise((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  const cut = (): void => {
    for (const socket of open) socket.destroy()
  }
  const stop = async (): Promise<void> => {
    if (!server.listening) return
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    cut()
    await closed
  }
  await listen(0)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The relay has no port')
  const { port } = address
  return {
    port,
    refuse: stop,
    silence: () => {
      silent = true
      for (const socket of open) socket.unpipe()
    },
    restore: async () => {
      silent = false
      cut()
      if (!server.listening) await listen(port)
    },
    close: stop,
  }
}
