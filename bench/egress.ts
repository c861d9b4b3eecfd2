/** Requests a second through the whole door to a server on loopback, beside bare node:http with a keep-alive agent. */
import { Agent, createServer, get } from 'node:http'
import { createEgress } from '../src/egress/door/create-egress.ts'
import { publish, row } from './table.ts'

const SECONDS = 3
const AT_ONCE = 10
const PAGE = Buffer.alloc(2048, 'x')

const server = createServer((_, response) => response.end(PAGE))
await new Promise<void>((resolve) => {
  server.listen(0, '127.0.0.1', resolve)
})
const address = server.address()
const port = address !== null && typeof address === 'object' ? address.port : 0
const stop = new AbortController()
const run = createEgress({
  settings: {
    hosts: { 'bench.test': ['127.0.0.1'] },
    allowNetworks: ['127.0.0.0/8'],
    resolvers: ['127.0.0.1'],
    requestsPerSecond: 1_000_000,
    concurrency: AT_ONCE,
    contact: '',
    trafficKey: Buffer.alloc(32, 1).toString('base64url'),
  },
  runId: '00000000-0000-4000-8000-000000000000',
  version: '0',
  target: { host: 'bench.test', port },
  credentials: { cookie: null, header: null },
  audit: () => undefined,
  signal: stop.signal,
})
const egress = run.forModule('bench', { requests: 10_000_000, signal: stop.signal })
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })

const bare = () =>
  new Promise<void>((resolve, reject) => {
    get({ host: '127.0.0.1', port, agent }, (response) => {
      response.resume()
      response.once('end', resolve)
    }).once('error', reject)
  })

const rate = async (ask: () => Promise<unknown>): Promise<number> => {
  let done = 0
  const until = performance.now() + SECONDS * 1000
  const loop = async () => {
    while (performance.now() < until) {
      await ask()
      done += 1
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, loop))
  return Math.round(done / SECONDS)
}

const door = () => egress.http({ url: `http://bench.test:${port}/` })
await rate(door)
const peer = await rate(bare)
const ours = await rate(door)
publish('egress', [
  row({
    ...{ id: 'egress-http', what: `keep-alive GET of 2 KiB, ${AT_ONCE} at once`, unit: 'requests/s', ours },
    peer: { name: 'bare node:http with an agent', value: peer },
    target: { text: '≥ 1,500', met: (rate) => rate >= 1_500 },
  }),
])
await run.close()
agent.destroy()
server.closeAllConnections()
server.close()
