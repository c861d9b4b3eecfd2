/** A module's sockets: TCP, TLS, sweeps of ports and datagrams, each through guard, pace and audit. */
import { isIP, type Socket } from 'node:net'
import { auditError } from '../audit/audit.ts'
import { auditSweep } from '../audit/sweep-audit.ts'
import { canonicalHost } from '../dns/resolve.ts'
import { fastestOpener } from '../sockets/opener.ts'
import { handshake } from '../sockets/tls.ts'
import { converse } from '../sockets/udp.ts'
import { inspectTls } from '../tls/tls-session.ts'
import { startDeadline } from './deadline.ts'
import {
  type ConnectTarget,
  type DatagramTarget,
  EgressError,
  type SweepResult,
  type SweepTarget,
  type TlsSession,
  type TlsTarget,
} from './egress.ts'
import type { OwnParts } from './module-egress.ts'
import { sweep } from './sweep.ts'

const CONNECT_TIMEOUT = 5_000
const TLS_TIMEOUT = 10_000
const DATAGRAM_WAIT = 1_000
const LONGEST_WAIT = 30_000

export const connect = async (
  own: OwnParts,
  { host, port, timeout = CONNECT_TIMEOUT, tls }: ConnectTarget,
): Promise<Socket & { readonly remoteAddress: string }> => {
  const { audit, signal } = own
  own.spend()
  const began = performance.now()
  try {
    const { socket, address, took } = await open(own, host, port, timeout)
    const stream = tls ? await secure(signal, socket, { ...tls, host: canonicalHost(host) }, timeout) : socket
    audit({
      event: 'connect',
      url: hostPort(host, port),
      address,
      port,
      duration_ms: took,
      ...(tls ? { detail: 'TLS' } : {}),
    })
    return Object.defineProperty(stream, 'remoteAddress', { value: address }) as Socket & { remoteAddress: string }
  } catch (error) {
    const duration_ms = performance.now() - began
    audit({ event: 'connect', url: hostPort(host, port), port, duration_ms, error: auditError(error) })
    throw error
  }
}

export const sweepPorts = async (
  { parts, audit, module, signal, spend }: OwnParts,
  { host, ports, progress }: SweepTarget,
): Promise<SweepResult> => {
  if (signal.aborted) throw new EgressError('aborted', `${module}: stopped`, { cause: signal.reason })
  const name = canonicalHost(host)
  const [address = ''] = await parts.dialer.addresses(name, signal)
  const audited = auditSweep(audit, name, address, ports)
  try {
    const swept = await sweep({
      address,
      ports,
      open: fastestOpener(),
      signal,
      spend,
      ...(progress ? { progress } : {}),
    })
    audited.ended(swept)
    return { address, ...swept }
  } catch (error) {
    audited.failed(auditError(error))
    throw stopped(error, module)
  }
}

export const openTls = async (own: OwnParts, target: TlsTarget): Promise<TlsSession> => {
  const { audit, signal } = own
  own.spend()
  const { host, port } = target
  const timeout = target.timeout ?? TLS_TIMEOUT
  const audited = { event: 'tls' as const, url: hostPort(host, port), port }
  const began = performance.now()
  let deadline: ReturnType<typeof startDeadline> | null = null
  try {
    const reached = await open(own, host, port, Math.min(timeout, CONNECT_TIMEOUT))
    deadline = startDeadline(timeout, signal, `TLS with ${hostPort(host, port)}`)
    const session = await inspectTls({ ...target, host: canonicalHost(host) }, reached, deadline.signal)
    const detail = `${session.protocol} ${session.cipher}`
    audit({ ...audited, address: session.address, duration_ms: performance.now() - began, detail })
    return session
  } catch (error) {
    audit({ ...audited, duration_ms: performance.now() - began, error: auditError(error) })
    throw error
  } finally {
    deadline?.end()
  }
}

export const exchangeDatagram = async (
  { parts, audit, module, signal, spend }: OwnParts,
  { host, port, payload, wait = DATAGRAM_WAIT, anyPort = false }: DatagramTarget,
): Promise<readonly Buffer[]> => {
  spend()
  const began = performance.now()
  const audited = { event: 'datagram' as const, url: hostPort(host, port), port }
  const name = canonicalHost(host)
  const place = await parts.lanes.connection(name, port, module, signal)
  try {
    const [address = ''] = await parts.dialer.addresses(name, signal)
    const bounded = Math.min(wait, LONGEST_WAIT)
    const replies = await sendDatagram({ address, port, payload, wait: bounded, anyPort }, signal)
    const bytes = replies.reduce((sum, reply) => sum + reply.length, 0)
    audit({ ...audited, address, bytes, duration_ms: performance.now() - began })
    return replies
  } catch (error) {
    audit({ ...audited, duration_ms: performance.now() - began, error: auditError(error) })
    throw error
  } finally {
    place.connected()
    place.closed()
  }
}

/** A raw socket through guard and pace, its place given back when it closes. */
const open = async ({ parts, module, signal, sockets }: OwnParts, host: string, port: number, timeout: number) => {
  const name = canonicalHost(host)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new EgressError('protocol', `no such port: ${port}`)
  const place = await parts.lanes.connection(name, port, module, signal)
  const began = performance.now()
  try {
    const reached = await parts.dialer.open(name, port, { signal, timeout })
    const took = performance.now() - began
    place.connected(took)
    const { socket, address } = reached
    sockets.add(socket)
    socket.once('close', () => {
      sockets.delete(socket)
      place.closed()
    })
    return { ...reached, address, took }
  } catch (error) {
    place.connected()
    place.closed()
    throw error
  }
}

/** The TLS stream over a socket of ours; the socket is destroyed when the handshake fails. */
const secure = async (
  signal: AbortSignal,
  socket: Socket,
  options: { readonly host: string; readonly servername?: string | null; readonly alpn?: readonly string[] },
  timeout: number,
) => {
  const deadline = startDeadline(timeout, signal, `TLS with ${options.host}`)
  try {
    return (await handshake(socket, options, deadline.signal)).socket
  } finally {
    deadline.end()
  }
}

const stopped = (error: unknown, module: string): EgressError =>
  error instanceof EgressError ? error : new EgressError('aborted', `${module}: stopped`, { cause: error })

const hostPort = (host: string, port: number): string => (isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`)

const MAX_REPLIES = 64 * 1024

/** @throws EgressError when it cannot be sent; no reply is an empty list, an ICMP refusal is `unreachable` */
export const sendDatagram = (
  target: {
    readonly address: string
    readonly port: number
    readonly payload: Uint8Array
    /** Milliseconds. */
    readonly wait: number
    readonly anyPort?: boolean
  },
  signal: AbortSignal,
): Promise<readonly Buffer[]> => {
  const { address, port, payload, wait, anyPort = false } = target
  const replies: Buffer[] = []
  let size = 0
  return converse<readonly Buffer[]>({
    address,
    port,
    payload,
    anyPort,
    signal,
    what: `${address} UDP port ${port}`,
    silence: { wait, give: () => replies },
    hear: (message, from) => {
      if (from.address !== address) return undefined
      const kept = message.subarray(0, MAX_REPLIES - size)
      replies.push(Buffer.from(kept))
      size += kept.length
      return size >= MAX_REPLIES ? replies : undefined
    },
  })
}
