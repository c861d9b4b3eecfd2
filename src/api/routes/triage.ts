import { z } from 'zod'
import { ProblemError } from '../../contract/problem.ts'
import type { SetTriage } from '../../contract/triage.ts'
import { getFinding } from '../../store/findings.ts'
import { type Decision, decide, listTriage, triagePosition } from '../../store/triage.ts'
import { pageOf } from '../page.ts'
import { answer, bind, type Route } from '../route.ts'
import type { Services } from '../services.ts'
import { callersDomain } from './domains.ts'
import { callersFinding } from './findings.ts'
import { callersRun } from './scans.ts'

const Position = z.strictObject({ decidedAt: z.coerce.date(), fingerprint: z.string() })

export const triageRoutes = (services: Services): readonly Route[] => [
  bind('setTriage', async ({ params, body, caller }) => {
    const run = await callersRun(services, caller, params.id)
    const finding = await callersFinding(services, run.id, params.finding_id)
    const done = await decide(services.db, run.id, finding, decisionOf(body), caller.actor.name)
    if (done === 'no_domain') {
      throw new ProblemError('domain_not_found', 'The domain of the run was removed: there is nothing to decide about.')
    }
    return answer(200, (await getFinding(services.db, run.id, finding.id)) ?? finding)
  }),

  bind('listTriage', async ({ params, query: { limit, cursor }, caller }) => {
    const domain = await callersDomain(services, caller, params.id)
    const scope = ['triage', domain.id]
    const after = cursor === undefined ? null : Position.parse(services.cursors.open(scope, cursor))
    const found = await listTriage(services.db, domain.id, after, limit + 1)
    return answer(
      200,
      pageOf(found, limit, (last) => services.cursors.seal(scope, triagePosition(last))),
    )
  }),
]

const decisionOf = (body: SetTriage): Decision | null => {
  const { state, owner, reason } = body
  if (state === 'open' || owner === undefined || reason === undefined) return null
  return { state, owner, reason, expiresAt: futureEnd(body.expires_at) }
}

/** When a decision is to end. */
export const futureEnd = (given: string | null): Date | null => {
  const end = given === null ? null : new Date(given)
  if (end === null || end.getTime() > Date.now()) return end
  throw new ProblemError('validation_failed', 'One field is not valid.', {
    errors: [{ path: 'expires_at', message: 'must be in the future' }],
  })
}
