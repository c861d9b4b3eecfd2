import { Readable } from 'node:stream'
import {
  type Batch,
  type BatchResult,
  type CreateBatch,
  RESULT_COLUMNS,
  RESULT_TYPES,
  type ResultFormat,
  resultCells,
} from '../../contract/batch.ts'
import { csvLine } from '../../contract/csv.ts'
import { ProblemError } from '../../contract/problem.ts'
import { batchResults } from '../../store/batch-results.ts'
import {
  addItems,
  cancelBatch,
  dropBatch,
  getBatch,
  listBatches,
  pauseBatch,
  prepared,
  reserveBatch,
  resumeBatch,
} from '../../store/batches.ts'
import { type Idempotency, startedBefore } from '../../store/idempotency.ts'
import { domainsOf, registerDomains, stepsOf, unproven } from '../../store/many-domains.ts'
import { conflict, stoppedBy } from '../../store/runs.ts'
import { preferred } from '../accept.ts'
import { distinctNames } from '../domain-names.ts'
import { idempotencyOf } from '../idempotency.ts'
import { byTime, pageOf } from '../page.ts'
import { about, answer, bind, type Route, rawAnswer } from '../route.ts'
import type { Caller, Services } from '../services.ts'

export const batchRoutes = (services: Services): readonly Route[] => {
  const { db } = services
  return [
    bind('listBatches', async ({ query: { limit, cursor }, caller }) => {
      const scope = ['batches', caller.organisation.id]
      const after = cursor === undefined ? null : byTime.parse(services.cursors.open(scope, cursor))
      const found = await listBatches(db, caller.organisation.id, after, limit + 1)
      const page = pageOf(found, limit, ({ created_at, id }) =>
        services.cursors.seal(scope, { createdAt: created_at, id }),
      )
      return answer(200, page)
    }),

    bind(
      'createBatch',
      async ({ query, body, caller, request }) => {
        if (!Buffer.isBuffer(request.body)) refuseQuery(query)
        const idempotency = idempotencyOf(request, body, services.keys)
        const made =
          (await startedAlready(services, caller, idempotency)) ??
          (await startBatch(services, caller.organisation.id, {
            ...{ list: await listOf(services, caller, body), options: body.options, idempotency },
          }))
        const headers = {
          Location: `/v1/batches/${made.batch.id}`,
          ...(made.created ? {} : { 'Idempotent-Replayed': 'true' }),
        }
        return about(`${made.batch.counts.total} domains`, answer(202, made.batch, headers))
      },
      () => [{ limit: 'starts' }],
    ),

    bind('readBatch', async ({ params, caller }) =>
      answer(200, moved(await getBatch(db, caller.organisation.id, params.id))),
    ),

    bind('readBatchResults', async ({ params, query, caller, request }) => {
      const { id } = moved(await getBatch(db, caller.organisation.id, params.id))
      const format = query.format ?? formatFor(request.headers.accept)
      const rows = Readable.from(linesOf(batchResults(db, id), format))
      const type = format === 'csv' ? `${RESULT_TYPES.csv}; charset=utf-8; header=present` : RESULT_TYPES[format]
      return rawAnswer(200, rows, {
        'Content-Type': type,
        'Content-Disposition': `attachment; filename="batch-${id}.${format}"`,
        'X-Content-Type-Options': 'nosniff',
      })
    }),

    bind('pauseBatch', async ({ params, caller }) =>
      answer(200, moved(await pauseBatch(db, caller.organisation.id, params.id))),
    ),
    bind('resumeBatch', async ({ params, caller }) =>
      answer(200, moved(await resumeBatch(db, caller.organisation.id, params.id))),
    ),
    bind('cancelBatch', async ({ params, caller }) =>
      answer(202, moved(await cancelBatch(db, caller.organisation.id, params.id))),
    ),
  ]
}

const moved = (batch: Batch | 'not_found' | 'ended' | null): Batch => {
  if (batch === null || batch === 'not_found') throw new ProblemError('batch_not_found', 'There is no such batch.')
  if (batch === 'ended') throw new ProblemError('batch_has_ended', 'The batch has ended already.')
  return batch
}

const refuseQuery = (query: Readonly<Record<string, unknown>>): void => {
  const given = Object.keys(query)
  if (given.length === 0) return
  throw new ProblemError('validation_failed', 'Options stand in the body, unless that is a table.', {
    errors: given.map((path) => ({ path, message: 'goes with a body of text/csv' })),
  })
}

/** Distinct; `column`: what the values are. */
interface List {
  readonly column: 'domain' | 'id'
  readonly values: readonly string[]
}

/** What the same key and body have started before. */
const startedAlready = async (
  { db }: Services,
  { organisation }: Caller,
  idempotency: Idempotency | null,
): Promise<Made | null> => {
  const before = idempotency && (await startedBefore(db, organisation.id, idempotency))
  if (before === null) return null
  const batch = before === 'conflict' || !before.batchId ? null : await getBatch(db, organisation.id, before.batchId)
  if (batch !== null) return { batch, created: false }
  const { refused, detail } = conflict()
  throw new ProblemError(refused, detail)
}

/** Throws, in the order of starting a run, for what cannot be registered, is no domain, or would have to be verified. */
const listOf = async (services: Services, { organisation }: Caller, body: CreateBatch): Promise<List> => {
  const list: List =
    body.domain_ids === undefined
      ? { column: 'domain', values: await distinctNames(body.domains ?? [], services) }
      : { column: 'id', values: [...new Set(body.domain_ids.map((id) => id.toLowerCase()))] }
  const stopped = stoppedBy(organisation)
  if (stopped) throw new ProblemError(stopped.refused, stopped.detail)
  if (list.column === 'id') await refuseUnknown(services, organisation.id, list.values)
  if (body.options.active || (body.options.identities ?? []).length > 0) {
    await refuseUnproven(services, organisation.id, list)
  }
  return list
}

interface Made {
  readonly batch: Batch
  readonly created: boolean
}

/** Domains that one answer names. */
const SHOWN = 20

const refuseUnknown = async ({ db }: Services, organisationId: string, ids: readonly string[]): Promise<void> => {
  const unknown: string[] = []
  for (const { part } of stepsOf(ids)) {
    const found = await domainsOf(db, organisationId, part)
    unknown.push(...part.filter((id) => !found.has(id)))
  }
  if (unknown.length === 0) return
  throw new ProblemError(
    'domain_not_found',
    `${countOf(unknown.length, 'id')} of no domain: ${shownOf(unknown, unknown.length)}`,
  )
}

const refuseUnproven = async ({ db }: Services, organisationId: string, { column, values }: List): Promise<void> => {
  const names: string[] = []
  let total = 0
  for (const { part } of stepsOf(values)) {
    const { count, first } = await unproven(db, organisationId, { column, values: part }, SHOWN)
    names.push(...first)
    total += count
  }
  if (total === 0) return
  throw new ProblemError('domain_not_verified', `${countOf(total, 'domain')} to verify first: ${shownOf(names, total)}`)
}

const countOf = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`
const shownOf = (names: readonly string[], total: number): string =>
  `${names.slice(0, SHOWN).join(', ')}${total > SHOWN ? ` and ${total - SHOWN} more` : ''}.`

/** Reserved in one step, written in many: a list of 100,000 holds up nobody. What fails in between is taken back. */
const startBatch = async (
  { db, plans }: Services,
  organisationId: string,
  { list, ...asked }: { readonly list: List } & Pick<Parameters<typeof reserveBatch>[2], 'options' | 'idempotency'>,
): Promise<Made> => {
  const made = await reserveBatch(db, plans, { organisationId, total: list.values.length, ...asked })
  if ('refused' in made) throw new ProblemError(made.refused, made.detail)
  if (!made.created) return made
  const { id } = made.batch
  try {
    for (const { from, part } of stepsOf(list.values)) {
      await addItems(db, id, from, await itemsOf(db, organisationId, { column: list.column, values: part }))
    }
    await prepared(db, id)
  } catch (error) {
    await dropBatch(db, id)
    throw error
  }
  return made
}

const itemsOf = async (
  db: Services['db'],
  organisationId: string,
  { column, values }: List,
): Promise<{ id: string; domain: string }[]> => {
  if (column === 'id') {
    const found = await domainsOf(db, organisationId, values)
    // One that was removed meanwhile is refused when it is drawn.
    return values.map((id) => ({ id, domain: found.get(id) ?? id }))
  }
  const found = await registerDomains(
    db,
    organisationId,
    values.map((domain) => ({ domain })),
  )
  return values.map((domain) => {
    const there = found.get(domain)
    if (there === undefined) throw new Error(`${domain} was not registered`)
    return { id: there.id, domain }
  })
}

const formatFor = (accept: string | undefined): ResultFormat =>
  preferred(accept, Object.values(RESULT_TYPES)) === RESULT_TYPES.csv ? 'csv' : 'ndjson'

/** A piece of text for each page of rows. */
async function* linesOf(pages: AsyncGenerator<BatchResult[]>, format: ResultFormat): AsyncGenerator<string> {
  // Spreadsheets take UTF-8 for Latin-1 without the mark.
  if (format === 'csv') yield `\uFEFF${csvLine(RESULT_COLUMNS)}`
  for await (const rows of pages) {
    yield rows.map((row) => (format === 'csv' ? csvLine(resultCells(row)) : `${JSON.stringify(row)}\n`)).join('')
  }
}
