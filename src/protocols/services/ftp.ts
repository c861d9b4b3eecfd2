/** FTP (RFC 959, 4217): greeting, AUTH TLS offered, anonymous sign-in. No directory is listed, nothing is fetched. */
import { identify, serviceOf } from '../../knowledge/services/services.ts'
import { aReply } from './mail.ts'
import type { Probe } from './probe.ts'
import { textOf } from './talk.ts'

export const ftp: Probe = {
  services: ['ftp'],
  greets: true,
  run: async (talk) => {
    const greeting = textOf(await talk.read(aReply))
    if (!/^(?:220|120|421|530)[ -]/.test(greeting) || /E?SMTP/.test(greeting)) return null
    talk.send('FEAT\r\n')
    const features = textOf(await talk.read(aReply))
    // Only FTP has these replies to FEAT: 211 with a list, or 500, 502 and 530 for "not here" and "not yet".
    if (!/^(?:211|500|502|530|421)[ -]/.test(features)) return null
    talk.send('USER anonymous\r\n')
    const user = textOf(await talk.read(aReply))
    let welcome = user
    if (user.startsWith('331')) {
      talk.send('PASS sonde@example.invalid\r\n')
      welcome = textOf(await talk.read(aReply))
    }
    talk.send('QUIT\r\n')
    const granted = /^230[ -][^\r\n]{0,100}/m.exec(welcome)?.[0]
    return {
      service: 'ftp',
      ...identify(serviceOf('ftp').products, greeting),
      starttls: /^\s*AUTH[ -].*TLS/im.test(features),
      access: granted
        ? {
            kind: 'directory',
            says: 'the user "anonymous" was signed in without a password of its own',
            mark: granted.trim(),
          }
        : null,
    }
  },
}
