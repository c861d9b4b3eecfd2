/** The remediation plan: what to do, whose it usually is, and in which order. Pure. */
import type { Severity } from '../contract/finding.ts'
import { isOpen } from './canonical.ts'
import { firstSentence } from './format.ts'
import type { FindingView } from './model.ts'
import { clippedText } from './wording.ts'
import type { Phrase, Words } from './words/words.ts'

/** Findings of one cause: the same check with the same words about it. */
export interface Problem {
  /** The gravest of them, which speaks for all. */
  readonly first: FindingView
  readonly findings: readonly FindingView[]
}

export interface PlanPart {
  /** Who changes it as a rule. */
  readonly owner: string
  /** What the changes are, and how long they take as a rule. */
  readonly effort: string
  readonly steps: readonly { readonly problem: Problem; readonly step: string }[]
}

/** In the order of the findings. */
export const problemsOf = (findings: readonly FindingView[]): readonly Problem[] =>
  Map.groupBy(findings, ({ finding: { check_id, title, severity, description, remediation } }) =>
    JSON.stringify([check_id, title, severity, description, remediation]),
  )
    .values()
    .flatMap((all) => {
      const [first] = all
      return first === undefined ? [] : [{ first, findings: all }]
    })
    .toArray()

/** What nobody has decided about and has to be planned; the owner of the gravest first. The rest is named where it is described. */
export const planOf = (findings: readonly FindingView[], w: Words): readonly PlanPart[] =>
  Map.groupBy(
    problemsOf(findings.filter(({ finding }) => PLANNED.has(finding.severity) && isOpen(finding))),
    ({ first }) => OWNERS.find(({ modules }) => modules.includes(first.finding.module)) ?? OTHERS,
  )
    .entries()
    .map(([{ owner, effort }, problems]) => ({
      ...{ owner: w(owner), effort: w(effort) },
      steps: problems.map((problem) => ({
        problem,
        step: clippedText(firstSentence(problem.first.finding.remediation), MAX_STEP),
      })),
    }))
    .toArray()

const PLANNED: ReadonlySet<Severity> = new Set(['critical', 'high', 'medium'])

/** Characters of a step: the finding itself has the whole. */
const MAX_STEP = 110

interface Owner {
  readonly owner: Phrase
  readonly effort: Phrase
  readonly modules: readonly string[]
}

/** By module; a rule of thumb, and said so where it is shown. */
const OWNERS: readonly Owner[] = [
  {
    owner: 'Application',
    effort: 'changes of code: hours to days each, with a test that keeps them',
    modules: [
      ...['injection', 'sqli', 'xss', 'authorization', 'api', 'sessions', 'rate-limit', 'prototypes'],
      ...['markup', 'cookies', 'disclosure', 'crawl'],
    ],
  },
  {
    owner: 'Web server and TLS',
    effort: 'settings and certificates: minutes to hours each',
    modules: ['headers', 'tls', 'tls-deep', 'exposure', 'site', 'waf'],
  },
  {
    owner: 'Software updates',
    effort: 'an update and its test: hours to days each',
    modules: ['cve', 'technology', 'templates'],
  },
  {
    owner: 'Network and services',
    effort: 'settings of a firewall or a service: hours each',
    modules: ['ports', 'services'],
  },
  {
    owner: 'DNS and mail',
    effort: 'records and settings: minutes each, and a day until they are everywhere',
    modules: ['dns', 'mail', 'names', 'mx', 'nameservers'],
  },
  {
    owner: 'Data protection',
    effort: 'settings of the consent dialog and of embedded services: hours each',
    modules: ['privacy'],
  },
]
const OTHERS: Owner = { owner: 'Others', effort: 'see the findings', modules: [] }
