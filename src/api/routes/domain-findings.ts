import { z } from 'zod'
import type { ChangeFields, ProblemFilters } from '../../contract/domain-finding.ts'
import { ProblemError } from '../../contract/problem.ts'
import { MOST_VIEWS } from '../../contract/saved-view.ts'
import { titleIn } from '../../knowledge/texts/localise.ts'
import { type Translator, translator } from '../../knowledge/texts/texts.ts'
import {
  changeProblems,
  getProblem,
  groupProblems,
  listProblemEvents,
  listProblems,
  type ProblemChange,
  type Searched,
  wordsOf,
} from '../../store/problems.ts'
import { deleteView, listViews, saveView, type ViewOwner } from '../../store/saved-views.ts'
import { byTime, pageOf } from '../page.ts'
import { about, answer, bind, type Route, rawAnswer } from '../route.ts'
import type { Caller, Services } from '../services.ts'
import { callersDomain } from './domains.ts'
import { futureEnd } from './triage.ts'

const Position = z.array(z.string()).min(3).max(4)

export const domainFindingRoutes = (services: Services): readonly Route[] => [
  bind('listDomainFindings', async ({ query, caller: { organisation } }) => {
    const { limit, cursor, sort, language, ...filters } = query
    const texts = translator(language)
    const scope = ['domain-findings', organisation.id, sort, searched(texts, filters)]
    const after = cursor === undefined ? null : Position.parse(services.cursors.open(scope, cursor))
    const found = await listProblems(services.db, organisation.id, searched(texts, filters), {
      sort,
      after,
      limit: limit + 1,
    })
    const { items, next_cursor } = pageOf(found, limit, ({ position }) => services.cursors.seal(scope, position))
    return answer(200, { items: items.map(({ finding }) => titleIn(texts, finding)), next_cursor })
  }),

  bind('countDomainFindings', async ({ query: { language, ...filters }, caller: { organisation } }) => {
    const texts = translator(language)
    const groups = await groupProblems(services.db, organisation.id, searched(texts, filters))
    const items = groups.map((group) => titleIn(texts, group))
    return answer(200, { total: items.reduce((sum, { findings }) => sum + findings, 0), items })
  }),

  bind('readDomainFinding', async ({ params, query: { language }, caller }) =>
    answer(200, titleIn(translator(language), (await callersProblem(services, caller, params)).finding)),
  ),

  bind('changeDomainFinding', async ({ params, query: { language }, body, caller }) => {
    const { finding } = await callersProblem(services, caller, params)
    const [changed] = await change(services, caller, [finding], body)
    return about(finding.title, answer(200, titleIn(translator(language), changed ?? finding)))
  }),

  bind('changeDomainFindings', async ({ query: { language }, body: { findings, ...fields }, caller }) => {
    const texts = translator(language)
    const items = await change(services, caller, findings, fields)
    const [first] = items
    return about(
      items.length === 1 && first ? first.title : `${items.length} findings`,
      answer(200, { items: items.map((item) => titleIn(texts, item)) }),
    )
  }),

  bind('listDomainFindingEvents', async ({ params, query: { limit, cursor }, caller }) => {
    const { finding, names } = await callersProblem(services, caller, params)
    const scope = ['domain-finding-events', finding.domain_id, finding.fingerprint]
    const after = cursor === undefined ? null : byTime.parse(services.cursors.open(scope, cursor))
    const found = await listProblemEvents(services.db, finding.domain_id, names, after, limit + 1)
    return answer(
      200,
      pageOf(found, limit, ({ at, id }) => services.cursors.seal(scope, { createdAt: at, id })),
    )
  }),

  bind('listViews', async ({ caller }) => answer(200, { items: await listViews(services.db, ownerOf(caller)) })),

  bind('saveView', async ({ params: { name }, body: { query }, caller }) => {
    if ((await saveView(services.db, ownerOf(caller), { name, query })) === 'too_many_views') {
      throw new ProblemError('too_many_views', `There are ${MOST_VIEWS} already; forget one first.`)
    }
    return answer(200, { name, query })
  }),

  bind('deleteView', async ({ params: { name }, caller }) => {
    if (await deleteView(services.db, ownerOf(caller), name)) return about(name, rawAnswer(204, null))
    throw new ProblemError('view_not_found', 'You have no view of that name.')
  }),
]

/** Titles are stored in English; a search in another language finds those of its own, too. */
const searched = (texts: Translator, filters: ProblemFilters): Searched => {
  const named = wordsOf(filters.q ?? '').map((word) => ({ word, checks: texts.named(word) }))
  return named.some(({ checks }) => checks.length > 0) ? { ...filters, named } : filters
}

const ownerOf = ({ organisation, actor }: Caller): ViewOwner => ({ organisationId: organisation.id, actorId: actor.id })

const callersProblem = async (
  services: Services,
  caller: Caller,
  { id, fingerprint }: { readonly id: string; readonly fingerprint: string },
) => {
  const domain = await callersDomain(services, caller, id)
  const found = await getProblem(services.db, caller.organisation.id, domain.id, fingerprint)
  if (found === null) throw noFinding()
  return found
}

const change = async (
  { db }: Services,
  { organisation, actor }: Caller,
  keys: readonly { readonly domain_id: string; readonly fingerprint: string }[],
  body: ChangeFields,
) => {
  const done = await changeProblems(db, organisation.id, keys, changeOf(body), actor.name)
  if (done === null) throw noFinding()
  return done
}

const changeOf = ({ state, owner, expires_at, ...rest }: ChangeFields): ProblemChange => {
  if (state === undefined) return rest
  if (state === 'open' || owner === undefined || rest.reason === undefined) return { ...rest, decision: null }
  return { ...rest, decision: { state, owner, reason: rest.reason, expiresAt: futureEnd(expires_at ?? null) } }
}

const noFinding = (): ProblemError => new ProblemError('finding_not_found', 'The domain has no such finding.')
