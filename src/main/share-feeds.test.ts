/** What one worker has fetched is there for the others, and only one of them fetches. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { fsStorage } from '../artifacts/fs.ts'
import { oneKey, type SecretKeys } from '../contract/secret-keys.ts'
import { readBundle } from '../feeds/bundle.ts'
import { SignatureError } from '../feeds/minisign.ts'
import { adoptState, readState } from '../feeds/update.ts'
import { readActive } from '../knowledge/feeds/active.ts'
import { importFeed } from '../knowledge/feeds/import.ts'
import { inTurn, publishFeed, type Sharing, takeShared } from './share-feeds.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'sonde-share-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const SECRET = Buffer.alloc(32, 7)
const storage = () => fsStorage({ folder: join(home, 'files'), keys: oneKey(SECRET), baseUrl: () => '' })

const worker = (name: string, keys: SecretKeys = oneKey(SECRET)): Sharing => {
  const folder = join(home, name)
  return {
    ...{ folder, storage: storage(), keys, settles: 20 },
    takeBundle: async (path, key) => {
      try {
        return (await readBundle(folder, path, key)).some(({ active }) => active !== null)
      } catch (error) {
        if (error instanceof SignatureError) return false
        throw error
      }
    },
  }
}

const fetchKev = ({ folder }: Sharing, id: string, at: string): void => {
  const path = join(home, 'kev.json')
  writeFileSync(path, JSON.stringify({ vulnerabilities: [{ cveID: id, dateAdded: '2026-05-01' }] }))
  importFeed(folder, 'kev', path, new Date(at))
  const due_at = new Date(Date.parse(at) + 24 * 3_600_000).toISOString()
  adoptState(folder, 'kev', {
    ...{ due_at, checked_at: at, problem: null, failures: 0 },
    files: { 'kev.json': { etag: `"${id}"`, modified: null } },
  })
}

it('comes with the date of the next question and what the publisher recognises it by', async () => {
  const [one, other] = [worker('one'), worker('other')]
  fetchKev(one, 'CVE-2026-1001', '2026-11-22T10:00:00Z')
  await publishFeed(one, 'kev')
  expect(await takeShared(other)).toEqual(['kev'])
  expect(readActive(other.folder, 'kev')).toEqual(readActive(one.folder, 'kev'))
  expect(readState(other.folder, 'kev')).toEqual(readState(one.folder, 'kev'))
  expect(await takeShared(other)).toEqual([])
})

it('never goes back to what is older', async () => {
  const [one, other] = [worker('one'), worker('other')]
  fetchKev(one, 'CVE-2026-1001', '2026-11-22T10:00:00Z')
  await publishFeed(one, 'kev')
  fetchKev(other, 'CVE-2026-1002', '2026-11-23T10:00:00Z')
  const before = readActive(other.folder, 'kev')
  expect(await takeShared(other)).toEqual([])
  expect(readActive(other.folder, 'kev')).toEqual(before)
})

it('is not taken from who has another secret, and is while one secret replaces another', async () => {
  const fresh = Buffer.alloc(32, 8)
  fetchKev(worker('one'), 'CVE-2026-1001', '2026-11-22T10:00:00Z')
  await publishFeed(worker('one'), 'kev')
  expect(await takeShared(worker('stranger', oneKey(fresh)))).toEqual([])
  expect(await takeShared(worker('later', { current: fresh, accepted: [fresh, SECRET] }))).toEqual(['kev'])
})

it('is refused where the storage holds something else in its place', async () => {
  fetchKev(worker('one'), 'CVE-2026-1001', '2026-11-22T10:00:00Z')
  await publishFeed(worker('one'), 'kev')
  const path = join(home, 'files', 'feeds', 'kev.bundle')
  const whole = readFileSync(path)
  const inside = whole.indexOf(Buffer.from([0x1f, 0x8b, 8])) + 60
  whole[inside] = (whole[inside] ?? 0) ^ 1
  await storage().put('feeds/kev.bundle', whole, { contentType: 'application/octet-stream' })
  const other = worker('other')
  expect(await takeShared(other)).toEqual([])
  expect(readActive(other.folder, 'kev')).toBeNull()
})

it('one of two who begin at once fetches', async () => {
  const ran: string[] = []
  const begin = (name: string) =>
    inTurn(worker(name), async () => {
      ran.push(name)
    })
  const done = await Promise.all([begin('one'), begin('other')])
  expect(done.toSorted()).toEqual([false, true])
  expect(ran).toHaveLength(1)
  // The turn is given back.
  expect(await begin('third')).toBe(true)
})

it('waits for who is at it, and not for who died hours ago', async () => {
  const put = (until: string) =>
    storage().put('feeds/turn.json', Buffer.from(JSON.stringify({ of: 'somebody', until })), {
      contentType: 'application/json',
    })
  await put(new Date(Date.now() + 60_000).toISOString())
  expect(await inTurn(worker('one'), () => Promise.reject(new Error('not my turn')))).toBe(false)
  expect((await buffer((await storage().get('feeds/turn.json')).stream)).toString()).toContain('somebody')
  await put(new Date(Date.now() - 60_000).toISOString())
  expect(await inTurn(worker('one'), () => Promise.resolve())).toBe(true)
})
