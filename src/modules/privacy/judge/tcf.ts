import type { Check, Finding, FindingDefinition } from '../../module.ts'
import type { PrivacyFacts, TcfRecord } from '../facts.ts'
import {
  byVendor,
  define,
  exceptFor,
  harsOf,
  isTracker,
  listOf,
  MOMENTS,
  missedState,
  overVisit,
  replayOf,
  seenIn,
  vendorFinding,
  whoIs,
} from './shared.ts'

const REFERENCES = [
  'https://github.com/InteractiveAdvertisingBureau/GDPR-Transparency-and-Consent-Framework/blob/master/TCFv2/IAB%20Tech%20Lab%20-%20Consent%20string%20and%20vendor%20list%20formats%20v2.md',
  'https://iabeurope.eu/transparency-consent-framework/',
] as const

const early = define('tcf-consent-early', 'TCF consent before any choice: the string says "consent"', 'high', {
  why: 'Every vendor that reads the string takes it for the visitor’s consent, which was never given.',
  remediation:
    'Correct the consent tool’s default: no consent bits before the visitor chooses. Report it to the tool’s maker.',
  references: REFERENCES,
})
const against = define('tcf-consent-after-reject', 'TCF consent after refusal: the string says "consent"', 'high', {
  why: 'Every vendor that reads the string takes it for consent; the visitor has said the opposite.',
  remediation: 'Let the reject button clear all purpose and vendor consents, and write the new string.',
  references: REFERENCES,
})
const undisclosed = define(
  'tcf-disclosed-vendors-absent',
  'TCF disclosed vendors missing: the string does not say which were disclosed',
  'medium',
  {
    why: 'Since 28 February 2026 the framework asks for the segment of disclosed vendors; without it vendors may not rely on the string.',
    remediation: 'Update the consent tool to TCF 2.3.',
    references: REFERENCES,
  },
)
const active = define(
  'tcf-vendor-undisclosed',
  'TCF vendor undisclosed: one is active and was not disclosed',
  'medium',
  {
    why: 'The string lists the vendors that the dialog told the visitor about. One that is not among them has no consent to refer to.',
    remediation: 'Add the vendor to the list in the consent tool, or remove its tag.',
    references: REFERENCES,
  },
)
const invalid = define('tcf-invalid', 'TCF string invalid: it cannot be decoded', 'low', {
  why: 'Vendors that cannot read the choice either stop, or go on as they like.',
  remediation: 'Update the consent tool; compare its string with the IAB’s decoder.',
  references: REFERENCES,
})

/** Legitimate interest is judged apart from consent: its bits may stand before a choice. */
export const tcf: Check<'privacy'> = overVisit({
  findings: [early, against, undisclosed, active, invalid],
  judge: (facts) => {
    const all = facts.states.flatMap((state) => state.tcf.map((record) => ({ state: state.name, record })))
    if (all.length === 0) return { state: 'not_applicable', reason: 'No TCF string was seen.' }
    const missed = missedState(facts, 'reject', [against])
    const wrong = (moment: TcfRecord['moment'], states: readonly string[]) =>
      all.filter(
        ({ state, record }) =>
          states.includes(state) && record.moment === moment && (record.purposes.length > 0 || record.vendors > 0),
      )
    const before = wrong('before', ['untouched', 'reject', 'accept', 'revoke'])
    const after = wrong('rejected', ['reject'])
    const bare = all.filter(({ record }) => record.error === null && record.vendorsDisclosed === null)
    const broken = all.filter(({ record }) => record.error !== null)
    return exceptFor(
      [
        ...of(early, facts, before),
        ...of(against, facts, after),
        ...of(undisclosed, facts, bare),
        ...of(invalid, facts, broken),
        ...undisclosedOf(
          facts,
          all.map(({ record }) => record),
        ),
      ],
      missed ? [missed] : [],
    )
  },
})

/** Vendors whose number in the Global Vendor List is known, active with consent, and in no string's list. */
const undisclosedOf = (facts: PrivacyFacts, records: readonly TcfRecord[]): readonly Finding[] => {
  const told = records.filter(({ disclosed }) => disclosed.length > 0)
  const known = new Set(told.flatMap(({ disclosed }) => disclosed))
  if (told.length === 0) return []
  return byVendor(
    seenIn(facts, ['before', 'rejected', 'accepted', 'revoked']).filter((seen) => {
      const id = seen.party.vendor?.tcfId ?? null
      return id !== null && !known.has(id) && isTracker(seen)
    }),
  ).map((group) =>
    vendorFinding(
      active,
      group,
      `${whoIs(group[0].party)} (number ${group[0].party.vendor?.tcfId} in the vendor list) is contacted, and is not among the ${known.size} vendors that the string discloses.`,
    ),
  )
}

const of = (
  definition: FindingDefinition,
  facts: PrivacyFacts,
  hits: readonly { readonly record: TcfRecord }[],
): readonly Finding[] => {
  const [first] = hits
  if (!first) return []
  const { record } = first
  const { purposes, legitimateInterests, vendors, vendorsDisclosed, cmpId, error, moment, source } = record
  const said =
    error === null
      ? `purposes with consent ${purposes.length === 0 ? 'none' : listOf(purposes.map(String), 12)}, by legitimate interest ${legitimateInterests.length === 0 ? 'none' : listOf(legitimateInterests.map(String), 12)}, vendors with consent ${vendors}, disclosed ${vendorsDisclosed ?? 'not said'}`
      : error
  return [
    {
      definition,
      confidence: 'firm',
      at: { url: facts.url },
      detail: `Indication: the string from the ${source === 'api' ? 'page’s __tcfapi' : source} ${MOMENTS[moment]} (tool ${cmpId ?? 'unknown'}): ${said}.`,
      proof: { excerpt: `${record.text}\n${said}`.slice(0, 4_000), mark: null, replay: replayOf(facts.url) },
      evidence: harsOf(facts.states),
    },
  ]
}
