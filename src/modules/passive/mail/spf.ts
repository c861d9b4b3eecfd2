import { dig, showLookup } from '../../../protocols/dns/ask.ts'
import type { Check, FindingDefinition, Judgement } from '../../module.ts'
import { drawTree, grammarErrors } from './spf-view.ts'

const absent: FindingDefinition = {
  id: 'mail/spf-absent',
  title: 'SPF missing: the domain has no SPF record',
  severity: 'medium',
  cwe: 290,
  group: 'mail-authentication',
  why: 'Receivers cannot tell which servers may send for the domain, so anybody’s mail in its name looks like its own.',
  remediation:
    'Publish one TXT record at the domain: `v=spf1 include:<your mail service> -all`, or `v=spf1 -all` where no mail is sent.',
  references: ['https://www.rfc-editor.org/rfc/rfc7208', 'https://cwe.mitre.org/data/definitions/290.html'],
}

const multiple: FindingDefinition = {
  id: 'mail/spf-multiple',
  title: 'Several SPF records: receivers treat the domain as having none',
  severity: 'medium',
  cwe: 290,
  why: 'Two records are a permanent error: receivers use neither, and the domain stands as unprotected as without.',
  remediation:
    'Merge the mechanisms of all of them into one TXT record with one `all` at its end, and delete the others.',
  references: ['https://www.rfc-editor.org/rfc/rfc7208#section-4.5'],
}

const syntax: FindingDefinition = {
  ...multiple,
  id: 'mail/spf-syntax',
  title: 'SPF syntax error: a record breaks the grammar',
  why: 'A single wrong term is a permanent error for the whole evaluation: receivers use none of it.',
  remediation: 'Correct the term named here in the TXT record.',
  references: ['https://www.rfc-editor.org/rfc/rfc7208#section-12'],
}

export const spf: Check<'mail'> = {
  findings: [absent, multiple, syntax],
  judge: ({ domain, spf: nodes, txt }): Judgement => {
    const [own] = nodes
    if (!own || txt.rcode !== 'NOERROR') {
      return {
        state: 'inconclusive',
        reason: `The TXT records of ${domain} were not answered (${txt.rcode ?? txt.error}).`,
      }
    }
    const at = { host: domain }
    const replay = dig(domain, 'TXT')
    if (own.records.length === 0) {
      const proof = { excerpt: showLookup(txt), mark: null, replay }
      const detail = `None of the ${txt.records.length} TXT records of ${domain} begins with v=spf1.`
      return [{ definition: absent, confidence: 'confirmed', at, detail, proof }]
    }
    if (own.records.length > 1) {
      const proof = { excerpt: own.records.join('\n'), mark: own.records[1]?.slice(0, 900) ?? null, replay }
      const detail = `${domain} has ${own.records.length} records that begin with v=spf1.`
      return [{ definition: multiple, confidence: 'confirmed', at, detail, proof }]
    }
    return nodes.flatMap((node) => {
      const errors = grammarErrors(node)
      if (errors.length === 0) return []
      const proof = { excerpt: drawTree(nodes), mark: null, replay: dig(node.domain, 'TXT') }
      const detail = `The record of ${node.domain}: ${errors.slice(0, 5).join('; ')}.`
      return [{ definition: syntax, confidence: 'confirmed' as const, at, subject: node.domain, detail, proof }]
    })
  },
}
