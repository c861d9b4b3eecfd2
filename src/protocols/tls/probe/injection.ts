/** STARTTLS injection (CVE-2011-0411): a command sent behind STARTTLS in clear, obeyed inside TLS. */
import { suiteOf } from '../../../knowledge/tls/suites.ts'
import type { EndpointFacts } from '../endpoint.ts'
import { openSession } from '../session/classic.ts'
import { openModern, prepareHello, speakable } from '../session/modern.ts'
import { partsOf } from '../session/protection.ts'
import { type Channel, isEnded } from '../wire/channel.ts'
import type { Prober } from '../wire/prober.ts'
import { RECORD } from '../wire/record.ts'
import { imapPrelude, type Prelude, pop3Prelude, type Service, smtpPrelude } from '../wire/starttls.ts'
import { classicHello, modernHello } from './hellos.ts'
import type { Agreed } from './keys.ts'

type Injection = EndpointFacts['starttlsInjection']

/** A command that changes nothing, and the answer that would betray it. */
const COMMANDS: Partial<Record<Service, { readonly prelude: Prelude; readonly answer: RegExp }>> = {
  smtp: { prelude: smtpPrelude('NOOP'), answer: /^[25]\d\d/ },
  imap: { prelude: imapPrelude('a2 NOOP'), answer: /^(a2|\*) / },
  pop3: { prelude: pop3Prelude('NOOP'), answer: /^(\+OK|-ERR)/ },
}
const WAIT = 1_500

export const probeInjection = async (
  prober: Prober,
  classic: Agreed | null,
  modern: readonly number[],
): Promise<Injection> => {
  const command = COMMANDS[prober.endpoint.service]
  if (command === undefined) return { verdict: 'not_applicable', notes: ['no command can be put behind the request'] }
  const once = () =>
    prober.converse(async (channel) => {
      const session = await openAny(prober, channel, classic, modern)
      if (session === null) return null
      const got = await session.next(prober.deadline(WAIT))
      return isEnded(got) || got.type !== RECORD.data ? '' : got.payload.toString('latin1').slice(0, 200)
    }, command.prelude)
  const first = await once()
  // A server that answers the command in clear, or drops the connection, has not kept it for later.
  if (first === null) return { verdict: 'safe', notes: ['no handshake after a command behind the request'] }
  if (!command.answer.test(first)) return { verdict: 'safe', notes: ['nothing is answered inside TLS unasked'] }
  const second = await once()
  const notes = [`answered inside TLS, unasked: ${first.trim()}`]
  return { verdict: second !== null && command.answer.test(second) ? 'vulnerable' : 'inconclusive', notes }
}

const openAny = (prober: Prober, channel: Channel, classic: Agreed | null, modern: readonly number[]) => {
  const suites = classic?.suites.filter((code) => partsOf(suiteOf(code)) !== null) ?? []
  if (classic !== null && suites.length > 0) {
    return openSession(channel, classicHello(prober.endpoint, classic.version, suites), prober.deadline())
  }
  return openModern(channel, prepareHello(modernHello(prober.endpoint, speakable(modern))), prober.deadline())
}
