import { randomBytes } from 'node:crypto'
import { parseDomainName } from '../../contract/domain-name.ts'
import { ProblemError } from '../../contract/problem.ts'
import { VERIFICATION_DAYS } from '../../contract/verification.ts'
import {
  createDomain,
  deleteDomain,
  domainView,
  getDomain,
  listDomains,
  type StoredDomain,
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
      const name = parseDomainName(body.domain, { hosts: services.hosts, allowPorts: services.allowTargetPorts })
      if (!name.ok) {
        throw new ProblemError('validation_failed', 'One field is not valid.', {
          errors: [{ path: 'domain', message: name.message }],
        })
      }
      const domain = await createDomain(services.db, {
        organisationId: caller.organisation.id,
        domain: name.domain,
        context: body.context,
        environment: body.environment,
        exclude: body.exclude,
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
      const attempts = await services.verifyDomain(domain)
      if (!attempts.some(({ ok }) => ok)) return answer(200, { domain: view(domain), attempts })
      const at = new Date()
      const until = new Date(at.getTime() + VERIFICATION_DAYS * DAY)
      // Null: deleted while the checks ran.
      return answer(200, { domain: view(found(await setVerified(services.db, domain.id, { at, until }))), attempts })
    }),
  ]
}

/** The domain of the path, if it is the caller's. */
export const callersDomain = async (services: Services, caller: Caller, id: string): Promise<StoredDomain> =>
  found(await getDomain(services.db, caller.organisation.id, id))

/** Milliseconds. */
const DAY = 86_400_000

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

const refusePace = (asked: number | null, max: number): void => {
  if (asked === null || asked <= max) return
  throw new ProblemError('validation_failed', 'One field is not valid.', {
    errors: [{ path: 'requests_per_second', message: `must be at most ${max}, the operator's limit` }],
  })
}
