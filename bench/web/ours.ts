/** Our three modules together over all pages and their twins, as in one run: one inventory, shared answers, ten requests at once. */
import { launchBrowser } from '../../src/engine/browser/launch.ts'
import { type JudgedFinding, judgeModule } from '../../src/engine/judge.ts'
import type { AnyModule } from '../../src/modules/any-module.ts'
import { injection } from '../../src/modules/attack/injection/module.ts'
import { sqli } from '../../src/modules/attack/sqli/module.ts'
import { xss } from '../../src/modules/attack/xss/module.ts'
import { createRunScope } from '../../src/modules/run-scope.ts'
import { collectContext } from '../../src/modules/testing/collecting.ts'
import { caseContext } from '../../src/modules/testing/judge-cases.ts'
import type { WebCase } from '../../testbed/web/case.ts'
import { inventoryOf, type Twin } from '../../testbed/web/inventory.ts'
import type { Scores } from './scores.ts'
import type { Target } from './target.ts'

const MODULES: readonly AnyModule[] = [sqli, injection, xss]

export const scanOurs = async (
  cases: readonly WebCase[],
  target: Target,
  modules: readonly AnyModule[] = MODULES,
): Promise<Scores> => {
  const found = new Map<string, string[]>()
  const wrong: string[] = []
  target.counts()
  const began = performance.now()
  for (const twin of ['careless', 'careful'] as const) {
    const findings = (await scanTwin(cases, target.address, twin, modules)).filter(
      ({ confidence }) => confidence !== 'tentative',
    )
    for (const { check_id, confidence, location } of findings) {
      const id = new URL(location.url ?? 'http://x').pathname.split('/')[2] ?? ''
      const one = cases.find((each) => each.id === id)
      const right = twin === 'careless' && one?.finds.includes(check_id)
      if (right && (confidence === 'confirmed' || one?.firm)) found.set(id, [...(found.get(id) ?? []), check_id])
      if (!right && confidence === 'confirmed') wrong.push(`${twin}/${id}: ${check_id}`)
    }
  }
  return { found, wrong, counts: target.counts(), ms: performance.now() - began }
}

const scanTwin = async (
  cases: readonly WebCase[],
  address: string,
  twin: Twin,
  modules: readonly AnyModule[],
): Promise<readonly JudgedFinding[]> => {
  const known = { crawl: inventoryOf(cases, 'http://shop.test', twin), waf: { blockPage: null } }
  const scope = createRunScope()
  const judged = await Promise.all(
    modules.map(async (module) => {
      const { ctx, close } = collectContext(address, { module: module.id, requests: 1_000_000, launchBrowser, scope })
      try {
        const facts = await module.collect(ctx, known as never)
        const { findings, failures } = judgeModule(module, facts, known, caseContext())
        if (failures.length > 0) throw new Error(failures.map(({ check, error }) => `${check}: ${error}`).join('\n'))
        return findings
      } finally {
        await close()
      }
    }),
  )
  return judged.flat()
}
