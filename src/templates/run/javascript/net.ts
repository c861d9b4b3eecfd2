/** `nuclei/net` of scripts: connections to ports of the target. */
import type { Egress } from '../../../egress/door/egress.ts'
import { openTalk, type Talk } from '../../../protocols/services/talk.ts'
import { ScriptError } from '../../language/script/errors.ts'
import { numberOf, octetsOf, stringOf } from '../../language/script/plain.ts'

export interface NetParts {
  readonly egress: Egress
  /** @throws StepSkipped for a host that is not the target */
  readonly place: (host: string, port: number) => { readonly host: string; readonly port: number }
  /** Ended with the step. */
  readonly opened: Talk[]
}

interface Connection {
  readonly send: (bytes: Buffer) => void
  readonly read: (most: number, whole: boolean) => Promise<Buffer>
  readonly end: () => void
}

/** What scripts call, by the number of a connection. */
export interface Net {
  /** @throws ScriptError, StepSkipped, EgressError */
  readonly open: (kind: unknown, address: unknown, secure: unknown) => Promise<number>
  readonly send: (id: unknown, data: unknown) => void
  /** @throws EgressError */
  readonly read: (id: unknown, count: unknown, whole: unknown) => Promise<Buffer>
  readonly close: (id: unknown) => boolean
}

const MOST_CONNECTIONS = 10
/** Milliseconds. */
const WAIT = 3_000
const WAIT_DATAGRAM = 1_500
const MOST_READ = 64 * 1024
const USUAL_READ = 4_096

export const createNet = (parts: NetParts): Net => {
  const connections: Connection[] = []
  const connectionOf = (id: unknown): Connection => {
    const connection = connections[numberOf(id)]
    if (connection === undefined) throw new ScriptError('there is no such connection')
    return connection
  }
  return {
    open: async (kind, address, secure) => {
      if (connections.length >= MOST_CONNECTIONS)
        throw new ScriptError(`a script may open ${MOST_CONNECTIONS} connections`)
      return connections.push(await open(parts, stringOf(kind), stringOf(address), secure === true)) - 1
    },
    send: (id, data) => connectionOf(id).send(octetsOf(data)),
    read: async (id, count, whole) => {
      const most = typeof count === 'number' ? Math.min(MOST_READ, count) : USUAL_READ
      return (await connectionOf(id).read(most, whole === true)).subarray(0, MOST_READ)
    },
    close: (id) => {
      connectionOf(id).end()
      return true
    },
  }
}

const open = async (parts: NetParts, kind: string, address: string, secure: boolean): Promise<Connection> => {
  const match = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(address)
  if (!match) throw new ScriptError(`“${address.slice(0, 80)}” is no address with a port`)
  const { host, port } = parts.place(match[1] ?? match[2] ?? '', Number(match[3]))
  if (kind === 'udp') return datagrams(parts, host, port)
  if (kind !== 'tcp') throw new ScriptError(`there is no network “${kind}”`)
  const talk = await openTalk(parts.egress, { host, port, secure })
  parts.opened.push(talk)
  return {
    send: (bytes) => {
      talk.send(bytes)
    },
    read: (most, whole) => talk.read(whole ? undefined : (bytes) => bytes.length >= most, WAIT),
    end: () => talk.end(),
  }
}

/** UDP: what is sent waits for the reading, since an answer belongs to its question. */
const datagrams = (parts: NetParts, host: string, port: number): Connection => {
  let waiting: Buffer[] = []
  return {
    send: (bytes) => {
      waiting.push(bytes)
    },
    read: async () => {
      const replies: Buffer[] = []
      for (const payload of waiting)
        replies.push(...(await parts.egress.datagram({ host, port, payload, wait: WAIT_DATAGRAM })))
      waiting = []
      return Buffer.concat(replies)
    },
    end: () => undefined,
  }
}
