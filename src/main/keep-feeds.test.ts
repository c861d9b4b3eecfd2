/** Two workers of one database: what the first fetches from the mirror, the second takes from the storage. */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { until } from '../../tests/support/until.ts'
import { fsStorage } from '../artifacts/fs.ts'
import { oneKey } from '../contract/secret-keys.ts'
import { readActive } from '../knowledge/feeds/active.ts'
import { keepFeeds } from './keep-feeds.ts'
import type { Runtime } from './runtime.ts'

const KEV = JSON.stringify({ vulnerabilities: [{ cveID: 'CVE-2026-1001', dateAdded: '2026-05-01' }] })

it('a fleet asks its publisher once', async () => {
  const home = mkdtempSync(join(tmpdir(), 'sonde-fleet-'))
  const asked: string[] = []
  const mirror = createServer((request, response) => {
    const isKev = request.url?.endsWith('/known_exploited_vulnerabilities.json') ?? false
    if (isKev) asked.push(request.url ?? '')
    response.writeHead(isKev ? 200 : 404, { etag: '"1"' }).end(isKev ? KEV : '')
  })
  mirror.listen(0, '127.0.0.1')
  await once(mirror, 'listening')
  const keys = oneKey(Buffer.alloc(32, 7))
  const storage = fsStorage({ folder: join(home, 'files'), keys, baseUrl: () => '' })
  const worker = (name: string) => {
    const dataDir = join(home, name)
    const feeds = new URL(`http://127.0.0.1:${(mirror.address() as AddressInfo).port}/`)
    const config = { dataDir, feeds, databaseUrl: 'postgres://fleet.test/sonde' }
    const kept = keepFeeds({ config, storage, keys, logger: pino({ level: 'silent' }) } as unknown as Runtime)
    return { kept, version: () => readActive(join(dataDir, 'knowledge'), 'kev')?.version ?? null }
  }
  const shared = async (): Promise<boolean> => {
    const note = await storage.get('feeds/kev.json').catch(() => null)
    note?.stream.resume()
    return note !== null
  }
  const one = worker('one')
  try {
    await until(shared, 600_000)
    const other = worker('other')
    try {
      await until(() => other.version() !== null, 600_000)
      expect(other.version()).toBe(one.version())
      expect(asked).toHaveLength(1)
    } finally {
      await other.kept.stop()
    }
  } finally {
    await one.kept.stop()
    mirror.closeAllConnections()
    mirror.close()
    rmSync(home, { recursive: true, force: true })
  }
}, 1_300_000)
