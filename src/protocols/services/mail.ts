/** SMTP, POP3, IMAP, sieve: greeting, then what the server says it can do. No mail is begun, nobody signs in. */
import { identify, serviceOf } from '../../knowledge/services/services.ts'
import type { Probe, Proved } from './probe.ts'
import { aLine, textOf } from './talk.ts'

/** A reply of SMTP or FTP is whole with a line whose code is followed by a space. */
export const aReply = (bytes: Buffer): boolean => /^\d{3}(?: [^\n]*)?\r?\n$/m.test(lastLine(textOf(bytes)))
const lastLine = (text: string): string => /[^\n]*\n$/.exec(text)?.[0] ?? ''

export const smtp: Probe = {
  services: ['smtp', 'lmtp'],
  greets: true,
  run: async (talk) => {
    const greeting = textOf(await talk.read(aReply))
    if (!/^[245]\d\d[ -]/.test(greeting)) return null
    talk.send('EHLO sonde.invalid\r\n')
    const hello = textOf(await talk.read(aReply))
    talk.send('QUIT\r\n')
    if (!/^250[ -]/.test(hello) && !/SMTP/i.test(greeting)) return null
    const offers = /^250[ -]STARTTLS\s*$/im.test(hello)
    const login = /^250[ -]AUTH[ =]/im.test(hello)
    return {
      service: 'smtp',
      ...identify(serviceOf('smtp').products, greeting),
      starttls: offers,
      ...(login && !talk.secure && !offers ? { weakness: 'plain-login' as const } : {}),
    }
  },
}

export const pop3: Probe = {
  services: ['pop3'],
  greets: true,
  run: async (talk) => {
    const greeting = textOf(await talk.read(aLine))
    if (!greeting.startsWith('+OK')) return null
    talk.send('CAPA\r\n')
    const can = textOf(await talk.read((bytes) => /^(?:-ERR|\.\r?$)/m.test(textOf(bytes))))
    talk.send('QUIT\r\n')
    const offers = /^STLS\s*$/im.test(can)
    return {
      service: 'pop3',
      ...identify(serviceOf('pop3').products, greeting),
      starttls: offers,
      ...(/^(?:USER\s*$|SASL[^\r\n]*\b(?:PLAIN|LOGIN)\b)/im.test(can) ? plain(talk.secure, offers) : {}),
    }
  },
}

export const imap: Probe = {
  services: ['imap'],
  greets: true,
  run: async (talk) => {
    const greeting = textOf(await talk.read(aLine))
    if (!/^\* (?:OK|PREAUTH|BYE)/.test(greeting)) return null
    talk.send('a CAPABILITY\r\nb ID NIL\r\n')
    const can = textOf(await talk.read((bytes) => /^b (?:OK|NO|BAD)/m.test(textOf(bytes))))
    talk.send('c LOGOUT\r\n')
    const known = identify(serviceOf('imap').products, greeting)
    const named = /^\* ID \([^)]*"version" "([\w.-]{1,30})"/im.exec(can)?.[1] ?? null
    const offers = /\bSTARTTLS\b/i.test(greeting + can)
    return {
      service: 'imap',
      ...known,
      version: known.version ?? named,
      starttls: offers,
      ...(/LOGINDISABLED/i.test(greeting + can) ? {} : plain(talk.secure, offers)),
    }
  },
}

export const sieve: Probe = {
  services: ['sieve'],
  greets: true,
  run: async (talk) => {
    const greeting = textOf(await talk.read((bytes) => /^OK/m.test(textOf(bytes))))
    if (!greeting.startsWith('"IMPLEMENTATION"')) return null
    return {
      service: 'sieve',
      ...identify(serviceOf('sieve').products, greeting),
      starttls: /^"STARTTLS"/m.test(greeting),
    }
  },
}

const plain = (secure: boolean, offers: boolean): Pick<Proved, 'weakness'> =>
  secure || offers ? {} : { weakness: 'plain-login' }
