/** What the checks have in common: whom a contact belongs to, when it was, and how a finding says it. */

import type { EvidenceRef } from '../../../contract/evidence.ts'
import type { Severity } from '../../../contract/finding.ts'
import { isTracking, type VendorPurpose } from '../../../knowledge/trackers/vendor.ts'
import type { Check, Finding, FindingDefinition, Judgement, Unjudged } from '../../module.ts'
import type { Contact, Moment, Party, PrivacyFacts, StateFacts, StateName } from '../facts.ts'

export const LAW = {
  gdpr: 'https://eur-lex.europa.eu/eli/reg/2016/679/oj',
  eprivacy: 'https://eur-lex.europa.eu/eli/dir/2002/58/oj',
  banners:
    'https://www.edpb.europa.eu/our-work-tools/our-documents/other/report-work-undertaken-cookie-banner-taskforce_en',
  cnil: 'https://www.cnil.fr/en/cookies-and-other-tracking-devices-cnil-publishes-new-guidelines',
  cwe: 'https://cwe.mitre.org/data/definitions/359.html',
} as const

/** CWE-359 throughout; no vector fits, so none is given. */
export const define = (
  noun: string,
  title: string,
  severity: Severity,
  text: {
    readonly why: string
    readonly remediation: string
    readonly references?: readonly `https://${string}`[]
  },
): FindingDefinition => ({
  id: `privacy/${noun}`,
  title,
  severity,
  cwe: 359,
  group: 'privacy',
  why: text.why,
  remediation: text.remediation,
  references: [...(text.references ?? [LAW.eprivacy, LAW.gdpr]), LAW.cwe],
})

export interface Seen {
  readonly state: StateFacts
  readonly contact: Contact
  readonly party: Party
}

export const seenIn = (facts: PrivacyFacts, moments: readonly Moment[]): readonly Seen[] => {
  const parties = new Map(facts.parties.map((party) => [party.host, party]))
  return facts.states.flatMap((state) =>
    state.contacts.flatMap((contact) => {
      const party = parties.get(contact.host)
      return party && moments.includes(contact.moment) ? [{ state, contact, party }] : []
    }),
  )
}

/**
 * What measures or films the visit through a host of the site itself. Its vendor has no seat here: where the host passes it on to does
 * not show.
 */
export const firstPartyIn = (facts: PrivacyFacts, moments: readonly Moment[]): readonly Seen[] => {
  const parties = new Set(facts.parties.map(({ host }) => host))
  return facts.states.flatMap((state) =>
    state.contacts.flatMap((contact): readonly Seen[] => {
      const { host, measuring = null, records = false } = contact
      if (parties.has(host) || !moments.includes(contact.moment) || (measuring === null && !records)) return []
      return [
        { state, contact, party: { host, domain: facts.site, alias: null, own: true, vendor: vendorAt(contact) } },
      ]
    }),
  )
}

const vendorAt = ({ measuring = null, records = false }: Contact): Party['vendor'] => ({
  ...{ id: measuring?.vendor ?? 'own-recorder', name: measuring?.name ?? 'a session recorder' },
  ...{ legalEntity: null, country: null, dpf: null, tcfId: null, source: 'what it sends' },
  purposes: [...(measuring?.purposes ?? []), ...(records ? (['session-recording'] as const) : [])],
})

export const stateOf = (facts: PrivacyFacts, name: StateName): StateFacts | undefined =>
  facts.states.find((state) => state.name === name)

export const purposesOf = ({ vendor }: Party): readonly VendorPurpose[] => vendor?.purposes ?? []
export const mainPurposeOf = (party: Party): VendorPurpose | null => purposesOf(party)[0] ?? null
export const vendorName = ({ vendor, domain }: Party): string => vendor?.name ?? domain
/** What findings of one vendor are told apart by. */
export const vendorKey = ({ vendor, domain }: Party): string => vendor?.id ?? domain

/** Tracks by its vendor's trade, by an imported list, or by what it reports. */
export const isTracker = ({ party, contact }: Seen): boolean =>
  isTracking(purposesOf(party)) || contact.listed !== null || contact.pixel !== null

export const MOMENTS: Readonly<Record<Moment, string>> = {
  before: 'before any choice',
  rejected: 'after consent was refused',
  accepted: 'after consent was given',
  revoked: 'after consent was withdrawn',
}

export const byVendor = (seen: readonly Seen[]): readonly (readonly [Seen, ...Seen[]])[] =>
  [...Map.groupBy(seen, ({ party }) => vendorKey(party)).values()].flatMap((group) => {
    const [first, ...rest] = group
    return first ? [[first, ...rest] as const] : []
  })

/** One finding for a vendor: where, when, what was sent. */
export const vendorFinding = (
  definition: FindingDefinition,
  group: readonly [Seen, ...Seen[]],
  sentence: string,
  excerpt?: { readonly text: string; readonly mark: string | null },
): Finding => {
  const [first] = group
  const pages = [...new Set(group.map(({ contact }) => contact.page).filter((url) => url !== ''))]
  const url = pages[0] ?? first.contact.url
  return {
    definition,
    confidence: 'firm',
    at: { url },
    places: pages.slice(1, 10).map((page) => ({ url: page })),
    subject: vendorKey(first.party),
    detail: `Indication: ${sentence}`,
    proof: {
      excerpt: (excerpt?.text ?? linesOf(group)).slice(0, 4_000),
      mark: excerpt ? excerpt.mark : first.contact.host.slice(0, 200),
      replay: replayOf(url),
    },
    evidence: harsOf(group.map(({ state }) => state)),
  }
}

/** A fresh profile with the network panel open: what a stranger sees it with. */
export const replayOf = (url: string): string =>
  `chromium --user-data-dir="$(mktemp -d)" --auto-open-devtools-for-tabs '${url.replaceAll("'", '%27').slice(0, 1_000)}'`

export const harsOf = (states: readonly StateFacts[]): readonly EvidenceRef[] => [
  ...new Map(states.flatMap(({ har }) => (har ? [[har.id, har] as const] : []))).values(),
]

export const linesOf = (group: readonly Seen[]): string =>
  group
    .slice(0, 8)
    .map(({ contact }) => {
      const ended = contact.status ?? contact.failure ?? 'no answer'
      return `${(contact.at / 1000).toFixed(2)} s, ${MOMENTS[contact.moment]}: ${contact.method} ${contact.url.slice(0, 300)} (${ended})`
    })
    .join('\n')

/** "Meta Pixel (Meta Platforms Ireland Limited, seat US)". */
export const whoIs = (party: Party): string => {
  const { vendor, host, alias, own } = party
  const seat = vendor?.country ? `, vendor seat ${vendor.country}` : ''
  const entity = vendor?.legalEntity ? ` (${vendor.legalEntity}${seat})` : ''
  const hidden =
    alias === null
      ? own
        ? ` (at ${host}, a host of the site)`
        : ''
      : `, behind ${host}, which is an alias of ${alias}`
  return `${vendorName(party)}${entity}${hidden}`
}

export const listOf = (names: readonly string[], most = 6): string =>
  names.length <= most ? names.join(', ') : `${names.slice(0, most).join(', ')} and ${names.length - most} more`

/** Nothing is judged of a page that did not load; of one that stopped in between, what was seen, and nothing is passed. */
export const overVisit = (check: Check<'privacy'>): Check<'privacy'> => ({
  findings: check.findings,
  judge: (facts, known, about): Judgement => {
    const untouched = stateOf(facts, 'untouched')
    const missed = untouched?.missed ?? null
    if (missed === null) return check.judge(facts, known, about)
    if (untouched?.pages[0]?.error !== null) return { state: 'not_tested', reason: sentence(missed) }
    const judged = check.judge(facts, known, about)
    const findings = 'state' in judged ? (judged.findings ?? []) : judged
    return { state: 'inconclusive', reason: sentence(missed), findings }
  },
})

/** Adds why a part could not be judged. */
export const exceptFor = (findings: readonly Finding[], parts: readonly Omit<Unjudged, 'findings'>[]): Judgement => {
  const [first] = parts
  if (!first) return findings
  const only = [...new Set(parts.flatMap((part) => part.only ?? []))]
  return { state: first.state, reason: first.reason, only, findings }
}

/** Why a state says nothing, or null when it was reached. */
export const missedState = (
  facts: PrivacyFacts,
  name: StateName,
  only: readonly FindingDefinition[],
): Omit<Unjudged, 'findings'> | null => {
  const missed = stateOf(facts, name)?.missed ?? null
  if (missed === null) return null
  const state = facts.dialog === null ? 'not_applicable' : 'inconclusive'
  return { state, reason: sentence(missed), only: only.map(({ id }) => id) }
}

export const sentence = (text: string): string =>
  `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
