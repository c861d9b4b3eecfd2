/**
 * Carries messages of the Model Context Protocol between stdin and stdout and the service, which has the tools: what an agent does is checked,
 * counted and logged there, whichever way it came.
 */
import type { Readable, Writable } from 'node:stream'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { ApiError, type Client, ConnectionError } from '../contract/client.ts'
import { blocks, fieldsOf } from '../contract/event-stream.ts'
import { sleep } from '../contract/sleep.ts'
import { explain } from './exit.ts'

interface BridgeOptions {
  /** Aborted when the program has to end. */
  readonly signal: AbortSignal
  /** What nobody can be told by a message. */
  readonly log: (line: string) => void
  readonly input?: Readable
  readonly output?: Writable
}

type Id = string | number

/** Milliseconds for what is under way when the agent's program has closed stdin. */
const GRACE = 2_000
/** JSON-RPC 2.0, 5.1: errors of a server of one's own. */
const SERVER_ERROR = -32_000

/** Until stdin ends or the signal is given. */
export const bridge = async (client: Client, options: BridgeOptions): Promise<void> => {
  const { signal, log, input = process.stdin, output = process.stdout } = options
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js')
  const transport = new StdioServerTransport(input, output)
  const running = new Map<Id, AbortController>()
  const pending = new Set<Promise<void>>()
  let version: string | null = null

  const forward = async (message: JSONRPCMessage, stop: AbortSignal): Promise<void> => {
    const response = await client.request('callMcp', {
      raw: { type: 'application/json', content: JSON.stringify(message) },
      headers: {
        accept: 'application/json, text/event-stream',
        ...(version === null ? {} : { 'mcp-protocol-version': version }),
      },
      signal: AbortSignal.any([signal, stop]),
    })
    for await (const answer of messagesOf(response)) {
      version = agreedIn(answer) ?? version
      await transport.send(answer)
    }
  }

  const take = async (message: JSONRPCMessage): Promise<void> => {
    const id = 'method' in message && 'id' in message ? message.id : null
    const stop = new AbortController()
    if (id !== null) running.set(id, stop)
    try {
      await forward(message, stop.signal)
    } catch (error) {
      // Whoever called it off waits for nothing (MCP, cancellation).
      if (stop.signal.aborted || signal.aborted) return
      const said = sentenceOf(error)
      if (id === null) log(said)
      else await transport.send({ jsonrpc: '2.0', id, error: { code: SERVER_ERROR, message: said } })
    } finally {
      if (id !== null) running.delete(id)
    }
  }

  transport.onmessage = (message) => {
    const off = cancelledBy(message)
    if (off !== null) return running.get(off)?.abort()
    const work: Promise<void> = take(message).finally(() => pending.delete(work))
    pending.add(work)
  }
  transport.onerror = (error) => log(`Not a message of the protocol: ${error.message.slice(0, 300)}`)
  await transport.start()
  await endOf(input, signal)
  const waited = new AbortController()
  await Promise.race([
    Promise.all(pending),
    sleep(GRACE, AbortSignal.any([signal, waited.signal])).catch(() => undefined),
  ])
  waited.abort()
  for (const one of running.values()) one.abort()
  await transport.close()
}

const endOf = (input: Readable, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    input.once('end', resolve)
    input.once('close', resolve)
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

async function* messagesOf(response: Response): AsyncGenerator<JSONRPCMessage> {
  if (response.status === 202 || response.body === null) return
  if (!(response.headers.get('content-type') ?? '').startsWith('text/event-stream')) {
    yield (await response.json()) as JSONRPCMessage
    return
  }
  for await (const block of blocks(response.body)) {
    const data = fieldsOf(block).get('data')
    if (data) yield JSON.parse(data) as JSONRPCMessage
  }
}

/** The version that initialize has agreed on; every later message names it. */
const agreedIn = (message: JSONRPCMessage): string | null => {
  const agreed = 'result' in message ? message.result.protocolVersion : null
  return typeof agreed === 'string' ? agreed : null
}

const cancelledBy = (message: JSONRPCMessage): Id | null => {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return null
  const id = message.params?.requestId
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

const sentenceOf = (error: unknown): string => {
  if (error instanceof ApiError && error.status === 404)
    return 'The service has no tools for agents: it is older than this program.'
  if (error instanceof ApiError || error instanceof ConnectionError) return explain(error)
  return `The answer of the service could not be read: ${error instanceof Error ? error.message : String(error)}`
}
