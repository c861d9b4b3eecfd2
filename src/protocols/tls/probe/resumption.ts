/** Sessions that are taken up again: by id, by ticket, and in TLS 1.3 with early data. */
import { suiteOf } from '../../../knowledge/tls/suites.ts'
import type { ResumptionFacts } from '../endpoint.ts'
import { openSession, type Session } from '../session/classic.ts'
import { type ModernTicket, openModern, prepareHello, readAcceptance, speakable } from '../session/modern.ts'
import { partsOf } from '../session/protection.ts'
import { EXTENSION, extension } from '../wire/hello.ts'
import type { Prober } from '../wire/prober.ts'
import { classicHello, modernHello, renegotiationInfo } from './hellos.ts'
import type { Agreed } from './keys.ts'

const TICKET_WAIT = 800

export const probeClassicResumption = async (
  prober: Prober,
  agreed: Agreed,
): Promise<Pick<ResumptionFacts, 'sessionId' | 'ticket' | 'ticketLifetime'>> => {
  const suites = agreed.suites.filter((code) => partsOf(suiteOf(code)) !== null)
  const withTicket = (body: Buffer) => [renegotiationInfo(), extension(EXTENSION.sessionTicket, body)]
  const open = (change: Parameters<typeof classicHello>[3], resume: Session | null) =>
    prober.converse((channel) =>
      openSession(channel, classicHello(prober.endpoint, agreed.version, suites, change), prober.deadline(), resume),
    )
  const [plain, ticketed] = await Promise.all([open({}, null), open({ more: withTicket(Buffer.alloc(0)) }, null)])
  const byId =
    plain && plain.hello.sessionId.length > 0 ? await open({ sessionId: plain.hello.sessionId }, plain) : null
  const ticket = ticketed?.ticket ?? null
  const byTicket = ticketed && ticket ? await open({ more: withTicket(ticket.ticket), sessionId: ID }, ticketed) : null
  return {
    sessionId: plain === null ? null : byId !== null,
    ticket: ticketed === null ? null : byTicket !== null,
    ticketLifetime: ticket?.lifetime ?? null,
  }
}

/** A session id of our own beside a ticket tells by its return that the ticket was taken (RFC 5077, 3.4). */
const ID = Buffer.alloc(32, 0x1d)

export const probeEarlyData = async (
  prober: Prober,
  suites: readonly number[],
): Promise<Pick<ResumptionFacts, 'earlyData' | 'earlyDataReplayed'> & { readonly lifetime: number | null }> => {
  const ticket = await firstTicket(prober, speakable(suites))
  if (ticket === null) return { earlyData: null, earlyDataReplayed: null, lifetime: null }
  // Early data comes with a ticket alone.
  if (ticket === 'none') return { earlyData: 0, earlyDataReplayed: null, lifetime: null }
  const { earlyData, lifetime } = ticket
  if (earlyData === 0 || prober.endpoint.service !== 'https') return { earlyData, earlyDataReplayed: null, lifetime }
  const get = Buffer.from(`GET / HTTP/1.1\r\nHost: ${prober.endpoint.host}\r\nConnection: close\r\n\r\n`, 'latin1')
  const prepared = prepareHello(modernHello(prober.endpoint, [ticket.suite]), { ticket, earlyData: get })
  // The very same octets twice, as somebody on the path would send them again.
  const first = await prober.converse((channel) => readAcceptance(channel, prepared, prober.deadline()))
  const second = await prober.converse((channel) => readAcceptance(channel, prepared, prober.deadline()))
  return { earlyData, earlyDataReplayed: first === null || second === null ? null : first && second, lifetime }
}

/** Null where the handshake does not come to its end. */
const firstTicket = async (prober: Prober, suites: readonly number[]): Promise<ModernTicket | 'none' | null> => {
  if (suites.length === 0) return null
  const tickets = await prober.converse(async (channel) => {
    const session = await openModern(channel, prepareHello(modernHello(prober.endpoint, suites)), prober.deadline())
    if (session === null) return null
    const given = await session.tickets(prober.deadline(TICKET_WAIT))
    // Who wants a certificate ends the connection where another would give a ticket.
    return given.length === 0 && session.certificateRequested ? null : given
  })
  return tickets === null ? null : (tickets[0] ?? 'none')
}
