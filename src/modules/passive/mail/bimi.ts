import { dig, isFailure, showLookup, textsOf } from '../../../protocols/dns/ask.ts'
import { parseTags } from '../../../protocols/mail/tags.ts'
import type { Check, FindingDefinition, Judgement } from '../../module.ts'
import { isEnforced } from './spf-policy.ts'

const ineffective: FindingDefinition = {
  id: 'mail/bimi-ineffective',
  title: 'BIMI ineffective: the record will not make the logo appear',
  severity: 'info',
  cwe: null,
  group: 'good-practice',
  why: 'Mailbox providers show the logo only for domains with an enforced DMARC policy, an SVG and, mostly, a mark certificate.',
  remediation:
    'Raise DMARC to `p=quarantine` or `p=reject` and publish `v=BIMI1; l=https://…/logo.svg; a=https://…/vmc.pem`.',
  references: [
    'https://datatracker.ietf.org/doc/html/draft-brand-indicators-for-message-identification',
    'https://bimigroup.org/implementation-guide/',
  ],
}

/** BIMI is a choice: a domain without it has no fault. */
export const bimi: Check<'mail'> = {
  findings: [ineffective],
  judge: (facts): Judgement => {
    const { bimi: record, domain } = facts
    if (isFailure(record)) return { state: 'inconclusive', reason: `${record.name} was not answered.` }
    const texts = textsOf(record).filter((text) => /^v=BIMI1\s*;/i.test(text))
    if (texts.length === 0)
      return { state: 'not_applicable', reason: `${domain} has no BIMI record, which is optional.` }
    const { tags } = parseTags(texts[0] ?? '')
    // An empty location declines to take part, which is allowed.
    if ((tags.l ?? '') === '' && (tags.a ?? '') === '') return []
    const faults = [
      ...(texts.length > 1 ? ['there are two records'] : []),
      ...(isEnforced(facts) ? [] : ['DMARC is not enforced']),
      ...(/^https:\/\/\S+\.svgz?(?:$|\?)/i.test(tags.l ?? '') ? [] : ['l is no https address of an SVG']),
      ...(/^https:\/\/\S+$/i.test(tags.a ?? '') ? [] : ['a names no mark certificate']),
    ]
    if (faults.length === 0) return []
    const proof = { excerpt: showLookup(record), mark: null, replay: dig(record.name, 'TXT') }
    const detail = `${record.name}: ${faults.join('; ')}.`
    return [{ definition: ineffective, confidence: 'confirmed', at: { host: domain }, detail, proof }]
  },
}
