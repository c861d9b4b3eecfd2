import type { Check, Finding } from '../../module.ts'
import type { Moment, PrivacyFacts } from '../facts.ts'
import {
  byVendor,
  define,
  exceptFor,
  firstPartyIn,
  listOf,
  MOMENTS,
  missedState,
  overVisit,
  type Seen,
  vendorFinding,
  vendorName,
} from './shared.ts'

const WHY =
  'Whose machine counts plays no part: storing or reading an identifier on a visitor’s device needs consent, unless the service that ' +
  'was asked for cannot work without it. Own measuring is exempt in some countries where it is set up sparingly and can be refused.'
const FIX =
  'Start measuring after consent only (Matomo: `requireConsent` or `requireCookieConsent`; others: load the script by its category), or ' +
  'measure without cookies and identifiers (Matomo: `disableCookies`).'

const before = define(
  'first-party-tracker-before-consent',
  'First-party tracking before consent: the site itself tells visitors apart',
  'medium',
  { why: WHY, remediation: FIX },
)
const after = define(
  'first-party-tracker-after-reject',
  'First-party tracking after refusal: the site itself goes on telling visitors apart',
  'high',
  { why: `${WHY} Here the visitor has said no.`, remediation: `Connect the refusal to the tag. ${FIX}` },
)
const routed = define(
  'tracker-first-party',
  'Server-side tagging: measuring for a vendor goes through a host of this site',
  'medium',
  {
    why:
      'Requests of a vendor’s tag to the site’s own name pass by what browsers and their extensions hold back, and cookies of the ' +
      'site, session cookies among them, go along. Where they are passed on to, no visitor can see.',
    remediation:
      'Treat the address as the vendor’s: name it in consent tool and privacy policy, send to it after consent only (the server ' +
      'container has to honour the refusal too), and keep session cookies away from it (a host of its own, no Domain attribute).',
  },
)

const ALL: readonly Moment[] = ['before', 'rejected', 'accepted', 'revoked']

/** Measuring that the site takes upon itself: by own software, and for a vendor whose tag it answers. */
export const firstParty: Check<'privacy'> = overVisit({
  findings: [before, after, routed],
  judge: (facts) => {
    const missed = missedState(facts, 'reject', [after])
    return exceptFor(
      [
        ...own(facts, 'before', before),
        ...own(facts, 'rejected', after),
        ...byVendor(firstPartyIn(facts, ALL).filter(({ contact }) => contact.measuring?.hosted === false)).map(through),
      ],
      missed ? [missed] : [],
    )
  },
})

const own = (facts: PrivacyFacts, moment: Moment, definition: typeof before): readonly Finding[] =>
  byVendor(firstPartyIn(facts, [moment]).filter(({ contact }) => contact.measuring?.hosted === true)).flatMap(
    (group) => {
      const [{ contact, party }] = group
      // Counting without anything that tells visitors apart is no tracking.
      const ids = [
        ...new Set(group.flatMap((one) => one.contact.identifiers.map((label) => label.replace(/@.*$/, '')))),
      ]
      if (ids.length === 0) return []
      return [
        vendorFinding(
          definition,
          group,
          `${contact.page} reports to ${vendorName(party)} at ${contact.host}, a host of the site, ${MOMENTS[moment]}, with ${listOf(ids)}: ${contact.method} ${contact.url.slice(0, 200)}.`,
        ),
      ]
    },
  )

const through = (group: readonly [Seen, ...Seen[]]): Finding => {
  const [{ contact, party }] = group
  const cookies = [...new Set(group.flatMap((one) => one.contact.cookiesSent))]
  const along = cookies.length > 0 ? ` Cookies of the site went along: ${listOf(cookies)}.` : ''
  const account = contact.pixel?.parameters.find(({ meaning }) => meaning === 'account of the site')?.value
  const named = account === undefined ? '' : ` for its account ${account}`
  return vendorFinding(
    routed,
    group,
    `${contact.host}, a host of the site, takes requests of ${vendorName(party)}’s tag${named}, ${MOMENTS[contact.moment]}: ${contact.url.slice(0, 200)}.${along}`,
  )
}
