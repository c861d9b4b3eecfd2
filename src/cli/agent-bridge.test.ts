/** The bridge by itself: what it does where the service refuses, is away, or streams. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import { createClient } from '../contract/client.ts'
import { bridge } from './agent-bridge.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

const serving = async (answer: RequestListener): Promise<string> => {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  closing.push(
    () => server.close(),
    () => server.closeAllConnections(),
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const start = (baseUrl: string) => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const log: string[] = []
  const stop = new AbortController()
  const client = createClient({ baseUrl, apiKey: 'sonde_x' })
  const ended = bridge(client, { signal: stop.signal, log: (line) => log.push(line), input, output })
  const lines = createInterface({ input: output })[Symbol.asyncIterator]()
  return {
    ...{ log, stop, ended },
    say: (message: object | string) =>
      input.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`),
    hear: async () => JSON.parse((await lines.next()).value ?? 'null'),
    end: () => input.end(),
  }
}

const PROBLEM = {
  type: 'x',
  title: 'A valid API key is required',
  status: 401,
  request_id: 'r',
  code: 'unauthenticated',
}

test('a refusal is the answer to the message that met it', async () => {
  const at = await serving((_request, response) => {
    response.writeHead(401, { 'content-type': 'application/problem+json' })
    response.end(JSON.stringify({ ...PROBLEM, detail: 'The API key is mistyped, unknown, expired or revoked.' }))
  })
  const { say, hear, end, ended, log } = start(at)
  say({ jsonrpc: '2.0', id: 7, method: 'tools/list' })
  expect(await hear()).toMatchObject({
    id: 7,
    error: { code: -32_000, message: expect.stringContaining('SONDE_API_KEY') },
  })
  say({ jsonrpc: '2.0', method: 'notifications/initialized' })
  end()
  await ended
  expect(log).toEqual([expect.stringContaining('mistyped')])
})

test('a service that is away, that is older, and what is no message', async () => {
  const away = start('http://127.0.0.1:1')
  away.say({ jsonrpc: '2.0', id: 1, method: 'ping' })
  expect((await away.hear()).error.message).toMatch(/^No answer from http:\/\/127.0.0.1:1/)
  away.end()
  await away.ended
  const at = await serving((_request, response) => {
    response.writeHead(404, { 'content-type': 'application/problem+json' })
    response.end(
      JSON.stringify({ ...PROBLEM, status: 404, code: 'not_found', detail: 'There is nothing at this path.' }),
    )
  })
  const older = start(at)
  older.say('this is no JSON')
  older.say({ jsonrpc: '2.0', id: 2, method: 'ping' })
  expect((await older.hear()).error.message).toContain('older than this program')
  expect(older.log).toEqual([expect.stringMatching(/^Not a message of the protocol/)])
  older.stop.abort()
  await older.ended
})

test('progress comes as it is sent, the agreed version goes along, and what is called off is not waited for', async () => {
  const versions: unknown[] = []
  const closed = Promise.withResolvers<void>()
  const at = await serving(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { id, method } = JSON.parse(body)
    versions.push(request.headers['mcp-protocol-version'])
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const send = (data: object): void =>
      void response.write(`: keepalive\n\nevent: message\ndata: ${JSON.stringify(data)}\n\n`)
    if (method === 'initialize') {
      send({ jsonrpc: '2.0', id, result: { protocolVersion: '2025-11-25' } })
      response.end()
    } else {
      response.once('close', () => closed.resolve())
      send({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 5 } })
    }
  })
  const { say, hear, end, ended } = start(at)
  say({ jsonrpc: '2.0', id: 1, method: 'initialize' })
  expect(await hear()).toMatchObject({ id: 1 })
  say({ jsonrpc: '2.0', id: 2, method: 'tools/call' })
  expect(await hear()).toMatchObject({ params: { progress: 5 } })
  say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } })
  await closed.promise
  end()
  await ended
  expect(versions).toEqual([undefined, '2025-11-25'])
})
