import { parseDomainName } from '../../contract/domain-name.ts'
import { ProblemError } from '../../contract/problem.ts'
import { ERASED, eraseDomain, listErasures, readErasure } from '../../store/erasures.ts'
import { byTime, pageOf } from '../page.ts'
import { about, answer, bind, type Route } from '../route.ts'
import type { Services } from '../services.ts'

export const erasureRoutes = (services: Services): readonly Route[] => [
  bind('eraseDomain', async ({ body, caller: { organisation, actor } }) => {
    if (body.confirm !== body.domain) {
      throw new ProblemError('validation_failed', 'One field is not valid.', {
        errors: [{ path: 'confirm', message: 'must be the same name as domain' }],
      })
    }
    // As it was registered, under whatever rules that was.
    const name = parseDomainName(body.domain, { hosts: services.hosts, allowPorts: true, anySuffix: true })
    const domain = name.ok ? name.domain : body.domain
    const made = await eraseDomain(services.db, { organisationId: organisation.id, askedBy: actor.name, domain })
    if (made === 'domain_not_found') throw new ProblemError(made, 'Nothing is stored of such a domain.')
    if (made === 'domain_in_use')
      throw new ProblemError(
        made,
        'A run of the domain has not ended, or a report of one is being made. Cancel it or wait for its end.',
      )
    // In the activity log the name would outlive what was erased.
    return about(ERASED, answer(202, made))
  }),

  bind('listErasures', async ({ query: { limit, cursor }, caller: { organisation } }) => {
    const scope = ['erasures', organisation.id]
    const after = cursor === undefined ? null : byTime.parse(services.cursors.open(scope, cursor))
    const found = await listErasures(services.db, organisation.id, after, limit + 1)
    return answer(
      200,
      pageOf(found, limit, ({ asked_at, id }) => services.cursors.seal(scope, { createdAt: asked_at, id })),
    )
  }),

  bind('readErasure', async ({ params, caller: { organisation } }) => {
    const found = await readErasure(services.db, organisation.id, params.id)
    if (found === null) throw new ProblemError('erasure_not_found', 'There is no such erasure.')
    return answer(200, found)
  }),

  bind('scanAddresses', async () =>
    answer(200, {
      addresses: [...services.scanAddresses],
      header: 'Sonde-Run' as const,
      verify: `${services.baseUrl()}/v1/verify-traffic?sonde_run={value}`,
    }),
  ),
]
