import { isFailure, showLookup } from '../../../protocols/dns/ask.ts'
import { caaFlaw, readCaa } from '../../../protocols/dns/caa.ts'
import type { Check, FindingDefinition, Judgement } from '../../module.ts'

const absent: FindingDefinition = {
  id: 'dns/caa-absent',
  title: 'CAA missing: no record limits who may issue certificates',
  severity: 'low',
  cwe: 295,
  group: 'good-practice',
  why: 'Any of the public certificate authorities may issue for the domain, also one that is easy to deceive.',
  remediation: 'Add `CAA 0 issue "letsencrypt.org"` (your authority) and `CAA 0 iodef "mailto:…"` at the domain.',
  references: ['https://www.rfc-editor.org/rfc/rfc8659', 'https://cwe.mitre.org/data/definitions/295.html'],
}

const invalid: FindingDefinition = {
  ...absent,
  id: 'dns/caa-invalid',
  title: 'CAA record invalid: it cannot be understood',
  severity: 'medium',
  why: 'An authority must refuse what it cannot read, so the next renewal fails; or it ignores the record, and it protects nothing.',
  remediation:
    'Correct the record: tag `issue`, `issuewild` or `iodef`, and the authority’s domain in quotes as value.',
  references: ['https://www.rfc-editor.org/rfc/rfc8659#section-4'],
}

export const caa: Check<'dns'> = {
  findings: [absent, invalid],
  judge: ({ caa: steps, host, domain }): Judgement => {
    const last = steps.at(-1)
    if (!last || (last.records.length === 0 && steps.some(isFailure))) {
      const failed = steps.find(isFailure)
      return {
        state: 'inconclusive',
        reason: `CAA of ${failed?.name ?? host} was not answered (${failed?.rcode ?? failed?.error}).`,
      }
    }
    const excerpt = steps.map(showLookup).join('\n')
    if (last.records.length === 0) {
      return [
        {
          definition: absent,
          confidence: 'confirmed',
          at: { host: domain },
          detail: `Neither ${steps.map(({ name }) => name).join(' nor ')} has a CAA record.`,
          proof: { excerpt, mark: null, replay: `dig CAA ${domain}` },
        },
      ]
    }
    const flaws = last.records.flatMap(({ data }) => {
      const record = readCaa(data)
      return record === null ? ['a record cannot be read'] : (caaFlaw(record) ?? [])
    })
    if (flaws.length === 0) return []
    return [
      {
        definition: invalid,
        confidence: 'confirmed',
        at: { host: last.name },
        detail: `CAA of ${last.name}: ${flaws.join('; ')}.`,
        proof: { excerpt, mark: null, replay: `dig CAA ${last.name}` },
      },
    ]
  },
}
