import { dig, isFailure, type Lookup, showLookup, textsOf } from '../../../protocols/dns/ask.ts'
import { registrable } from '../../../protocols/dns/domain.ts'
import { type DmarcRecord, effective, isDmarc, parseDmarc, reportDomain } from '../../../protocols/mail/dmarc.ts'
import type { Check, Finding, FindingDefinition, Judgement } from '../../module.ts'
import type { MailFacts } from './facts.ts'

const absent: FindingDefinition = {
  id: 'mail/dmarc-absent',
  title: 'DMARC missing: the domain has no policy',
  severity: 'medium',
  cwe: 290,
  group: 'mail-authentication',
  why: 'Receivers deliver mail that uses the domain as sender in the visible From, whoever sent it.',
  remediation:
    'Publish the TXT record `v=DMARC1; p=none; rua=mailto:…` at `_dmarc`, read the reports, then raise it to `p=reject`.',
  references: ['https://www.rfc-editor.org/rfc/rfc9989', 'https://cwe.mitre.org/data/definitions/290.html'],
}

const multiple: FindingDefinition = {
  id: 'mail/dmarc-multiple',
  title: 'Several DMARC records: receivers treat the domain as having none',
  severity: 'medium',
  cwe: 290,
  why: 'With two records receivers use neither, and the domain stands unprotected.',
  remediation: 'Delete all but one of the TXT records at `_dmarc`.',
  references: ['https://www.rfc-editor.org/rfc/rfc9989'],
}

const invalid: FindingDefinition = {
  ...multiple,
  id: 'mail/dmarc-invalid',
  title: 'DMARC record invalid: it breaks the grammar',
  why: 'Receivers ignore what they cannot read: the policy may not be the one that was meant.',
  remediation: 'Correct what is named here: `v=DMARC1; p=reject; rua=mailto:…`, tags separated by semicolons.',
}

const none: FindingDefinition = {
  ...multiple,
  id: 'mail/dmarc-policy-none',
  title: 'DMARC p=none: receivers are asked to do nothing about forged mail',
  severity: 'low',
  why: 'Forged mail is reported at best, and delivered all the same.',
  remediation:
    'When the reports show own mail passing, set `p=quarantine` and then `p=reject`, `sp` and `np` too, without `t=y`.',
}

const partial: FindingDefinition = {
  ...none,
  id: 'mail/dmarc-partial',
  title: 'DMARC pct below 100: the policy is applied to a part of the mail only',
  why: 'The rest of the forged mail is let through; newer receivers ignore `pct` altogether.',
  remediation: 'Remove `pct` from the record.',
}

export const dmarc: Check<'mail'> = {
  findings: [absent, multiple, invalid, none, partial],
  judge: ({ domain, dmarc: steps }): Judgement => {
    const place = steps.findIndex((step) => textsOf(step).some(isDmarc))
    const step = steps[place]
    if (!step) {
      const failed = steps.find(isFailure)
      if (failed)
        return { state: 'inconclusive', reason: `${failed.name} was not answered (${failed.rcode ?? failed.error}).` }
      const detail = `Neither ${steps.map(({ name }) => name).join(' nor ')} has a DMARC record.`
      const proof = { excerpt: steps.map(showLookup).join('\n'), mark: null, replay: dig(`_dmarc.${domain}`, 'TXT') }
      return [{ definition: absent, confidence: 'confirmed', at: { host: domain }, detail, proof }]
    }
    const texts = textsOf(step).filter(isDmarc)
    if (texts.length > 1) return [found(multiple, domain, step, `${step.name} has ${texts.length} DMARC records.`)]
    return judgeRecord(domain, step, parseDmarc(texts[0] ?? ''), place === 0)
  },
}

const judgeRecord = (domain: string, step: Lookup, record: DmarcRecord, own: boolean): Finding[] => {
  const levels = own
    ? { p: record.policy, sp: record.subdomains, np: record.absent }
    : { sp: record.subdomains, np: record.absent }
  const idle = Object.entries(levels).filter(([, level]) => effective(level, record) === 'none')
  const test = record.testing ? ' under t=y' : ''
  const policies = idle.map(([tag, level]) => `${tag}=${level}`).join(', ')
  return [
    ...(record.errors.length > 0
      ? [found(invalid, domain, step, `${step.name}: ${record.errors.slice(0, 5).join('; ')}.`)]
      : []),
    ...(idle.length > 0 && record.errors.length === 0
      ? [found(none, domain, step, `${step.name} has the effect of none for ${policies}${test}.`)]
      : []),
    ...(record.percent < 100 ? [found(partial, domain, step, `${step.name} has pct=${record.percent}.`)] : []),
  ]
}

const found = (definition: FindingDefinition, domain: string, step: Lookup, detail: string): Finding => ({
  definition,
  confidence: 'confirmed',
  at: { host: domain },
  detail,
  proof: { excerpt: showLookup(step), mark: null, replay: dig(step.name, 'TXT') },
})

const noReport: FindingDefinition = {
  ...none,
  id: 'mail/dmarc-report-absent',
  title: 'DMARC reports missing: nobody collects them',
  why: 'Nobody learns who sends in the domain’s name, nor that own mail fails after a change.',
  remediation: 'Add `rua=mailto:…` to the record, with a mailbox or a service that reads the reports.',
}

const unauthorised: FindingDefinition = {
  ...none,
  id: 'mail/dmarc-report-unauthorised',
  title: 'DMARC report domain not authorised: it has not agreed to take the reports',
  why: 'Receivers send no reports to another domain without its consent in the DNS, so none arrive.',
  remediation:
    'Let the receiver of the reports publish `v=DMARC1` as TXT at `<this domain>._report._dmarc.<its domain>`.',
  references: ['https://www.rfc-editor.org/rfc/rfc9990'],
}

export const dmarcReports: Check<'mail'> = {
  findings: [noReport, unauthorised],
  judge: (facts): Judgement => {
    const [own] = facts.dmarc
    const texts = own ? textsOf(own).filter(isDmarc) : []
    if (!own || texts.length !== 1)
      return { state: 'not_applicable', reason: `${facts.domain} has no single DMARC record of its own.` }
    const { rua } = parseDmarc(texts[0] ?? '')
    if (rua.length === 0) return [found(noReport, facts.domain, own, `${own.name} names no rua.`)]
    return judgeConsent(facts, rua)
  },
}

const judgeConsent = ({ domain, reportConsent }: MailFacts, rua: readonly string[]): Judgement => {
  const others = rua.flatMap((uri) => reportDomain(uri) ?? []).filter((one) => registrable(one) !== registrable(domain))
  const consents = reportConsent.filter(({ name }) => others.some((one) => name.endsWith(`._dmarc.${one}`)))
  const open = consents.filter(isFailure)
  const refused = consents.filter((lookup) => !isFailure(lookup) && !textsOf(lookup).some(isDmarc))
  const findings = refused.map((lookup) => ({
    ...found(unauthorised, domain, lookup, `${lookup.name} has no DMARC record.`),
    subject: lookup.name.split('._dmarc.')[1] ?? lookup.name,
  }))
  if (open.length === 0) return findings
  return { state: 'inconclusive', reason: `${open[0]?.name} was not answered.`, only: [unauthorised.id], findings }
}
