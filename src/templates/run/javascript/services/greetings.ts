/** Services that greet whoever connects: mail, rsync, telnet, VNC. */
import { vnc } from '../../../../protocols/services/desktops.ts'
import { aLine, textOf } from '../../../../protocols/services/talk.ts'
import { ScriptAnswer } from '../../../language/script/errors.ts'
import { type Ask, asking, type ModuleShape, proved, SIGNS_IN } from './asking.ts'

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

const isVnc: Ask = async (talk) => {
  const { info } = await proved(vnc, talk, 'VNC')
  return { IsVNC: true, Banner: info ?? '' }
}

export const GREETINGS: readonly ModuleShape[] = [
  {
    name: 'rsync',
    client: 'RsyncClient',
    calls: { IsRsync: asking(isRsync) },
    refused: { [SIGNS_IN]: ['ListModules', 'ListFilesInModule'] },
  },
  { name: 'pop3', client: 'Pop3Client', calls: { IsPOP3: asking(greeted('IsPOP3', /^\+OK/, 'POP3')) } },
  { name: 'imap', client: 'ImapClient', calls: { IsImap: asking(greeted('IsImap', /^\* (?:OK|PREAUTH)/, 'IMAP')) } },
  {
    name: 'telnet',
    client: 'TelnetClient',
    calls: { IsTelnet: asking(isTelnet) },
    refused: { [SIGNS_IN]: ['Connect'] },
  },
  { name: 'vnc', client: 'VNCClient', calls: { IsVNC: asking(isVnc) }, refused: { [SIGNS_IN]: ['Connect'] } },
  // `new smtp.Client(host, port)`; a message is never sent, and nobody is asked to relay one.
  {
    name: 'smtp',
    client: 'Client',
    bound: true,
    calls: { IsSMTP: asking(greeted('IsSMTP', /^220[ -]/, 'SMTP')) },
    refused: { 'sends mail through the target': ['IsOpenRelay', 'SendMail'] },
  },
]
