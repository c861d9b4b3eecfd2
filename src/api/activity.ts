/** The activity log: every change that somebody made through the interface. */
import type { FastifyRequest } from 'fastify'
import { type NewActivity, recordActivities } from '../store/activity.ts'
import type { Queryable } from '../store/database.ts'
import { gathered } from './gathered.ts'
import type { Caller, Services } from './services.ts'

/** Writes one entry; the error where it could not be written. */
export type RecordActivity = (entry: NewActivity) => Promise<Error | null>

/** What is changed at once is one statement. One that cannot be written keeps no other from the log. */
export const activityRecorder = (db: Queryable): RecordActivity =>
  gathered(async (entries) => {
    const one = (entry: NewActivity): Promise<Error | null> =>
      recordActivities(db, [entry]).then(
        () => null,
        (error: Error) => error,
      )
    try {
      await recordActivities(db, entries)
      return entries.map(() => null)
    } catch {
      return Promise.all(entries.map(one))
    }
  })

/** The change is done already: a log that cannot be written is an error of ours in our log, not a refusal of it. */
export const noteActivity = async (
  services: Pick<Services, 'recordActivity'>,
  request: FastifyRequest,
  action: string,
  subject: string,
  caller: Caller | null = request.caller,
): Promise<void> => {
  if (caller === null) return
  const { kind, id, name } = caller.actor
  const error = await services.recordActivity({
    ...{ organisationId: caller.organisation.id, actor: { kind, id, name }, action, subject },
  })
  if (error === null) return
  request.log.error({ err: error, request_id: request.id, action }, 'the activity log could not be written')
}

/**
 * What a person calls the thing that was changed: the name in the answer, else the id in the path. Never the URL of a
 * webhook: it may hold a secret.
 */
export const subjectOf = (answer: object, params: unknown): string => {
  const body = 'body' in answer ? answer.body : null
  return nameIn(body) ?? idIn(params) ?? ''
}

const nameIn = (value: unknown): string | null => {
  if (typeof value !== 'object' || value === null) return null
  const fields = value as Record<string, unknown>
  for (const field of ['domain', 'key', 'name', 'title', 'address']) {
    const of = fields[field]
    if (typeof of === 'string') return of
    const inner = nameIn(of)
    if (inner !== null) return inner
  }
  return null
}

const idIn = (params: unknown): string | null => {
  const id = (params as { readonly id?: unknown } | null)?.id
  return typeof id === 'string' ? id : null
}
