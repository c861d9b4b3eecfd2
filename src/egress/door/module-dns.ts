/** A module's questions to name servers: the static table first, then the operator's resolvers, or one server that the guard allows. */
import { isIP } from 'node:net'
import { auditError } from '../audit/audit.ts'
import { type DnsServer, parseServer } from '../dns/dns.ts'
import { type HostTable, isPrivateName } from '../dns/resolve.ts'
import { startDeadline, until } from './deadline.ts'
import { type DnsAnswer, type DnsQuestion, EgressError } from './egress.ts'
import type { OwnParts } from './module-egress.ts'

const DNS_TIMEOUT = 8_000

export const askName = async (own: OwnParts, question: DnsQuestion): Promise<DnsAnswer> => {
  const { audit, signal } = own
  own.spend()
  const detail = `${question.name} ${question.type}`
  const deadline = startDeadline(question.timeout ?? DNS_TIMEOUT, signal, `DNS ${detail}`)
  try {
    const answer = await askDns(own, question, deadline.signal)
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
}

const askDns = async (own: OwnParts, question: DnsQuestion, deadline: AbortSignal): Promise<DnsAnswer> => {
  const { parts, module, signal } = own
  if (question.server === undefined) {
    const listed = staticAnswer(question, parts.hosts, parts.ownServers)
    return listed ?? askResolvers(own, question, deadline)
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

/** A question with checking disabled gets its answer from the zone's own servers where the resolver still refuses. */
const askResolvers = async (
  { parts, signal }: OwnParts,
  question: DnsQuestion,
  deadline: AbortSignal,
): Promise<DnsAnswer> => {
  const answer = await parts.dns.askAny(question, parts.servers, deadline)
  if (question.checkingDisabled !== true || answer.rcode !== 'SERVFAIL') return answer
  try {
    return await until(parts.askAuthorities(question), deadline)
  } catch (error) {
    if (signal.aborted || !(error instanceof EgressError) || error.code === 'exhausted') throw error
    return answer
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

const serverOf = (text: string): DnsServer => {
  try {
    return parseServer(text)
  } catch (cause) {
    throw new EgressError('unresolvable', cause instanceof Error ? cause.message : String(cause), { cause })
  }
}
