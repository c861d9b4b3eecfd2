import { compareSeverity, type Severity } from '../../../contract/finding.ts'
import { severityOfScore } from '../../../knowledge/cve/record.ts'
import { placeOf } from '../../evidence/address.ts'
import type { Check, Finding, FindingDefinition, JudgeContext, Judgement } from '../../module.ts'
import type { Component, ComponentCve, CveFacts } from './facts.ts'

const REFERENCES = ['https://cwe.mitre.org/data/definitions/1395.html', 'https://nvd.nist.gov/vuln/search'] as const

const vulnerable: FindingDefinition = {
  id: 'cve/vulnerable-component',
  title: 'Vulnerable component: known vulnerabilities apply to it',
  severity: 'from-source',
  cwe: 1395,
  why: 'The flaws of this version are public, and so are the ways to use many of them; finding sites that run it takes no skill.',
  remediation:
    'Update the component to a version in none of the ranges listed, and keep a list of components with their versions so that the next one is noticed.',
  references: REFERENCES,
}

const possible: FindingDefinition = {
  ...vulnerable,
  id: 'cve/possibly-vulnerable-component',
  title: 'Possibly vulnerable component, going by its version',
  group: 'version-cve',
  why: 'The version that the site states lies in the ranges of these records. Distributions fix flaws without raising the number, and some flaws need a set-up that a version does not tell: check the installed package.',
  remediation:
    'Look up the installed package revision, compare it with the distributor’s security tracker, and update where it is older than the fix.',
}

/** Of what can be certain alone: what rests on a version string is the business of the other check. */
export const component: Check<'cve', 'technology'> = {
  findings: [vulnerable],
  judge: ({ components }) => {
    const proven = components.filter(isProven)
    if (proven.length === 0) return { state: 'not_applicable', reason: NOTHING_PROVEN }
    const findingsIn = (one: Component) => findingOf(one, vulnerable, 'certain', severityOfCertain)
    const undecided = proven.filter((one) => findingsIn(one).length === 0)
    const doubts = undecided.flatMap((one) => doubtOf(one, WITHOUT_DATA) ?? doubtOf(one, UNPROVEN) ?? [])
    return judged(proven.flatMap(findingsIn), doubts, proven.length)
  },
}

const NOTHING_PROVEN = 'no product was recognised whose version its own code or its package proves'
const UNPROVEN = 'they are in the range of records, which leaves open whether these apply'
const WITHOUT_DATA = 'no imported feed follows them'
const WITHOUT_VERSION = 'they do not say their version'

/** Facts of older runs do not tell what was proven. */
const isProven = ({ proven = true, cves }: Component): boolean =>
  proven || cves.some(({ match }) => match === 'certain')

const doubtOf = ({ product, version, followedBy, cves }: Component, reason: string): Doubt | null => {
  const holds = reason === UNPROVEN ? cves.length > 0 : cves.length === 0 && followedBy?.length === 0
  return holds ? { product: `${product} ${version}`, reason } : null
}

/** Off unless the run asks for it: a banner is a hint at what is installed. */
export const possibleComponent: Check<'cve', 'technology'> = {
  findings: [possible],
  judge: (facts: CveFacts, _known, { options }: JudgeContext) => {
    const { components, withoutVersion } = facts
    const hidden = withoutVersion.map((product): Doubt => ({ product, reason: WITHOUT_VERSION }))
    if (!options.cve_include_possible) {
      const resting = components.filter((one) => !isProven(one)).map(({ product, version }) => `${product} ${version}`)
      return { state: 'not_tested', reason: `${LEFT_OUT}${resting.length === 0 ? '' : `: ${namesOf(resting)}`}` }
    }
    const known = components.length + withoutVersion.length
    if (known === 0) return { state: 'not_applicable', reason: 'no product was recognised that records could be about' }
    const findings = components.flatMap((one) => findingOf(one, possible, 'possible', severityOfPossible))
    return judged(findings, [...hidden, ...components.flatMap((one) => doubtOf(one, WITHOUT_DATA) ?? [])], known)
  },
}

const LEFT_OUT =
  'vulnerabilities that rest on a version string alone are left out, since this run did not ask for possible CVEs'

/** What no feed follows and what says no version has not been looked at: finding nothing against it says nothing. */
const judged = (findings: readonly Finding[], doubts: readonly Doubt[], known: number): Judgement => {
  if (doubts.length === 0) return findings
  const asked = known - doubts.length
  const reasons = [...Map.groupBy(doubts, ({ reason }) => reason)]
    .map(([reason, list]) => ({
      reason: `${namesOf(list.map(({ product }) => product))}: ${reason}`,
      count: list.length,
    }))
    .toSorted((a, b) => b.count - a.count)
  const reason = `${asked} of ${known} products could be judged; ${reasons.map((one) => one.reason).join('; ')}`
  return { state: asked === 0 ? 'not_tested' : 'inconclusive', reason, findings, reached: { asked, known, reasons } }
}

interface Doubt {
  readonly product: string
  readonly reason: string
}

const MOST_NAMED = 5
const namesOf = (products: readonly string[]): string =>
  `${products.slice(0, MOST_NAMED).join(', ')}${products.length > MOST_NAMED ? ' …' : ''}`

const severityOfCertain = (cves: readonly ComponentCve[]): Severity =>
  cves.map(({ score }) => severityOfScore(score)).toSorted(compareSeverity)[0] ?? 'medium'

/** Never critical: medium at most, high where the flaw is being exploited. */
const severityOfPossible = (cves: readonly ComponentCve[]): Severity => {
  if (cves.some(({ kev }) => kev !== null)) return 'high'
  const band = severityOfCertain(cves)
  return compareSeverity(band, 'medium') < 0 ? 'medium' : band
}

const findingOf = (
  { product, version, revision, url, evidence, cves }: Component,
  definition: FindingDefinition,
  match: ComponentCve['match'],
  severityOf: (cves: readonly ComponentCve[]) => Severity,
): readonly Finding[] => {
  const list = cves.filter((one) => one.match === match)
  const [gravest] = list
  if (gravest === undefined) return []
  const exploited = list.filter(({ kev }) => kev !== null)
  const vector = list.toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0)).find((one) => one.vector !== null)?.vector
  const place = placeOf(url)
  const name = `${product} ${revision ?? version}`
  return [
    {
      definition,
      severity: severityOf(list),
      title:
        match === 'certain'
          ? `${product} ${version} has known vulnerabilities`
          : `${product} ${version} may have known vulnerabilities`,
      ...(vector === undefined || vector === null ? {} : { cvss: vector }),
      confidence: 'firm',
      at: place.at,
      detail: [
        `${name} is in the range of ${count(list.length)}: ${list.slice(0, 10).map(line).join('; ')}${list.length > 10 ? ' …' : ''}.`,
        ...(exploited.length > 0 ? [`Known to be exploited: ${exploited.map(({ id }) => id).join(', ')}.`] : []),
      ].join(' '),
      ...(evidence === '' ? {} : { proof: { excerpt: evidence, mark: null, replay: place.replay } }),
      cve: list.map(({ id, epss, kev }) => ({ id, match, epss, kev })),
      subject: product,
    },
  ]
}

const count = (number: number): string => (number === 1 ? 'one CVE' : `${number} CVEs`)

const line = ({ id, score, range, because }: ComponentCve): string =>
  `${id}${score === null ? '' : ` (CVSS ${score})`}, ${range}, as ${because}`
