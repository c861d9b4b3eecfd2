import type { FastifyRequest } from 'fastify'
import { ProblemError } from '../../contract/problem.ts'
import { hasEnded } from '../../contract/run.ts'
import { credentialOf } from '../credential.ts'
import { defaultHeaders } from '../default-headers.ts'
import { openSink } from '../event-sink.ts'
import { bind, type Route, rawAnswer } from '../route.ts'
import type { Services } from '../services.ts'
import { callersRun } from './scans.ts'

export const eventRoutes = (services: Services): readonly Route[] => [
  bind('streamScan', async ({ params, query, caller, request, reply }) => {
    const after = lastEventId(request) ?? query.after ?? 0
    const run = await callersRun(services, caller, params.id)
    if (services.hub.size() >= services.limits.streams) {
      throw new ProblemError('unavailable', 'Too many streams are open.', { headers: { 'Retry-After': '30' } })
    }
    reply.hijack()
    const about = { runId: run.id, credential: credentialOf(caller), after }
    const sink = openSink(reply.raw, about, defaultHeaders(request, services))
    await services.hub.follow(sink, hasEnded(run.status))
    return rawAnswer(200, 'hijacked')
  }),
]

/** The header wins over the query: a browser that reconnects sends the old address with the new header. */
const lastEventId = (request: FastifyRequest): number | null => {
  const header = request.headers['last-event-id']
  if (header === undefined || header === '') return null
  if (typeof header === 'string' && /^\d{1,15}$/.test(header)) return Number(header)
  throw new ProblemError('validation_failed', 'One field is not valid.', {
    errors: [{ path: 'Last-Event-ID', message: 'must be the id of an event: a whole number' }],
  })
}
