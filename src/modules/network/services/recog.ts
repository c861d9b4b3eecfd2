/** What imported Recog rules say of an exchange: each kind of banner goes to the files made for it. */

import type { RecogRules } from '../../../knowledge/recog/load.ts'
import { matchRecog } from '../../../knowledge/recog/rules.ts'
import type { Identity } from '../../../knowledge/services/service.ts'
import { textOf } from '../../../protocols/services/talk.ts'
import type { Found } from './identify.ts'

export interface RecogIdentity extends Identity {
  readonly rule: string
}

/** The text that Recog's files expect of each kind, taken out of the first thing the peer said. */
const BANNERS: Readonly<Record<string, readonly [matches: string, text: (said: string) => string]>> = {
  ssh: ['ssh.banner', (said) => /^SSH-[\d.]+-([^\r\n]*)/m.exec(said)?.[1] ?? ''],
  ftp: ['ftp.banner', (said) => withoutCode(said)],
  smtp: ['smtp.banner', (said) => withoutCode(said)],
  pop3: ['pop3.banner', (said) => /^\+OK ?([^\r\n]*)/.exec(said)?.[1] ?? ''],
  imap: ['imap4.banner', (said) => /^\* OK ?([^\r\n]*)/.exec(said)?.[1] ?? ''],
  nntp: ['nntp.banner', (said) => withoutCode(said)],
  mysql: ['mysql.banners', (said) => /^[\s\S]{4}\n([\x20-\x7e]{1,100})/.exec(said)?.[1] ?? ''],
  sip: ['sip_header.server', (said) => /^Server: *([^\r\n]*)/im.exec(said)?.[1] ?? ''],
  rtsp: ['rtsp_header.server', (said) => /^Server: *([^\r\n]*)/im.exec(said)?.[1] ?? ''],
}

const withoutCode = (said: string): string => /^\d{3}[ -]([^\r\n]*)/.exec(said)?.[1] ?? ''

/** Null where no rule speaks. */
export const recogIdentity = (rules: RecogRules, found: Found): RecogIdentity | null => {
  const candidates: (readonly [matches: string, text: string])[] = []
  const banner = found.service === null ? undefined : BANNERS[found.service]
  const first = found.said.find(({ from }) => from === 'peer')
  if (banner && first) candidates.push([banner[0], banner[1](textOf(Buffer.from(first.bytes, 'base64')))])
  if (found.service === 'dns' && found.proved?.info) candidates.push(['dns.versionbind', found.proved.info])
  const web = found.web?.answer
  if (web) {
    candidates.push(
      ['http_header.server', web.server],
      ['http_header.wwwauth', web.auth],
      ['http_header.cookie', web.cookie],
    )
    candidates.push(['html_title', web.title], ['http_header.x-powered-by', web.poweredBy])
  }
  for (const [matches, text] of candidates) {
    if (text === '') continue
    for (const file of rules.of(matches)) {
      const match = matchRecog(file, text)
      if (!match) continue
      const { fields } = match
      const os = [fields['os.product'], fields['os.version']].filter(Boolean).join(' ')
      return {
        rule: match.description,
        product: fields['service.product'] ?? null,
        version: fields['service.version'] ?? null,
        info: os === '' ? null : os,
        cpe: fields['service.cpe23'] ?? null,
      }
    }
  }
  return null
}
