/** Tables of named cases for a check. Cases state ids, never message texts, so wording can improve freely. */
import { describe, expect, it } from 'vitest'
import { Location, Proof } from '../../contract/finding.ts'
import type { Facts, ModuleId } from '../facts.ts'
import type { Check, Finding, JudgeContext, Judgement, Known, Unjudged } from '../module.ts'

export type JudgeCase<Id extends ModuleId, Need extends ModuleId = never> = {
  /** The trick: "max-age quoted", "sent twice". */
  readonly name: string
  readonly facts: Facts[Id]
  /** Ids of the findings, one for each finding, in any order; `[]` is a silent case. */
  readonly expect: readonly string[]
  /** Set when the check cannot judge (all or a part): the state it has to say. */
  readonly unjudged?: Unjudged['state']
  readonly about?: Partial<JudgeContext>
} & ([Need] extends [never] ? { readonly known?: Known<Need> } : { readonly known: Known<Need> })

/** Monday, 4 May 2026, 12:00 UTC: the start of every run in a table. */
export const CASE_TIME = Date.UTC(2026, 4, 4, 12)

export const caseContext = (about: Partial<JudgeContext> = {}): JudgeContext => ({
  target: { host: 'shop.test', port: null, context: null, tier: 'passive' },
  options: {
    active: false,
    privacy: false,
    cve_include_possible: false,
    template_full: false,
    make_pdf: false,
  },
  now: CASE_TIME,
  ...about,
})

/**
 * One test a case, and one over the table: every definition is found by some case, and some case is silent.
 * Every case also holds what the engine relies on: only declared definitions, valid locations and proofs, no hint above
 * its rank, facts left untouched, and the same answer for facts that went through JSON and back.
 */
export const judgeCases = <Id extends ModuleId, Need extends ModuleId = never>(
  check: Check<Id, Need>,
  cases: readonly JudgeCase<Id, NoInfer<Need>>[],
): void => {
  const label = check.findings.map((definition) => definition.id).join(', ')
  describe(label, () => {
    it.each(cases.map((one) => [one.name, one] as const))('%s', (_name, one) => {
      const judgement = judgeOnce(check, one)
      expect(found(judgement).map(idOf).toSorted()).toEqual(one.expect.toSorted())
      expect(stateOf(judgement)).toBe(one.unjudged ?? null)
      expectSound(check, judgement)
      expect(judgeOnce(check, stored(one))).toEqual(judgement)
    })

    it('finds every definition once and stays silent once', () => {
      const ids = new Set(cases.flatMap((one) => one.expect))
      expect([...ids].toSorted()).toEqual([...new Set(check.findings.map((one) => one.id))].toSorted())
      expect(cases.some((one) => one.expect.length === 0 && one.unjudged === undefined)).toBe(true)
    })
  })
}

const judgeOnce = <Id extends ModuleId, Need extends ModuleId>(
  check: Check<Id, Need>,
  one: JudgeCase<Id, Need>,
): Judgement => check.judge(frozen(one.facts), frozen(one.known ?? {}) as Known<Need>, caseContext(one.about))

const expectSound = (check: { readonly findings: readonly unknown[] }, judgement: Judgement): void => {
  for (const finding of found(judgement)) {
    expect(check.findings, `${idOf(finding)} is not declared by its check`).toContain(finding.definition)
    const fromSource = finding.definition.severity === 'from-source'
    expect(finding.severity !== undefined, `${idOf(finding)}: severity comes from one side`).toBe(fromSource)
    expect(finding.detail.trim(), `${idOf(finding)}: detail`).not.toBe('')
    for (const place of [finding.at, ...(finding.places ?? [])]) Location.parse(place)
    if (finding.proof) expectDecisive(finding)
  }
  if (isUnjudged(judgement)) {
    expect(judgement.reason.trim(), 'reason').not.toBe('')
    const declared = check.findings.map((one) => (one as { id: string }).id)
    for (const id of judgement.only ?? []) expect(declared).toContain(id)
  }
}

const expectDecisive = (finding: Finding): void => {
  const proof = Proof.parse(finding.proof)
  expect(proof.excerpt.trim(), `${idOf(finding)}: excerpt`).not.toBe('')
  if (proof.mark !== null) expect(proof.excerpt, `${idOf(finding)}: mark is part of the excerpt`).toContain(proof.mark)
}

const isUnjudged = (judgement: Judgement): judgement is Unjudged => 'state' in judgement && judgement.state !== 'judged'
const found = (judgement: Judgement): readonly Finding[] =>
  'state' in judgement ? (judgement.findings ?? []) : judgement
const stateOf = (judgement: Judgement) => (isUnjudged(judgement) ? judgement.state : null)
const idOf = (finding: Finding): string => finding.definition.id
const stored = <One>(one: One): One => JSON.parse(JSON.stringify(one)) as One

const frozen = <Value>(value: Value): Value => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value) || ArrayBuffer.isView(value)) return value
  Object.freeze(value)
  for (const inner of Object.values(value)) frozen(inner)
  return value
}
