import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { answersIn, exchange, type SilentPeer, silentPeer } from '../../tests/support/raw-http.ts'
import { until } from '../../tests/support/until.ts'
import { type ConnectionLimits, type Connections, connectionLimits, createConnections } from './connections.ts'

const LIMITS: ConnectionLimits = { total: 40, waiting: 8, unauthenticated: 16, grace: 0 }
/** Milliseconds for anything to happen on a busy machine. */
const PATIENCE = 30_000

interface Bed {
  readonly base: URL
  readonly connections: Connections
  /** Answers to `/hold` that are still owed. */
  readonly held: ServerResponse[]
}

const opened: Server[] = []
afterEach(() => {
  for (const server of opened.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** `/hold` keeps its answer back; whoever sends `Key` is a caller. */
const open = async (changes: Partial<ConnectionLimits> = {}, proxies: readonly string[] = []): Promise<Bed> => {
  const connections = createConnections({ ...LIMITS, ...changes }, proxies, (socket) => {
    socket.end('HTTP/1.1 503 \r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
  })
  const held: ServerResponse[] = []
  const server = createServer((request, response) => {
    if (request.headers.key !== undefined) connections.trust(request.socket)
    if (request.url === '/hold') held.push(response)
    else request.resume().once('end', () => response.end('ok'))
  })
  opened.push(server)
  connections.watch(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { base: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), connections, held }
}

const many = (count: number, make: () => Promise<SilentPeer>): Promise<SilentPeer[]> =>
  Promise.all(Array.from({ length: count }, make))
const living = (peers: readonly SilentPeer[]): number => peers.filter(({ closed }) => !closed()).length
const healthy = async (base: URL): Promise<void> => {
  const said = await exchange(base, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  expect(answersIn(said).map(({ status }) => status)).toEqual([200])
}
/** Connects, sends, and waits until something came back. */
const asking = async (base: URL, text: string, address?: string): Promise<SilentPeer> => {
  const peer = await silentPeer(base, address)
  let said = ''
  peer.socket.on('data', (chunk: Buffer) => {
    said += chunk.toString('latin1')
  })
  peer.socket.write(text)
  await until(() => said.includes(' 200 '), PATIENCE)
  return peer
}
const CALL = 'GET / HTTP/1.1\r\nHost: a\r\nKey: x\r\n\r\n'

describe('places', { timeout: 2 * PATIENCE }, () => {
  test('the silent ones of an address give way, the oldest first', async () => {
    const { base } = await open()
    const first = await many(8, () => silentPeer(base))
    const later = await many(8, () => silentPeer(base))
    await until(() => living(first) === 0, PATIENCE)
    expect(living(later)).toBe(8)
    await healthy(base)
  })

  test('other addresses are not concerned', async () => {
    const { base } = await open()
    const mine = await many(8, () => silentPeer(base, '127.0.0.2'))
    const theirs = await many(20, () => silentPeer(base, '127.0.0.3'))
    await until(() => living(theirs) === 8, PATIENCE)
    expect(living(mine)).toBe(8)
  })

  test('a burst is left alone for a moment, and never grows past its bound', async () => {
    const { base } = await open({ grace: 600_000 })
    const peers = await many(16, () => silentPeer(base))
    expect(living(peers)).toBe(16)
    await healthy(base)
    const more = await many(10, () => silentPeer(base))
    await until(() => living([...peers, ...more]) <= 16, PATIENCE)
    await healthy(base)
  })

  test('whoever has shown a key does not count against an address', async () => {
    const { base } = await open({ grace: 600_000 })
    const callers: SilentPeer[] = []
    for (let count = 0; count < 20; count += 1) callers.push(await asking(base, CALL))
    await healthy(base)
    expect(living(callers)).toBe(20)
  })

  test.each([[['127.0.0.0/30']], [['127.0.0.1']], [['10.0.0.0/8', '::1', '127.0.0.0/8']]])(
    'a trusted proxy stands for many: %j',
    async (proxies) => {
      const { base } = await open({ grace: 600_000 }, proxies)
      const peers = await many(30, () => silentPeer(base))
      await healthy(base)
      expect(living(peers)).toBe(30)
    },
  )

  test('what was handed over is not closed for others, and by the end of all', async () => {
    const { base, connections, held } = await open({ total: 4 })
    const peer = await silentPeer(base)
    peer.socket.write(CALL.replace('/', '/hold'))
    await until(() => held.length === 1, PATIENCE)
    const socket = held[0]?.socket
    if (!socket) throw new Error('There is no socket')
    expect(connections.isAlone(socket)).toBe(true)
    connections.handOver(socket)
    expect(connections.isAlone(socket)).toBe(false)
    const others = await many(8, () => silentPeer(base))
    await until(() => living(others) === 3, PATIENCE)
    expect(peer.closed()).toBe(false)
    connections.closeAll()
    await until(() => living([peer, ...others]) === 0, PATIENCE)
  })

  test('when all places are taken, the silent stranger goes before the caller', async () => {
    const { base } = await open({ total: 12, waiting: 100, unauthenticated: 100 })
    const caller = await asking(base, CALL, '127.0.0.9')
    for (let round = 0; round < 5; round += 1) await many(12, () => silentPeer(base))
    await healthy(base)
    expect(caller.closed()).toBe(false)
  })

  test('whoever is being answered stays; a body that is still on its way is no answer', async () => {
    const { base, connections, held } = await open({ total: 6, waiting: 100, unauthenticated: 100 })
    const answered = await silentPeer(base)
    answered.socket.write('GET /hold HTTP/1.1\r\nHost: a\r\n\r\n')
    const sending = await silentPeer(base)
    sending.socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nsome')
    await until(() => held.length === 1 && connections.size() === 2, PATIENCE)
    for (let round = 0; round < 4; round += 1) await many(8, () => silentPeer(base))
    await until(() => sending.closed(), PATIENCE)
    expect(answered.closed()).toBe(false)
    await healthy(base)
  })

  test('where everybody waits for an answer, one more is refused; afterwards there is a place again', async () => {
    const { base, held } = await open({ total: 4 })
    const callers = await many(4, () => silentPeer(base))
    for (const { socket } of callers) socket.write('GET /hold HTTP/1.1\r\nHost: a\r\n\r\n')
    await until(() => held.length === 4, PATIENCE)
    expect(answersIn(await exchange(base)).map(({ status }) => status)).toEqual([503])
    expect(living(callers)).toBe(4)
    for (const response of held) response.end('ok')
    await until(async () => {
      const said = await exchange(base, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
      return answersIn(said)[0]?.status === 200
    }, PATIENCE)
  })

  test('nothing is remembered of connections that are gone', async () => {
    const { base, connections } = await open()
    const peers = [...(await many(5, () => silentPeer(base))), await asking(base, CALL)]
    await until(() => connections.size() === 6, PATIENCE)
    for (const { socket } of peers) socket.destroy()
    await until(() => connections.size() === 0, PATIENCE)
  })
})

test.each([16, 640, 12_500])('the limits of %d places', (total) => {
  const { waiting, unauthenticated } = connectionLimits(total)
  expect(waiting).toBeGreaterThanOrEqual(12)
  expect(unauthenticated).toBeLessThanOrEqual(total)
})
