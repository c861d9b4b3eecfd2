/** A done run of a site on which some products were recognised, as a worker leaves it. */
import { expect } from 'vitest'
import { judgeStored, type StoredModule } from '../../src/engine/judge-stored.ts'
import type { Detected } from '../../src/knowledge/fingerprints/match.ts'
import { collectCve } from '../../src/modules/passive/cve/collect.ts'
import type { TechnologyFacts } from '../../src/modules/passive/technology/facts.ts'
import { caseSite } from '../../src/modules/testing/site-facts.ts'
import { saveModule } from '../../src/store/modules.ts'
import type { RunRecord } from '../../src/store/run-row.ts'
import { getAnyRun } from '../../src/store/runs.ts'
import { finishRun } from '../../src/worker/finish.ts'
import { TIMING, type WorkerOptions } from '../../src/worker/options.ts'
import { createRunFiles } from '../../src/worker/run-files.ts'
import { seedDomain, seedRun, takeAndStart } from './seed.ts'

/** A done run as a worker leaves it, by what is known now. */
export const storedRun = async (
  options: WorkerOptions,
  domain: string,
  technologies: readonly Detected[],
  change: {
    readonly at?: { organisationId: string; domainId: string }
    readonly facts?: TechnologyFacts | null
  } = {},
): Promise<RunRecord> => {
  const { db } = options
  const at = change.at ?? (await seedDomain(db, { domain }))
  const run = await seedRun(db, at)
  const held = await takeAndStart(db)
  const technology: TechnologyFacts = { technologies, favicon: null, endOfLife: [], knowledge: {} }
  const day = { now: Date.now(), signal: new AbortController().signal, knowledge: options.knowledge ?? '' }
  const facts = {
    site: caseSite(),
    disclosure: {
      ...{ scripts: [], unfetched: 0, maps: [], robots: null, securityTxt: null },
      ...{ securityTxtAtRoot: null, malformed: null, folders: [] },
    },
    technology: change.facts === undefined ? technology : change.facts,
    cve: await collectCve(day, technology),
  }
  const stored = Object.entries(facts).map(
    ([module, own]): StoredModule => ({
      ...{ module, facts: own },
      outcome: { state: own === null ? 'failed' : 'completed', reason: null, duration_ms: 1, requests: 1 },
    }),
  )
  const target = { host: domain, port: null, context: null, tier: 'passive', environment: 'production' } as const
  const judged = judgeStored(stored, { target, options: held.options, now: Date.now() })
  for (const { module, facts: own, outcome } of stored)
    await saveModule(db, held, {
      ...{ module, facts: own, outcome },
      findings: judged.findings.filter((one) => one.module === module),
      coverage: judged.coverage.filter((one) => one.module === module),
    })
  const timing = { ...TIMING, ...options.timing }
  const never = new AbortController().signal
  const files = createRunFiles(options, timing, held, never)
  expect(await finishRun(options, timing, held, new Date(), files, never)).toBe('done')
  const done = await getAnyRun(db, run.id)
  if (!done) throw new Error('gone')
  return done
}
