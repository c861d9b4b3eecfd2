import { isMailService } from '../../../knowledge/mail/senders.ts'
import { textsOf } from '../../../protocols/dns/ask.ts'
import { effective, isDmarc, parseDmarc } from '../../../protocols/mail/dmarc.ts'
import type { Mechanism } from '../../../protocols/mail/spf.ts'
import type { Check, Finding, FindingDefinition, Judgement } from '../../module.ts'
import type { MailFacts, SpfNode } from './facts.ts'
import { drawTree, finalAll, spfUnavailable, termsOf } from './spf-view.ts'

const everybody: FindingDefinition = {
  id: 'mail/spf-all-pass',
  title: 'SPF +all: every server in the world may send for the domain',
  severity: 'high',
  cwe: 290,
  why: '`+all` makes mail from any server pass SPF, and with it DMARC: forged mail looks better than with no record at all.',
  remediation: 'Replace `+all` (or a bare `all`) by `-all` in the TXT record.',
  references: ['https://www.rfc-editor.org/rfc/rfc7208#section-5.1', 'https://cwe.mitre.org/data/definitions/290.html'],
}

const neutral: FindingDefinition = {
  ...everybody,
  id: 'mail/spf-all-neutral',
  title: 'SPF ?all: nothing is said about servers that are not listed',
  severity: 'medium',
  why: 'With `?all` or no `all` at the end, mail from a stranger’s server is treated as if there were no SPF.',
  remediation: 'End the TXT record with `-all`, or with `~all` while DMARC enforces a policy.',
}

const soft: FindingDefinition = {
  ...neutral,
  id: 'mail/spf-all-soft',
  title: 'SPF ~all without DMARC: forged mail is only marked',
  severity: 'low',
  why: '`~all` asks receivers to accept and mark; without DMARC enforcement forged mail still arrives.',
  remediation: 'Set DMARC to `p=quarantine` or `p=reject`, or end the SPF record with `-all`.',
}

const broad: FindingDefinition = {
  ...neutral,
  id: 'mail/spf-broad',
  title: 'SPF too broad: a very large range of addresses may send',
  severity: 'low',
  why: 'Among so many addresses there are servers of strangers, whose mail in the domain’s name then passes.',
  remediation: 'Replace the networks named here by the addresses that really send.',
}

const MOST_ADDRESSES = 65_536

export const spfPolicy: Check<'mail'> = {
  findings: [everybody, neutral, soft, broad],
  judge: (facts): Judgement => {
    const unavailable = spfUnavailable(facts)
    return unavailable ?? [...judgeAll(facts), ...judgeBreadth(facts)]
  },
}

const judgeAll = (facts: MailFacts): Finding[] => {
  const { domain, spf } = facts
  const all = finalAll(spf)
  const openEnd = spf.some(({ skipped, via }) => skipped !== null && via.startsWith('redirect='))
  const definition = all === '+' ? everybody : all === '?' ? neutral : all === '~' && !isEnforced(facts) ? soft : null
  if (definition === null && (all !== null || openEnd)) return []
  const record = spf[0]?.records[0] ?? ''
  const detail = all === null ? `SPF of ${domain} ends without all.` : `SPF of ${domain} ends in ${all}all.`
  const proof = { excerpt: drawTree(spf), mark: record.slice(-40), replay: `dig TXT ${domain}` }
  return [{ definition: definition ?? neutral, confidence: 'confirmed', at: { host: domain }, detail, proof }]
}

/** A DMARC policy above none makes receivers act on a soft failure too. */
export const isEnforced = ({ dmarc }: Pick<MailFacts, 'dmarc'>): boolean => {
  const place = dmarc.findIndex((lookup) => textsOf(lookup).some(isDmarc))
  const step = dmarc[place]
  const texts = step ? textsOf(step).filter(isDmarc) : []
  if (texts.length !== 1) return false
  const record = parseDmarc(texts[0] ?? '')
  return effective(place === 0 ? record.policy : record.subdomains, record) !== 'none'
}

const judgeBreadth = ({ domain, spf }: MailFacts): Finding[] => {
  const networks = spf.flatMap((node, index) => (belongsToService(spf, index) ? [] : networksOf(node)))
  const total = networks.reduce((sum, { size }) => sum + size, 0)
  if (total <= MOST_ADDRESSES) return []
  const largest = networks.toSorted((a, b) => b.size - a.size).slice(0, 5)
  const detail = `SPF of ${domain} allows ${total.toLocaleString('en')} IPv4 addresses beside those of known mail services, most by ${largest.map(({ text }) => text).join(', ')}.`
  const proof = { excerpt: drawTree(spf), mark: null, replay: `dig TXT ${domain}` }
  return [{ definition: broad, confidence: 'firm', at: { host: domain }, detail, proof }]
}

const belongsToService = (nodes: readonly SpfNode[], index: number): boolean => {
  const node = nodes[index]
  if (!node) return false
  return (
    (node.parent !== null && isMailService(node.domain)) ||
    (node.parent !== null && belongsToService(nodes, node.parent))
  )
}

const networksOf = (node: SpfNode): readonly { readonly text: string; readonly size: number }[] =>
  termsOf(node)
    .filter((term): term is Mechanism => term.kind === 'mechanism' && term.qualifier === '+')
    .flatMap((term) => {
      if (term.name === 'ip4') return [{ text: term.text, size: 2 ** (32 - term.prefix4) }]
      if (term.name !== 'a' && term.name !== 'mx') return []
      const found = node.terms.find(({ text }) => text === term.text)?.found ?? 0
      return term.prefix4 < 32 ? [{ text: term.text, size: found * 2 ** (32 - term.prefix4) }] : []
    })
