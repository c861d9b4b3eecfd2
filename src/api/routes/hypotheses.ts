import { splitDomain } from '../../contract/domain-name.ts'
import type { FieldErrors } from '../../contract/field-errors.ts'
import type { StartHypothesis } from '../../contract/hypothesis.ts'
import type { SiteRequest } from '../../contract/place.ts'
import { ProblemError } from '../../contract/problem.ts'
import { isOfSite } from '../../contract/site-scope.ts'
import { placeProblem, withoutCredentials } from '../../descriptions/written.ts'
import { createHypothesis, listHypotheses, readHypothesis, supposedIn } from '../../store/hypotheses.ts'
import { sealCredentials } from '../../store/seal.ts'
import { byTime, pageOf } from '../page.ts'
import { about, answer, bind, type Route } from '../route.ts'
import type { Services } from '../services.ts'
import { callersDomain } from './domains.ts'
import { callersRun } from './scans.ts'

export const hypothesisRoutes = (services: Services): readonly Route[] => [
  bind(
    'startHypothesis',
    async ({ params, body, caller }) => {
      const { id: domainId, domain } = await callersDomain(services, caller, params.id)
      const { auth_cookie, auth_header, auth_stored, identities, ...supposed } = body
      const page = body.seen_on === null ? null : pathOn(domain, body.seen_on, 'seen_on')
      const given = { ...body.request, url: pathOn(domain, body.request.url, 'request.url') }
      const why = placeProblem(given, body.point)
      if (why !== null) throw invalid([{ path: 'point.name', message: why }])
      const { request, leftOut } = withoutCredentials(given)
      const seen_on = page === null ? null : withoutCredentials({ ...PLAIN, url: page }).request.url
      const made = await createHypothesis(
        services.db,
        services.plans,
        { organisationId: caller.organisation.id, domainId },
        { ...supposed, request, seen_on, left_out: [...leftOut] },
        {
          sealed: sealCredentials(services.keys, { cookie: auth_cookie, header: auth_header }),
          ...{ auth_stored, identities },
        },
      )
      if ('refused' in made) throw new ProblemError(made.refused, made.detail)
      const queued = await readHypothesis(services.db, made.run)
      if (queued === null) throw new Error('The run was stored without its hypothesis')
      return about(
        `${domain}: ${supposedIn(body.weakness, body.point)}`,
        answer(202, queued, { Location: `/v1/scans/${queued.id}/hypothesis` }),
      )
    },
    () => [{ limit: 'starts' }],
  ),

  bind('listHypotheses', async ({ query: { limit, cursor, domain_id }, caller }) => {
    const scope = ['hypotheses', caller.organisation.id, domain_id]
    const after = cursor === undefined ? null : byTime.parse(services.cursors.open(scope, cursor))
    const found = await listHypotheses(services.db, caller.organisation.id, {
      domainId: domain_id,
      after,
      limit: limit + 1,
    })
    const page = pageOf(found, limit, ({ created_at, id }) =>
      services.cursors.seal(scope, { createdAt: created_at, id }),
    )
    return answer(200, page)
  }),

  bind('readHypothesis', async ({ params, caller }) => {
    const run = await callersRun(services, caller, params.id)
    const found = await readHypothesis(services.db, run)
    if (found === null)
      throw new ProblemError('hypothesis_not_found', 'The run is of the whole domain, not of one place.')
    return answer(200, found)
  }),
]

const PLAIN: Omit<SiteRequest, 'url'> = { method: 'GET', headers: [], cookies: [], multipart: false }

/** Path and query of an address, which has to be of the domain where it names a host. */
const pathOn = (domain: string, address: string, path: keyof StartHypothesis | 'request.url'): string => {
  const url = URL.parse(address, `http://${domain}/`)
  if (url !== null && isOfSite(splitDomain(domain), url)) return `${url.pathname}${url.search}`
  throw invalid([{ path, message: `must be an address on ${domain}, without a user name` }])
}

const invalid = (errors: FieldErrors): ProblemError =>
  new ProblemError('validation_failed', 'One field is not valid.', { errors })
