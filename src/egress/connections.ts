/** Open HTTP connections of a run, kept for the next request to the same place and person. */
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Reach } from './reach.ts'
import { certificateError, handshake } from './tls.ts'

export interface Connection {
  readonly socket: Socket | TLSSocket
  readonly address: string
  readonly certificateError: string | null
  /** Milliseconds to open it, handshake included; 0 when it was open already. */
  readonly connectTime: number
  /** True when an earlier exchange used it: the peer may have closed it meanwhile. */
  readonly reused: boolean
}

export interface Place {
  readonly scheme: 'http' | 'https'
  readonly host: string
  readonly port: number
  /** Requests with and without credentials never share a connection: some servers log in the connection itself. */
  readonly authenticated: boolean
}

export interface Connections {
  /** `fresh` asks for one that nobody used before. @throws EgressError */
  readonly take: (
    place: Place,
    options: { signal: AbortSignal; timeout: number; fresh: boolean },
  ) => Promise<Connection>
  /** Gives one back that stands at the start of a next response. */
  readonly keep: (place: Place, connection: Connection) => void
  readonly close: () => void
}

/** Servers close idle connections after 5 s (Node, Apache) or later; below that we rarely meet a closing one. */
const IDLE = 4_000
const IDLE_PER_PLACE = 32

export const createConnections = (reach: Reach): Connections => {
  const idle = new Map<string, Connection[]>()
  let open = true

  const forget = (key: string, connection: Connection) => {
    const list = idle.get(key)
    const at = list?.indexOf(connection) ?? -1
    if (list && at >= 0) list.splice(at, 1)
    if (list?.length === 0) idle.delete(key)
  }

  return {
    take: async (place, { signal, timeout, fresh }) => {
      const key = keyOf(place)
      for (let found = fresh ? undefined : idle.get(key)?.pop(); found; found = idle.get(key)?.pop()) {
        found.socket.removeAllListeners('close').removeAllListeners('data').removeAllListeners('error')
        found.socket.setTimeout(0)
        if (!found.socket.destroyed && found.socket.readable && found.socket.writable) {
          return { ...found, connectTime: 0, reused: true }
        }
        found.socket.on('error', ignore).destroy()
      }
      const began = performance.now()
      const { socket, address } = await reach.open(place.host, place.port, { signal, timeout, persist: true })
      const took = () => performance.now() - began
      if (place.scheme === 'http') {
        return { socket, address, certificateError: null, connectTime: took(), reused: false }
      }
      const secured = (await handshake(socket, { host: place.host, alpn: ['http/1.1'] }, signal)).socket
      return {
        socket: secured,
        address,
        certificateError: certificateError(secured),
        connectTime: took(),
        reused: false,
      }
    },
    keep: (place, connection) => {
      const key = keyOf(place)
      const list = idle.get(key) ?? []
      const { socket } = connection
      if (!open || list.length >= IDLE_PER_PLACE || socket.destroyed) {
        socket.on('error', ignore).destroy()
        return
      }
      const drop = () => {
        forget(key, connection)
        socket.on('error', ignore).destroy()
      }
      // Bytes that nobody asked for would be taken for the next answer.
      socket.on('data', drop).on('error', drop).on('close', drop)
      socket.setTimeout(IDLE, drop)
      idle.set(key, [...list, connection])
    },
    close: () => {
      open = false
      for (const { socket } of [...idle.values()].flat()) socket.on('error', ignore).destroy()
      idle.clear()
    },
  }
}

const keyOf = ({ scheme, host, port, authenticated }: Place): string => `${scheme}|${host}|${port}|${authenticated}`

const ignore = () => undefined
