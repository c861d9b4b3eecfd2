import type { Check, Finding, FindingDefinition } from '../../module.ts'
import type { ConsentModeCall, PrivacyFacts, StateFacts } from '../facts.ts'
import { isCookielessPing } from './pixels.ts'
import { byVendor, define, harsOf, overVisit, replayOf, seenIn, vendorFinding, whoIs } from './shared.ts'

const REFERENCES = [
  'https://developers.google.com/tag-platform/security/guides/consent',
  'https://support.google.com/analytics/answer/9976101',
] as const

const granted = define('consent-mode-default-granted', 'Google Consent Mode defaults to granted', 'high', {
  why: 'Until the visitor chooses, the tags behave as if the visitor had agreed: they store, read and send identifiers.',
  remediation:
    "Set the default first in the page: gtag('consent', 'default', { ad_storage: 'denied', ad_user_data: 'denied', " +
    "ad_personalization: 'denied', analytics_storage: 'denied' }); update it when the visitor agrees.",
  references: REFERENCES,
})
const late = define('consent-mode-late', 'Google Consent Mode set too late: the tag runs before it', 'high', {
  why: 'A default that comes after the first config or event does not hold for it: that hit is sent with consent assumed.',
  remediation:
    "Move gtag('consent', 'default', …) above the first gtag('config', …) and above the tag manager’s snippet.",
  references: REFERENCES,
})
const ping = define(
  'consent-mode-ping',
  'Google Consent Mode pings: the tag sends them without cookies before consent',
  'medium',
  {
    why:
      'With consent denied, the advanced mode still reports each page with address, browser and time. Whether that needs ' +
      'consent is disputed; authorities hold that reading from the device for it does.',
    remediation: 'Use the basic mode: load the tag only after consent.',
    references: REFERENCES,
  },
)

/** Whose default holds without a region, or in a region of the European Economic Area. */
const EEA = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(' '),
)

export const consentMode: Check<'privacy'> = overVisit({
  findings: [granted, late, ping],
  judge: (facts) => {
    const untouched = facts.states.filter(({ name }) => name === 'untouched')
    const pings = seenIn(facts, ['before', 'rejected']).filter(isCookielessPing)
    return [
      ...untouched.flatMap((state) => ofCalls(state, facts)),
      ...byVendor(pings).map((group) =>
        vendorFinding(
          ping,
          group,
          `${whoIs(group[0].party)} gets a ping that says "no consent" (gcs=G100): ${group[0].contact.url.slice(0, 200)}.`,
        ),
      ),
    ]
  },
})

const ofCalls = (state: StateFacts, facts: PrivacyFacts): readonly Finding[] => {
  const calls = state.consentMode.filter(({ moment }) => moment === 'before')
  const defaults = calls.filter((call) => call.kind === 'default' && holdsHere(call))
  // A default for the region wins over the one for everybody, wherever it stands.
  const regional = defaults.filter(({ regions }) => regions.length > 0)
  const open = (regional.length > 0 ? regional : defaults).filter(({ values }) =>
    GRANTABLE.some((key) => values[key] === 'granted'),
  )
  const firstDefault = defaults.map(({ at }) => at).toSorted((a, b) => a - b)[0]
  const firstTag = calls
    .filter(({ kind }) => kind === 'config' || kind === 'event')
    .map(({ at }) => at)
    .toSorted((a, b) => a - b)[0]
  return [
    ...open
      .slice(0, 1)
      .map(({ values }) =>
        finding(
          granted,
          state,
          facts,
          `the default is ${JSON.stringify(values)} before any choice.`,
          JSON.stringify(values),
        ),
      ),
    ...(firstDefault !== undefined && firstTag !== undefined && firstTag < firstDefault
      ? [
          finding(
            late,
            state,
            facts,
            `the tag is configured as entry ${firstTag + 1} of dataLayer, the default comes as entry ${firstDefault + 1}.`,
            orderOf(calls),
          ),
        ]
      : []),
  ]
}

const GRANTABLE = ['ad_storage', 'analytics_storage', 'ad_user_data', 'ad_personalization']

/** A default for other regions does not hold for visitors in the EEA. */
const holdsHere = ({ regions }: ConsentModeCall): boolean =>
  regions.length === 0 || regions.some((region) => EEA.has(region.slice(0, 2).toUpperCase()))

const orderOf = (calls: readonly ConsentModeCall[]): string =>
  calls.map(({ at, kind, values }) => `${at + 1}. ${kind} ${JSON.stringify(values)}`).join('\n')

const finding = (
  definition: FindingDefinition,
  state: StateFacts,
  facts: PrivacyFacts,
  text: string,
  excerpt: string,
): Finding => ({
  definition,
  confidence: 'firm',
  at: { url: facts.url },
  detail: `Indication: ${text}`,
  proof: { excerpt: excerpt.slice(0, 4_000), mark: null, replay: replayOf(facts.url) },
  evidence: harsOf([state]),
})
