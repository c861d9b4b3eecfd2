/** RFC 5746, and whether a client may start a handshake inside a connection. */
import { suiteOf } from '../../../knowledge/tls/suites.ts'
import type { RenegotiationFacts } from '../endpoint.ts'
import { openSession } from '../session/classic.ts'
import { partsOf } from '../session/protection.ts'
import { isEnded } from '../wire/channel.ts'
import { buildHello, EXTENSION } from '../wire/hello.ts'
import type { Prober } from '../wire/prober.ts'
import { HANDSHAKE, RECORD } from '../wire/record.ts'
import { classicHello, renegotiationInfo } from './hellos.ts'
import type { Agreed } from './keys.ts'

const WAIT = 2_000

/** Asks once; the catalogue allows three, and one that is accepted proves it. */
export const probeRenegotiation = async (
  prober: Prober,
  agreed: Agreed,
  secure: boolean,
): Promise<RenegotiationFacts> => {
  const suites = agreed.suites.filter((code) => partsOf(suiteOf(code)) !== null)
  if (suites.length === 0) return { secure, accepted: null, legacyAccepted: null }
  const accepted = await prober.converse(async (channel): Promise<boolean | null> => {
    const hello = classicHello(prober.place, agreed.version, suites)
    const session = await openSession(channel, hello, prober.deadline())
    if (session === null) return null
    const isSecure = session.hello.extensions.has(EXTENSION.renegotiation)
    const again = { ...hello, more: isSecure ? [renegotiationInfo(session.verify.client)] : [] }
    session.send(RECORD.handshake, buildHello(again))
    for (let records = 0; records < 4; records++) {
      const got = await session.next(prober.deadline(WAIT))
      if (isEnded(got) || got.type === RECORD.alert) return false
      if (got.type === RECORD.handshake) return got.payload[0] === HANDSHAKE.serverHello
    }
    return false
  })
  if (accepted === null) return { secure, accepted: null, legacyAccepted: null }
  return { secure, accepted: accepted ? 1 : 0, legacyAccepted: accepted && !secure }
}
