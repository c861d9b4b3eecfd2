/** Open HTTP connections of a run, kept for the next request to the same place and person. */
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Dialer } from '../door/dialer.ts'
import { certificateError, handshake } from '../sockets/tls.ts'

export interface Connection {
  readonly socket: Socket | TLSSocket
  readonly address: string
  readonly certificateError: string | null
  /** Milliseconds to open it, handshake included; 0 when it was open already. */
  readonly connectTime: number
  /** True when an earlier exchange used it: the peer may have closed it meanwhile. */
  readonly reused: boolean
}

export interface PeerKey {
  readonly scheme: 'http' | 'https'
  readonly host: string
  readonly port: number
  /** Requests with and without credentials never share a connection: some servers log in the connection itself. */
  readonly authenticated: boolean
  /** Nor do those of different people; '' is the run's own. */
  readonly as: string
}

export interface Connections {
  /** `fresh` asks for one that nobody used before. @throws EgressError */
  readonly take: (
    peer: PeerKey,
    options: { signal: AbortSignal; timeout: number; fresh: boolean },
  ) => Promise<Connection>
  /** Gives one back that stands at the start of a next response. */
  readonly keep: (peer: PeerKey, connection: Connection) => void
  readonly close: () => void
}

/** Servers close idle connections after 5 s (Node, Apache) or later; below that we rarely meet a closing one. */
const IDLE = 4_000

/**
 * `most`: connections of the run at once, those at rest among them. Many servers hold a process for each as long as it is open, and have
 * none left for anybody else: before another one is opened, the one that has rested longest is closed.
 */
export const createConnections = (dialer: Dialer, most: number): Connections => {
  const idle = new Map<string, Idle[]>()
  let opened = 0
  let open = true

  const forget = (key: string, entry: Idle) => {
    const list = idle.get(key)?.filter((other) => other !== entry) ?? []
    if (list.length > 0) idle.set(key, list)
    else idle.delete(key)
  }

  return {
    take: async (peer, { signal, timeout, fresh }) => {
      const key = keyOf(peer)
      for (let found = fresh ? undefined : idle.get(key)?.at(-1); found; found = idle.get(key)?.at(-1)) {
        forget(key, found)
        found.wake()
        const { connection } = found
        if (!connection.socket.destroyed && connection.socket.readable && connection.socket.writable) {
          return { ...connection, connectTime: 0, reused: true }
        }
        connection.socket.destroy()
      }
      if (opened >= most) longestAtRest(idle)?.drop()
      const began = performance.now()
      opened += 1
      const { socket, address } = await dialer
        .open(peer.host, peer.port, { signal, timeout, persist: true })
        .catch((error: unknown) => {
          opened -= 1
          throw error
        })
      socket.once('close', () => {
        opened -= 1
      })
      const took = () => performance.now() - began
      if (peer.scheme === 'http') {
        return { socket, address, certificateError: null, connectTime: took(), reused: false }
      }
      const secured = (await handshake(socket, { host: peer.host, alpn: ['http/1.1'] }, signal)).socket
      return {
        socket: secured,
        address,
        certificateError: certificateError(secured),
        connectTime: took(),
        reused: false,
      }
    },
    keep: (peer, connection) => {
      const key = keyOf(peer)
      const list = idle.get(key) ?? []
      const { socket } = connection
      if (!open || opened > most || socket.destroyed) {
        socket.destroy()
        return
      }
      const drop = () => {
        forget(key, entry)
        socket.destroy()
      }
      const entry: Idle = {
        connection,
        since: performance.now(),
        drop,
        wake: () => {
          socket.off('data', drop).off('error', drop).off('close', drop).off('timeout', drop).setTimeout(0)
        },
      }
      // Bytes that nobody asked for would be taken for the next answer.
      socket.on('data', drop).on('error', drop).on('close', drop)
      socket.setTimeout(IDLE, drop)
      idle.set(key, [...list, entry])
    },
    close: () => {
      open = false
      for (const { connection } of [...idle.values()].flat()) connection.socket.destroy()
      idle.clear()
    },
  }
}

interface Idle {
  readonly connection: Connection
  /** By performance.now(). */
  readonly since: number
  readonly drop: () => void
  /** Takes the listeners of the idle time off. */
  readonly wake: () => void
}

const longestAtRest = (idle: ReadonlyMap<string, readonly Idle[]>): Idle | undefined =>
  [...idle.values()].flat().toSorted((a, b) => a.since - b.since)[0]

const keyOf = ({ scheme, host, port, authenticated, as }: PeerKey): string =>
  `${scheme}|${host}|${port}|${authenticated}|${as}`
