/**
 * A small DNS client: UDP with EDNS0, TCP where the answer does not fit or UDP is not heard (RFC 1035, 6891, 7766). It
 * remembers for the run which servers are silent.
 */
import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { startDeadline } from '../door/deadline.ts'
import { type DnsAnswer, type DnsQuestion, EgressError } from '../door/egress.ts'
import { socketError } from '../sockets/errors.ts'
import type { Routes } from '../sockets/tcp.ts'
import { dial } from '../sockets/tcp.ts'
import { converse } from '../sockets/udp.ts'
import { type Decoded, decode, encode } from './dns-message.ts'
import { createServerMemory, type ServerMemory } from './dns-servers.ts'

export interface DnsServer {
  readonly address: string
  readonly port: number
}

/** Reads `address`, `address:port` or `[v6]:port`. @throws RangeError */
export const parseServer = (text: string): DnsServer => {
  if (isIP(text)) return { address: text, port: 53 }
  const match = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text.trim())
  const address = match?.[1] ?? match?.[2] ?? ''
  const port = Number(match?.[3] ?? 53)
  if (!isIP(address) || port < 1 || port > 65_535) throw new RangeError(`"${text}" is not the address of a DNS server`)
  return { address, port }
}

/** The system's resolvers, as resolv.conf(5) has it: without one, the local machine's. */
export const systemServers = (file = '/etc/resolv.conf'): DnsServer[] => {
  let text = ''
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
  const found = [...text.matchAll(/^[ \t]*nameserver[ \t]+(\S+)/gm)]
    .map(([, address = '']) => address)
    .filter((address) => isIP(address) !== 0)
    .map((address) => ({ address, port: 53 }))
  return found.length > 0 ? found.slice(0, 3) : [{ address: '127.0.0.1', port: 53 }]
}

export interface DnsClient {
  /**
   * One question to one server. A server without a route, and one that has kept silent before, fails at once.
   * @throws EgressError timeout, unreachable, exhausted, protocol, aborted
   */
  readonly ask: (question: DnsQuestion, server: DnsServer, signal: AbortSignal) => Promise<DnsAnswer>
  /**
   * Asks each server in turn, twice over, until one gives a usable answer; an error answer is kept as the last resort.
   * Silent servers come last, those without a route are asked only where there is no other.
   * @throws EgressError as `ask`, and unresolvable without a server
   */
  readonly askAny: (question: DnsQuestion, servers: readonly DnsServer[], signal: AbortSignal) => Promise<DnsAnswer>
}

export const createDnsClient = (routes: Routes): DnsClient => {
  const memory = createServerMemory(routes)
  const askOnce = async (question: DnsQuestion, server: DnsServer, signal: AbortSignal): Promise<DnsAnswer> => {
    try {
      return await exchange(question, server, signal, memory)
    } catch (error) {
      memory.failed(server, error)
      throw error
    }
  }
  return {
    ask: async (question, server, signal) => {
      await memory.assertWorthAsking(server, signal)
      return askOnce(question, server, signal)
    },
    askAny: async (question, servers, signal) => {
      const sorted = await memory.sorted(servers, signal)
      let answer: DnsAnswer | null = null
      let failure: unknown = null
      for (const server of [...sorted, ...sorted]) {
        const deadline = startDeadline(ATTEMPT_TIMEOUT, signal, `DNS server ${server.address}`)
        try {
          answer = await askOnce(question, server, deadline.signal)
          if (!TRY_NEXT.has(answer.rcode)) return answer
        } catch (error) {
          if (signal.aborted) throw signal.reason
          failure = error
        } finally {
          deadline.end()
        }
      }
      if (answer) return answer
      throw failure ?? new EgressError('unresolvable', 'no DNS server is configured')
    },
  }
}

/** The size that passes without fragments nearly everywhere (DNS flag day 2020). */
const UDP_SIZE = 1232
const ATTEMPT_TIMEOUT = 2_000
/** Milliseconds that UDP gets alone: where only TCP passes, the question must still be answered in time. */
const UDP_PATIENCE = 800
const TRY_NEXT: ReadonlySet<string> = new Set(['SERVFAIL', 'REFUSED', 'NOTIMP', 'FORMERR'])

const exchange = async (
  question: DnsQuestion,
  server: DnsServer,
  signal: AbortSignal,
  memory: ServerMemory,
): Promise<DnsAnswer> => {
  const { decoded, heard } = memory.isTcpOnly(server)
    ? { decoded: await overTcp(question, server, signal), heard: 'tcp' as const }
    : await overEither(question, server, signal)
  memory.answered(server, heard)
  const whole = heard === 'udp' && decoded.truncated ? await overTcp(question, server, signal) : decoded
  return whole.answer
}

interface Heard {
  readonly decoded: Decoded
  readonly heard: 'udp' | 'tcp'
}

/** UDP first; TCP beside it once UDP was refused or silent for a while. The first answer is the answer. */
const overEither = async (question: DnsQuestion, server: DnsServer, outer: AbortSignal): Promise<Heard> => {
  const done = new AbortController()
  const signal = AbortSignal.any([outer, done.signal])
  const udp = overUdp(question, server, signal).then((decoded): Heard => ({ decoded, heard: 'udp' }))
  const tcp = async (): Promise<Heard> => {
    const refused = await Promise.race([udp.then(noError, anError), pause(UDP_PATIENCE, null, { ref: false })])
    if (refused?.error instanceof EgressError && (refused.error.noRoute || refused.error.code === 'exhausted')) {
      throw refused.error
    }
    signal.throwIfAborted()
    return { decoded: await overTcp(question, server, signal), heard: 'tcp' }
  }
  try {
    return await Promise.any([udp, tcp()])
  } catch (error) {
    if (outer.aborted) throw outer.reason
    throw error instanceof AggregateError ? error.errors[0] : error
  } finally {
    done.abort(new EgressError('aborted', `DNS server ${server.address}: answered`))
  }
}

const noError = () => null
const anError = (error: unknown) => ({ error })

const overUdp = async (question: DnsQuestion, server: DnsServer, signal: AbortSignal): Promise<Decoded> => {
  const first = await overUdpOnce(question, server, signal, UDP_SIZE)
  // A server from before EDNS0 answers the OPT record with an error (RFC 6891, 7).
  return (first.rcode === 'FORMERR' || first.rcode === 'NOTIMP') && !first.edns
    ? overUdpOnce(question, server, signal, null)
    : first
}

const overUdpOnce = (
  question: DnsQuestion,
  server: DnsServer,
  signal: AbortSignal,
  size: number | null,
): Promise<Decoded> => {
  const id = randomInt(0x1_0000)
  return converse<Decoded>({
    ...server,
    signal,
    what: `DNS server ${server.address}`,
    payload: encode(question, id, size),
    // Anything but the answer to this question is noise or forgery; the deadline bounds the wait for the real one.
    hear: (message) => decode(message, id, question, nameOf(server)) ?? undefined,
  })
}

const overTcp = async (question: DnsQuestion, server: DnsServer, signal: AbortSignal): Promise<Decoded> => {
  const what = `DNS server ${server.address} over TCP`
  const socket = await dial({ ...server, signal })
  const id = randomInt(0x1_0000)
  try {
    return await new Promise((resolve, reject) => {
      let received = Buffer.alloc(0)
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      socket.once('error', (error) => reject(socketError(error, what)))
      socket.once('close', () => reject(new EgressError('protocol', `${what}: closed before its answer`)))
      socket.on('data', (chunk) => {
        received = Buffer.concat([received, chunk])
        if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return
        const decoded = decode(received.subarray(2, 2 + received.readUInt16BE(0)), id, question, nameOf(server))
        if (decoded) resolve(decoded)
        else reject(new EgressError('protocol', `${what}: not an answer to the question`))
      })
      const message = encode(question, id, UDP_SIZE)
      const length = Buffer.alloc(2)
      length.writeUInt16BE(message.length)
      socket.write(Buffer.concat([length, message]))
    })
  } finally {
    socket.destroy()
  }
}

const nameOf = ({ address, port }: DnsServer): string =>
  port === 53 ? address : isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`
