import { createServer, type RequestListener, type Server } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openApi, type TestApi } from '../../tests/support/api.ts'
import { ApiError, type Client, ConnectionError, createClient, everyItem } from './client.ts'
import { watchScan } from './event-stream.ts'

describe('against the service', () => {
  let api: TestApi
  let client: Client
  beforeAll(async () => {
    api = await openApi()
    const baseUrl = await api.app.listen({ port: 0, host: '127.0.0.1' })
    client = createClient({ baseUrl: `${baseUrl}/`, apiKey: api.mine.secret })
  })
  afterAll(() => api.close())

  test('starts, reads, lists and cancels', async () => {
    const { id } = await client.startScan({
      body: { domain_id: api.mine.domainId, context: 'shop' },
      headers: { 'idempotency-key': 'a' },
    })
    expect((await client.readScan({ params: { id } })).context).toBe('shop')
    await client.startScan({ body: { domain_id: api.mine.domainId } })
    await client.startScan({ body: { domain_id: api.mine.domainId } })
    const ids: string[] = []
    for await (const run of everyItem((cursor) =>
      client.listScans({ query: { limit: 1, ...(cursor ? { cursor } : {}) } }),
    )) {
      ids.push(run.id)
    }
    expect(ids).toHaveLength(3)
    expect((await client.cancelScan({ params: { id } })).status).toBe('canceled')
    const types: string[] = []
    for await (const event of watchScan(client, id)) types.push(event.type)
    expect(types.at(-1)).toBe('done')
    const { items } = await client.listScans({ query: { status: 'queued' } })
    expect(items).toHaveLength(2)
  })
  test('an answer without a body is undefined', async () => {
    const { id } = await client.createDomain({ body: { domain: 'gone.example.com' } })
    expect(await client.deleteDomain({ params: { id } })).toBeUndefined()
  })
  test('a refusal is an ApiError that names the fields', async () => {
    const error = await client.createDomain({ body: { domain: 'co.uk' } }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 400, problem: { code: 'validation_failed' }, retryAfter: null })
    expect((error as ApiError).message).toContain('domain: is a public suffix')
  })
  test('an id cannot leave its place in the path', async () => {
    const error = await client.readScan({ params: { id: '../domains' } }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ problem: { code: 'scan_not_found' } })
  })
})

describe('against something else', () => {
  let server: Server | null = null
  afterEach(async () => {
    server?.closeAllConnections()
    await new Promise((resolve) => (server === null ? resolve(null) : server.close(resolve)))
    server = null
  })
  const against = async (listener: RequestListener): Promise<Client> => {
    server = createServer(listener)
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    return createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'k', timeout: 300 })
  }
  const cases: readonly [trick: string, listener: RequestListener, message: RegExp][] = [
    ['a page', (_, response) => response.end('<html>'), /not JSON/],
    ['an error page', (_, response) => response.writeHead(502).end('Bad Gateway'), /answered 502/],
    ['JSON of another shape', (_, response) => response.writeHead(400).end('{"error":"no"}'), /answered 400/],
    ['no answer at all', () => undefined, /No answer/],
    ['a cut connection', (request) => request.socket.destroy(), /No answer/],
  ]
  test.each(cases)('%s is a ConnectionError', async (_, listener, message) => {
    const client = await against(listener)
    const error = await client.listScans().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ConnectionError)
    expect((error as Error).message).toMatch(message)
  })
  test('a stream that never says done ends with an error, not never', async () => {
    const client = await against((_, response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(),
    )
    const watching = (async () => {
      for await (const _ of watchScan(client, 'x', { attempts: 3, pause: 1 })) throw new Error('no event was sent')
    })()
    await expect(watching).rejects.toThrow('without a done event')
  })
  test('a service that is away for a while is waited for, longer each time', async () => {
    const asked: number[] = []
    const client = await against((request, response) => {
      asked.push(performance.now())
      if (asked.length < 6) request.socket.destroy()
      else response.writeHead(200, { 'content-type': 'text/event-stream' }).end('id: 7\nevent: done\ndata: {}\n\n')
    })
    const seen: number[] = []
    for await (const { seq } of watchScan(client, 'x', { pause: 4 })) seen.push(seq)
    expect(seen).toEqual([7])
    expect((asked.at(-1) ?? 0) - (asked[0] ?? 0)).toBeGreaterThanOrEqual(4 + 8 + 16 + 32 + 64 - 5)
  })
  test('the caller can stop a call', async () => {
    const client = await against(() => undefined)
    const controller = new AbortController()
    const call = client.listScans({ signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(call).rejects.toThrow('enough')
  })
})
