/** The HTTP interface as one Fastify application. Listening is main's; tests use `inject`. */
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { type Attributes, propagation, ROOT_CONTEXT } from '@opentelemetry/api'
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { ObjectStorage } from '../artifacts/artifacts.ts'
import { ProblemError } from '../contract/problem.ts'
import { tracedAnswer } from '../contract/tracing.ts'
import { listenRuns, read } from '../store/events.ts'
import { activityRecorder } from './activity.ts'
import { noteAnswered } from './answered.ts'
import { answerSockets } from './broken-request.ts'
import { createConnections } from './connections.ts'
import { isCredentialValid } from './credential.ts'
import { createCursors } from './cursor.ts'
import { defaultHeaders } from './default-headers.ts'
import { registerDocs } from './docs.ts'
import { createHub } from './event-hub.ts'
import { createKnownCallers } from './known-callers.ts'
import { createLimiter } from './limiter.ts'
import { allowedMethods } from './methods.ts'
import { createMetrics } from './metrics.ts'
import { registerOpenId } from './open-id.ts'
import { type AppOptions, DEFAULT_ARRIVAL } from './options.ts'
import { noPlace, noTunnel, PROBLEM_TYPE, problemDocument, toProblem } from './problems.ts'
import { recentStats } from './queue-gauges.ts'
import { demandSoundHead } from './request-head.ts'
import { type Route, register } from './route.ts'
import { agentWorkRoutes } from './routes/agent-work.ts'
import { agentRoutes } from './routes/agents.ts'
import { artifactRoutes } from './routes/artifacts.ts'
import { batchRoutes } from './routes/batches.ts'
import { comparisonRoutes } from './routes/comparison.ts'
import { descriptionRoutes } from './routes/descriptions.ts'
import { domainFindingRoutes } from './routes/domain-findings.ts'
import { domainHostRoutes } from './routes/domain-hosts.ts'
import { domainImportRoutes } from './routes/domain-import.ts'
import { domainRoutes } from './routes/domains.ts'
import { erasureRoutes } from './routes/erasures.ts'
import { eventRoutes } from './routes/events.ts'
import { fileRoutes } from './routes/files.ts'
import { findingRoutes } from './routes/findings.ts'
import { hypothesisRoutes } from './routes/hypotheses.ts'
import { identityRoutes } from './routes/identities.ts'
import { loginRoutes } from './routes/logins.ts'
import { matrixRoutes } from './routes/matrix.ts'
import { noticeRoutes } from './routes/notices.ts'
import { organisationRoutes } from './routes/organisation.ts'
import { overviewRoutes } from './routes/overview.ts'
import { policyRoutes } from './routes/policies.ts'
import { retestRoutes } from './routes/retests.ts'
import { scanAgentRoutes } from './routes/scan-agents.ts'
import { scanRoutes } from './routes/scans.ts'
import { scheduleRoutes } from './routes/schedules.ts'
import { serviceRoutes } from './routes/service.ts'
import { sessionRoutes } from './routes/session.ts'
import { triageRoutes } from './routes/triage.ts'
import type { Services } from './services.ts'
import { parseJson } from './validate.ts'
import { openWebApp } from './web-app.ts'

/** Bytes of a request's header block. */
const MAX_HEADERS = 16 * 1024
/** Milliseconds that a connection may rest between two requests; reverse proxies rest theirs for a minute. */
const KEEP_ALIVE = 65_000
/** Milliseconds without a byte in either direction; longer than the slowest answer takes, and than a stream's comments. */
const SILENCE = 180_000
/** A path cannot be longer than the head that brings it, so no parameter is refused for its length alone. */
const MAX_PARAM = MAX_HEADERS
/** Milliseconds that answers under way, downloads above all, get when the service stops. */
const CLOSE_GRACE = 4_000

/** Ready to listen or to inject; `close()` ends every open stream. */
export const buildApp = async (options: AppOptions): Promise<FastifyInstance> => {
  const { logger, arrival = DEFAULT_ARRIVAL } = options
  const limiter = createLimiter(options.db, options.limits)
  const sockets = answerSockets(options.baseUrl, limiter, () => connections)
  const connections = createConnections(options.limits.connections, options.trustProxy ?? [], (socket) =>
    sockets.refuse(noPlace(), socket),
  )
  const app: FastifyInstance = Fastify({
    ...(logger === null ? { logger: false } : { loggerInstance: logger }),
    // One line a request, written by our own hook: Fastify's would hold the address, and with it signatures.
    logController: new LogController({ disableRequestLogging: true }),
    // Each line names its request itself: a logger for each request would be made for one line, and held as long as a stream.
    childLoggerFactory: (of) => of,
    genReqId: () => randomUUID(),
    bodyLimit: options.limits.body,
    requestTimeout: arrival.request,
    keepAliveTimeout: KEEP_ALIVE,
    connectionTimeout: SILENCE,
    http: {
      maxHeaderSize: MAX_HEADERS,
      headersTimeout: arrival.head,
      connectionsCheckingInterval: arrival.look,
      // Node's own 400 for a missing Host has no body; see request-head.ts.
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: MAX_PARAM },
    trustProxy: options.trustProxy === undefined ? false : [...options.trustProxy],
    // Answered by our own hook, as a problem.
    return503OnClosing: false,
    // Requests under way are finished; see preClose for how long.
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => {
      reply.headers(defaultHeaders(request, { limiter, baseUrl: options.baseUrl }))
      return sendProblem(toProblem(error), request, reply)
    },
    clientErrorHandler: sockets.broken,
  })
  connections.watch(app.server)
  // Without a listener Node answers 417 itself, without a document: ours is made by the hook below.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  // Nor does it answer CONNECT at all.
  app.server.on('connect', (_request, socket: Socket) => sockets.refuse(noTunnel(), socket))

  const hub = await createHub({
    read: (runId, after, limit) => read(options.db, runId, after, limit),
    listen: (onRun) => listenRuns(options.db, (wake) => onRun(wake === null ? null : wake.runId)),
    isValid: (credential) => isCredentialValid(options.db, credential),
    onError: (error) => app.log.error({ err: error }, 'reading events failed'),
  })
  const figures = createMetrics(options.metrics, hub.size, recentStats(options.db, options.logger))
  const cursors = createCursors(options.keys)
  const services: Services = {
    ...{ ...options, cursors, hub, limiter, known: createKnownCallers(), figures, connections },
    recordActivity: activityRecorder(options.db),
  }

  const sendProblem = problemSender(options.baseUrl)
  addHooks(app, services)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_: FastifyRequest, body: Buffer) =>
    parseJson(body),
  )
  app.setErrorHandler((error: FastifyError, request, reply) =>
    sendProblem(toProblem(error, request.routeOptions.bodyLimit ?? options.limits.body), request, reply),
  )
  const web = options.webFolder === null ? null : openWebApp(options.webFolder, await fileOrigin(options.storage))
  app.setNotFoundHandler((request, reply) => {
    if (web?.page(request, reply)) return reply
    const allowed = allowedMethods(request.url)
    const problem =
      allowed.length === 0
        ? new ProblemError('not_found', 'There is nothing at this path.')
        : new ProblemError('method_not_allowed', `This path takes ${allowed.join(', ')}.`, {
            headers: { Allow: allowed.join(', ') },
          })
    return sendProblem(problem, request, reply)
  })

  for (const route of routesOf(services)) register(app, services, route)
  registerDocs(app)
  registerOpenId(app, services)
  web?.register(app)
  await app.ready()
  return app
}

type SendProblem = (problem: ProblemError, request: FastifyRequest, reply: FastifyReply) => FastifyReply

const problemSender =
  (baseUrl: AppOptions['baseUrl']): SendProblem =>
  (problem, request, reply) => {
    const document = problemDocument(problem, request.id, baseUrl())
    if (document.status >= 500)
      request.log.error({ err: problem.cause ?? problem, request_id: request.id }, problem.message)
    return reply
      .code(document.status)
      .headers(problem.headers)
      .header('Cache-Control', 'no-store')
      .type(PROBLEM_TYPE)
      .send(JSON.stringify(document))
  }

/** What every request passes before and after its handler. */
const addHooks = (app: FastifyInstance, { hub, figures, limiter, baseUrl, connections }: Services): void => {
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
    await hub.close()
    setTimeout(() => connections.closeAll(), CLOSE_GRACE).unref()
  })
  app.decorateRequest('caller', null)
  app.decorateRequest('admission', null)
  app.decorateRequest('applied')
  app.decorateRequest('span', null)
  app.addHook('onRequest', (request, _reply, done) => {
    // A stream lasts for hours.
    const streams = request.routeOptions.url?.endsWith('/stream') ?? false
    request.span = streams ? null : tracedAnswer(propagation.extract(ROOT_CONTEXT, request.headers))
    if (request.span === null) done()
    else request.span.run(done)
  })
  app.addHook('onRequest', async (request) => {
    request.applied = []
    demandSoundHead(request.raw)
    if (!closing) return
    throw new ProblemError('unavailable', 'The service is stopping.', {
      headers: { 'Retry-After': '5', Connection: 'close' },
    })
  })
  app.addHook('onSend', async (request, reply, payload) => {
    reply.headers(defaultHeaders(request, { limiter, baseUrl: baseUrl }))
    if (!reply.hasHeader('Cache-Control')) reply.header('Cache-Control', 'no-store')
    if (!reply.hasHeader('Content-Security-Policy')) {
      reply.header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'")
    }
    return payload
  })
  app.addHook('onResponse', async (request, reply) => {
    const endpoint = request.routeOptions.url ?? 'unknown'
    request.span?.end(`${request.method} ${endpoint}`, spanOf(request, reply, endpoint), reply.statusCode)
    noteAnswered(figures, request.log, {
      ...{ id: request.id, method: request.method, endpoint, status: reply.statusCode },
      ...{ milliseconds: reply.elapsedTime, organisation: request.caller?.organisation.id },
    })
  })
}

/** Names of OpenTelemetry's semantic conventions for HTTP; never the address, which may hold a signature. */
const spanOf = (request: FastifyRequest, reply: FastifyReply, endpoint: string): Attributes => ({
  'http.request.method': request.method,
  'http.route': endpoint,
  'http.response.status_code': reply.statusCode,
  'sonde.request.id': request.id,
  ...(request.caller ? { 'sonde.organisation.id': request.caller.organisation.id } : {}),
})

const routesOf = (services: Services): readonly Route[] => [
  ...scanRoutes(services),
  ...batchRoutes(services),
  ...eventRoutes(services),
  ...findingRoutes(services),
  ...domainFindingRoutes(services),
  ...comparisonRoutes(services),
  ...triageRoutes(services),
  ...retestRoutes(services),
  ...hypothesisRoutes(services),
  ...agentRoutes(services),
  ...scanAgentRoutes(services),
  ...agentWorkRoutes(services),
  ...scheduleRoutes(services),
  ...noticeRoutes(services),
  ...artifactRoutes(services),
  ...fileRoutes(services),
  ...domainRoutes(services),
  ...domainImportRoutes(services),
  ...loginRoutes(services),
  ...descriptionRoutes(services),
  ...identityRoutes(services),
  ...matrixRoutes(services),
  ...domainHostRoutes(services),
  ...overviewRoutes(services),
  ...sessionRoutes(services),
  ...organisationRoutes(services),
  ...policyRoutes(services),
  ...erasureRoutes(services),
  ...serviceRoutes(services),
]

/** Where signed addresses lead when that is not here. */
const fileOrigin = async (storage: ObjectStorage): Promise<string | null> => {
  if (storage.kind === 'fs') return null
  const about = { filename: 'x', contentType: 'text/plain', expiresIn: 60, now: new Date() }
  return new URL((await storage.signedUrl('runs/origin', about)).url).origin
}
