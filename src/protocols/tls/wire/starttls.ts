/** The clear-text prelude of each protocol that switches to TLS on request. */
import { type Channel, isEnded } from './channel.ts'

export const SERVICES = ['https', 'tls', 'smtp', 'imap', 'pop3', 'ftp', 'ldap', 'postgresql', 'mysql', 'xmpp'] as const
/** 'https' and 'tls' begin with the handshake; the others ask for it. */
export type Service = (typeof SERVICES)[number]

/** Null when the server is ready for a hello, else why not. */
export type Prelude = (channel: Channel, host: string, until: number) => Promise<string | null>

/** Milliseconds; mail servers like to greet late. */
const LONGEST_REPLY = 64 * 1024

/** The end of a reply whose last line matches, in octets. */
const endOf =
  (last: RegExp) =>
  (input: Buffer): number | null => {
    if (input.length > LONGEST_REPLY) return input.length
    const text = input.toString('latin1')
    const found = last.exec(text)
    return found ? found.index + found[0].length : null
  }

const reply = async (channel: Channel, last: RegExp, until: number): Promise<string | null> => {
  const got = await channel.take(endOf(last), until)
  return isEnded(got) ? null : got.toString('latin1')
}

const say = (channel: Channel, line: string): void => channel.write(Buffer.from(`${line}\r\n`, 'latin1'))

/** RFC 5321, 4.2: continuation lines have a hyphen after the code. */
const CODED = /(?:^|\n)\d{3}(?: [^\n]*)?\r?\n/

/** `heard` is told the greeting and the answer to EHLO, each of which begins with the server's own name (RFC 5321, 4.1.1.1 and 4.2). */
export const smtpPrelude =
  (extra = '', heard: (reply: string) => void = () => undefined): Prelude =>
  async (channel, _host, until) => {
    const greeting = await reply(channel, CODED, until)
    if (!greeting?.startsWith('220')) return 'no SMTP greeting'
    heard(greeting)
    say(channel, 'EHLO sonde.invalid')
    const features = await reply(channel, CODED, until)
    if (features?.startsWith('250')) heard(features)
    if (!features?.startsWith('250')) return `EHLO was answered with ${features?.slice(0, 3) ?? 'nothing'}`
    if (!/^250[ -]STARTTLS\s*$/im.test(features)) return 'STARTTLS is not announced'
    say(channel, `STARTTLS${extra === '' ? '' : `\r\n${extra}`}`)
    const ready = await reply(channel, CODED, until)
    return ready?.startsWith('220') ? null : 'STARTTLS was refused'
  }

export const imapPrelude =
  (extra = ''): Prelude =>
  async (channel, _host, until) => {
    const greeting = await reply(channel, /\n/, until)
    if (!greeting || !/^\* (OK|PREAUTH)/i.test(greeting)) return 'no IMAP greeting'
    say(channel, `a1 STARTTLS${extra === '' ? '' : `\r\n${extra}`}`)
    const ready = await reply(channel, /(?:^|\n)a1 [^\n]*\n/, until)
    return ready && /(?:^|\n)a1 OK/i.test(ready) ? null : 'STARTTLS was refused'
  }

export const pop3Prelude =
  (extra = ''): Prelude =>
  async (channel, _host, until) => {
    const greeting = await reply(channel, /\n/, until)
    if (!greeting?.startsWith('+OK')) return 'no POP3 greeting'
    say(channel, `STLS${extra === '' ? '' : `\r\n${extra}`}`)
    const ready = await reply(channel, /\n/, until)
    return ready?.startsWith('+OK') ? null : 'STLS was refused'
  }

const ftp: Prelude = async (channel, _host, until) => {
  const greeting = await reply(channel, CODED, until)
  if (!greeting?.startsWith('220')) return 'no FTP greeting'
  say(channel, 'AUTH TLS')
  const ready = await reply(channel, CODED, until)
  return ready?.startsWith('234') ? null : 'AUTH TLS was refused'
}

/** RFC 4511, 4.14: an extended request with the object identifier of StartTLS. */
const ldap: Prelude = async (channel, _host, until) => {
  channel.write(Buffer.concat([Buffer.from('301d02010177188016', 'hex'), Buffer.from('1.3.6.1.4.1.1466.20037')]))
  const got = await channel.take((input) => (input.length < 2 ? null : 2 + Math.min(input[1] ?? 0, 127)), until)
  if (isEnded(got)) return 'no LDAP answer'
  // [APPLICATION 24] ExtendedResponse, resultCode success
  return got.toString('hex').includes('0a0100') && got.includes(0x78) ? null : 'StartTLS was refused'
}

/** The SSLRequest of the PostgreSQL protocol. */
const postgresql: Prelude = async (channel, _host, until) => {
  channel.write(Buffer.from('0000000804d2162f', 'hex'))
  const got = await channel.take((input) => (input.length < 1 ? null : 1), until)
  if (isEnded(got)) return 'no PostgreSQL answer'
  return got[0] === 0x53 ? null : 'SSL was refused'
}

const CLIENT_SSL = 0x0800

/** Protocol::HandshakeV10, then an SSLRequest packet. */
const mysql: Prelude = async (channel, _host, until) => {
  const greeting = await channel.take((input) => (input.length < 4 ? null : 4 + input.readUIntLE(0, 3)), until)
  if (isEnded(greeting) || greeting[4] !== 10) return 'no MySQL greeting'
  const version = greeting.indexOf(0, 5)
  // After the version: connection id (4), first part of the salt (8), a filler, then the lower capabilities.
  const at = version + 1 + 4 + 8 + 1
  if (version < 0 || at + 2 > greeting.length) return 'no MySQL greeting'
  if ((greeting.readUInt16LE(at) & CLIENT_SSL) === 0) return 'SSL is not announced'
  const request = Buffer.alloc(36)
  request.writeUIntLE(32, 0, 3)
  request[3] = 1
  request.writeUInt32LE(0x0000_8a00, 4) // SSL, protocol 4.1, secure connection
  request.writeUInt32LE(1 << 24, 8)
  request[12] = 33
  channel.write(request)
  return null
}

const xmpp: Prelude = async (channel, host, until) => {
  const open = `<?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' to='${host.replace(/[^\w.-]/g, '')}' version='1.0'>`
  channel.write(Buffer.from(open))
  const features = await reply(channel, /<\/stream:features>|<\/stream:stream>/, until)
  if (!features?.includes('urn:ietf:params:xml:ns:xmpp-tls')) return 'STARTTLS is not announced'
  channel.write(Buffer.from("<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>"))
  const ready = await reply(channel, /<(?:proceed|failure)[^>]*>/, until)
  return ready?.includes('<proceed') ? null : 'STARTTLS was refused'
}

const none: Prelude = async () => null

export const PRELUDES: Readonly<Record<Service, Prelude>> = {
  https: none,
  tls: none,
  smtp: smtpPrelude(),
  imap: imapPrelude(),
  pop3: pop3Prelude(),
  ftp,
  ldap,
  postgresql,
  mysql,
  xmpp,
}
