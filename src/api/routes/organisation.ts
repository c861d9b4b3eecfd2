import type { z } from 'zod'
import type { LogoInfo, OrganisationView } from '../../contract/account.ts'
import type { Plan } from '../../contract/organisation.ts'
import { ProblemError } from '../../contract/problem.ts'
import { listActivity } from '../../store/activity.ts'
import { createKey, listKeys, revokeOwnKey } from '../../store/api-keys.ts'
import { holdState, releaseRuns, stopRuns } from '../../store/holds.ts'
import { listMembers, removeMember, setRole } from '../../store/members.ts'
import { getLogo, setLogo } from '../../store/organisations.ts'
import { activeRuns, used } from '../../store/quota.ts'
import { sentToday } from '../../store/silences.ts'
import { byTime, pageOf } from '../page.ts'
import { answer, bind, type Route, rawAnswer } from '../route.ts'
import type { Caller, Services } from '../services.ts'

export const organisationRoutes = (services: Services): readonly Route[] => [
  bind('readOrganisation', async ({ caller }) => answer(200, await view(services, caller))),

  bind('readLogo', async ({ caller }) => {
    const logo = await getLogo(services.db, caller.organisation.id)
    if (logo === null) throw new ProblemError('logo_not_found', 'The organisation has no logo.')
    return rawAnswer(200, logo, { 'Content-Type': logoInfo(logo).content_type })
  }),

  bind('setLogo', async ({ body, caller }) => {
    const made = await services.prepareLogo(Buffer.from(body.logo, 'base64'))
    if ('problem' in made) {
      throw new ProblemError('validation_failed', 'The file cannot be a logo.', {
        errors: [{ path: 'logo', message: made.problem }],
      })
    }
    await setLogo(services.db, caller.organisation.id, made.body)
    return answer(200, await view(services, caller))
  }),

  bind('deleteLogo', async ({ caller }) => {
    await setLogo(services.db, caller.organisation.id, null)
    return rawAnswer(204, null)
  }),

  bind('readHold', async ({ caller }) => answer(200, await holdState(services.db, caller.organisation.id))),

  bind('stopRuns', async ({ body, caller: { organisation, actor } }) => {
    const about = { heldBy: actor.name, reason: body.reason ?? null }
    await stopRuns(services.db, { organisationId: organisation.id, ...about })
    return answer(200, await holdState(services.db, organisation.id))
  }),

  bind('releaseRuns', async ({ caller: { organisation } }) => {
    await releaseRuns(services.db, organisation.id)
    return answer(200, await holdState(services.db, organisation.id))
  }),

  bind('readCover', async ({ caller: { organisation } }) => {
    const plan = planOf(services, organisation)
    const logo = await getLogo(services.db, organisation.id)
    const page = await services.drawCover({ organisation: organisation.name, logo, watermark: plan.watermark })
    return rawAnswer(200, page, { 'Content-Type': 'image/png' })
  }),

  bind('listKeys', async ({ caller }) => answer(200, { items: await listKeys(services.db, caller.organisation.id) })),

  bind('createKey', async ({ body, caller }) => {
    const beyond = body.scopes.filter((scope) => !caller.scopes.includes(scope))
    if (beyond.length > 0) {
      throw new ProblemError('api_key_scope_insufficient', `You cannot give away ${beyond.join(', ')}: you lack it.`)
    }
    const made = await createKey(services.db, {
      organisationId: caller.organisation.id,
      name: body.name,
      scopes: [...new Set(body.scopes)],
      expiresAt: body.expires_at === null ? null : new Date(body.expires_at),
    })
    return answer(201, made)
  }),

  bind('revokeKey', async ({ params, caller }) => {
    const key = await revokeOwnKey(services.db, caller.organisation.id, params.id)
    if (key === null) throw new ProblemError('key_not_found', 'There is no such key.')
    return answer(200, key)
  }),

  bind('listMembers', async ({ caller }) =>
    answer(200, { items: await listMembers(services.db, caller.organisation.id) }),
  ),

  bind('updateMember', async ({ params, body, caller }) => {
    const member = await setRole(services.db, caller.organisation.id, params.id, body.role)
    if (typeof member === 'string') throw memberProblem(member)
    return answer(200, member)
  }),

  bind('removeMember', async ({ params, caller }) => {
    const result = await removeMember(services.db, caller.organisation.id, params.id)
    if (result !== 'removed') throw memberProblem(result)
    return rawAnswer(204, null)
  }),

  bind('listActivity', async ({ query: { limit, cursor }, caller }) => {
    const scope = ['activity', caller.organisation.id]
    const after = cursor === undefined ? null : byTime.parse(services.cursors.open(scope, cursor))
    const found = await listActivity(services.db, caller.organisation.id, after, limit + 1)
    const page = pageOf(found, limit, ({ time, id }) => services.cursors.seal(scope, { createdAt: time, id }))
    return answer(200, { ...page, items: page.items.map(({ time: _, ...entry }) => entry) })
  }),
]

const memberProblem = (code: 'member_not_found' | 'last_owner'): ProblemError =>
  code === 'last_owner'
    ? new ProblemError('last_owner', 'Make somebody else owner first.')
    : new ProblemError('member_not_found', 'There is no such member.')

const view = async (services: Services, { organisation }: Caller): Promise<OrganisationView> => {
  const { id, name, state, requests_per_day: perDay } = organisation
  const plan = planOf(services, organisation)
  const [runs, active, logo, { hold }, sent] = [
    await used(services.db, id),
    await activeRuns(services.db, id),
    await getLogo(services.db, id),
    await holdState(services.db, id),
    await sentToday(services.db, id),
  ]
  const left = plan.runs_per_month === null ? null : Math.max(0, plan.runs_per_month - runs)
  return {
    ...{ id, name, state, plan, active_runs: active },
    usage: { ...month(new Date()), runs, left },
    requests: perDay === null ? null : { per_day: perDay, sent },
    logo: logo === null ? null : logoInfo(logo),
    hold,
  }
}

const planOf = (services: Services, organisation: Caller['organisation']): Plan => {
  const plan = services.plans.find((each) => each.id === organisation.plan)
  if (plan === undefined) throw new Error(`The plan "${organisation.plan}" is not configured`)
  return plan
}

const month = (now: Date): { from: string; to: string } => {
  const start = (offset: number): string =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1)).toISOString()
  return { from: start(0), to: start(1) }
}

const logoInfo = (logo: Buffer): z.infer<typeof LogoInfo> => ({
  content_type: logo.subarray(0, 5).toString('latin1') === '%PDF-' ? 'application/pdf' : 'image/png',
  size_bytes: logo.length,
})
