/** Services that greet whoever connects with a line: mail, rsync, telnet. */

import { aLine, textOf } from '../../../../protocols/services/talk.ts'
import { functionOf, objectOf, ScriptAnswer, type ScriptValue, scriptValue } from '../../../language/script/value.ts'
import { StepSkipped } from '../../executor.ts'
import type { NetParts } from '../net.ts'
import { type Ask, conversation, type ModuleShape, placeOf } from './asking.ts'

const LONGEST = 200

const greeted =
  (key: string, pattern: RegExp, service: string): Ask =>
  async (talk) => {
    const banner = textOf(await talk.read(aLine)).trim()
    if (!pattern.test(banner)) throw new ScriptAnswer(`what answers there is not ${service}`)
    return { [key]: true, Banner: banner.slice(0, LONGEST) }
  }

const isRsync: Ask = async (talk) => {
  const banner = textOf(await talk.read())
  return { IsRsync: banner.startsWith('@RSYNCD:'), Banner: banner.trim().slice(0, LONGEST) }
}

/** IAC, then an option that the server wants to settle (RFC 854). */
const isTelnet: Ask = async (talk) => {
  const greeting = await talk.read()
  if (greeting[0] !== 0xff || (greeting[1] ?? 0) < 0xfb) throw new ScriptAnswer('what answers there is not telnet')
  return {
    IsTelnet: true,
    Banner: textOf(greeting)
      .replace(/\xff[\xfb-\xfe][\s\S]/g, '')
      .trim()
      .slice(0, LONGEST),
  }
}

const isSmtp = greeted('IsSMTP', /^220[ -]/, 'SMTP')

export const GREETINGS: readonly ModuleShape[] = [
  { name: 'rsync', client: 'RsyncClient', asks: { IsRsync: isRsync }, signsIn: ['ListModules', 'ListFilesInModule'] },
  { name: 'pop3', client: 'Pop3Client', asks: { IsPOP3: greeted('IsPOP3', /^\+OK/, 'POP3') } },
  { name: 'imap', client: 'ImapClient', asks: { IsImap: greeted('IsImap', /^\* (?:OK|PREAUTH)/, 'IMAP') } },
  { name: 'telnet', client: 'TelnetClient', asks: { IsTelnet: isTelnet }, signsIn: ['Connect'] },
]

/** `new smtp.Client(host, port)`; a message is never sent, and nobody is asked to relay one. */
export const smtpModule = (parts: NetParts): ScriptValue => {
  const message: ScriptValue = objectOf({
    ...Object.fromEntries(['From', 'To', 'Subject', 'Body', 'Auth'].map((name) => [name, functionOf(() => message)])),
    String: functionOf(() => ''),
  })
  const refused = functionOf(() => {
    throw new StepSkipped('smtp sends mail through the target', 'policy')
  })
  return objectOf({
    SMTPMessage: functionOf(() => message),
    Client: functionOf(([host, port]) => {
      const place = placeOf(parts, host, port)
      return objectOf({
        IsSMTP: functionOf(async () => scriptValue(await conversation(parts, place, (talk) => isSmtp(talk, [])))),
        IsOpenRelay: refused,
        SendMail: refused,
      })
    }),
  })
}
