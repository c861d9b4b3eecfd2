import type { Check, Finding } from '../../module.ts'
import {
  byVendor,
  define,
  isTracker,
  LAW,
  listOf,
  overVisit,
  seenIn,
  stateOf,
  vendorFinding,
  vendorName,
  whoIs,
} from './shared.ts'

const outside = define(
  'vendor-outside',
  'Data goes to a company in the US that is not known to be under the privacy framework',
  'medium',
  {
    why:
      'A transfer to the US rests on the adequacy decision only where the company is certified. What is compared is the seat of ' +
      'the vendor, not where its servers stand.',
    remediation:
      'Check the company at dataprivacyframework.gov; else agree on standard clauses and assess the transfer, or choose another vendor.',
    references: ['https://eur-lex.europa.eu/eli/dec_impl/2023/1795/oj', LAW.gdpr],
  },
)
const seats = define('vendor-seats', 'Data goes to companies outside the European Economic Area', 'info', {
  why: 'Transfers to third countries need a basis of their own (GDPR, Chapter V), and have to be named.',
  remediation: 'Name each transfer and its basis in the privacy policy.',
  references: [LAW.gdpr],
})
const gpcIgnored = define('gpc-ignored', 'Global Privacy Control changes nothing', 'info', {
  why: 'The signal says "do not sell or share". Some US states make it binding; elsewhere it is a wish.',
  remediation: 'Take Sec-GPC: 1 for a refusal of marketing: most consent tools have a switch for it.',
  references: ['https://w3c.github.io/gpc/'],
})

const EEA = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(' '),
)
const ALL = ['before', 'rejected', 'accepted', 'revoked'] as const

/** By the vendor table's seats. A vendor without an entry in the framework's snapshot is unknown, not outside. */
export const transfer: Check<'privacy'> = overVisit({
  findings: [outside, seats],
  judge: (facts) => {
    const groups = byVendor(seenIn(facts, ALL).filter(({ party }) => party.vendor?.country != null))
    const abroad = groups.filter(([{ party }]) => !EEA.has(party.vendor?.country ?? ''))
    const [first] = abroad
    const listed: readonly Finding[] = first
      ? [
          {
            ...vendorFinding(
              seats,
              first,
              `vendor seats outside the EEA: ${listOf(
                abroad.map(([{ party }]) => `${vendorName(party)} (${party.vendor?.country})`),
                20,
              )}. This says nothing of where servers stand.`,
            ),
            subject: 'seats',
          },
        ]
      : []
    return [
      ...groups
        .filter(([{ party }]) => party.vendor?.country === 'US' && party.vendor.dpf === false)
        .map((group) =>
          vendorFinding(
            outside,
            group,
            `${whoIs(group[0].party)} is not in the framework’s list as of the table’s date.`,
          ),
        ),
      ...listed,
    ]
  },
})

export const gpc: Check<'privacy'> = overVisit({
  findings: [gpcIgnored],
  judge: (facts) => {
    const { gpc: asked } = facts
    if (asked === null) return { state: 'not_tested', reason: 'There was no time for a load with Sec-GPC.' }
    const home = stateOf(facts, 'untouched')?.pages[0]?.url ?? facts.url
    const trackers = seenIn(facts, ['before']).filter(
      (seen) =>
        isTracker(seen) && seen.state.name === 'untouched' && !seen.contact.typed && sameUrl(seen.contact.page, home),
    )
    const [first, ...rest] = trackers
    if (!first) return { state: 'not_applicable', reason: 'Without the signal no tracker was contacted either.' }
    const hosts = new Set(trackers.map(({ contact }) => contact.host))
    const still = [...hosts].filter((host) => asked.hosts.includes(host))
    return still.length < hosts.size
      ? []
      : [
          {
            ...vendorFinding(
              gpcIgnored,
              [first, ...rest],
              `with Sec-GPC: 1 the same trackers are contacted: ${listOf(still)}.`,
            ),
            subject: 'gpc',
          },
        ]
  },
})

const sameUrl = (a: string, b: string): boolean => a.split('#')[0] === b.split('#')[0]
