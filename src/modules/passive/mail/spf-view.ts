/** What the checks read off the tree of SPF records. Pure. */
import { costsLookup, parseSpf, type Qualifier } from '../../../protocols/mail/spf.ts'
import type { Judgement } from '../../module.ts'
import type { MailFacts, SpfNode } from './facts.ts'
import { effectiveTerms } from './spf-tree.ts'

/** Why nothing below the first record can be judged; null when it can. */
export const spfUnavailable = ({ domain, spf, txt }: MailFacts): Judgement | null => {
  const [own] = spf
  if (!own || (own.rcode !== 'NOERROR' && own.rcode !== 'NXDOMAIN')) {
    return {
      state: 'inconclusive',
      reason: `The TXT records of ${domain} were not answered (${txt.rcode ?? txt.error}).`,
    }
  }
  return own.records.length === 1 ? null : { state: 'not_applicable', reason: `${domain} has no single SPF record.` }
}

/** Lookups as RFC 7208 (4.6.4) counts them, over the whole tree. */
export const countLookups = (nodes: readonly SpfNode[]): number =>
  nodes.reduce((sum, node) => sum + termsOf(node).filter(costsLookup).length, 0)

/** Terms whose lookup finds nothing. */
export const voidTerms = (nodes: readonly SpfNode[]): readonly string[] => [
  ...nodes.flatMap(({ terms }) =>
    terms
      .filter(({ found, macro, rcode }) => !macro && found === 0 && (rcode === 'NOERROR' || rcode === 'NXDOMAIN'))
      .map(({ text }) => text),
  ),
  ...nodes.filter(({ parent, rcode }) => parent !== null && rcode === 'NXDOMAIN').map(({ via }) => via),
]

export const termsOf = ({ records }: SpfNode) => (records.length === 1 ? effectiveTerms(records[0] ?? '') : [])

/** Qualifier of the `all` that ends the evaluation, redirects followed; null when there is none. */
export const finalAll = (nodes: readonly SpfNode[], place = 0): Qualifier | null => {
  const node = nodes[place]
  if (!node) return null
  const terms = termsOf(node)
  const all = terms.find((term) => term.kind === 'mechanism' && term.name === 'all')
  if (all?.kind === 'mechanism') return all.qualifier
  const redirect = terms.find((term) => term.kind === 'modifier' && term.name === 'redirect')
  const next = redirect ? nodes.findIndex(({ parent, via }) => parent === place && via === redirect.text) : -1
  return next < 0 ? null : finalAll(nodes, next)
}

export const grammarErrors = ({ records }: SpfNode): readonly string[] =>
  records.length === 1 ? parseSpf(records[0] ?? '').errors : []

/** The tree as text, one record a line, indented by depth. */
export const drawTree = (nodes: readonly SpfNode[]): string =>
  nodes
    .map(
      (node, index) =>
        `${'  '.repeat(depthOf(nodes, index))}${node.via === '' ? node.domain : node.via}: ${contentOf(node)}`,
    )
    .join('\n')
    .slice(0, 7_000)

const contentOf = ({ records, skipped, rcode }: SpfNode): string => {
  if (skipped !== null)
    return {
      macro: '(depends on the message: not followed)',
      loop: '(leads back into itself)',
      bound: '(not followed any further)',
    }[skipped]
  if (records.length === 0) return rcode === 'NOERROR' ? '(no SPF record)' : `(${rcode ?? 'no answer'})`
  return records.join(' | ').slice(0, 600)
}

const depthOf = (nodes: readonly SpfNode[], index: number): number => {
  const parent = nodes[index]?.parent ?? null
  return parent === null ? 0 : 1 + depthOf(nodes, parent)
}
