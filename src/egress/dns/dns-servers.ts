/** What a run has learned of the DNS servers it asks: who is silent, who hears TCP alone, to whom there is no way. */

import { EgressError } from '../door/egress.ts'
import { noRouteTo, type Routes } from '../sockets/tcp.ts'
import type { DnsServer } from './dns.ts'

export interface ServerMemory {
  readonly answered: (server: DnsServer, over: 'udp' | 'tcp') => void
  /** Told of every failure; only silence and refusals count against the server. */
  readonly failed: (server: DnsServer, error: unknown) => void
  /** @throws EgressError unreachable, timeout: what asking would give, without the wait */
  readonly assertWorthAsking: (server: DnsServer, signal: AbortSignal) => Promise<void>
  /** The silent last; those without a route only where there is no other. @throws EgressError where none has a route */
  readonly sorted: (servers: readonly DnsServer[], signal: AbortSignal) => Promise<readonly DnsServer[]>
  /** It has answered over TCP, and never over UDP. */
  readonly isTcpOnly: (server: DnsServer) => boolean
}

interface Known {
  readonly over: Set<'udp' | 'tcp'>
  /** In a row. */
  failures: number
  /** By performance.now(). */
  lastFailure: number
}

/** Questions without an answer after which a server counts as silent. */
const GIVE_UP = 2
/** Milliseconds after which a silent server gets one more question: it may have been restarted. */
const ASK_AGAIN = 30_000

export const createServerMemory = (routes: Routes): ServerMemory => {
  const known = new Map<string, Known>()
  const about = (server: DnsServer): Known => {
    const key = `${server.address} ${server.port}`
    const found: Known = known.get(key) ?? { over: new Set(), failures: 0, lastFailure: 0 }
    known.set(key, found)
    return found
  }
  const isSilent = (server: DnsServer): boolean => about(server).failures >= GIVE_UP
  return {
    answered: (server, over) => {
      const found = about(server)
      found.over.add(over)
      found.failures = 0
    },
    failed: (server, error) => {
      if (!(error instanceof EgressError) || (error.code !== 'timeout' && error.code !== 'unreachable')) return
      const found = about(server)
      found.failures += 1
      found.lastFailure = performance.now()
    },
    assertWorthAsking: async (server, signal) => {
      if (!(await routes.has(server.address, signal))) throw noRouteTo(server.address, `DNS server ${server.address}`)
      const { over, failures, lastFailure } = about(server)
      // One that has answered once may dislike a single question, and is asked every one.
      if (over.size > 0 || failures < GIVE_UP || performance.now() - lastFailure > ASK_AGAIN) return
      throw new EgressError(
        'timeout',
        `DNS server ${server.address}: not asked again, it left ${failures} questions unanswered`,
      )
    },
    sorted: async (servers, signal) => {
      const routed: DnsServer[] = []
      for (const server of servers) if (await routes.has(server.address, signal)) routed.push(server)
      const [first] = servers
      if (routed.length === 0 && first) throw noRouteTo(first.address, `DNS server ${first.address}`)
      return [...routed.filter((server) => !isSilent(server)), ...routed.filter(isSilent)]
    },
    isTcpOnly: (server) => {
      const { over, failures } = about(server)
      return over.has('tcp') && !over.has('udp') && failures === 0
    },
  }
}
