/** RFC 5746, and whether a client may start a handshake inside a connection. */
import { suiteOf } from '../../../knowledge/tls/suites.ts'
import type { RenegotiationFacts } from '../endpoint.ts'
import { openSession, type Session } from '../session/classic.ts'
import { partsOf } from '../session/protection.ts'
import { isEnded } from '../wire/channel.ts'
import { buildHello, EXTENSION } from '../wire/hello.ts'
import type { Prober } from '../wire/prober.ts'
import { HANDSHAKE, RECORD } from '../wire/record.ts'
import { classicHello, question, renegotiationInfo } from './hellos.ts'
import type { Agreed } from './keys.ts'

const WAIT = 2_000
const MOST_RECORDS = 4

/** Asks once; the catalogue allows three, and one that is accepted proves it. */
export const probeRenegotiation = async (
  prober: Prober,
  agreed: Agreed,
  secure: boolean,
): Promise<RenegotiationFacts> => {
  const suites = agreed.suites.filter((code) => partsOf(suiteOf(code)) !== null)
  if (suites.length === 0) return { secure, accepted: null, legacyAccepted: null }
  const answer = await prober.converse(async (channel): Promise<Answer> => {
    const hello = classicHello(prober.endpoint, agreed.version, suites)
    const session = await openSession(channel, hello, prober.deadline())
    if (session === null) return 'none'
    const isSecure = session.hello.extensions.has(EXTENSION.renegotiation)
    const again = { ...hello, more: isSecure ? [renegotiationInfo(session.verify.client)] : [] }
    session.send(RECORD.handshake, buildHello(again))
    const asked = await reaction(session, prober)
    if (asked !== 'silent') return asked
    // A server may pass the wish over in silence. One that answers a question behind it has done so.
    session.send(RECORD.data, question(prober.endpoint))
    return reaction(session, prober)
  })
  if (answer === 'silent') return { secure, accepted: null, legacyAccepted: null, unanswered: true }
  if (answer === null || answer === 'none') return { secure, accepted: null, legacyAccepted: null }
  const accepted = answer === 'accepted'
  return { secure, accepted: accepted ? 1 : 0, legacyAccepted: accepted && !secure }
}

type Answer = 'accepted' | 'refused' | 'silent' | 'none'

const reaction = async (session: Session, prober: Prober): Promise<Answer> => {
  for (let records = 0; records < MOST_RECORDS; records++) {
    const got = await session.next(prober.deadline(WAIT))
    if (isEnded(got)) return got.kind === 'timeout' ? 'silent' : 'refused'
    if (got.type === RECORD.handshake) return got.payload[0] === HANDSHAKE.serverHello ? 'accepted' : 'refused'
    if (got.type === RECORD.alert || got.type === RECORD.data) return 'refused'
  }
  return 'refused'
}
