import { dig } from '../../../protocols/dns/ask.ts'
import { mxOf } from '../../../protocols/dns/mx.ts'
import { parseDkim } from '../../../protocols/mail/dkim.ts'
import type { Check, Finding, FindingDefinition, Judgement } from '../../module.ts'
import type { DkimSelector, MailFacts } from './facts.ts'

const tooShort: FindingDefinition = {
  id: 'mail/dkim-key-broken',
  title: 'DKIM key breakable: it is so short that it can be factored',
  severity: 'high',
  cwe: 326,
  why: 'Keys under 1024 bits have been factored by single people; with the private key anybody signs mail as the domain.',
  remediation: 'Make a new key of 2048 bits under a new selector, switch signing over, then delete this record.',
  references: ['https://www.rfc-editor.org/rfc/rfc8301#section-3.2', 'https://cwe.mitre.org/data/definitions/326.html'],
}

const short: FindingDefinition = {
  ...tooShort,
  id: 'mail/dkim-key-short',
  title: 'DKIM key short: fewer than 2048 bits',
  severity: 'low',
  why: 'RSA keys of 1024 bits are in reach of well-equipped attackers, and DKIM keys tend to stay for years.',
}

const sha1: FindingDefinition = {
  ...tooShort,
  id: 'mail/dkim-hash-sha1',
  title: 'DKIM with SHA-1 only: the record allows no other hash',
  severity: 'medium',
  cwe: 328,
  why: 'Receivers must not accept SHA-1 any more, so mail signed as the record asks counts as unsigned.',
  remediation: 'Remove `h=sha1` from the record (or write `h=sha256`) and sign with rsa-sha256.',
  references: ['https://www.rfc-editor.org/rfc/rfc8301#section-3.1'],
}

const testing: FindingDefinition = {
  ...tooShort,
  id: 'mail/dkim-testing',
  title: 'DKIM in test mode: receivers may ignore the signature',
  severity: 'low',
  cwe: 347,
  why: '`t=y` asks receivers to treat signed mail like unsigned mail, so the signature protects nothing.',
  remediation: 'Remove `t=y` from the record.',
  references: ['https://www.rfc-editor.org/rfc/rfc6376#section-3.6.1'],
}

const unreadable: FindingDefinition = {
  ...testing,
  id: 'mail/dkim-invalid',
  title: 'DKIM record invalid: it holds no usable key',
  severity: 'medium',
  why: 'Every signature made under this selector fails.',
  remediation: 'Publish the public key again; a value over 255 characters has to be split into several quoted strings.',
}

const revoked: FindingDefinition = {
  ...testing,
  id: 'mail/dkim-revoked',
  title: 'DKIM selector revoked: its key is empty',
  severity: 'info',
  why: 'An empty `p=` says that the key is withdrawn; it is right after a change of key and stays as a trace of it.',
  remediation: 'Delete the record once no mail signed with it is under way.',
}

const absent: FindingDefinition = {
  ...testing,
  id: 'mail/dkim-absent',
  title: 'DKIM missing: the domain takes mail but no key was found',
  severity: 'low',
  why: 'Unsigned mail fails DMARC as soon as it is forwarded, and receivers trust it less.',
  remediation: 'Switch DKIM signing on at the mail service and publish the record that it shows.',
}

export const dkim: Check<'mail'> = {
  findings: [tooShort, short, sha1, testing, unreadable, revoked, absent],
  judge: (facts): Judgement => {
    const { found, base, wildcard, asked } = facts.dkim
    if (wildcard)
      return { state: 'inconclusive', reason: 'Every selector answers with a key, also one that nobody chose.' }
    const keys = found.flatMap((selector) => judgeKey(facts, selector))
    if (found.length > 0) return keys
    const takesMail = mxOf(facts.mx).some(({ exchange }) => exchange !== '')
    if (base.rcode === 'NXDOMAIN' && takesMail) return [judgeAbsent(facts)]
    if (!takesMail)
      return {
        state: 'not_applicable',
        reason: `${facts.domain} takes no mail, and none of ${asked} selectors exists.`,
      }
    return {
      state: 'inconclusive',
      reason: `None of ${asked} common selectors exists; others cannot be found out from outside.`,
    }
  },
}

const judgeKey = ({ domain }: MailFacts, { selector, text, alias }: DkimSelector): Finding[] => {
  const key = parseDkim(text)
  const name = `${selector}._domainkey.${domain}`
  const size = `${key.bits ?? '?'} bits`
  const where = alias === null ? name : `${name} (alias of ${alias})`
  const found = (definition: FindingDefinition, detail: string): Finding => ({
    definition,
    confidence: 'confirmed',
    at: { host: domain },
    subject: selector,
    detail: `${where}: ${detail}.`,
    proof: { excerpt: text.slice(0, 4_000) || '(empty)', mark: null, replay: dig(name, 'TXT', '+short') },
  })
  if (key.state === 'revoked') return [found(revoked, 'the key is empty')]
  return [
    ...(key.state === 'unreadable' ? [found(unreadable, `the value of p is no ${key.type} key`)] : []),
    ...(key.bits !== null && key.bits < 1024 ? [found(tooShort, `an RSA key of ${size}`)] : []),
    ...(key.bits !== null && key.bits >= 1024 && key.bits < 2048 ? [found(short, `an RSA key of ${size}`)] : []),
    ...(key.hashes.length > 0 && key.hashes.every((hash) => hash === 'sha1') ? [found(sha1, 'h=sha1')] : []),
    ...(key.testing ? [found(testing, 't=y')] : []),
  ]
}

/** NXDOMAIN at `_domainkey` denies all that lies below (RFC 8020); some servers give it wrongly, hence firm. */
const judgeAbsent = ({ domain }: MailFacts): Finding => ({
  definition: absent,
  confidence: 'firm',
  at: { host: domain },
  detail: `_domainkey.${domain} does not exist (NXDOMAIN), so no selector below it does.`,
  proof: {
    excerpt: `_domainkey.${domain} TXT: NXDOMAIN`,
    mark: 'NXDOMAIN',
    replay: dig(`_domainkey.${domain}`, 'TXT'),
  },
})
