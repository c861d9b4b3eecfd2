/** findings.json of a run that was judged again: what the judgement replaced, in the place of what it was. Pure. */
import type { Coverage, Finding } from '../contract/finding.ts'
import type { FactTable, FindingsFile, Grade } from '../contract/findings-file.ts'
import type { Counts } from '../contract/run.ts'
import { openCounts } from '../contract/triage.ts'
import { gradeRun, isArea } from '../engine/grade.ts'
import type { Replaced } from '../store/judgements.ts'

/** `file`: of any version before. */
export const judgedFile = (file: FindingsFile, replaced: Replaced): FindingsFile => {
  const others = file.findings.filter(({ module }) => !replaced.modules.includes(module))
  const place = new Map(replaced.order.map((id, index) => [id, index]))
  const findings = [...others, ...replaced.findings].toSorted(
    (a, b) => (place.get(a.id) ?? Number.MAX_SAFE_INTEGER) - (place.get(b.id) ?? Number.MAX_SAFE_INTEGER),
  )
  const found = new Set(findings.map(({ fingerprint }) => fingerprint))
  return {
    ...file,
    grade: replaced.grade,
    counts: countsOf(findings),
    open_counts: openCounts(findings),
    findings,
    coverage: judgedCoverage(file.coverage, replaced),
    // What is found after all has not gone.
    resolved: file.resolved.filter(({ fingerprint }) => !found.has(fingerprint)),
    tables: inPlace(file.tables, replaced.tables, replaced.modules, ({ id }: FactTable) => id),
    knowledge: { ...file.knowledge, ...replaced.knowledge },
    judged_again: replaced.because,
  }
}

const judgedCoverage = (
  coverage: readonly Coverage[],
  { coverage: now, modules }: Pick<Replaced, 'coverage' | 'modules'>,
): Coverage[] => inPlace(coverage, now, modules, ({ check_id }) => check_id)

/** Entries of these modules by those of now: where an entry of the name stood, else at the end. */
const inPlace = <Entry extends { readonly module: string }>(
  before: readonly Entry[],
  now: readonly Entry[],
  modules: readonly string[],
  name: (entry: Entry) => string,
): Entry[] => {
  const fresh = new Map(now.map((entry) => [name(entry), entry]))
  const kept = before.flatMap((entry) => {
    if (!modules.includes(entry.module)) return [entry]
    const replacement = fresh.get(name(entry))
    return replacement !== undefined && fresh.delete(name(entry)) ? [replacement] : []
  })
  return [...kept, ...fresh.values()]
}

/** The grade by these findings; areas with a scale of their own keep theirs. */
export const judgedGrade = (
  file: FindingsFile,
  replaced: Pick<Replaced, 'coverage' | 'modules'>,
  findings: readonly Finding[],
): Grade => {
  const parts = file.grade.parts.filter(({ id }) => !isArea(id))
  const before = gradeRun(file.findings, ofPlan(file.coverage), parts)
  const now = gradeRun(findings, ofPlan(judgedCoverage(file.coverage, replaced)), parts)
  // A survey, or a module that broke the judge: that has not changed.
  return { ...now, provisional: now.provisional || (file.grade.provisional && !before.provisional) }
}

/** Without the lines of what tier and options leave out. */
const ofPlan = (coverage: readonly Coverage[]): readonly Coverage[] =>
  coverage.filter(({ check_id }) => !check_id.endsWith('/*'))

const countsOf = (findings: readonly Finding[]): Counts => {
  const counts = { critical: 0, high: 0, medium: 0, low: 0, info: 0 }
  for (const { severity } of findings) counts[severity] += 1
  return counts
}
