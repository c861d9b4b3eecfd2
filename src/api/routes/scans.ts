import { ProblemError } from '../../contract/problem.ts'
import type { RunCreated, RunListItem, RunOptions, RunState, StartRun } from '../../contract/run.ts'
import { Uuid } from '../../contract/run.ts'
import { remainingOf } from '../../store/remaining.ts'
import { listNewest, listRuns, type NewestAsked, USUAL_PAGE } from '../../store/run-list.ts'
import type { RunRecord } from '../../store/run-row.ts'
import { cancelRun, createRun, getRun, readStates, type StateAsked } from '../../store/runs.ts'
import { sealCredentials } from '../../store/seal.ts'
import { gathered } from '../gathered.ts'
import { idempotencyOf } from '../idempotency.ts'
import { byTime, pageOf } from '../page.ts'
import { answer, bind, type Route, writtenAnswer } from '../route.ts'
import type { Caller, Services } from '../services.ts'

export const scanRoutes = (services: Services): readonly Route[] => {
  const newestOf = gathered((asked: readonly NewestAsked[]) => listNewest(services.db, asked))
  const stateOf = gathered((asked: readonly StateAsked[]) => readStates(services.db, asked))
  return [
    bind('listScans', async ({ query: { limit, cursor, ...filters }, caller }) => {
      const scope = ['scans', caller.organisation.id, filters]
      const after = cursor === undefined ? null : byTime.parse(services.cursors.open(scope, cursor))
      const { organisation } = caller
      const isUsual = limit < USUAL_PAGE && Object.values(filters).every((filter) => filter === undefined)
      const found = isUsual
        ? await newestOf({ organisationId: organisation.id, after })
        : await listRuns(services.db, organisation.id, storeFilters(filters), after, limit + 1)
      const { items, next_cursor } = pageOf(found, limit, (item) => {
        const { created_at: createdAt, id }: RunListItem = JSON.parse(item)
        return services.cursors.seal(scope, { createdAt, id })
      })
      return writtenAnswer(200, `{"items":[${items.join(',')}],"next_cursor":${JSON.stringify(next_cursor)}}`)
    }),

    bind(
      'startScan',
      async ({ body, caller, request }) => {
        const result = await createRun(services.db, services.plans, {
          ...options(body),
          organisationId: caller.organisation.id,
          domainId: body.domain_id,
          context: body.context,
          sealedCredentials: sealCredentials(services.keys, { cookie: body.auth_cookie, header: body.auth_header }),
          idempotency: idempotencyOf(request, body, services.keys),
        })
        if ('refused' in result) throw new ProblemError(result.refused, result.detail)
        return answer(202, created(result.run), {
          Location: `/v1/scans/${result.run.id}`,
          ...(result.created ? {} : { 'Idempotent-Replayed': 'true' }),
        })
      },
      () => [{ limit: 'starts' }],
    ),

    bind(
      'readScan',
      async ({ params, caller }) => {
        const run = await stateOf({ organisationId: caller.organisation.id, id: params.id })
        if (run === null) throw notFound()
        const remaining = run.going_on === null ? null : await remainingOf(services.db, run.going_on)
        return writtenAnswer(200, `${run.state},"remaining":${JSON.stringify(remaining)}}`)
      },
      readLimit,
    ),

    bind('cancelScan', async ({ params, caller }) => {
      const result = await cancelRun(services.db, caller.organisation.id, params.id)
      if (result === 'not_found') throw notFound()
      if (result === 'not_cancelable') throw new ProblemError('scan_not_cancelable', 'The run has ended already.')
      return answer(202, result)
    }),
  ]
}

/** The run of the path, if it is the caller's. */
export const callersRun = async (services: Services, caller: Caller, id: string): Promise<RunRecord> => {
  const run = await getRun(services.db, caller.organisation.id, id)
  if (run === null) throw notFound()
  return run
}

const notFound = (): ProblemError => new ProblemError('scan_not_found', 'There is no such run.')

/** Only ids that can name a run are counted: others would fill the table. */
const readLimit: Route['limits'] = (request) => {
  const { id } = request.params as { id: string }
  return Uuid.safeParse(id).success ? [{ limit: 'run', of: id.toLowerCase() }] : []
}

const storeFilters = (filters: {
  domain_id?: string | undefined
  status?: RunState['status'][] | undefined
  tier?: RunState['tier'] | undefined
  from?: string | undefined
  to?: string | undefined
  q?: string | undefined
}) => ({
  domainId: filters.domain_id,
  status: filters.status,
  tier: filters.tier,
  from: filters.from === undefined ? undefined : new Date(filters.from),
  to: filters.to === undefined ? undefined : new Date(filters.to),
  q: filters.q,
})

const created = ({ id, domain, tier, status, progress, context, created_at }: RunRecord): RunCreated => ({
  ...{ id, domain, tier, status, progress, context, created_at },
})

/** Without what is no option: where the run goes, and its secrets. */
const options = ({ domain_id: _d, context: _c, auth_cookie: _a, auth_header: _h, ...rest }: StartRun): RunOptions =>
  rest
