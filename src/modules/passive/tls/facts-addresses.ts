/** What is judged of a name with several addresses rests on those that were asked; the others are named. docs/decisions/0330 */
import type { Handshake } from '../../../protocols/tls/certificate/facts.ts'
import type { Judgement } from '../../module.ts'
import type { TlsFacts } from './facts.ts'
import { isOrdinary, NO_TLS, type Served, servedChains } from './facts-served.ts'

/** Judges the chains that were given, where any was, and says what that speaks for. */
export const judgeServed = (facts: TlsFacts, judge: (served: readonly Served[]) => Judgement): Judgement => {
  const served = servedChains(facts)
  return served.length === 0 ? NO_TLS : ofAddresses(gapOf(facts), judge(served))
}

export interface AddressGap {
  readonly asked: number
  readonly known: number
  /** This machine has no way to them. */
  readonly unrouted: readonly string[]
  /** Asked without an answer that tells, and those that one run leaves. */
  readonly open: readonly { readonly address: string; readonly why: string }[]
}

/** Null where every address was asked and answered, if only with a refusal: nothing listens there. */
export const gapOf = ({ addresses, asked, handshakes }: TlsFacts): AddressGap | null => {
  const tried = handshakes.filter(isOrdinary)
  const unrouted = tried.filter(isUnrouted).map(({ address }) => address)
  const open = [
    ...tried.flatMap((one) =>
      isUnrouted(one) || isAnswer(one) ? [] : [{ address: one.address, why: messageOf(one) }],
    ),
    ...addresses.filter((address) => !asked.includes(address)).map((address) => ({ address, why: LEFT })),
  ]
  const known = new Set([...addresses, ...asked]).size
  if (unrouted.length + open.length === 0) return null
  return { asked: known - unrouted.length - open.length, known, unrouted, open }
}

/** Why an address was not asked that could have been. */
export const LEFT = 'more than one run looks at'

const isUnrouted = ({ result }: Handshake): boolean => !result.ok && result.noRoute === true

const isAnswer = ({ result }: Handshake): boolean => result.ok || /connection refused/.test(result.message)

const messageOf = ({ result }: Handshake): string => (result.ok ? 'answered' : result.message.slice(0, 120))

/**
 * What a judgement speaks for. An address without a way from here leaves it as it is, with a note; one that has a way and gave
 * no answer leaves it open. `only`: the definitions that ask of addresses, where others do not.
 */
export const ofAddresses = (gap: AddressGap | null, judgement: Judgement, only?: readonly string[]): Judgement => {
  if (gap === null) return judgement
  const note = noteOf(gap)
  if (gap.open.length === 0)
    return 'state' in judgement ? { ...judgement, note } : { state: 'judged', note, findings: judgement }
  const findings = 'state' in judgement ? (judgement.findings ?? []) : judgement
  if (!('state' in judgement) || judgement.state === 'judged')
    return { state: 'inconclusive', reason: note, findings, ...(only ? { only } : {}) }
  const concerned = only && judgement.only ? { only: [...new Set([...only, ...judgement.only])] } : {}
  return { state: 'inconclusive', reason: `${judgement.reason} ${note}`, findings, ...concerned }
}

const noteOf = ({ asked, known, unrouted, open }: AddressGap): string => {
  const families = [...new Set(unrouted.map((address) => (address.includes(':') ? 'IPv6' : 'IPv4')))].toSorted()
  const parts = [
    ...(unrouted.length === 0 ? [] : [`no ${families.join(' or ')} route from this scanner to ${listed(unrouted)}`]),
    ...(open.length === 0
      ? []
      : [`no answer that tells from ${listed(open.map(({ address, why }) => `${address} (${why})`))}`]),
  ]
  return `Judged on ${asked} of ${known} addresses: ${parts.join('; ')}.`
}

const MOST_NAMED = 6

const listed = (texts: readonly string[]): string =>
  texts.length <= MOST_NAMED
    ? texts.join(', ')
    : `${texts.slice(0, MOST_NAMED).join(', ')} and ${texts.length - MOST_NAMED} more`
