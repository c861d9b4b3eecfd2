/** Score and grade of a run. The numbers are section E of the check catalogue; docs/decisions/0041 gives the reasons. */
import { type Coverage, compareSeverity, SEVERITIES, type Severity } from '../contract/finding.ts'
import type { Grade } from '../contract/findings-file.ts'
import type { JudgedFinding } from './judge.ts'

const COST: Readonly<Record<Severity, number>> = { critical: 40, high: 15, medium: 6, low: 1.5, info: 0 }
/** A second finding of the same check costs this part of the first. */
const REPEAT = 0.25
const LOW_TOTAL = 10
/** Below this share of checks that could look, a grade is provisional. */
const PROVISIONAL_BELOW = 0.7

/** From best to worst, with the least score of each. */
const SCALE = [
  ['A+', 97],
  ['A', 90],
  ['B', 80],
  ['C', 65],
  ['D', 50],
  ['E', 35],
  ['F', 0],
] as const
type Letter = (typeof SCALE)[number][0]

interface Cap {
  readonly letter: Letter
  readonly reason: string
}

type Looked = Pick<Coverage, 'check_id' | 'state'>
type Graded = Pick<JudgedFinding, 'check_id' | 'severity' | 'confidence' | 'cve'>

/** `coverage` is that of the run's own plan: what a tier leaves out is no gap. Passive and active grades do not compare. */
export const gradeRun = (findings: readonly Graded[], coverage: readonly Looked[], parts: Grade['parts']): Grade => {
  const { score, letter, caps } = capped(findings, parts)
  return {
    grade: letter,
    score,
    provisional: shareLooked(coverage) < PROVISIONAL_BELOW,
    caps: caps.map((cap) => cap.reason),
    parts: [...parts, ...areasOf(findings, coverage)],
  }
}

const capped = (findings: readonly Graded[], parts: Grade['parts']) => {
  const score = scoreOf(findings)
  const caps = capsOf(findings, parts).filter((cap) => rank(cap.letter) > rank(letterOf(score)))
  const letter = [letterOf(score), ...caps.map((cap) => cap.letter)].toSorted((a, b) => rank(b) - rank(a))[0] ?? 'F'
  return { score, letter, caps }
}

/** Headers and TLS have scales of their own, which their modules know. */
const AREAS = [
  { id: 'names', title: 'Names and mail', modules: ['dns', 'mail', 'names', 'nameservers', 'mx'] },
  {
    id: 'application',
    title: 'Application',
    modules: [
      ...['cookies', 'markup', 'disclosure', 'technology', 'cve', 'crawl', 'exposure', 'templates'],
      ...['xss', 'sqli', 'injection', 'authorization', 'api', 'sessions', 'rate-limit', 'prototypes', 'waf'],
    ],
  },
  { id: 'privacy', title: 'Privacy', modules: ['privacy'] },
] as const

/** Whether a part of a grade is made here, of findings and coverage, and not by a module's own scale. */
export const isArea = (part: string): boolean => AREAS.some(({ id }) => id === part)

/** The areas of which enough was looked at, each as if its modules had run alone. */
const areasOf = (findings: readonly Graded[], coverage: readonly Looked[]): Grade['parts'] =>
  AREAS.flatMap(({ id, title, modules }) => {
    const within = ({ check_id }: { readonly check_id: string }) =>
      modules.some((module) => check_id.startsWith(`${module}/`))
    if (shareLooked(coverage.filter(within)) < PROVISIONAL_BELOW) return []
    const own = findings.filter(within)
    const { score, letter } = capped(own, [])
    return [{ id, title, grade: letter, score, reasons: countsOf(own) }]
  })

const COUNTED: Readonly<Record<Severity, string>> = {
  critical: 'critical findings: ',
  high: 'high findings: ',
  medium: 'medium findings: ',
  low: 'low findings: ',
  info: '',
}

/** What takes points of an area, the gravest first. */
const countsOf = (findings: readonly Pick<Graded, 'severity'>[]): string[] =>
  SEVERITIES.filter((severity) => COST[severity] > 0).flatMap((severity) => {
    const count = findings.filter((one) => one.severity === severity).length
    return count === 0 ? [] : [`${COUNTED[severity]}${count}`]
  })

/** 0 to 100 in steps of 0.1. */
export const scoreOf = (findings: readonly Pick<Graded, 'check_id' | 'severity'>[]): number => {
  let cost = 0
  let low = 0
  for (const group of Map.groupBy(findings, (finding) => finding.check_id).values()) {
    const severities = group.map((finding) => finding.severity).toSorted(compareSeverity)
    for (const [index, severity] of severities.entries()) {
      const share = COST[severity] * (index === 0 ? 1 : REPEAT)
      if (severity === 'low') low += share
      else cost += share
    }
  }
  const score = 100 - cost - Math.min(low, LOW_TOTAL)
  return Math.max(0, Math.round(score * 10) / 10)
}

/** The share of applicable checks that came to a verdict, 0 to 1; 0 where nothing applied. */
export const shareLooked = (coverage: readonly Pick<Coverage, 'state'>[]): number => {
  const applicable = coverage.filter((line) => line.state !== 'not_applicable')
  const looked = applicable.filter((line) => line.state === 'pass' || line.state === 'fail')
  return applicable.length === 0 ? 0 : looked.length / applicable.length
}

const letterOf = (score: number): Letter => SCALE.find(([, least]) => score >= least)?.[0] ?? 'F'
const rank = (letter: Letter): number => SCALE.findIndex(([one]) => one === letter)

const isGrave = ({ severity }: Pick<Graded, 'severity'>): boolean => compareSeverity(severity, 'high') <= 0

const capsOf = (findings: readonly Graded[], parts: Grade['parts']): Cap[] => {
  const caps: Cap[] = []
  if (findings.some((one) => one.severity === 'critical' && one.confidence === 'confirmed')) {
    caps.push({ letter: 'F', reason: 'a critical problem is confirmed: F at best' })
  }
  const exploited = findings.filter((one) => one.cve.some((cve) => cve.match === 'certain' && cve.kev !== null))
  // What a page's library lets somebody do needs a page that hands it foreign input: its score says so, and it ruins no site.
  if (exploited.some(isGrave)) {
    caps.push({ letter: 'F', reason: 'a vulnerability of high severity that is being exploited is present: F at best' })
  } else if (exploited.length > 0) {
    caps.push({ letter: 'C', reason: 'a vulnerability that is being exploited is present: C at best' })
  }
  if (findings.some(isGrave)) {
    caps.push({ letter: 'C', reason: 'a problem of high severity or above is open: C at best' })
  }
  const tls = parts.find((part) => part.id === 'tls')
  if (tls && ['F', 'T', 'M'].includes(tls.grade)) {
    caps.push({ letter: 'D', reason: `the grade of TLS alone is ${tls.grade}: D at best` })
  }
  return caps
}
