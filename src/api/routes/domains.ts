import { randomBytes } from 'node:crypto'
import { type VerificationAttempt, VerificationMethod } from '../../contract/domain.ts'
import { parseDomainName } from '../../contract/domain-name.ts'
import { ProblemError } from '../../contract/problem.ts'
import { sleep } from '../../contract/sleep.ts'
import { proofFrom } from '../../store/active-proof.ts'
import { askCheck, checkAnswer, listAgents } from '../../store/agents.ts'
import {
  createDomain,
  deleteDomain,
  domainView,
  getDomain,
  listDomains,
  type StoredDomain,
  setAgent,
  setVerified,
  updateDomain,
} from '../../store/domains.ts'
import { byTime, pageOf } from '../page.ts'
import { about, answer, bind, type Route, rawAnswer } from '../route.ts'
import type { Caller, Services } from '../services.ts'

export const domainRoutes = (services: Services): readonly Route[] => {
  const view = (domain: StoredDomain) => domainView(domain, services.requestsPerSecond)
  return [
    bind('listDomains', async ({ query: { limit, cursor, domain = null }, caller }) => {
      const scope = ['domains', caller.organisation.id]
      const after = cursor === undefined ? null : byTime.parse(services.cursors.open(scope, cursor))
      const found = await listDomains(services.db, caller.organisation.id, { limit: limit + 1, after, domain })
      const page = pageOf(found, limit, ({ createdAt, id }) => services.cursors.seal(scope, { createdAt, id }))
      return answer(200, { ...page, items: page.items.map(view) })
    }),

    bind('createDomain', async ({ body, caller }) => {
      await demandAgent(services, caller, body.agent_id)
      const name = nameFor(services, body.domain, body.agent_id)
      const domain = await createDomain(services.db, {
        organisationId: caller.organisation.id,
        domain: name.domain,
        context: body.context,
        environment: body.environment,
        exclude: body.exclude,
        startPaths: body.start_paths,
        agentId: body.agent_id,
        token: randomBytes(18).toString('base64url'),
      })
      if (domain === 'domain_exists') throw new ProblemError('domain_exists', `${name.domain} is registered already.`)
      return answer(201, view(domain), { Location: `/v1/domains/${domain.id}` })
    }),

    bind('readDomain', async ({ params, caller }) => {
      return answer(200, view(await callersDomain(services, caller, params.id)))
    }),

    bind('updateDomain', async ({ params, body, caller }) => {
      refusePace(body.requests_per_second ?? null, services.requestsPerSecond)
      if (body.agent_id !== undefined) await nameAgent(services, caller, params.id, body.agent_id)
      return answer(200, view(found(await updateDomain(services.db, caller.organisation.id, params.id, body))))
    }),

    bind('deleteDomain', async ({ params, caller }) => {
      const { domain } = await callersDomain(services, caller, params.id)
      const result = await deleteDomain(services.db, caller.organisation.id, params.id)
      if (result === 'domain_not_found') throw notFound()
      if (result === 'domain_in_use') {
        throw new ProblemError('domain_in_use', 'A run of the domain has not ended. Cancel it or wait for its end.')
      }
      return about(domain, rawAnswer(204, null))
    }),

    bind('verifyDomain', async ({ params, caller }) => {
      const domain = await callersDomain(services, caller, params.id)
      const attempts = await proofOf(services, domain)
      if (domain.agentId === null && attempts.some(({ ok }) => ok)) {
        await setVerified(services.db, domain.id, { ...proofFrom(new Date()), through: null })
      }
      return answer(200, { domain: view(await callersDomain(services, caller, params.id)), attempts: [...attempts] })
    }),
  ]
}

/** The domain of the path, if it is the caller's. */
export const callersDomain = async (services: Services, caller: Caller, id: string): Promise<StoredDomain> =>
  found(await getDomain(services.db, caller.organisation.id, id))

/** Throws where the service may not ask the domain for anything: its agent does, in its runs. */
export const demandReach = ({ agentId, domain }: StoredDomain): void => {
  if (agentId === null) return
  throw new ProblemError(
    'domain_behind_agent',
    `Only its agent reaches ${domain}. A run through it says whether the login works.`,
  )
}

/** The caller's, and proven to be: a login goes to nobody else's site. */
export const provenDomain = async (services: Services, caller: Caller, id: string): Promise<StoredDomain> => {
  const domain = await callersDomain(services, caller, id)
  if (domain.verifiedUntil !== null && domain.verifiedUntil > new Date()) return domain
  throw new ProblemError('domain_not_verified', `Verify ${domain.domain} before a login is stored with it or tested.`)
}

const notFound = (): ProblemError => new ProblemError('domain_not_found', 'There is no such domain.')

const found = (domain: StoredDomain | null): StoredDomain => {
  if (domain === null) throw notFound()
  return domain
}

/** Throws validation_failed for what cannot be registered; any suffix will do where only an agent asks for the name. */
const nameFor = ({ hosts, allowTargetPorts }: Services, text: string, agentId: string | null) => {
  const name = parseDomainName(text, { hosts, allowPorts: allowTargetPorts, anySuffix: agentId !== null })
  if (name.ok) return name
  throw new ProblemError('validation_failed', 'One field is not valid.', {
    errors: [{ path: 'domain', message: name.message }],
  })
}

const nameAgent = async (services: Services, caller: Caller, id: string, agentId: string | null): Promise<void> => {
  await demandAgent(services, caller, agentId)
  nameFor(services, (await callersDomain(services, caller, id)).domain, agentId)
  const set = await setAgent(services.db, caller.organisation.id, id, agentId)
  if (set === 'domain_not_found') throw notFound()
  if (set === 'domain_in_use')
    throw new ProblemError('domain_in_use', 'A run of the domain has not ended. Cancel it or wait for its end.')
}

/** Null is nobody; else one of the caller's organisation that is not revoked. */
const demandAgent = async ({ db }: Services, { organisation }: Caller, agentId: string | null): Promise<void> => {
  if (agentId === null) return
  const agent = (await listAgents(db, organisation.id)).find(({ id }) => id === agentId)
  if (agent?.revoked_at === null) return
  throw new ProblemError('validation_failed', 'One field is not valid.', {
    errors: [
      { path: 'agent_id', message: agent === undefined ? 'is no agent of yours' : 'is an agent that was revoked' },
    ],
  })
}

/** What each way shows: to the service, or to the agent that alone may ask, which is waited for. */
const proofOf = async (services: Services, domain: StoredDomain): Promise<readonly VerificationAttempt[]> => {
  if (domain.agentId === null) return services.verifyDomain(domain)
  const { db, agentPatience = AGENT_PATIENCE } = services
  const check = await askCheck(db, domain.id)
  const deadline = performance.now() + agentPatience
  while (check !== null && performance.now() < deadline) {
    const attempts = await checkAnswer<VerificationAttempt>(db, check)
    if (attempts !== null) return attempts
    await sleep(LOOK_EVERY)
  }
  const agent = (await listAgents(db, domain.organisationId)).find(({ id }) => id === domain.agentId)
  const seen =
    agent?.last_seen_at === null
      ? `Its agent, ${agent.name}, has never asked for work: start it. What it finds counts then.`
      : 'Its agent has not answered in time. What it finds still counts, once it is there again.'
  return VerificationMethod.options.map((method) => ({ method, ok: false, seen }))
}

/** Milliseconds. */
const AGENT_PATIENCE = 25_000
const LOOK_EVERY = 250

const refusePace = (asked: number | null, max: number): void => {
  if (asked === null || asked <= max) return
  throw new ProblemError('validation_failed', 'One field is not valid.', {
    errors: [{ path: 'requests_per_second', message: `must be at most ${max}, the operator's limit` }],
  })
}
