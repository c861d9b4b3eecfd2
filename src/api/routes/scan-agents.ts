/** Agents as people see them: made, listed, revoked. */
import { ProblemError } from '../../contract/problem.ts'
import { createAgent, listAgents, revokeAgent } from '../../store/agents.ts'
import { answer, bind, type Route } from '../route.ts'
import type { Services } from '../services.ts'

export const scanAgentRoutes = ({ db }: Services): readonly Route[] => [
  bind('listAgents', async ({ caller }) => answer(200, { items: await listAgents(db, caller.organisation.id) })),

  bind('createAgent', async ({ body, caller: { organisation, actor } }) => {
    const made = await createAgent(db, { organisationId: organisation.id, name: body.name, createdBy: actor.name })
    if (made === 'agent_exists') throw new ProblemError(made, `There is an agent called ${body.name} already.`)
    return answer(201, made)
  }),

  bind('revokeAgent', async ({ params, caller }) => {
    const agent = await revokeAgent(db, caller.organisation.id, params.id)
    if (agent === null) throw new ProblemError('agent_not_found', 'There is no such agent.')
    return answer(200, agent)
  }),
]
