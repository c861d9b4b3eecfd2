import type { FindingsFile } from '../../contract/findings-file.ts'
import { coverageIn, gradeIn, reachIn, titleIn } from '../../knowledge/texts/localise.ts'
import { translator } from '../../knowledge/texts/texts.ts'
import { artifactOfKind } from '../../store/artifacts.ts'
import { loadModuleEnds } from '../../store/modules.ts'
import { readHistory, readOverview } from '../../store/overview.ts'
import type { RunRecord } from '../../store/run-row.ts'
import { answer, bind, type Route } from '../route.ts'
import type { Services } from '../services.ts'
import { callersFinding, storedFile } from './findings.ts'
import { callersRun } from './scans.ts'

export const overviewRoutes = (services: Services): readonly Route[] => [
  bind('readOverview', async ({ caller }) => answer(200, await readOverview(services.db, caller.organisation.id))),

  bind('readCoverage', async ({ params, query, caller }) => {
    const texts = translator(query.language)
    const run = await callersRun(services, caller, params.id)
    const modules = await loadModuleEnds(services.db, run.id)
    const file = await fileOf(services, run)
    return answer(200, {
      status: run.status,
      modules: modules.map(({ module, outcome: { state, reason, duration_ms, requests } }) => ({
        ...{ module, state, reason: reason && texts.sentence(reason), duration_ms, requests },
      })),
      items: (file?.coverage ?? modules.flatMap(({ coverage }) => coverage)).map((line) => coverageIn(texts, line)),
      grade: file?.grade ? gradeIn(texts, file.grade) : null,
      resolved: (file?.resolved ?? []).map((gone) => titleIn(texts, gone)),
      reach: file?.reach ? reachIn(texts, { kinds: file.reach.kinds, reasons: file.reach.reasons }) : null,
      ...(file?.sending === undefined ? {} : { sending: file.sending }),
    })
  }),

  bind('readHistory', async ({ params, caller }) => {
    const run = await callersRun(services, caller, params.id)
    const { fingerprint, formerly = [], check_id: checkId } = await callersFinding(services, run.id, params.finding_id)
    const of = { runId: run.id, domainId: run.domainId, fingerprint, formerly, checkId }
    return answer(200, { items: await readHistory(services.db, caller.organisation.id, of) })
  }),
]

/** The stored file has what the rows lack: the grade, what is gone, and what the options left out. Null until it is there. */
const fileOf = async (services: Services, run: RunRecord): Promise<FindingsFile | null> => {
  if (run.status !== 'done') return null
  const artifact = await artifactOfKind(services.db, run.id, 'findings_json')
  const expired = artifact?.deleted === true || Date.parse(artifact?.expires_at ?? '') <= Date.now()
  return artifact === null || expired ? null : storedFile(services, run.id)
}
