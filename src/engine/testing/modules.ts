/** Small modules for tests of the engine: what they collect and judge is said in the case. */
import type { AnyCheck, AnyModule } from '../../modules/any-module.ts'
import type { CollectContext, Finding, FindingDefinition, JudgeContext, Judgement } from '../../modules/module.ts'
import { caseContext } from '../../modules/testing/judge-cases.ts'

export const definition = (id: `${string}/${string}`, change: Partial<FindingDefinition> = {}): FindingDefinition => ({
  id,
  title: `${id} is present`,
  severity: 'medium',
  cwe: 693,
  why: 'It matters.',
  remediation: 'Fix it.',
  references: ['https://example.org/'],
  ...change,
})

export const finding = (of: FindingDefinition, change: Partial<Finding> = {}): Finding => ({
  definition: of,
  confidence: 'firm',
  at: { url: 'https://shop.test/' },
  detail: 'seen',
  ...change,
})

export const check = (findings: readonly FindingDefinition[], judge: () => Judgement): AnyCheck => ({ findings, judge })

export const fakeModule = (
  id: string,
  change: Partial<Omit<AnyModule, 'collect'>> & {
    readonly collect?: (ctx: CollectContext, known: Readonly<Record<string, unknown>>) => Promise<unknown>
  } = {},
): AnyModule => ({
  id,
  title: id,
  conduct: 'passive',
  needs: [],
  budget: { requests: 10, seconds: 10 },
  checks: [check([definition(`${id}/thing`)], () => [])],
  ...change,
  collect: change.collect ?? (async () => ({ of: id })),
})

export const about = (change: Partial<JudgeContext['target']> = {}): JudgeContext => {
  const context = caseContext()
  return { ...context, target: { ...context.target, ...change } }
}
