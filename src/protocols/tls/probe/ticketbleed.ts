/** CVE-2016-9244 (Ticketbleed): a short session id beside a ticket comes back padded with memory. */
import { randomBytes } from 'node:crypto'
import { suiteOf } from '../../../knowledge/tls/suites.ts'
import type { EndpointFacts } from '../endpoint.ts'
import { openSession } from '../session/classic.ts'
import { partsOf } from '../session/protection.ts'
import { EXTENSION, extension } from '../wire/hello.ts'
import type { Prober } from '../wire/prober.ts'
import { VERSION } from '../wire/record.ts'
import { classicHello, renegotiationInfo } from './hellos.ts'
import type { Agreed } from './keys.ts'

type Ticketbleed = EndpointFacts['ticketbleed']

const SHORT = 6
const TIMES = 3

export const probeTicketbleed = async (prober: Prober, agreed: Agreed): Promise<Ticketbleed> => {
  const suites = agreed.suites.filter((code) => partsOf(suiteOf(code)) !== null)
  const helloWith = (ticket: Buffer, sessionId: Buffer) =>
    classicHello(prober.endpoint, agreed.version, suites, {
      sessionId,
      more: [renegotiationInfo(), extension(EXTENSION.sessionTicket, ticket)],
    })
  if (agreed.version === VERSION.ssl3) return { verdict: 'not_applicable', notes: ['SSL 3.0 knows no tickets'] }
  if (suites.length === 0) return { verdict: 'inconclusive', notes: ['no suite that is spoken here is offered'] }
  const session = await prober.converse((channel) =>
    openSession(channel, helloWith(Buffer.alloc(0), Buffer.alloc(0)), prober.deadline()),
  )
  if (session === null) return { verdict: 'inconclusive', notes: ['no handshake came to its end'] }
  if (!session.ticket) return { verdict: 'not_applicable', notes: ['the server gives no ticket up to TLS 1.2'] }
  const { ticket } = session.ticket
  const tails: string[] = []
  for (let time = 0; time < TIMES; time++) {
    const sessionId = randomBytes(SHORT)
    const { hello } = await prober.ask(helloWith(ticket, sessionId))
    if (hello === null) return { verdict: 'inconclusive', notes: ['no answer to a short session id'] }
    const padded = hello.sessionId.length > SHORT && hello.sessionId.subarray(0, SHORT).equals(sessionId)
    if (!padded)
      return { verdict: 'safe', notes: [`sent a session id of ${SHORT} octets, received ${hello.sessionId.length}`] }
    tails.push(hello.sessionId.subarray(SHORT).toString('hex'))
  }
  // Memory moves; a server that merely pads with the same octets leaks nothing.
  if (new Set(tails).size < TIMES)
    return { verdict: 'inconclusive', notes: ['the session id is padded, always with the same octets'] }
  const masked = tails.map((tail) => `${tail.slice(0, 8)}…`).join(', ')
  return { verdict: 'vulnerable', notes: [`sent ${SHORT} octets of session id, received 32`, `beyond them: ${masked}`] }
}
