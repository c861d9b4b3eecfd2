/** What egress asks for itself, before a module's request can leave: names, and whether the target answers https. */
import type { Socket } from 'node:net'
import { type Audit, auditError } from '../audit/audit.ts'
import type { DnsClient, DnsServer } from '../dns/dns.ts'
import type { Lanes } from '../pace/lanes.ts'
import { handshake } from '../sockets/tls.ts'
import { startDeadline } from './deadline.ts'
import type { Dialer } from './dialer.ts'
import { type DnsAnswer, type DnsQuestion, EgressError } from './egress.ts'
import type { Guard } from './guard.ts'

const RESOLVE_TIMEOUT = 10_000
const PROBE_TIMEOUT = 5_000

export interface QuestionParts {
  readonly dns: DnsClient
  readonly guard: Guard
  readonly lanes: Lanes
  readonly audit: Audit
  /** Of the run: ends everything that is under way. */
  readonly signal: AbortSignal
}

/** One question to the operator's resolvers, the first that answers. @throws EgressError */
export const askResolvers = async (
  { dns, signal }: Pick<QuestionParts, 'dns' | 'signal'>,
  question: DnsQuestion,
  servers: readonly DnsServer[],
): Promise<DnsAnswer> => {
  const deadline = startDeadline(RESOLVE_TIMEOUT, signal, `resolving ${question.name}`)
  try {
    return await dns.askAny(question, servers, deadline.signal)
  } finally {
    deadline.end()
  }
}

/** One question to a name server of somebody else, through guard and pace. @throws EgressError */
export const askServer = async (
  { dns, guard, lanes, audit, signal }: QuestionParts,
  question: DnsQuestion,
  address: string,
): Promise<DnsAnswer> => {
  const verdict = guard.judge(address)
  if (!verdict.allowed) {
    throw new EgressError('refused_by_guard', `DNS server ${address} may not be asked: ${verdict.reason}`)
  }
  const place = await lanes.connection(verdict.address, 53, 'egress', signal)
  const deadline = startDeadline(question.timeout ?? RESOLVE_TIMEOUT, signal, `DNS server ${address}`)
  const asked = { event: 'dns' as const, address: verdict.address }
  const detail = `${question.name} ${question.type}`
  try {
    const answer = await dns.ask(question, { address: verdict.address, port: 53 }, deadline.signal)
    audit({ ...asked, duration_ms: deadline.elapsed(), detail: `${detail} ${answer.rcode}` })
    return answer
  } catch (error) {
    audit({ ...asked, duration_ms: deadline.elapsed(), detail, error: auditError(error) })
    throw error
  } finally {
    deadline.end()
    place.connected()
    place.closed()
  }
}

/** Whether the target speaks TLS on its port. @throws EgressError where the run has ended */
export const answersHttps = async (
  { audit, signal }: Pick<QuestionParts, 'audit' | 'signal'>,
  dialer: Dialer,
  { host, port: own }: { readonly host: string; readonly port: number | null },
): Promise<boolean> => {
  const port = own ?? 443
  const deadline = startDeadline(PROBE_TIMEOUT, signal, `https of ${host}`)
  try {
    const dialled = await dialer.open(host, port, { signal: deadline.signal, timeout: PROBE_TIMEOUT, persist: true })
    const secured = await handshake(dialled.socket as Socket, { host }, deadline.signal)
    secured.socket.destroy()
    const detail = 'does the host answer https'
    audit({ event: 'tls', address: dialled.address, port, duration_ms: deadline.elapsed(), detail })
    return true
  } catch (error) {
    if (signal.aborted || !(error instanceof EgressError)) throw error
    audit({ event: 'tls', port, duration_ms: deadline.elapsed(), error: error.message })
    return false
  } finally {
    deadline.end()
  }
}
