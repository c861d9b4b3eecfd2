/** One module's handle on the door: its budget, its name in the audit log, its sockets. */
import { setMaxListeners } from 'node:events'
import { isIP, type Socket } from 'node:net'
import { type Audit, auditError } from '../audit/audit.ts'
import { auditSweep } from '../audit/sweep-audit.ts'
import type { openBrowserProxy } from '../browser/browser-proxy.ts'
import type { ProxyAuthority } from '../browser/proxy-authority.ts'
import type { ProxyMemories } from '../browser/proxy-memory.ts'
import type { AskAuthorities } from '../dns/authorities.ts'
import { type DnsClient, type DnsServer, parseServer } from '../dns/dns.ts'
import { canonicalHost, type HostTable, isPrivateName } from '../dns/hosts.ts'
import type { Resolver } from '../dns/resolve.ts'
import { type HttpParts, type Judge, sendRequest } from '../http/http.ts'
import { fastestOpener } from '../sockets/opener.ts'
import { handshake } from '../sockets/tls.ts'
import { inspectTls } from '../tls/tls-session.ts'
import type { ModuleEgress } from './create-egress.ts'
import { sendDatagram } from './datagram.ts'
import { startDeadline, until } from './deadline.ts'
import { type DnsAnswer, type DnsQuestion, EgressError } from './egress.ts'
import type { Guard } from './guard.ts'
import type { Reach } from './reach.ts'
import { sweep } from './sweep.ts'

/** What all modules of a run share. */
export interface SharedParts extends HttpParts {
  readonly resolve: Resolver
  readonly dns: DnsClient
  readonly askAuthorities: AskAuthorities
  readonly reach: Reach
  readonly guard: Guard
  readonly hosts: HostTable
  /** The operator's resolvers. */
  readonly servers: readonly DnsServer[]
  /** The operator named them, so they may know the names of the static table too. */
  readonly ownServers: boolean
  readonly trustAnchors: readonly string[] | undefined
  readonly target: { readonly host: string; readonly port: number | null }
  readonly audit: Audit
  readonly openBrowserProxy: typeof openBrowserProxy
  readonly authority: () => Promise<ProxyAuthority>
  readonly memories: ProxyMemories
}

const CONNECT_TIMEOUT = 5_000
const TLS_TIMEOUT = 10_000
const DNS_TIMEOUT = 8_000
const DATAGRAM_WAIT = 1_000
const LONGEST_WAIT = 30_000

export const createModuleEgress = (
  parts: SharedParts,
  module: string,
  budget: number,
  outer: AbortSignal,
  judge?: Judge,
): ModuleEgress => {
  const closing = new AbortController()
  const signal = AbortSignal.any([outer, closing.signal])
  setMaxListeners(0, signal)
  const sockets = new Set<Socket>()
  const proxies = new Set<{ readonly close: () => Promise<void> }>()
  const { audit, reach } = parts
  const asker = { module, signal, audit, judge }
  let spent = 0

  // Asked for every port of a sweep; the getter of a composite signal is dear.
  let isOver = signal.aborted
  signal.addEventListener('abort', () => {
    isOver = true
    for (const socket of sockets) socket.destroy()
  })
  const spend = () => {
    if (isOver) throw new EgressError('aborted', `${module}: stopped`, { cause: signal.reason })
    if (spent >= budget) throw new EgressError('budget', `${module} has used its ${budget} requests`)
    spent += 1
  }

  /** A raw socket through guard and pace, its place given back when it closes. */
  const open = async (host: string, port: number, timeout: number) => {
    const name = canonicalHost(host)
    if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new EgressError('protocol', `no such port: ${port}`)
    const place = await parts.lanes.connection(name, port, module, signal)
    const began = performance.now()
    try {
      const reached = await reach.open(name, port, { signal, timeout })
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

  /** A question with checking disabled gets its answer from the zone's own servers where the resolver still refuses. */
  const askResolvers = async (question: DnsQuestion, deadline: AbortSignal): Promise<DnsAnswer> => {
    const answer = await parts.dns.askAny(question, parts.servers, deadline)
    if (question.checkingDisabled !== true || answer.rcode !== 'SERVFAIL') return answer
    try {
      return await until(parts.askAuthorities(question), deadline)
    } catch (error) {
      if (signal.aborted || !(error instanceof EgressError) || error.code === 'exhausted') throw error
      return answer
    }
  }

  const askDns = async (question: DnsQuestion, deadline: AbortSignal): Promise<DnsAnswer> => {
    if (question.server === undefined) {
      const listed = staticAnswer(question, parts.hosts, parts.ownServers)
      return listed ?? askResolvers(question, deadline)
    }
    const server = serverOf(question.server)
    const operators = parts.servers.some(({ address, port }) => address === server.address && port === server.port)
    if (operators) return parts.dns.ask(question, server, deadline)
    const verdict = parts.guard.judge(server.address)
    if (!verdict.allowed) {
      throw new EgressError('refused_by_guard', `DNS server ${server.address} may not be asked: ${verdict.reason}`)
    }
    const place = await parts.lanes.connection(verdict.address, server.port, module, signal)
    try {
      return await parts.dns.ask(question, { ...server, address: verdict.address }, deadline)
    } finally {
      place.connected()
      place.closed()
    }
  }

  return {
    ...(parts.trustAnchors ? { trustAnchors: parts.trustAnchors } : {}),
    requests: () => spent,
    close: async () => {
      closing.abort(new EgressError('aborted', `${module} has ended`))
      await Promise.all([...proxies].map((proxy) => proxy.close()))
    },
    excludes: (address) => {
      const url = URL.parse(address)
      return url !== null && parts.excludes(url)
    },
    resolve: (name) => parts.resolve(name, signal),
    http: async (request) => {
      spend()
      return sendRequest(request, parts, asker)
    },
    connect: async ({ host, port, timeout = CONNECT_TIMEOUT, tls }) => {
      spend()
      const began = performance.now()
      try {
        const { socket, address, took } = await open(host, port, timeout)
        const stream = tls ? await secure(socket, { ...tls, host: canonicalHost(host) }, timeout) : socket
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
    },
    sweep: async ({ host, ports, progress }) => {
      if (signal.aborted) throw new EgressError('aborted', `${module}: stopped`, { cause: signal.reason })
      const name = canonicalHost(host)
      const [address = ''] = await reach.addresses(name, signal)
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
    },
    tls: async (target) => {
      spend()
      const { host, port } = target
      const timeout = target.timeout ?? TLS_TIMEOUT
      const audited = { event: 'tls' as const, url: hostPort(host, port), port }
      const began = performance.now()
      let deadline: ReturnType<typeof startDeadline> | null = null
      try {
        const reached = await open(host, port, Math.min(timeout, CONNECT_TIMEOUT))
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
    },
    dns: async (question) => {
      spend()
      const detail = `${question.name} ${question.type}`
      const deadline = startDeadline(question.timeout ?? DNS_TIMEOUT, signal, `DNS ${detail}`)
      try {
        const answer = await askDns(question, deadline.signal)
        audit({
          event: 'dns',
          address: answer.server,
          duration_ms: deadline.elapsed(),
          detail: `${detail} ${answer.rcode}`,
        })
        return answer
      } catch (error) {
        const asked = question.server === undefined ? {} : { address: question.server }
        audit({ event: 'dns', ...asked, duration_ms: deadline.elapsed(), detail, error: auditError(error) })
        throw error
      } finally {
        deadline.end()
      }
    },
    datagram: async ({ host, port, payload, wait = DATAGRAM_WAIT, anyPort = false }) => {
      spend()
      const began = performance.now()
      const audited = { event: 'datagram' as const, url: hostPort(host, port), port }
      const name = canonicalHost(host)
      const place = await parts.lanes.connection(name, port, module, signal)
      try {
        const [address = ''] = await reach.addresses(name, signal)
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
    },
    browserProxy: async ({ authenticated = true, ...watching } = {}) => {
      const proxy = await parts.openBrowserProxy({ ...parts, ...watching, module, signal, judge, spend, authenticated })
      proxies.add(proxy)
      return proxy
    },
  }
}

/**
 * A and AAAA of listed names never leave the machine. Other questions about them, and about names below them, go to
 * resolvers that the operator named, never to the system's: to those the names are private, and do not exist.
 */
const staticAnswer = (question: DnsQuestion, hosts: HostTable, ownServers: boolean): DnsAnswer | null => {
  const name = question.name.toLowerCase().replace(/\.$/, '')
  const listed = hosts(name)
  if (!listed || (question.type !== 'A' && question.type !== 'AAAA')) {
    if (ownServers || !isPrivateName(name, hosts)) return null
    const rcode = listed ? 'NOERROR' : 'NXDOMAIN'
    const nothing = { answers: [], authorities: [], additionals: [] }
    return { server: 'hosts', rcode, authoritative: true, authenticated: false, ...nothing }
  }
  const family = question.type === 'A' ? 4 : 6
  return {
    server: 'hosts',
    rcode: 'NOERROR',
    authoritative: true,
    authenticated: false,
    answers: listed
      .filter((address) => isIP(address) === family)
      .map((address) => ({ name, type: question.type, ttl: 0, data: address })),
    authorities: [],
    additionals: [],
  }
}

const stopped = (error: unknown, module: string): EgressError =>
  error instanceof EgressError ? error : new EgressError('aborted', `${module}: stopped`, { cause: error })

const serverOf = (text: string): DnsServer => {
  try {
    return parseServer(text)
  } catch (cause) {
    throw new EgressError('unresolvable', cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

const hostPort = (host: string, port: number): string => (isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`)
