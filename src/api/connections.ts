/**
 * The connections of this process: how many there may be, and which goes when there are too many. A peer that says
 * nothing must not keep those out who do, nor take the descriptors that scans need.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import ipaddr from 'ipaddr.js'

export interface ConnectionLimits {
  /** Open connections of this process. */
  readonly total: number
  /** Of one address, as long as nobody has shown a valid credential on them: so many may wait for a request … */
  readonly waiting: number
  /** … and so many may there be at all. */
  readonly unauthenticated: number
  /** Milliseconds for which a waiting one is left alone while only `waiting` is exceeded. */
  readonly grace: number
}

/** Peers that are being refused in words at once. */
const REFUSALS = 32

/** A page asks on six connections at once, and an office of many people may have one address. */
export const connectionLimits = (total: number): ConnectionLimits => {
  const waiting = Math.min(256, Math.max(12, Math.floor(total / 8)))
  return { total, waiting, unauthenticated: Math.min(total, 4 * waiting), grace: 1_000 }
}

export interface Connections {
  readonly watch: (server: Server) => void
  /** A valid credential came on this connection: it no longer counts against its address. */
  readonly trust: (socket: Socket) => void
  /** Calls back once every request that came whole was answered; at once when there is none, or after `milliseconds`. */
  readonly whenAnswered: (socket: Socket, milliseconds: number, then: () => void) => void
  /** Whether one request is being answered on this connection, and none waits behind it. */
  readonly isAlone: (socket: Socket) => boolean
  /** No request is answered on this connection any more, and none will come: whoever has it closes it. */
  readonly handOver: (socket: Socket) => void
  /** Cuts every connection, also those that were handed over. */
  readonly closeAll: () => void
  readonly size: () => number
}

interface Connection {
  readonly socket: Socket
  /** Null where the address is a proxy's, which stands for many. */
  readonly address: string | null
  /** Milliseconds of a monotonic clock since when it waits for a whole request. */
  since: number
  trusted: boolean
  readonly answering: Set<ServerResponse>
  answered: (() => void)[]
}

/** `refuse` tells a peer that there is no place; `proxies` are addresses or networks in CIDR form. */
export const createConnections = (
  limits: ConnectionLimits,
  proxies: readonly string[],
  refuse: (socket: Socket) => void,
): Connections => {
  const held = new Held(limits, proxies.map(parseNetwork), refuse)
  return {
    watch: (server) => held.watch(server),
    trust: (socket) => held.trust(socket),
    whenAnswered: (socket, milliseconds, then) => held.whenAnswered(socket, milliseconds, then),
    isAlone: (socket) => held.isAlone(socket),
    handOver: (socket) => held.handOver(socket),
    closeAll: () => held.closeAll(),
    size: () => held.size(),
  }
}

class Held {
  readonly #limits: ConnectionLimits
  readonly #networks: readonly Network[]
  readonly #refuse: (socket: Socket) => void
  readonly #known = new Map<Socket, Connection>()
  /** Without a whole request, oldest first: those of strangers, and those of callers. */
  readonly #idle = { strangers: new Set<Connection>(), callers: new Set<Connection>() }
  readonly #strangers = new Map<string, Set<Connection>>()

  constructor(limits: ConnectionLimits, networks: readonly Network[], refuse: (socket: Socket) => void) {
    this.#limits = limits
    this.#networks = networks
    this.#refuse = refuse
  }

  watch(server: Server): void {
    // Those that are told so have a place for a moment; with these taken too, nobody is told anything.
    server.maxConnections = this.#limits.total + REFUSALS
    server.on('connection', (socket) => this.#onConnection(socket))
    server.prependListener('request', (request, response) => this.#onRequest(request, response))
  }

  trust(socket: Socket): void {
    const connection = this.#known.get(socket)
    if (connection === undefined || connection.trusted) return
    connection.trusted = true
    this.#forgetStranger(connection)
    if (this.#idle.strangers.delete(connection)) this.#idle.callers.add(connection)
  }

  whenAnswered(socket: Socket, milliseconds: number, then: () => void): void {
    const connection = this.#known.get(socket)
    if (connection === undefined || connection.answering.size === 0) {
      then()
      return
    }
    let done = false
    const once = (): void => {
      if (done) return
      done = true
      clearTimeout(late)
      then()
    }
    const late = setTimeout(once, milliseconds)
    connection.answered.push(once)
  }

  isAlone(socket: Socket): boolean {
    return this.#known.get(socket)?.answering.size === 1
  }

  handOver(socket: Socket): void {
    const connection = this.#known.get(socket)
    if (connection === undefined) return
    connection.answering.clear()
    this.#leave(connection)
  }

  closeAll(): void {
    for (const socket of [...this.#known.keys()]) socket.destroy()
  }

  size(): number {
    return this.#known.size
  }

  #leave(connection: Connection): void {
    this.#idle.strangers.delete(connection)
    this.#idle.callers.delete(connection)
  }
  #rest(connection: Connection): void {
    this.#leave(connection)
    connection.since = performance.now()
    this.#idle[connection.trusted ? 'callers' : 'strangers'].add(connection)
  }
  #forgetStranger(connection: Connection): void {
    if (connection.address === null) return
    const own = this.#strangers.get(connection.address)
    own?.delete(connection)
    if (own?.size === 0) this.#strangers.delete(connection.address)
  }
  #forget(connection: Connection): void {
    this.#leave(connection)
    this.#forgetStranger(connection)
    this.#known.delete(connection.socket)
    settle(connection)
  }
  /** Closes the first of them, which has waited longest; false when none waits. */
  #closeOldest([oldest]: Iterable<Connection>, leastWait = 0): boolean {
    if (oldest === undefined || performance.now() - oldest.since < leastWait) return false
    this.#forget(oldest)
    oldest.socket.destroy()
    return true
  }

  /** True when there is a place for one more from there, if need be another's. */
  #hasPlace(address: string | null): boolean {
    const own = address === null ? undefined : this.#strangers.get(address)
    if (own !== undefined) {
      const waiting = [...own].filter((each) => this.#idle.strangers.has(each)).sort((a, b) => a.since - b.since)
      if (waiting.length >= this.#limits.waiting) this.#closeOldest(waiting, this.#limits.grace)
      // Whoever means to ask does so at once, and is not the oldest for long.
      if (own.size >= this.#limits.unauthenticated && !this.#closeOldest(waiting)) return false
    }
    return (
      this.#known.size < this.#limits.total ||
      this.#closeOldest(this.#idle.strangers) ||
      this.#closeOldest(this.#idle.callers)
    )
  }

  #onConnection(socket: Socket): void {
    const address = keyOf(socket.remoteAddress, this.#networks)
    if (!this.#hasPlace(address)) {
      this.#refuse(socket)
      return
    }
    const connection: Connection = {
      ...{ socket, address, since: 0, trusted: false, answering: new Set(), answered: [] },
    }
    this.#known.set(socket, connection)
    if (address !== null) this.#strangers.set(address, (this.#strangers.get(address) ?? new Set()).add(connection))
    this.#rest(connection)
    socket.once('close', () => this.#forget(connection))
  }

  #onRequest(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#known.get(request.socket)
    if (connection === undefined) return
    connection.answering.add(response)
    // As long as a body is on its way the peer can still keep us waiting.
    if (hasBody(request)) request.once('end', () => connection.answering.size > 0 && this.#leave(connection))
    else this.#leave(connection)
    response.once('close', () => {
      connection.answering.delete(response)
      if (connection.answering.size > 0 || !this.#known.has(request.socket)) return
      this.#rest(connection)
      settle(connection)
    })
  }
}

/** RFC 9112, 6.3: without either there is none. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

const settle = (connection: Connection): void => {
  for (const then of connection.answered.splice(0)) then()
}

/** Whose connection it is: an IPv4 address, or the /64 that one customer of IPv6 has. Null for a proxy. */
const keyOf = (remote: string | undefined, proxies: readonly Network[]): string | null => {
  if (remote === undefined || !ipaddr.isValid(remote)) return remote ?? ''
  const address = ipaddr.process(remote)
  if (proxies.some((proxy) => isWithin(address, proxy))) return null
  if (address.kind() === 'ipv4') return address.toString()
  return address.toByteArray().slice(0, 8).join('.')
}

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Network = readonly [address: Address, bits: number]

/** Throws for what is no address and no network in CIDR form. */
const parseNetwork = (text: string): Network => {
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const address = ipaddr.parse(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

const isWithin = (address: Address, [range, bits]: Network): boolean =>
  range.kind() === address.kind() && address.match(range as ipaddr.IPv4, bits)
