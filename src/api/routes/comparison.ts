import { ProblemError } from '../../contract/problem.ts'
import { comparisonIn } from '../../knowledge/texts/localise.ts'
import { translator } from '../../knowledge/texts/texts.ts'
import { compareRuns, earlierRun } from '../../store/comparison.ts'
import type { RunRecord } from '../../store/run-row.ts'
import { getRun } from '../../store/runs.ts'
import { answer, bind, type Route } from '../route.ts'
import type { Services } from '../services.ts'
import { callersRun } from './scans.ts'

export const comparisonRoutes = (services: Services): readonly Route[] => [
  bind('compareScans', async ({ params, query, caller }) => {
    const run = await callersRun(services, caller, params.id)
    const wanted = query.base ?? (await earlierRun(services.db, run))
    const base = wanted === null ? null : await getRun(services.db, caller.organisation.id, wanted)
    if (query.base !== undefined) refuse(run, base)
    return answer(200, comparisonIn(translator(query.language), await compareRuns(services.db, run, base)))
  }),
]

/** A base that is not there, or of another site, names nothing that could be compared. */
const refuse = (run: RunRecord, base: RunRecord | null): void => {
  if (base !== null && base.domain === run.domain && base.id !== run.id) return
  throw new ProblemError('validation_failed', 'One field is not valid.', {
    errors: [{ path: 'base', message: 'must be another run of the same domain' }],
  })
}
