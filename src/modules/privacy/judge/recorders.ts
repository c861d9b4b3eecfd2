import type { Check } from '../../module.ts'
import type { PrivacyFacts } from '../facts.ts'
import {
  byVendor,
  define,
  exceptFor,
  firstPartyIn,
  listOf,
  missedState,
  overVisit,
  purposesOf,
  type Seen,
  seenIn,
  vendorFinding,
  vendorKey,
  whoIs,
} from './shared.ts'

const WHY =
  'A session recorder films the visit: movements, clicks, scrolling, and what is typed unless fields are masked. That is ' +
  'far more than measuring, and is never necessary for a page to work.'
const FIX =
  'Load the recorder only after consent for it, and mask all inputs (the vendor’s option to suppress or mask text, on by default ' +
  'for all fields).'

const before = define(
  'session-recorder-before-consent',
  'Session recording before consent: a recorder sends data',
  'high',
  {
    why: WHY,
    remediation: FIX,
  },
)
const after = define(
  'session-recorder-after-reject',
  'Session recording after refusal: a recorder sends data',
  'high',
  {
    why: WHY,
    remediation: FIX,
  },
)
const loaded = define(
  'session-recorder-loaded',
  'Session recorder loaded without consent; it sent nothing in this visit',
  'medium',
  {
    why: `${WHY} Recorders film a share of all visits; that this one was not filmed does not mean that the next is not.`,
    remediation: FIX,
  },
)
const unmasked = define('session-recorder-unmasked', 'Session recording unmasked: it transmits what is typed', 'high', {
  why: `${WHY} Here characters that were typed into a field and never submitted left the page.`,
  remediation: FIX,
})

/** By vendor, or by what is sent, whoever made it; whether it films is told by what it uploads. */
export const recorders: Check<'privacy'> = overVisit({
  findings: [before, after, loaded, unmasked],
  judge: (facts) => {
    const missed = missedState(facts, 'reject', [after])
    const moments = ['before', 'rejected', 'accepted', 'revoked'] as const
    const seen = [
      ...seenIn(facts, moments).filter(
        ({ party, contact }) => purposesOf(party).includes('session-recording') || contact.records === true,
      ),
      ...firstPartyIn(facts, moments).filter(({ contact }) => contact.records === true),
    ]
    const without = seen.filter(({ contact }) => contact.moment !== 'accepted')
    return exceptFor(
      byVendor(seen).flatMap((all) => {
        const [{ party }] = all
        const own = without.filter((one) => vendorKey(one.party) === vendorKey(party))
        const early = own.filter(({ contact }) => contact.moment === 'before')
        const late = own.filter(({ contact }) => contact.moment !== 'before')
        return [
          ...of(
            before,
            early.filter(isUpload),
            (one) =>
              `${whoIs(party)} gets data of the visit before any choice: ${one.contact.method} ${one.contact.url.slice(0, 200)}.`,
          ),
          ...of(
            after,
            late.filter(isUpload),
            (one) =>
              `${whoIs(party)} gets data of the visit although consent was refused: ${one.contact.method} ${one.contact.url.slice(0, 200)}.`,
          ),
          ...(own.some(isUpload)
            ? []
            : of(
                loaded,
                own,
                (one) =>
                  `${whoIs(party)} is loaded without consent (${one.contact.url.slice(0, 200)}); no upload was seen.`,
              )),
          ...typedTo(facts, all),
        ]
      }),
      missed ? [missed] : [],
    )
  },
})

const of = (definition: typeof before, group: readonly Seen[], says: (first: Seen) => string) => {
  const [first, ...rest] = group
  return first ? [vendorFinding(definition, [first, ...rest], says(first))] : []
}

/** A recorder's own upload: data that goes out, not a script or a style sheet that comes in. */
const isUpload = ({ contact }: Seen): boolean =>
  contact.method === 'POST' || contact.type === 'websocket' || contact.type === 'ping' || contact.type === 'beacon'

const typedTo = (facts: PrivacyFacts, all: readonly [Seen, ...Seen[]]) => {
  const hosts = new Set(all.map(({ contact }) => contact.host))
  const leaks = facts.states.flatMap((state) => state.leaks.filter(({ host }) => hosts.has(host)))
  const [leak] = leaks
  if (!leak) return []
  const fields = listOf([...new Set(leaks.map(({ field }) => field))])
  return [
    vendorFinding(
      unmasked,
      all,
      `text typed into a field (${fields}) and never submitted is sent to ${whoIs(all[0].party)}.`,
      {
        text: leak.excerpt || leak.url,
        mark: null,
      },
    ),
  ]
}
