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
  seenIn,
  vendorFinding,
  whoIs,
} from './shared.ts'
import { isCookielessMeasuring } from './trackers.ts'

const WHY =
  'A pixel reports what a visitor does, with the page’s address and often its content, to a company that joins it with what ' +
  'it knows from elsewhere.'
const FIX = 'Fire the event only after consent for marketing or analysis, and on refusal not at all.'

const before = define('pixel-before-consent', 'Tracking pixel before consent: it reports the visit', 'high', {
  why: WHY,
  remediation: FIX,
})
const after = define('pixel-after-reject', 'Tracking pixel after refusal: it reports the visit', 'high', {
  why: `${WHY} Here the visitor has said no.`,
  remediation: FIX,
})
const identity = define(
  'pixel-identity',
  'Tracking pixel with personal data: it reports an e-mail address, phone number or name',
  'high',
  {
    why:
      'Hashing does not hide an address from a company that knows the hashes of all its members’ addresses: that is what the ' +
      'function is for (advanced matching, enhanced conversions).',
    remediation:
      'Switch off advanced matching in the vendor’s settings and in the tag; where it is meant, send it only after consent that ' +
      'names it.',
  },
)

/** Events read by each vendor's own grammar; what a ping without cookies says of consent is judged with consent mode. */
export const pixels: Check<'privacy'> = overVisit({
  findings: [before, after, identity],
  judge: (facts) => {
    const missed = missedState(facts, 'reject', [after])
    return exceptFor(
      [
        ...events(facts, ['before'], before),
        ...events(facts, ['rejected'], after),
        ...byVendor(
          seenIn(facts, ['before', 'rejected', 'accepted', 'revoked']).filter(
            ({ contact }) => (contact.pixel?.identity.length ?? 0) > 0,
          ),
        ).map((group) => {
          const [{ contact, party }] = group
          const kinds = [...new Set(group.flatMap((one) => one.contact.pixel?.identity ?? []))]
          return vendorFinding(
            identity,
            group,
            `${whoIs(party)} is sent ${listOf(kinds)}, ${MOMENTS[contact.moment]}: ${told(group[0])}.`,
          )
        }),
      ],
      missed ? [missed] : [],
    )
  },
})

const events = (facts: PrivacyFacts, moments: readonly Moment[], definition: typeof before): readonly Finding[] =>
  byVendor(
    [...seenIn(facts, moments), ...firstPartyIn(facts, moments).filter(isTheVendors)].filter(
      (seen) => seen.contact.pixel !== null && !isCookielessPing(seen) && !isCookielessMeasuring(facts, [seen]),
    ),
  ).map((group) => {
    const [{ contact, party }] = group
    const names = [...new Set(group.flatMap((one) => one.contact.pixel?.event ?? []))]
    const what = names.length > 0 ? `the event ${listOf(names)}` : 'the visit'
    return vendorFinding(
      definition,
      group,
      `${contact.page} reports ${what} to ${whoIs(party)} ${MOMENTS[contact.moment]}: ${told(group[0])}.`,
    )
  })

/** What a site measures for itself alone is judged as that. */
const isTheVendors = ({ contact }: Seen): boolean => contact.measuring?.hosted === false

/** Google's tag without consent: gcs=G100. The consent-mode check names it. */
export const isCookielessPing = ({ contact }: Seen): boolean => /[?&]gcs=G1-?0-?0/.test(contact.url)

const told = ({ contact }: Seen): string => {
  const parameters = contact.pixel?.parameters ?? []
  return parameters.length === 0
    ? contact.url.slice(0, 200)
    : listOf(
        parameters.map(({ name, meaning, value }) => `${meaning} (${name}) ${value.slice(0, 80)}`),
        6,
      )
}
