import { isFailure } from '../../../protocols/dns/ask.ts'
import type { Check, Finding, FindingDefinition, Judgement } from '../../module.ts'
import type { MailFacts, SpfNode } from './facts.ts'
import { countLookups, drawTree, spfUnavailable, voidTerms } from './spf-view.ts'

const limit: FindingDefinition = {
  id: 'mail/spf-lookup-limit',
  title: 'SPF lookup limit: the record needs more than ten DNS lookups',
  severity: 'medium',
  cwe: 290,
  why: 'Beyond ten lookups, two that find nothing, or ten mail servers of one mx, the result is a permanent error: own mail may be refused, forged mail let through.',
  remediation:
    'Remove services that no longer send, and replace `a`, `mx` and nested includes by the `ip4:` networks behind them.',
  references: ['https://www.rfc-editor.org/rfc/rfc7208#section-4.6.4'],
}

const broken: FindingDefinition = {
  ...limit,
  id: 'mail/spf-include-broken',
  title: 'SPF include broken: it names a domain without an SPF record',
  why: 'An include that leads nowhere is a permanent error: receivers use none of the record.',
  remediation: 'Remove the include, or correct it to the name that the mail service gives today.',
  references: ['https://www.rfc-editor.org/rfc/rfc7208#section-5.2'],
}

const registrable: FindingDefinition = {
  ...limit,
  id: 'mail/spf-include-registrable',
  title: 'SPF include of an unregistered domain: whoever registers it may send as this one',
  severity: 'high',
  cwe: 672,
  why: 'Whoever registers that domain decides which servers may send mail in this domain’s name, with a passing SPF.',
  remediation: 'Remove the include at once; register the domain yourself until the change has spread.',
  references: [
    'https://cwe.mitre.org/data/definitions/672.html',
    'https://www.rfc-editor.org/rfc/rfc7208#section-11.1',
  ],
}

const MOST_LOOKUPS = 10
const MOST_VOID = 2
const MOST_MX = 10

export const spfLimits: Check<'mail'> = {
  findings: [limit, broken, registrable],
  judge: (facts): Judgement => {
    const unavailable = spfUnavailable(facts)
    if (unavailable) return unavailable
    const findings = [...judgeLimit(facts), ...judgeIncludes(facts)]
    const macros = facts.spf.filter(({ skipped }) => skipped === 'macro')
    const silent = facts.spf.filter(
      ({ rcode, skipped }) => skipped === null && rcode !== 'NOERROR' && rcode !== 'NXDOMAIN',
    )
    const open = [...macros, ...silent].map(({ domain, via }) => via || domain)
    if (open.length === 0) return findings
    const reason = `What these terms lead to depends on the message or was not answered: ${open.slice(0, 10).join(', ')}.`
    return { state: 'inconclusive', reason, findings }
  },
}

const judgeLimit = ({ domain, spf }: MailFacts): Finding[] => {
  const lookups = countLookups(spf)
  const empty = voidTerms(spf)
  const crowded = spf.flatMap(({ terms }) => terms.filter(({ text, found }) => isMx(text) && found > MOST_MX))
  const faults = [
    ...(lookups > MOST_LOOKUPS ? [`${lookups} lookups instead of at most ${MOST_LOOKUPS}`] : []),
    ...(empty.length > MOST_VOID ? [`${empty.length} lookups find nothing (${empty.slice(0, 5).join(', ')})`] : []),
    ...crowded.map(({ text, found }) => `“${text}” names ${found} mail servers`),
  ]
  if (faults.length === 0) return []
  const detail = `Evaluating SPF of ${domain}: ${faults.join('; ')}.`
  const proof = { excerpt: drawTree(spf), mark: null, replay: `dig TXT ${domain}` }
  return [{ definition: limit, confidence: 'confirmed', at: { host: domain }, detail, proof }]
}

const isMx = (text: string): boolean => /^[+\-~?]?mx(?:[:/]|$)/i.test(text)

const judgeIncludes = ({ domain, spf }: MailFacts): Finding[] =>
  spf.flatMap((node) => {
    if (node.parent === null || node.skipped === 'macro' || node.skipped === 'bound') return []
    const free = isFree(node)
    const missing =
      node.skipped === 'loop' || node.rcode === 'NXDOMAIN' || (node.rcode === 'NOERROR' && node.records.length !== 1)
    if (!free && !missing) return []
    const found = node.records.length > 1 ? `${node.records.length} SPF records` : 'no SPF record'
    return [
      {
        definition: free ? registrable : broken,
        confidence: free ? ('firm' as const) : ('confirmed' as const),
        at: { host: domain },
        subject: node.domain,
        detail: free
          ? `“${node.via}” leads to ${node.domain}, and ${node.registered?.name} does not exist: it can be registered.`
          : node.skipped === 'loop'
            ? `“${node.via}” leads back to ${node.domain}, in a ring.`
            : `“${node.via}” leads to ${node.domain}, which has ${node.rcode === 'NXDOMAIN' ? 'no records at all' : found}.`,
        proof: {
          excerpt: drawTree(spf),
          mark: null,
          replay: `dig TXT ${node.domain}; dig NS ${node.registered?.name ?? node.domain}`,
        },
      },
    ]
  })

const isFree = ({ rcode, registered }: SpfNode): boolean =>
  rcode === 'NXDOMAIN' && registered !== null && !isFailure(registered) && registered.rcode === 'NXDOMAIN'
