/** Follows the includes of an SPF record, every one of them, as a receiver would at worst. */

import { type Ask, type Lookup, textsOf } from '../../../protocols/dns/ask.ts'
import { registeredName } from '../../../protocols/dns/domain.ts'
import { bare } from '../../../protocols/dns/wire.ts'
import { costsLookup, hasMacro, isSpf, type Mechanism, parseSpf, type Term } from '../../../protocols/mail/spf.ts'
import type { SpfNode, SpfTermFacts } from './facts.ts'

/** A receiver stops at ten lookups; what lies a little beyond shows by how much a record overdraws. */
const MOST_NODES = 40
const MOST_TERMS = 30

export const growSpfTree = async (ask: Ask, domain: string): Promise<readonly SpfNode[]> => {
  const nodes: SpfNode[] = []
  const visit = async (name: string, via: string, parent: number | null, path: readonly string[]): Promise<void> => {
    const skipped = hasMacro(name)
      ? 'macro'
      : path.includes(name)
        ? 'loop'
        : nodes.length >= MOST_NODES
          ? 'bound'
          : null
    const lookup = skipped === null ? await ask.lookup(name, 'TXT') : null
    const records = lookup ? textsOf(lookup).filter(isSpf) : []
    const terms = records.length === 1 ? effectiveTerms(records[0] ?? '') : []
    const place = nodes.push({
      domain: name,
      via,
      parent,
      rcode: lookup?.rcode ?? null,
      records,
      skipped,
      terms: await Promise.all(
        terms
          .filter(isAddressTerm)
          .slice(0, MOST_TERMS)
          .map((term) => askTerm(ask, term, name)),
      ),
      registered: lookup?.rcode === 'NXDOMAIN' ? await askRegistered(ask, name) : null,
    })
    for (const term of terms) {
      const next = followed(term)
      if (next !== null) await visit(bare(next), term.text, place - 1, [...path, name])
    }
  }
  await prefetch(ask, [domain], new Set())
  await visit(bare(domain), '', null, [])
  return nodes
}

/** Terms up to `all`; what stands after it is never looked at (RFC 7208, 5.1), and neither is redirect beside it. */
export const effectiveTerms = (record: string): readonly Term[] => {
  const { terms } = parseSpf(record)
  const all = terms.findIndex((term) => term.kind === 'mechanism' && term.name === 'all')
  return all < 0
    ? terms
    : [
        ...terms.slice(0, all + 1),
        ...terms.slice(all + 1).filter((term) => term.kind === 'modifier' && term.name !== 'redirect'),
      ].filter((term) => term.kind === 'mechanism' || term.name !== 'redirect')
}

/** The domain that include and redirect lead to. */
export const followed = (term: Term): string | null => {
  if (!costsLookup(term)) return null
  if (term.kind === 'modifier') return term.value
  return term.name === 'include' ? term.domain : null
}

const isAddressTerm = (term: Term): term is Mechanism =>
  term.kind === 'mechanism' && (term.name === 'a' || term.name === 'mx' || term.name === 'exists')

const askTerm = async (ask: Ask, term: Mechanism, domain: string): Promise<SpfTermFacts> => {
  const name = term.domain ?? domain
  if (hasMacro(name)) return { text: term.text, rcode: null, found: 0, macro: true }
  if (term.name === 'mx') {
    const lookup = await ask.lookup(name, 'MX')
    return { text: term.text, rcode: lookup.rcode, found: lookup.records.length, macro: false }
  }
  const lookups = await Promise.all([ask.lookup(name, 'A'), ...(term.name === 'a' ? [ask.lookup(name, 'AAAA')] : [])])
  const found = lookups.reduce((sum, { records }) => sum + records.length, 0)
  return { text: term.text, rcode: lookups[0]?.rcode ?? null, found, macro: false }
}

const askRegistered = async (ask: Ask, name: string): Promise<Lookup | null> => {
  const registered = registeredName(name)
  return registered === null ? null : ask.lookup(registered, 'NS')
}

/** Asks a level of includes side by side, so that the orderly walk finds its answers waiting. */
const prefetch = async (ask: Ask, names: readonly string[], seen: ReadonlySet<string>): Promise<void> => {
  const fresh = [...new Set(names.map(bare))].filter((name) => !hasMacro(name) && !seen.has(name))
  const level = fresh.slice(0, Math.max(0, MOST_NODES - seen.size))
  if (level.length === 0) return
  const lookups = await Promise.all(level.map((name) => ask.lookup(name, 'TXT')))
  const records = lookups.flatMap((lookup) => textsOf(lookup).filter(isSpf).slice(0, 1))
  const next = records.flatMap((record) => effectiveTerms(record).flatMap((term) => followed(term) ?? []))
  await prefetch(ask, next, new Set([...seen, ...level]))
}
