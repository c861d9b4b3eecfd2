import { ProblemError } from '../../contract/problem.ts'
import { LISTED_RETESTS, type Retest } from '../../contract/retest.ts'
import { createRetest, listRetests } from '../../store/retests.ts'
import { sealCredentials } from '../../store/seal.ts'
import { about, answer, bind, type Route } from '../route.ts'
import type { Services } from '../services.ts'
import { callersFinding } from './findings.ts'
import { callersRun } from './scans.ts'

export const retestRoutes = (services: Services): readonly Route[] => [
  bind(
    'retestFinding',
    async ({ params, body, caller }) => {
      const run = await callersRun(services, caller, params.id)
      const finding = await callersFinding(services, run.id, params.finding_id)
      const credentials = { cookie: body.auth_cookie, header: body.auth_header }
      const made = await createRetest(
        services.db,
        services.plans,
        { run, findingId: finding.id, module: finding.module },
        {
          ...{ sealed: sealCredentials(services.keys, credentials) },
          ...{ auth_stored: body.auth_stored, identities: body.identities },
        },
      )
      if ('refused' in made) throw new ProblemError(made.refused, made.detail)
      const { id, created_at } = made.run
      const queued = { ...NOTHING_YET, id, finding_id: finding.id, created_at }
      return about(`${finding.title}, ${run.domain}`, answer(202, queued, { Location: `/v1/scans/${id}` }))
    },
    () => [{ limit: 'starts' }],
  ),

  bind('readRetest', async ({ params, caller }) => {
    const run = await callersRun(services, caller, params.id)
    const finding = await callersFinding(services, run.id, params.finding_id)
    const [latest] = await listRetests(services.db, caller.organisation.id, { run, findingId: finding.id, limit: 1 })
    if (latest === undefined) throw new ProblemError('retest_not_found', 'Nobody has looked at the finding again.')
    return answer(200, latest)
  }),

  bind('listRetests', async ({ params, caller }) => {
    const run = await callersRun(services, caller, params.id)
    const { id: findingId } = await callersFinding(services, run.id, params.finding_id)
    const about = { run, findingId, limit: LISTED_RETESTS }
    return answer(200, { items: await listRetests(services.db, caller.organisation.id, about) })
  }),
]

const NOTHING_YET = {
  state: 'waiting',
  reason: null,
  finding: null,
  finished_at: null,
} as const satisfies Partial<Retest>
