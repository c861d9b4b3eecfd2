/** Peers that say nothing, or say it slowly: they have their time, and then their place is somebody else's. */
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestbed } from '../testbed/server.ts'
import { openApi, type TestApi } from './support/api.ts'
import { copyTemplate } from './support/databases.ts'
import { answersIn, type SilentPeer, silentPeer } from './support/raw-http.ts'
import { type Env, PROGRAM, sonde } from './support/sonde.ts'
import { until } from './support/until.ts'

const LONG = process.env.SONDE_LONG === '1'
/** Milliseconds for anything to happen on a busy machine. */
const PATIENCE = 60_000
/** Milliseconds for a whole run, against a hang. */
const WHOLE_RUN = 900_000
const close = (peers: readonly SilentPeer[]): void => {
  for (const { socket } of peers) socket.destroy()
}
const many = <T>(count: number, make: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, () => make()))

describe.concurrent('time', () => {
  let api: TestApi
  let base: URL
  beforeAll(async () => {
    api = await openApi({ arrival: { head: 1_000, request: 3_000, look: 200 } })
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

describe('descriptors', () => {
  const LIMIT = 1_024
  const NETWORK = `127.${200 + (process.pid % 50)}.${(process.pid >> 8) % 256}`

  test(`1,100 silent peers, ${LIMIT} descriptors: answers come${LONG ? ', and a run ends done' : ''}`, {
    timeout: LONG ? 2 * WHOLE_RUN : 240_000,
  }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sonde-edge-'))
    const testbed = await startTestbed({
      flawed: { host: 'shop.test', address: `${NETWORK}.9` },
      fixed: { host: 'shop-fixed.test', address: `${NETWORK}.10` },
    })
    await copyTemplate(join(folder, 'data'))
    chmodSync(join(folder, 'data'), 0o700)
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
      for (let count = 0; count < 20; count += 1) expect((await fetch(new URL('/readyz', base))).status).toBe(200)
      expect(log).not.toMatch(/EMFILE|too many open files/i)
      if (!LONG) return
      const user = { SONDE_URL: ready.base_url, SONDE_API_KEY: ready.api_key }
      const domain = testbed.flawed.http === 80 ? 'shop.test' : `shop.test:${testbed.flawed.http}`
      expect((await sonde(['domain', 'add', domain, '--verified'], env)).code).toBe(0)
      const found = join(folder, 'found.csv')
      const run = ['scan', domain, '--no-privacy', '--no-report', '--csv', found]
      const scan = await sonde(run, user, { deadline: WHOLE_RUN })
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
