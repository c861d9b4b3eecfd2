/** The Model Context Protocol: each tool is a call of this interface with the caller's own key, made within the process. */
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { FastifyInstance, FastifyRequest, InjectOptions } from 'fastify'
import { createClient } from '../../contract/client.ts'
import { ProblemError } from '../../contract/problem.ts'
import type { McpParts, StoredFile } from '../../mcp/parts.ts'
import { artifactOfKind, getArtifact } from '../../store/artifacts.ts'
import { unauthenticated } from '../auth.ts'
import { badRequest } from '../problems.ts'
import { about, bind, type Route, rawAnswer } from '../route.ts'
import type { Services } from '../services.ts'
import { parseJson } from '../validate.ts'

export const agentRoutes = (services: Services): readonly Route[] => [
  bind('callMcp', async ({ caller, request, reply }) => {
    demandOrigin(request, services.baseUrl())
    // A browser that is signed in is no agent: the tools act with what the request itself carries.
    if (caller.session !== null) throw unauthenticated('Send your API key as Authorization: Bearer <key>.')
    const message = messageIn(request)
    const gone = new AbortController()
    reply.raw.once('close', () => gone.abort())
    // Loaded when the first agent calls: most services have none.
    const { answerMessage } = await import('../../mcp/server.ts')
    const response = await answerMessage(partsFor(services, request), asRequest(request), message, gone.signal)
    return about(subjectOf(message), await answerOf(response))
  }),
]

/** A page elsewhere that a browser was led to must not reach a service on this machine (MCP 2025-11-25, transports; DNS rebinding). */
const demandOrigin = ({ headers: { origin } }: FastifyRequest, own: string): void => {
  if (origin === undefined || URL.parse(origin)?.origin === new URL(own).origin) return
  throw new ProblemError('origin_not_allowed', 'Pages of other origins may not call tools.')
}

const messageIn = ({ body }: FastifyRequest): unknown => {
  const message = parseJson(Buffer.isBuffer(body) ? body : Buffer.alloc(0))
  if (typeof message === 'object' && message !== null && !Array.isArray(message)) return message
  throw badRequest('must be one JSON-RPC message; batches are not taken', undefined, 'body')
}

const asRequest = ({ headers }: FastifyRequest): Request => {
  const given = Object.entries(headers).filter(([name]) => PASSED.has(name))
  return new Request('http://sonde.invalid/v1/mcp', { method: 'POST', headers: given as [string, string][] })
}
const PASSED: ReadonlySet<string> = new Set(['accept', 'content-type', 'mcp-protocol-version'])

const answerOf = async (response: Response) => {
  const type = response.headers.get('content-type') ?? ''
  if (response.status >= 400) throw badRequest(refusalIn(await response.text()), undefined, 'body')
  if (response.status === 202 || response.body === null) return rawAnswer(202, null)
  const headers = { 'Content-Type': type, 'X-Accel-Buffering': 'no' }
  return rawAnswer(200, Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]), headers)
}

/** What the protocol says of a message that is none. */
const refusalIn = (text: string): string => {
  const { error } = JSON.parse(text) as { readonly error?: { readonly message?: unknown } }
  return typeof error?.message === 'string' ? error.message : 'is no message of the protocol'
}

/** What the activity log says of it: the tool, and what it is about. Null for what only sets the protocol up. */
const subjectOf = (message: unknown): string | null => {
  const { method, params = {} } = message as { readonly method?: unknown; readonly params?: Record<string, unknown> }
  if (method === 'resources/read') return `read ${printable(params.uri)}`
  if (method !== 'tools/call') return null
  const given = (params.arguments ?? {}) as Record<string, unknown>
  return [params.name, given.domain ?? given.scan_id].map(printable).join(' ').trim()
}

const printable = (value: unknown): string =>
  typeof value === 'string' ? value.replace(/[^\x20-\x7e]/g, '?').slice(0, 120) : ''

const partsFor = (services: Services, request: FastifyRequest): McpParts => {
  const { authorization = '' } = request.headers
  const client = createClient({
    baseUrl: services.baseUrl(),
    apiKey: authorization.replace(/^bearer +/i, '').trim(),
    fetch: within(request.server, request.ip),
  })
  return {
    version: services.version,
    client,
    fault: (error, tool) =>
      request.log.error({ err: error, request_id: request.id, tool }, 'a tool of an agent failed'),
    file: async (scanId, kind, artifactId) => {
      // It decides whether the caller may read the file, and says why not.
      await client.signArtifactUrl({ params: { id: scanId, kind }, query: { artifact_id: artifactId } })
      const found =
        artifactId === undefined
          ? await artifactOfKind(services.db, scanId, kind)
          : await getArtifact(services.db, scanId, artifactId)
      if (found === null) throw new Error('A file that was there a moment ago is gone')
      return storedFile(services, found)
    },
  }
}

const storedFile = (
  { storage }: Services,
  file: {
    readonly filename: string
    readonly content_type: string
    readonly size_bytes: number
    readonly objectKey: string
  },
): StoredFile => ({
  ...{ filename: file.filename, contentType: file.content_type, size: file.size_bytes },
  read: async (start, end) => buffer((await storage.get(file.objectKey, { start, end })).stream),
})

/** Calls of the interface that leave no process: they pass the same checks, limits and log as those from outside. */
const within =
  (app: FastifyInstance, remoteAddress: string): typeof fetch =>
  async (address, init) => {
    init?.signal?.throwIfAborted()
    const { pathname, search } = new URL(String(address))
    const { statusCode, headers, rawPayload } = await app.inject({
      ...{
        method: (init?.method ?? 'GET') as InjectOptions['method'] & string,
        url: `${pathname}${search}`,
        remoteAddress,
      },
      headers: Object.fromEntries(new Headers(init?.headers)),
      ...(typeof init?.body === 'string' ? { payload: init.body } : {}),
    })
    const kept = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    )
    return new Response(statusCode === 204 ? null : new Uint8Array(rawPayload), { status: statusCode, headers: kept })
  }
