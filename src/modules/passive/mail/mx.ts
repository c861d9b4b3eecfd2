import { familyOf, isPrivate } from '../../../knowledge/dns/addresses.ts'
import { dig, isEmpty, isFailure, showLookup, textsOf } from '../../../protocols/dns/ask.ts'
import { mxOf } from '../../../protocols/dns/mx.ts'
import type { Check, Finding, FindingDefinition, Judgement } from '../../module.ts'
import type { MxHost } from './facts.ts'

const unreachable: FindingDefinition = {
  id: 'mail/mx-unresolvable',
  title: 'MX unresolvable: a mail server of the domain has no address',
  severity: 'medium',
  cwe: 1188,
  why: 'Mail for it is delayed or lost, and whoever gets hold of the name receives it.',
  remediation: 'Correct the name in the MX record or add its A record; an MX record names a host, never an address.',
  references: [
    'https://www.rfc-editor.org/rfc/rfc5321#section-5.1',
    'https://www.rfc-editor.org/rfc/rfc1035#section-3.3.9',
  ],
}

const alias: FindingDefinition = {
  ...unreachable,
  id: 'mail/mx-alias',
  title: 'MX leads to a CNAME: a mail server’s name is an alias',
  severity: 'low',
  why: 'MX records must name a host with addresses; some servers refuse to deliver over an alias.',
  remediation: 'Put the name at the end of the alias into the MX record.',
  references: ['https://www.rfc-editor.org/rfc/rfc2181#section-10.3'],
}

const conflict: FindingDefinition = {
  ...unreachable,
  id: 'mail/null-mx-conflict',
  title: 'Null MX conflict: it stands beside other MX records',
  why: 'The null MX says that the domain takes no mail: senders may reject or deliver as they like.',
  remediation: 'Delete the record `0 .` where the domain takes mail, or all the others where it does not.',
  references: ['https://www.rfc-editor.org/rfc/rfc7505#section-3'],
}

const EXAMINED = [unreachable, alias, conflict]

export const mx: Check<'mail'> = {
  findings: EXAMINED,
  judge: ({ domain, mx: lookup, hosts }): Judgement => {
    if (isFailure(lookup))
      return { state: 'inconclusive', reason: `The MX records of ${domain} were not answered (${lookup.rcode}).` }
    const records = mxOf(lookup)
    if (records.length === 0) return { state: 'not_applicable', reason: `${domain} has no MX record.` }
    const proof = { excerpt: showLookup(lookup), mark: null, replay: dig(domain, 'MX') }
    const nullMx = records.some(({ exchange }) => exchange === '')
    const detail = `${domain} has a null MX and ${records.length - 1} other MX records.`
    const findings: Finding[] = [
      ...(nullMx && records.length > 1
        ? [{ definition: conflict, confidence: 'confirmed', at: { host: domain }, detail, proof } as const]
        : []),
      ...hosts.flatMap((host) => judgeHost(domain, host)),
    ]
    const open = hosts.filter(({ a, aaaa }) => isFailure(a) || isFailure(aaaa))
    if (open.length === 0) return findings
    const reason = `The addresses of ${open.map(({ name }) => name).join(', ')} were not answered.`
    return { state: 'inconclusive', reason, only: [unreachable.id], findings }
  },
}

const judgeHost = (domain: string, { name, a, aaaa }: MxHost): Finding[] => {
  const proof = {
    excerpt: `${showLookup(a)}\n${showLookup(aaaa)}`,
    mark: null,
    replay: `dig MX ${domain}; dig A ${name}`,
  }
  const found = (definition: FindingDefinition, detail: string): Finding => ({
    definition,
    confidence: 'confirmed',
    at: { host: domain },
    subject: name,
    detail,
    proof,
  })
  if (familyOf(name) !== 0)
    return [found(unreachable, `The MX record of ${domain} holds the address ${name} instead of a name.`)]
  const addresses = [...textsOf(a), ...textsOf(aaaa)]
  if (isEmpty(a) && isEmpty(aaaa)) {
    return [
      found(
        unreachable,
        `${name}, a mail server of ${domain}, has no address (${a.rcode === 'NXDOMAIN' ? 'NXDOMAIN' : 'no record'}).`,
      ),
    ]
  }
  const hidden = addresses.length > 0 && addresses.every(isPrivate)
  return [
    ...(hidden
      ? [
          found(
            unreachable,
            `${name}, a mail server of ${domain}, leads to private addresses only: ${addresses.join(', ')}.`,
          ),
        ]
      : []),
    ...(a.aliases.length > 0
      ? [found(alias, `${name}, a mail server of ${domain}, is an alias of ${a.aliases.at(-1)}.`)]
      : []),
  ]
}
