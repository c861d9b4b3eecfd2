import { dig, isFailure, type Lookup, showLookup, textsOf } from '../../../protocols/dns/ask.ts'
import { mxOf } from '../../../protocols/dns/mx.ts'
import { isStsRecord, isTlsRpt, mxMatches, parseStsPolicy, stsId, tlsRptFlaw } from '../../../protocols/mail/mta-sts.ts'
import type { Check, Finding, FindingDefinition, Judgement } from '../../module.ts'
import type { MailFacts, StsFetch } from './facts.ts'

const absent: FindingDefinition = {
  id: 'mail/mta-sts-absent',
  title: 'MTA-STS missing: nothing makes other mail servers insist on TLS',
  severity: 'info',
  cwe: 319,
  group: 'good-practice',
  why: 'Whoever sits on the line can talk a sending server out of encryption and read the mail.',
  remediation:
    'Publish an MTA-STS policy (`_mta-sts` TXT and https://mta-sts.<domain>/.well-known/mta-sts.txt), or signed TLSA records for the mail servers.',
  references: ['https://www.rfc-editor.org/rfc/rfc8461', 'https://cwe.mitre.org/data/definitions/319.html'],
}

const broken: FindingDefinition = {
  ...absent,
  id: 'mail/mta-sts-broken',
  title: 'MTA-STS policy broken: it cannot be used',
  severity: 'medium',
  why: 'Sending servers find the announcement but no valid policy, and fall back to TLS that anybody can strip.',
  remediation: 'Serve the policy at exactly that address over valid https, as text/plain, without redirect.',
  references: ['https://www.rfc-editor.org/rfc/rfc8461#section-3.3'],
}

const mismatch: FindingDefinition = {
  ...broken,
  id: 'mail/mta-sts-mismatch',
  title: 'MTA-STS policy mismatch: it leaves out a mail server of the domain',
  why: 'Servers that follow the policy refuse to deliver to a mail server that it does not name: mail is lost.',
  remediation:
    'Add an `mx:` line for each server of the MX records to the policy, and change the `id` of the TXT record.',
  references: ['https://www.rfc-editor.org/rfc/rfc8461#section-4.1'],
}

const weak: FindingDefinition = {
  ...broken,
  id: 'mail/mta-sts-weak',
  title: 'MTA-STS policy weak: not enforced, or only for a short time',
  severity: 'low',
  why: 'In mode testing mail is delivered without TLS all the same; a max_age under a day lets an attacker wait it out.',
  remediation: 'Set `mode: enforce` and `max_age: 604800` or more, once the TLS reports show no failures.',
  references: ['https://www.rfc-editor.org/rfc/rfc8461#section-3.2'],
}

const DAY = 86_400

export const mtaSts: Check<'mail'> = {
  findings: [absent, broken, mismatch, weak],
  judge: (facts): Judgement => {
    const { record, policy } = facts.sts
    const hosts = mxOf(facts.mx).filter(({ exchange }) => exchange !== '')
    if (hosts.length === 0) return { state: 'not_applicable', reason: `${facts.domain} takes no mail.` }
    if (isFailure(record)) return { state: 'inconclusive', reason: `${record.name} was not answered.` }
    const texts = textsOf(record).filter(isStsRecord)
    if (texts.length === 0)
      return [found(facts, absent, record, `${record.name} has no record that begins with v=STSv1.`)]
    if (policy?.error?.code === 'refused_by_guard') {
      return { state: 'not_tested', reason: `${policy.url} leads to an address that may not be asked.` }
    }
    const faults = faultsOf(texts, policy)
    if (faults.length > 0) return [found(facts, broken, record, `${faults.slice(0, 5).join('; ')}.`)]
    return judgePolicy(facts, policy?.body ?? '')
  },
}

const faultsOf = (texts: readonly string[], policy: StsFetch | null): readonly string[] => {
  if (texts.length > 1) return ['there are two STSv1 records, so neither counts']
  if (stsId(texts[0] ?? '') === null) return ['the record has no valid id']
  if (policy === null) return ['the policy was not fetched']
  if (policy.error) return [`${policy.url}: ${policy.error.message}`]
  if (policy.certificateError !== null)
    return [`the certificate of ${policy.url} is not valid (${policy.certificateError})`]
  if (policy.status !== 200) {
    const to = policy.location === null ? '' : ` to ${policy.location.slice(0, 200)}, which may not be followed`
    return [`${policy.url} answers ${policy.status}${to}`]
  }
  return [
    ...(policy.contentType === 'text/plain'
      ? []
      : [`its type is “${policy.contentType.slice(0, 80)}” instead of text/plain`]),
    ...(policy.truncated ? ['it is larger than 64 KiB'] : []),
    ...parseStsPolicy(policy.body).errors,
  ]
}

const judgePolicy = (facts: MailFacts, body: string): Finding[] => {
  const { mode, mx, maxAge } = parseStsPolicy(body)
  const { record } = facts.sts
  const left = mxOf(facts.mx).filter(({ exchange }) => !mx.some((pattern) => mxMatches(pattern, exchange)))
  const short = maxAge !== null && maxAge < DAY
  const names = left.map(({ exchange }) => exchange).join(', ')
  return [
    ...(left.length > 0 && mode !== 'none'
      ? [found(facts, mismatch, record, `The policy names ${mx.join(', ')}, but not ${names}.`)]
      : []),
    ...(mode !== 'enforce' || short
      ? [found(facts, weak, record, `The policy has mode ${mode} and max_age ${maxAge}.`)]
      : []),
  ]
}

const found = ({ domain, sts }: MailFacts, definition: FindingDefinition, record: Lookup, detail: string): Finding => {
  const body = sts.policy && sts.policy.body !== '' ? `\n${sts.policy.url}\n${sts.policy.body.slice(0, 3_000)}` : ''
  const replay = `${dig(record.name, 'TXT')}; curl -si https://mta-sts.${domain}/.well-known/mta-sts.txt`
  const proof = { excerpt: `${showLookup(record)}${body}`, mark: null, replay }
  return { definition, confidence: 'confirmed', at: { host: domain }, detail, proof }
}

const noReport: FindingDefinition = {
  ...absent,
  id: 'mail/tls-rpt-absent',
  title: 'TLS-RPT missing: failures of TLS on the way to the mail servers are not reported',
  why: 'That mail does not arrive, or arrives unencrypted, is noticed late or never.',
  remediation: 'Publish `v=TLSRPTv1; rua=mailto:…` as TXT at `_smtp._tls`.',
  references: ['https://www.rfc-editor.org/rfc/rfc8460'],
}

const badReport: FindingDefinition = {
  ...broken,
  id: 'mail/tls-rpt-invalid',
  title: 'TLS-RPT record invalid: it cannot be used',
  why: 'Senders ignore it, so no report of failing TLS ever comes.',
  remediation: 'Publish exactly one TXT record `v=TLSRPTv1; rua=mailto:…` at `_smtp._tls`.',
  references: ['https://www.rfc-editor.org/rfc/rfc8460#section-3'],
}

export const tlsReporting: Check<'mail'> = {
  findings: [noReport, badReport],
  judge: (facts): Judgement => {
    const { tlsRpt: record, domain, mx } = facts
    if (!mxOf(mx).some(({ exchange }) => exchange !== ''))
      return { state: 'not_applicable', reason: `${domain} takes no mail.` }
    if (isFailure(record)) return { state: 'inconclusive', reason: `${record.name} was not answered.` }
    const texts = textsOf(record).filter(isTlsRpt)
    const flaw =
      texts.length > 1
        ? 'there are two records, so neither counts'
        : texts[0] === undefined
          ? null
          : tlsRptFlaw(texts[0])
    if (texts.length > 0 && flaw === null) return []
    const definition = texts.length === 0 ? noReport : badReport
    const detail = `${record.name}: ${flaw ?? 'no record that begins with v=TLSRPTv1'}.`
    const proof = { excerpt: showLookup(record), mark: null, replay: dig(record.name, 'TXT') }
    return [{ definition, confidence: 'confirmed', at: { host: domain }, detail, proof }]
  },
}
