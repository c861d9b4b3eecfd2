import type { Check, Finding } from '../../module.ts'
import type { Party } from '../facts.ts'
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
  'International data transfer: a company whose seat no adequacy decision covers gets data',
  'medium',
  {
    why:
      'Without an adequacy decision a transfer needs standard clauses and an assessment of the law there; to the US, the decision ' +
      'covers only companies that are certified. What is compared is the seat of the vendor, not where its servers stand.',
    remediation:
      'Agree on standard clauses and assess the transfer, or choose another vendor. A company in the US: look it up at ' +
      'dataprivacyframework.gov first.',
    references: [
      'https://commission.europa.eu/law/law-topic/data-protection/international-dimension-data-protection/adequacy-decisions_en',
      'https://eur-lex.europa.eu/eli/dec_impl/2023/1795/oj',
      LAW.gdpr,
    ],
  },
)
const seats = define(
  'vendor-seats',
  'International data transfer: data goes to companies outside the European Economic Area',
  'info',
  {
    why: 'Transfers to third countries need a basis of their own (GDPR, Chapter V), and have to be named.',
    remediation: 'Name each transfer and its basis in the privacy policy.',
    references: [LAW.gdpr],
  },
)
const gpcIgnored = define('gpc-ignored', 'Global Privacy Control ignored: the signal changes nothing', 'info', {
  why: 'The signal says "do not sell or share". Some US states make it binding; elsewhere it is a wish.',
  remediation: 'Take Sec-GPC: 1 for a refusal of marketing: most consent tools have a switch for it.',
  references: ['https://w3c.github.io/gpc/'],
})

const EEA = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(' '),
)
/** Decisions of the Commission under Article 45; Canada's for commercial organisations. The US is judged by company. */
const ADEQUATE = new Set('AD AR CA FO GG IL IM JP JE NZ KR CH GB UY'.split(' '))
const ALL = ['before', 'rejected', 'accepted', 'revoked'] as const

/** By the vendor table's seats. A vendor in the US of which nothing is known is unknown, not outside. */
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
        .filter(([{ party }]) => isOutside(party))
        .map((group) =>
          vendorFinding(
            outside,
            group,
            group[0].party.vendor?.country === 'US'
              ? `${whoIs(group[0].party)} is not in the framework’s list as of the table’s date.`
              : `${whoIs(group[0].party)} has its seat in a country for which there is no adequacy decision.`,
          ),
        ),
      ...listed,
    ]
  },
})

const isOutside = ({ vendor }: Party): boolean => {
  const country = vendor?.country ?? null
  if (country === null || EEA.has(country) || ADEQUATE.has(country)) return false
  return country !== 'US' || vendor?.dpf === false
}

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
