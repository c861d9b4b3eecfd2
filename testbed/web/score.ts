/** Runs one module over the cases and their twins, and compares what it says with what is true. */
import { launchBrowser } from '../../src/engine/browser/launch.ts'
import { type JudgedFinding, judgeModule } from '../../src/engine/judge.ts'
import type { AnyModule } from '../../src/modules/any-module.ts'
import { injection } from '../../src/modules/attack/injection/module.ts'
import type { ProbingFacts } from '../../src/modules/attack/insertion-points/facts.ts'
import { sqli } from '../../src/modules/attack/sqli/module.ts'
import { xss } from '../../src/modules/attack/xss/module.ts'
import { collectContext } from '../../src/modules/testing/collecting.ts'
import { caseContext } from '../../src/modules/testing/judge-cases.ts'
import type { WebCase } from './case.ts'
import { inventoryOf, type Twin } from './inventory.ts'

export type ScoredModule = 'sqli' | 'injection' | 'xss'

/** By their ids. */
export const SCORED: Readonly<Record<ScoredModule, AnyModule>> = { sqli, injection, xss }

export interface Scored {
  readonly cases: number
  readonly recall: number
  /** Careless pages without a confirmed finding of the right kind, with what was said instead. */
  readonly missed: readonly string[]
  /** Findings on careful pages and wrong ones on careless pages, of whatever confidence. */
  readonly alarms: readonly string[]
  /** Requests for a place, over both twins. */
  readonly median: number
  readonly requests: number
  readonly ms: number
  readonly failures: readonly string[]
  /** What was seen of the careless pages, and what it was judged beside. */
  readonly seen: { readonly facts: unknown; readonly known: Readonly<Record<string, unknown>> }
}

export const scoreCases = async (
  id: ScoredModule,
  all: readonly WebCase[],
  address: string,
  wrap: <Value>(value: Value) => Value = (value) => value,
): Promise<Scored> => {
  const cases = all.filter((one) => one.module === id)
  const began = performance.now()
  const over = (twin: Twin): Promise<Over> => runOver(SCORED[id], cases, address, twin, wrap)
  // A browser is waited for most of the time; what is told by time is asked alone.
  const [careless, careful] =
    id === 'xss'
      ? await Promise.all([over('careless'), over('careful')])
      : [await over('careless'), await over('careful')]
  const proves = (one: WebCase) => (finding: JudgedFinding) =>
    (one.needs === undefined ? one.finds.includes(finding.check_id) : one.needs === finding.check_id) &&
    (finding.confidence === 'confirmed' || (one.firm === true && finding.confidence === 'firm'))
  const missed = cases.filter((one) => !findingsAt(careless, one).some(proves(one)))
  const wrong = cases.flatMap((one) =>
    findingsAt(careless, one).filter((finding) => !one.finds.includes(finding.check_id)),
  )
  const counts = [...careless.counts, ...careful.counts].toSorted((a, b) => a - b)
  return {
    cases: cases.length,
    recall: cases.length === 0 ? 1 : 1 - missed.length / cases.length,
    missed: missed.map((one) => `${one.id}: ${findingsAt(careless, one).map(said).join('; ')}`),
    alarms: [...wrong, ...careful.findings].map((one) => `${said(one)} at ${one.location.url}`),
    median: counts[Math.floor(counts.length / 2)] ?? 0,
    requests: counts.reduce((sum, one) => sum + one, 0),
    ms: performance.now() - began,
    failures: [...careless.failures, ...careful.failures],
    seen: careless.seen,
  }
}

interface Over {
  readonly findings: readonly JudgedFinding[]
  readonly counts: readonly number[]
  readonly failures: readonly string[]
  readonly seen: Scored['seen']
}

const runOver = async (
  module: AnyModule,
  cases: readonly WebCase[],
  address: string,
  twin: Twin,
  wrap: <Value>(value: Value) => Value,
): Promise<Over> => {
  const { ctx, close } = collectContext(address, { module: module.id, requests: 1_000_000, launchBrowser })
  try {
    const known = { crawl: inventoryOf(cases, 'http://shop.test', twin), waf: { blockPage: null } }
    const facts = await module.collect(wrap(ctx), known as never)
    const judged = judgeModule(module, facts, known, caseContext())
    return {
      findings: judged.findings,
      counts: (facts as ProbingFacts<unknown>).points.map((point) => point.requests),
      failures: judged.failures.map((one) => `${one.check}: ${one.error}`),
      seen: { facts, known },
    }
  } finally {
    await close()
  }
}

const findingsAt = ({ findings }: Over, { id }: WebCase): readonly JudgedFinding[] =>
  findings.filter((finding) => finding.location.url && new URL(finding.location.url).pathname.split('/')[2] === id)

const said = ({ check_id, confidence, detail }: JudgedFinding): string => `${check_id} (${confidence}) ${detail}`
