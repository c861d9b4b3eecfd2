/**
 * DNSSEC validation (RFC 4035, 5) from a trust anchor down, on what the operator's resolver hands through with checking
 * disabled: whether the resolver validates, and how well, does not matter.
 */
import type { DnsAnswer } from '../../egress/door/egress.ts'
import type { TrustAnchor } from '../../knowledge/dns/anchors.ts'
import type { Ask } from './ask.ts'
import { denialOf, provenBy, provesExpansion } from './denied.ts'
import type { DenialFacts, Link, Security, SetCheck } from './security.ts'
import { recordsOf, signaturesOf } from './sets.ts'
import { bare, TYPE_NUMBERS } from './wire.ts'
import {
  briefSignature,
  type ChainOf,
  type CheckedType,
  createChains,
  shown,
  unsettled,
  verifier,
  verify,
  type Zone,
} from './zones.ts'

export interface Validator {
  /** The chain down to the zone that holds the name. */
  readonly chain: (name: string) => Promise<readonly Link[]>
  readonly check: (name: string, type: CheckedType) => Promise<SetCheck>
  readonly denial: (name: string) => Promise<DenialFacts | null>
}

const LONGEST_CHAIN = 8

export const createValidator = (ask: Ask, anchors: readonly TrustAnchor[], now: number): Validator => {
  const chainOf = createChains({ ask, anchors, now })
  return {
    chain: async (name) => (await chainOf(bare(name))).map(({ link }) => link),
    check: (name, type) => check({ ask, now, chainOf }, name, type),
    denial: async (name) => {
      const reply = await ask.signed(name, 'A')
      return reply.ok ? denialOf(reply.answer) : null
    },
  }
}

interface CheckParts {
  readonly ask: Ask
  readonly now: number
  readonly chainOf: ChainOf
}

const check = async (parts: CheckParts, name: string, type: CheckedType, hops = 0): Promise<SetCheck> => {
  const { ask, chainOf } = parts
  const zone = (await chainOf(bare(name))).at(-1) ?? unsettled('', 'indeterminate', 'no chain')
  const result = { name: bare(name), type, zone: zone.link.zone, present: false, signature: null }
  const reply = await ask.signed(name, type)
  if (zone.link.state !== 'secure') {
    const present = reply.ok && recordsOf(reply.answer.answers, name, type).length > 0
    return { ...result, present, state: zone.link.state, reason: `${shown(zone.link.zone)}: ${zone.link.reason}` }
  }
  if (!reply.ok) return { ...result, state: 'indeterminate', reason: reply.message }
  const { answer } = reply
  if (answer.server === 'hosts') return { ...result, state: 'insecure', reason: 'it is from the static name table' }
  if (answer.rcode !== 'NOERROR' && answer.rcode !== 'NXDOMAIN') {
    return { ...result, state: 'indeterminate', reason: `answered ${answer.rcode}` }
  }
  const checked = checkAnswer({ name, type, zone, answer, now: parts.now }, result)
  const target =
    checked.kind === 'CNAME' && type !== 'CNAME'
      ? answer.answers.find((one) => one.type === 'CNAME' && bare(one.name) === bare(name))
      : null
  if (checked.set.state !== 'secure' || !target || hops >= LONGEST_CHAIN) return checked.set
  const next = await check(parts, bare(String(target.data)), type, hops + 1)
  return { ...checked.set, present: next.present, state: next.state, reason: next.reason }
}

interface Answered {
  readonly name: string
  readonly type: CheckedType
  readonly zone: Zone
  readonly answer: DnsAnswer
  readonly now: number
}

/** What a secure zone answered, judged by its keys. `kind`: the type of the records that were found. */
const checkAnswer = (
  { name, type, zone, answer, now }: Answered,
  result: Omit<SetCheck, 'state' | 'reason'>,
): { readonly set: SetCheck; readonly kind: CheckedType | null } => {
  const alias = recordsOf(answer.answers, name, 'CNAME')
  const records = recordsOf(answer.answers, name, type)
  const kind = records.length > 0 || alias.length === 0 ? type : 'CNAME'
  const found = kind === 'CNAME' ? alias : records
  if (found.length === 0) return { kind: null, set: { ...result, ...denied(name, type, zone, answer, now) } }
  const verdict = verify(zone, bare(name), kind, found, signaturesOf(answer.answers, name), now)
  if (!verdict.ok) {
    const state: Security = verdict.unsupported ? 'insecure' : 'bogus'
    return { kind, set: { ...result, present: true, state, reason: `its ${kind} records: ${verdict.reason}` } }
  }
  const seen = { ...result, present: true, signature: briefSignature(verdict.signature) }
  const { labels } = verdict.signature
  const isProven =
    verdict.expandedFrom === null || provesExpansion(bare(name), zone.link.zone, answer, labels, verifier(zone, now))
  return isProven
    ? { kind, set: { ...seen, state: 'secure', reason: '' } }
    : {
        kind,
        set: { ...seen, state: 'bogus', reason: `nothing proves that ${verdict.expandedFrom} may answer for it` },
      }
}

const denied = (
  name: string,
  type: CheckedType,
  zone: Zone,
  answer: DnsAnswer,
  now: number,
): Pick<SetCheck, 'state' | 'reason'> => {
  const proof = provenBy(bare(name), zone.link.zone, answer, verifier(zone, now))
  if (proof.kind === 'none') return { state: 'bogus', reason: `its absence: ${proof.reason}` }
  const contradicted = proof.kind === 'exists' && proof.types.includes(TYPE_NUMBERS[type])
  return contradicted ? { state: 'bogus', reason: `its ${type} records are withheld` } : { state: 'secure', reason: '' }
}
