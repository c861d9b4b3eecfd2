/** Descriptions of interfaces: read when they are brought, kept without hosts and credentials. */
import { MOST_DESCRIPTIONS, MOST_REFUSALS } from '../../contract/description.ts'
import { ProblemError } from '../../contract/problem.ts'
import { Unreadable } from '../../descriptions/operation.ts'
import { readInThread } from '../../descriptions/read-in-thread.ts'
import { createDescription, deleteDescription, listDescriptions, readDescription } from '../../store/descriptions.ts'
import { about, answer, bind, type Route, rawAnswer } from '../route.ts'
import type { Services } from '../services.ts'
import { callersDomain } from './domains.ts'

const MOST_NAME = 200

export const descriptionRoutes = (services: Services): readonly Route[] => {
  const { db } = services
  return [
    bind('listDescriptions', async ({ params, caller }) => {
      const { id } = await callersDomain(services, caller, params.id)
      return answer(200, { items: [...(await listDescriptions(db, caller.organisation.id, id))] })
    }),

    bind('createDescription', async ({ params, query, caller, request }) => {
      const { id, domain } = await callersDomain(services, caller, params.id)
      const { read, files } = await readUpload({
        bytes: request.body as Buffer | undefined,
        type: request.headers['content-type'] ?? '',
        name: query.name ?? 'description',
        options: { path: query.path ?? null, host: domain, foundAt: null },
      })
      const made = await createDescription(db, caller.organisation.id, id, {
        ...{ name: (query.name ?? files.join(', ')).slice(0, MOST_NAME), kind: read.kind, title: read.title },
        ...{ described: read.described, operations: read.operations, refused: read.refused.slice(0, MOST_REFUSALS) },
        ...{ left_out: read.leftOut.slice(0, MOST_REFUSALS), created_by: caller.actor.name },
      })
      if (made === 'too_many_descriptions')
        throw new ProblemError(made, `A domain keeps at most ${MOST_DESCRIPTIONS} descriptions. Remove one first.`)
      if (made === 'domain_not_found') throw new ProblemError(made, 'The domain was removed meanwhile.')
      return about(
        `${domain}: ${made.name}`,
        answer(201, made, { Location: `/v1/domains/${id}/descriptions/${made.id}` }),
      )
    }),

    bind('readDescription', async ({ params, caller }) => {
      const { id } = await callersDomain(services, caller, params.id)
      const found = await readDescription(db, caller.organisation.id, id, params.description_id)
      if (found === null) throw missing()
      return answer(200, found)
    }),

    bind('deleteDescription', async ({ params, caller }) => {
      const { id, domain } = await callersDomain(services, caller, params.id)
      const name = await deleteDescription(db, caller.organisation.id, id, params.description_id)
      if (name === null) throw missing()
      return about(`${domain}: ${name}`, rawAnswer(204, null))
    }),
  ]
}

const missing = (): ProblemError =>
  new ProblemError('description_not_found', 'The domain has no description of this id.')

const readUpload = async ({
  bytes,
  ...upload
}: Omit<Parameters<typeof readInThread>[0], 'bytes'> & { readonly bytes: Buffer | undefined }) => {
  if (bytes === undefined || bytes.length === 0) throw new ProblemError('description_unreadable', 'The body is empty.')
  try {
    return await readInThread({ ...upload, bytes: new Uint8Array(bytes) })
  } catch (error) {
    if (error instanceof Unreadable) throw new ProblemError('description_unreadable', error.message)
    throw error
  }
}
