/** Hosts that runs of a domain have seen, with what is registered of them. */
import { z } from 'zod'
import { hostsOf, type StoredHosts, type StoredNames } from '../../contract/domain-host.ts'
import { newestFacts, registeredAmong } from '../../store/domain-hosts.ts'
import { pageOf } from '../page.ts'
import { answer, bind, type Route } from '../route.ts'
import type { Services } from '../services.ts'
import { callersDomain } from './domains.ts'

const NAMES = 'names'
const NAMESERVERS = 'nameservers'
/** How many of the filtered hosts stand before the page. */
const Position = z.strictObject({ after: z.int().min(0) })

export const domainHostRoutes = (services: Services): readonly Route[] => [
  bind('listDomainHosts', async ({ params, query: { limit, cursor, state }, caller }) => {
    const { db, cursors } = services
    const domain = await callersDomain(services, caller, params.id)
    const kept = await newestFacts(db, domain.id, [NAMES, NAMESERVERS])
    // As the modules have left them, whose facts the compiler holds to these.
    const names = kept.find(({ module }) => module === NAMES) as { run_id: string; facts: StoredNames } | undefined
    const hosts = kept.find(({ module }) => module === NAMESERVERS) as
      | { run_id: string; facts: StoredHosts }
      | undefined
    const all = hostsOf(
      names === undefined ? null : { runId: names.run_id, facts: names.facts },
      hosts === undefined ? null : { runId: hosts.run_id, facts: hosts.facts },
    )
    const registered = await registeredAmong(
      db,
      caller.organisation.id,
      all.map(({ host }) => host),
    )
    const wanted = all.filter(({ host }) => state === undefined || registered.has(host) === (state === 'registered'))
    const scope = ['domain-hosts', domain.id, { state }]
    const after = cursor === undefined ? 0 : Position.parse(cursors.open(scope, cursor)).after
    const page = pageOf(wanted.slice(after, after + limit + 1), limit, () =>
      cursors.seal(scope, { after: after + limit }),
    )
    return answer(200, {
      ...{ proposed: all.length - registered.size, registered: registered.size },
      ...{ looked_for: hosts?.facts.hosts !== undefined, left: [...(hosts?.facts.hosts?.left ?? [])] },
      ...page,
      items: page.items.map((host) => ({ ...host, domain_id: registered.get(host.host) ?? null })),
    })
  }),
]
