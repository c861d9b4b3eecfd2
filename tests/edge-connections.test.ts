/** Peers that say nothing, or say it slowly: they have their time, and then their place is somebody else's. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestbed } from '../testbed/server.ts'
import { openApi, type TestApi, UNLIMITED } from './support/api.ts'
import { answersIn, exchange, type SilentPeer, silentPeer } from './support/raw-http.ts'
import { type Env, PROGRAM, sonde } from './support/sonde.ts'
import { until } from './support/until.ts'

/** Milliseconds for anything to happen on a busy machine. */
const PATIENCE = 60_000
const close = (peers: readonly SilentPeer[]): void => {
  for (const { socket } of peers) socket.destroy()
}
const many = <T>(count: number, make: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, () => make()))

describe('time', () => {
  let api: TestApi
  let base: URL
  beforeAll(async () => {
    api = await openApi()
    base = new URL(await api.app.listen({ port: 0, host: '127.0.0.1' }))
  })
  afterAll(() => api.close())

  test('a connection without a word is closed', { timeout: 2 * PATIENCE }, async () => {
    const peers = await many(20, () => silentPeer(base))
    await until(() => peers.every(({ closed }) => closed()), PATIENCE)
  })

  const slow: readonly (readonly [string, string, string])[] = [
    ['a head', 'GET /healthz HTTP/1.1\r\nHost: a\r\n', 'X: y\r\n'],
    [
      'a body',
      'POST /v1/session HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 10000\r\n\r\n',
      ' ',
    ],
  ]
  test.each(slow)('%s that comes in drops gets 408', { timeout: 2 * PATIENCE }, async (_, start, drop) => {
    const { socket, closed } = await silentPeer(base)
    let said = ''
    socket.on('data', (chunk: Buffer) => {
      said += chunk.toString('latin1')
    })
    socket.write(start)
    const dropping = setInterval(() => socket.writable && socket.write(drop), 500)
    await until(closed, PATIENCE).finally(() => clearInterval(dropping))
    const [answer] = answersIn(said)
    expect(answer?.status).toBe(408)
    expect(JSON.parse(answer?.body ?? '').code).toBe('request_timeout')
  })
})

describe('places', () => {
  const limits = { total: 40, waiting: 8, unauthenticated: 16, grace: 0 }
  const opened: TestApi[] = []
  const open = async (
    changes: Partial<typeof limits> = {},
    trustProxy: readonly string[] = [],
    more: Parameters<typeof openApi>[0] = {},
  ) => {
    const connections = { ...limits, ...changes }
    const api = await openApi({ ...more, limits: { ...UNLIMITED, connections }, trustProxy })
    opened.push(api)
    return { api, base: new URL(await api.app.listen({ port: 0, host: '127.0.0.1' })) }
  }
  afterAll(async () => {
    for (const api of opened) await api.close()
  })
  const living = (peers: readonly SilentPeer[]): number => peers.filter(({ closed }) => !closed()).length
  const healthy = async (base: URL): Promise<void> => {
    const said = await exchange(base, 'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    expect(answersIn(said).map(({ status }) => status)).toEqual([200])
  }

  test('the silent ones of an address give way, the oldest first', async () => {
    const { base } = await open()
    const first = await many(8, () => silentPeer(base))
    const later = await many(8, () => silentPeer(base))
    await until(() => living(first) === 0)
    expect(living(later)).toBe(8)
    await healthy(base)
    close(later)
  })

  test('other addresses are not concerned', async () => {
    const { base } = await open()
    const mine = await many(8, () => silentPeer(base, '127.0.0.2'))
    const theirs = await many(20, () => silentPeer(base, '127.0.0.3'))
    await until(() => living(theirs) <= 8)
    expect(living(mine)).toBe(8)
    close([...mine, ...theirs])
  })

  test('a burst is left alone for a moment, and never grows past its bound', async () => {
    const { base } = await open({ grace: 600_000 })
    const peers = await many(16, () => silentPeer(base))
    expect(living(peers)).toBe(16)
    await healthy(base)
    const more = await many(10, () => silentPeer(base))
    await until(() => living([...peers, ...more]) <= 16)
    await healthy(base)
    close([...peers, ...more])
  })

  test('where everybody waits for an answer, one more is refused in words', { timeout: 2 * PATIENCE }, async () => {
    const answers = Promise.withResolvers<void>()
    let asked = 0
    const verifyDomain = async () => {
      asked += 1
      await answers.promise
      return []
    }
    const { api, base } = await open({ total: 4 }, [], { verifyDomain })
    const ask = `POST /v1/domains/${api.mine.domainId}/verify HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${api.mine.secret}\r\n\r\n`
    const callers = await many(4, () => silentPeer(base))
    for (const { socket } of callers) socket.write(ask)
    await until(() => asked === 4, PATIENCE)
    const [refused] = answersIn(await exchange(base))
    expect(refused?.status).toBe(503)
    expect(refused?.headers['retry-after']).toBe('5')
    expect(JSON.parse(refused?.body ?? '').code).toBe('unavailable')
    answers.resolve()
    expect(living(callers)).toBe(4)
    close(callers)
  })

  test('whoever has shown a key does not count against an address', { timeout: 2 * PATIENCE }, async () => {
    const { api, base } = await open({ grace: 600_000 })
    const callers: SilentPeer[] = []
    for (let count = 0; count < 20; count += 1) {
      const peer = await silentPeer(base)
      let said = ''
      peer.socket.on('data', (chunk: Buffer) => {
        said += chunk.toString('latin1')
      })
      peer.socket.write(`GET /v1/scans HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${api.mine.secret}\r\n\r\n`)
      await until(() => said.includes('200 OK'), PATIENCE)
      callers.push(peer)
    }
    await healthy(base)
    expect(living(callers)).toBe(20)
    close(callers)
  })

  test('a trusted proxy stands for many', async () => {
    const { base } = await open({ grace: 600_000 }, ['127.0.0.0/30'])
    const peers = await many(30, () => silentPeer(base))
    await healthy(base)
    expect(living(peers)).toBe(30)
    close(peers)
  })

  test('when all places are taken, the silent stranger goes before the caller', { timeout: 2 * PATIENCE }, async () => {
    const { api, base } = await open({ total: 12, waiting: 100, unauthenticated: 100 })
    const caller = await silentPeer(base, '127.0.0.9')
    let said = ''
    caller.socket.on('data', (chunk: Buffer) => {
      said += chunk.toString('latin1')
    })
    caller.socket.write(`GET /v1/scans HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${api.mine.secret}\r\n\r\n`)
    await until(() => said.includes('200 OK'), PATIENCE)
    for (let round = 0; round < 5; round += 1) await many(12, () => silentPeer(base))
    await healthy(base)
    expect(caller.closed()).toBe(false)
  })
})

describe('descriptors', () => {
  const LIMIT = 1_024
  const NETWORK = `127.${200 + (process.pid % 50)}.${(process.pid >> 8) % 256}`

  test(`1,100 silent peers, ${LIMIT} descriptors: answers come, and a run ends done`, {
    timeout: 240_000,
  }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sonde-edge-'))
    const testbed = await startTestbed({
      flawed: { host: 'shop.test', address: `${NETWORK}.9` },
      fixed: { host: 'shop-fixed.test', address: `${NETWORK}.10` },
    })
    const env: Env = {
      SONDE_DATA: join(folder, 'data'),
      SONDE_HOSTS: `shop.test=${NETWORK}.9`,
      SONDE_ALLOW_NETWORKS: `${NETWORK}.0/24`,
      SONDE_ALLOW_TARGET_PORTS: 'any',
    }
    const words = [`--nofile=${LIMIT}:${LIMIT}`, ...PROGRAM, 'serve', '--port', '0', '--json']
    const child = spawn('prlimit', words, {
      env: { PATH: process.env.PATH ?? '', HOME: folder, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let log = ''
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      log += chunk
    })
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    const peers = new Set<SilentPeer>()
    let pressing = true
    let pressure: Promise<void> = Promise.resolve()
    try {
      const line = await new Promise<string>((resolve, reject) => {
        createInterface({ input: child.stdout }).once('line', resolve)
        void gone.then(() => reject(new Error(`serve ended: ${log}`)))
      })
      const ready = JSON.parse(line)
      const base = new URL(ready.base_url)
      for (const peer of await many(1_100, () => silentPeer(base))) peers.add(peer)
      // Whoever is closed comes back.
      pressure = (async () => {
        while (pressing) {
          for (const peer of [...peers]) if (peer.closed()) peers.delete(peer)
          for (const peer of await many(1_100 - peers.size, () => silentPeer(base))) peers.add(peer)
          await delay(3_000)
        }
      })()
      const user = { SONDE_URL: ready.base_url, SONDE_API_KEY: ready.api_key }
      const domain = testbed.flawed.http === 80 ? 'shop.test' : `shop.test:${testbed.flawed.http}`
      expect((await sonde(['domain', 'add', domain, '--verified'], env)).code).toBe(0)
      const found = join(folder, 'found.csv')
      const run = ['scan', domain, '--no-privacy', '--no-report', '--csv', found]
      const scan = await sonde(run, user, { deadline: 200_000 })
      expect(scan.code, `${scan.err}\n${log}`).toBe(0)
      expect(scan.out).toMatch(/100 % {2}finished/)
      expect(readFileSync(found, 'utf8').split('\n').length).toBeGreaterThan(5)
      expect(log).not.toMatch(/EMFILE|too many open files/i)
    } finally {
      pressing = false
      await pressure
      close([...peers])
      child.kill('SIGTERM')
      await gone
      await testbed.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
