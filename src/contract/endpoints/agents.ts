/** The interface of agents. What its tools do, other endpoints do. */
import { endpoint, raw } from '../endpoint.ts'

export const AGENTS = {
  callMcp: endpoint({
    method: 'POST',
    path: '/v1/mcp',
    tag: 'Service',
    scope: 'any',
    summary: 'Let an agent call tools',
    description:
      'The Model Context Protocol over streamable HTTP, without sessions: one JSON-RPC message a request, answered by JSON or by a stream of ' +
      'events with the progress before the answer. Tools start and watch runs, read findings and evidence, and prove or refute hypotheses; each ' +
      'needs the scope of the endpoint behind it, counts against the same limits, and is in the activity log. `sonde mcp` speaks it over stdio.',
    headers: [
      {
        name: 'MCP-Protocol-Version',
        description: 'The version that was agreed on by initialize',
        example: '2025-11-25',
      },
    ],
    rawBody: ['application/json'],
    bodyLimit: 256 * 1024,
    responses: {
      200: raw('The answer', ['application/json', 'text/event-stream']),
      202: raw('Taken: a notification has no answer', []),
    },
    problems: ['origin_not_allowed'],
  }),
} as const
