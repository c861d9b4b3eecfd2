import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ProblemError } from '../../contract/problem.ts'
import { hasEnded } from '../../contract/run.ts'
import { noteAnswered } from '../answered.ts'
import { bareSocket } from '../bare-socket.ts'
import { credentialOf } from '../credential.ts'
import { defaultHeaders } from '../default-headers.ts'
import type { Sink } from '../event-hub.ts'
import { type About, openSink, openSocketSink } from '../event-sink.ts'
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
    const sink = sinkOf(services, request, reply, about)
    await services.hub.follow(sink, hasEnded(run.status))
    return rawAnswer(200, 'hijacked')
  }),
]

/** Of a connection that can be had alone the request is over with it: what it holds is not kept for as long as the stream. */
const sinkOf = (services: Services, request: FastifyRequest, { raw }: FastifyReply, about: About): Sink => {
  const headers = defaultHeaders(request, services)
  const alone = services.connections.isAlone(request.raw.socket)
  const socket = alone ? bareSocket(request.server.server, request.raw, raw) : null
  if (socket === null) return openSink(raw, about, headers)
  services.connections.handOver(socket)
  noteAtEnd(services, request, socket)
  return openSocketSink(socket, about, headers)
}

/** As the hook does of answers that are Fastify's. */
const noteAtEnd = ({ figures }: Services, request: FastifyRequest, socket: Socket): void => {
  const { id, log, method } = request
  const endpoint = request.routeOptions.url ?? 'unknown'
  const organisation = request.caller?.organisation.id
  const began = performance.now()
  socket.once('close', () => {
    const milliseconds = performance.now() - began
    noteAnswered(figures, log, { id, method, endpoint, status: 200, milliseconds, organisation })
  })
}

/** The header wins over the query: a browser that reconnects sends the old address with the new header. */
const lastEventId = (request: FastifyRequest): number | null => {
  const header = request.headers['last-event-id']
  if (header === undefined || header === '') return null
  if (typeof header === 'string' && /^\d{1,15}$/.test(header)) return Number(header)
  throw new ProblemError('validation_failed', 'One field is not valid.', {
    errors: [{ path: 'Last-Event-ID', message: 'must be the id of an event: a whole number' }],
  })
}
