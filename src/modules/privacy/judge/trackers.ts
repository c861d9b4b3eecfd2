import { ID } from '../../../knowledge/trackers/pixels/grammar.ts'
import type { VendorPurpose } from '../../../knowledge/trackers/vendor.ts'
import type { Check, Finding } from '../../module.ts'
import type { Moment, PrivacyFacts } from '../facts.ts'
import {
  byVendor,
  define,
  exceptFor,
  isTracker,
  listOf,
  MOMENTS,
  mainPurposeOf,
  missedState,
  overVisit,
  purposesOf,
  type Seen,
  seenIn,
  vendorFinding,
  whoIs,
} from './shared.ts'

const WHY =
  'Storing or reading information on a visitor’s device, and passing the visit on to a company that follows people over many ' +
  'sites, needs consent first, unless the service the visitor asked for cannot work without it.'
const FIX =
  'Load the tag only after the visitor agreed: in the consent tool, put it into its category and block its script until then ' +
  '(type="text/plain" with the tool’s attribute, or a trigger on consent in the tag manager).'

const beforeIdentified = define(
  'tracker-before-consent',
  'Tracking before consent: a tracker gets an identifier',
  'high',
  {
    why: `${WHY} An identifier lets the vendor recognise the same visitor elsewhere.`,
    remediation: FIX,
  },
)
const beforePlain = define('tracker-contact-before-consent', 'Tracker contacted before consent', 'medium', {
  why: `${WHY} Even without an identifier the vendor learns address, browser and page.`,
  remediation: FIX,
})
const afterIdentified = define('tracker-after-reject', 'Tracking after refusal: a tracker gets an identifier', 'high', {
  why: `${WHY} Here the visitor has said no.`,
  remediation: `Connect the refusal to the tag. ${FIX}`,
})
const afterPlain = define('tracker-contact-after-reject', 'Tracker contacted after refusal', 'medium', {
  why: `${WHY} Here the visitor has said no.`,
  remediation: `Connect the refusal to the tag. ${FIX}`,
})
const cloaked = define('tracker-cloaked', 'CNAME cloaking: a tracker hides behind a name of this site', 'medium', {
  why:
    'A name of the site that is an alias of a tracker’s host passes for the site itself: browsers’ protections do not see ' +
    'it, and it may be given cookies of the site, session cookies among them.',
  remediation:
    'Remove the CNAME record, or treat the host as the vendor’s in consent tool and privacy policy, load it after consent ' +
    'only, and keep session cookies away from it (no Domain attribute).',
})
const beacons = define('beacons', 'Beacons: the page reports to others by beacons, pixels or sockets', 'info', {
  why: 'Such requests carry nothing that the visitor sees; they exist to report the visit.',
  remediation:
    'Check that each of them is meant, is named in the privacy policy, and waits for consent where it needs it.',
})

/** Trackers by the moment of the contact, and by whether something that identifies went along. */
export const trackers: Check<'privacy'> = overVisit({
  findings: [beforeIdentified, beforePlain, afterIdentified, afterPlain],
  judge: (facts) => {
    const missed = missedState(facts, 'reject', [afterIdentified, afterPlain])
    return exceptFor(
      [
        ...at(facts, ['before'], beforeIdentified, beforePlain),
        ...at(facts, ['rejected'], afterIdentified, afterPlain),
      ],
      missed ? [missed] : [],
    )
  },
})

const at = (
  facts: PrivacyFacts,
  moments: readonly Moment[],
  identified: typeof beforeIdentified,
  plain: typeof beforePlain,
): readonly Finding[] =>
  byVendor(seenIn(facts, moments).filter((seen) => isTracker(seen) && !isJudgedElsewhere(facts, seen))).map((group) => {
    const ids = identifiersIn(facts, group)
    const [{ contact, party }] = group
    const sent = ids.length > 0 ? ` with ${listOf(ids)}` : ''
    const listed = contact.listed === null ? '' : ` It is on the list ${contact.listed}.`
    return vendorFinding(
      ids.length > 0 ? identified : plain,
      group,
      `${contact.page} contacts ${whoIs(party)} ${MOMENTS[contact.moment]}${sent}: ${contact.url.slice(0, 200)}.${listed}`,
    )
  })

/** Recorders, pixels and embedded widgets have definitions of their own; a pixel that tells nobody apart is a contact. */
const isJudgedElsewhere = (facts: PrivacyFacts, seen: Seen): boolean =>
  (seen.contact.pixel !== null && !isCookielessMeasuring(facts, [seen])) ||
  purposesOf(seen.party).includes('session-recording') ||
  (mainPurposeOf(seen.party) === 'social' && seen.contact.listed === null)

/** Values kept in the browser that were sent, and cookies of the vendor's own that tell visitors apart. */
export const identifiersIn = (facts: PrivacyFacts, group: readonly Seen[]): readonly string[] => {
  const sent = group.flatMap(({ contact }) => contact.identifiers.map((label) => label.replace(/@.*$/, '')))
  const kept = group.flatMap(({ state, contact, party }) =>
    state.cookies
      .filter(({ unique, lifetime, domain }) => unique && lifetime !== null && belongs(domain, party.host))
      .filter(({ moment }) => moment === contact.moment)
      .map(({ name }) => `cookie:${name}`),
  )
  return [...new Set([...sent, ...(facts.states.length > 0 ? kept : [])])]
}

const MEASURING: readonly VendorPurpose[] = ['analytics', 'monitoring']

/**
 * Counting visits and nothing else: of a vendor that does only that, without an identifier, and without a cookie that could be
 * one. Whether it needs consent at all is in dispute; it is never what following people is.
 */
export const isCookielessMeasuring = (facts: PrivacyFacts, group: readonly Seen[]): boolean =>
  group.every(({ state, contact, party }) => {
    const purposes = purposesOf(party)
    const measures = purposes.length > 0 && purposes.every((purpose) => MEASURING.includes(purpose))
    const isKept = state.cookies.some(
      ({ known, moment }) =>
        moment === contact.moment && (known?.purpose === 'analytics' || known?.purpose === 'marketing'),
    )
    const { parameters = [], identity = [] } = contact.pixel ?? {}
    const isNamed = identity.length > 0 || parameters.some(({ meaning, value }) => meaning === ID && value !== '')
    return measures && !isKept && !isNamed
  }) && identifiersIn(facts, group).length === 0

const belongs = (domain: string, host: string): boolean => {
  const bare = domain.replace(/^\./, '')
  return host === bare || host.endsWith(`.${bare}`)
}

export const cloaking: Check<'privacy'> = overVisit({
  findings: [cloaked],
  judge: (facts) =>
    byVendor(
      seenIn(facts, ['before', 'rejected', 'accepted', 'revoked']).filter(
        (seen) => seen.party.own && seen.party.alias !== null && isTracker(seen),
      ),
    ).map((group) => {
      const [{ contact, party }] = group
      const cookies = [...new Set(group.flatMap((one) => one.contact.cookiesSent))]
      const along = cookies.length > 0 ? ` Cookies of the site went along: ${listOf(cookies)}.` : ''
      return vendorFinding(
        cloaked,
        group,
        `${party.host} is an alias of ${party.alias}, a host of ${whoIs({ ...party, alias: null, own: false })}, contacted ${MOMENTS[contact.moment]}.${along}`,
      )
    }),
})

const REPORTING: readonly string[] = ['ping', 'beacon', 'websocket']

export const reporting: Check<'privacy'> = overVisit({
  findings: [beacons],
  judge: (facts) => {
    const seen = seenIn(facts, ['before', 'rejected', 'accepted', 'revoked']).filter(({ contact }) =>
      REPORTING.includes(contact.type),
    )
    const [first] = seen
    if (!first) return []
    const groups = byVendor(seen).map((group) => `${whoIs(group[0].party)}: ${group.length}`)
    return [
      {
        ...vendorFinding(
          beacons,
          [first, ...seen.slice(1)],
          `beacons, pings and sockets to others were seen: ${listOf(groups)}.`,
        ),
        subject: 'beacons',
      },
    ]
  },
})
