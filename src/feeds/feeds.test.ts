/** How feeds come by themselves: from a publisher on loopback that can break off, lie, fall silent, and be away. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { until } from '../../tests/support/until.ts'
import { readActive } from '../knowledge/feeds/active.ts'
import { download } from './download.ts'
import { FETCHED, sourcesOf } from './sources.ts'
import { dueFeeds, type FeedUpdate, readState, settleEnded, type UpdateOptions, updateFeeds } from './update.ts'

type Answer = (headers: IncomingHttpHeaders, response: ServerResponse) => void

let folder: string
let server: Server
let base: string
let asked: string[]
const answers = new Map<string, Answer>()
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-feeds-'))
  asked = []
  answers.clear()
  server = createServer(({ url = '', headers }, response) => {
    asked.push(url)
    const answer = answers.get(url)
    if (answer) return answer(headers, response)
    response.statusCode = 404
    response.end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** As a static server does: with an ETag, 304, and ranges. */
const serves = (path: string, body: string | Buffer, headers: Readonly<Record<string, string>> = {}): void => {
  const bytes = Buffer.from(body)
  const etag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}"`
  answers.set(path, (request, response) => {
    if (request['if-none-match'] === etag) return void response.writeHead(304, { etag }).end()
    const from = Number(/^bytes=(\d+)-$/.exec(request.range ?? '')?.[1] ?? 0)
    if (from === 0 || request['if-range'] !== etag) return void response.writeHead(200, { etag, ...headers }).end(bytes)
    const range = `bytes ${from}-${bytes.length - 1}/${bytes.length}`
    response.writeHead(206, { etag, 'content-range': range, ...headers }).end(bytes.subarray(from))
  })
}

describe('a download', () => {
  const path = (): string => join(folder, 'file')
  const source = (more: object = {}) => ({ url: `${base}/file`, file: 'file', largest: 1_000_000, ...more })
  const get = (
    known: Parameters<typeof download>[2] = null,
    more: object = {},
    patience = { silent: 5_000, whole: 20_000 },
  ) => download(source(more), path(), known, new AbortController().signal, patience)

  test('is written whole, and not again while it has not changed', async () => {
    serves('/file', 'one')
    const validators = await get()
    expect(readFileSync(path(), 'utf8')).toBe('one')
    expect(await get(validators)).toBeNull()
    serves('/file', 'two')
    expect(await get(validators)).not.toBeNull()
    expect(readFileSync(path(), 'utf8')).toBe('two')
    expect(existsSync(`${path()}.part`)).toBe(false)
  })

  test('that broke off is continued, and begun anew where the file is another one by then', async () => {
    const whole = 'abcdefghij'.repeat(1_000)
    const broken: Answer = (_, response) => {
      response.writeHead(200, { etag: '"v1"', 'content-length': String(whole.length) })
      response.write(whole.slice(0, 4_000))
      const written = (): boolean => statSync(`${path()}.part`, { throwIfNoEntry: false })?.size === 4_000
      void until(async () => written(), 10_000).then(() => response.destroy())
    }
    answers.set('/file', broken)
    await expect(get()).rejects.toThrow()
    const ranges: (string | undefined)[] = []
    answers.set('/file', ({ range, 'if-range': condition }, response) => {
      ranges.push(range)
      expect(condition).toBe('"v1"')
      const from = Number(/\d+/.exec(range ?? '')?.[0])
      response.writeHead(206, { etag: '"v1"', 'content-range': `bytes ${from}-9999/10000` }).end(whole.slice(from))
    })
    await get()
    expect(readFileSync(path(), 'utf8')).toBe(whole)
    expect(ranges).toEqual(['bytes=4000-'])
    answers.set('/file', broken)
    await expect(get()).rejects.toThrow()
    serves('/file', 'another')
    await get()
    expect(readFileSync(path(), 'utf8')).toBe('another')
  })

  const packed = gzipSync('content')
  const sha256 = createHash('sha256').update('content').digest('hex')
  const checksum = () => ({ checksum: { url: `${base}/meta`, unpackedSha256: /^sha256:([\dA-F]{64})\s*$/im } })
  test('is compared with the checksums of its publisher', async () => {
    serves('/file', packed)
    serves('/meta', `size:7\r\nsha256:${sha256.toUpperCase()}\r\n`)
    await get(null, checksum())
    expect(readFileSync(path())).toEqual(packed)
    serves('/meta', `sha256:${'0'.repeat(64)}`)
    await expect(get(null, checksum())).rejects.toThrow(/is not what .*\/meta says it is/)
    expect(existsSync(`${path()}.part`)).toBe(false)
    answers.delete('/meta')
    await expect(get(null, checksum())).rejects.toThrow(/names no checksum \(answer 404\)/)
  })

  test.each([
    ['Repr-Digest', { 'repr-digest': `sha-256=:${createHash('sha256').update('x').digest('base64')}:` }],
    ['x-goog-hash', { 'x-goog-hash': `crc32c=AAAAAA==, md5=${createHash('md5').update('x').digest('base64')}` }],
  ])('is compared with %s', async (name, headers) => {
    serves('/file', 'x', headers)
    await get()
    serves('/file', 'y', headers)
    await expect(get()).rejects.toThrow(`is not what ${name} says it is`)
  })

  test('is written whole where its server says that it closes, and closes while the body waits', async () => {
    const body = Buffer.alloc(4_000_000, 'x')
    const closing = createTcpServer((socket) => {
      socket.once('data', () => {
        socket.write(`HTTP/1.0 200 OK\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`)
        socket.end(body)
      })
      socket.on('error', () => undefined)
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => closing.once('listening', resolve))
    const url = `http://127.0.0.1:${(closing.address() as AddressInfo).port}/file`
    for (let turn = 0; turn < 10; turn += 1) {
      await get(null, { url, largest: 5_000_000 })
      expect(statSync(path()).size).toBe(body.length)
    }
    closing.close()
  })

  test('is asked for where it has moved to, and what is packed on the way is unpacked', async () => {
    answers.set('/file', (_, response) => void response.writeHead(302, { location: '/there' }).end())
    serves('/there', gzipSync('moved'), { 'content-encoding': 'gzip' })
    await get()
    expect(readFileSync(path(), 'utf8')).toBe('moved')
    answers.set('/there', (_, response) => void response.writeHead(302, { location: '/file' }).end())
    await expect(get()).rejects.toThrow('it is redirected more than 10 times')
  })

  test('ends where it is too large, too short, or silent', async () => {
    serves('/file', 'x'.repeat(2_000))
    await expect(get(null, { largest: 1_000 })).rejects.toThrow('sends more than 1000 bytes')
    answers.set('/file', (_, response) => void response.writeHead(503).end())
    await expect(get()).rejects.toThrow('answered 503')
    answers.set('/file', (_, response) => void response.writeHead(200).write('a'))
    await expect(get(null, {}, { silent: 200, whole: 20_000 })).rejects.toThrow('nothing came for 0.2 s')
  })
})

describe('an update', () => {
  const KEV = JSON.stringify({ vulnerabilities: [{ cveID: 'CVE-2024-1000', dateAdded: '2024-05-01' }] })
  let now: Date
  beforeEach(() => {
    now = new Date('2026-11-23T10:00:00Z')
  })
  const update = async (feeds: readonly (typeof FETCHED)[number][], more: Partial<UpdateOptions> = {}) => {
    const all: FeedUpdate[] = []
    const options = { folder, origin: new URL(`${base}/mirror`), signal: new AbortController().signal, ...more }
    for await (const one of updateFeeds(feeds, { now: () => now, random: () => 0.5, ...options })) all.push(one)
    return all
  }

  test('fetches what is due, daily; what failed comes sooner, later each time, and keeps its version', async () => {
    serves('/mirror/kev/known_exploited_vulnerabilities.json', KEV)
    expect(dueFeeds(folder, now)).toEqual(FETCHED)
    expect(await update(['kev', 'epss'])).toMatchObject([
      { feed: 'kev', imported: { records: 1 }, problem: null },
      { feed: 'epss', imported: null, problem: expect.stringContaining('answered 404') },
    ])
    expect(dueFeeds(folder, now)).not.toContain('kev')
    now = new Date(now.getTime() + 2 * 3_600_000)
    expect(dueFeeds(folder, now)).toContain('epss')
    await update(['epss'])
    expect(readState(folder, 'epss')).toMatchObject({ failures: 2, due_at: '2026-11-23T15:00:00.000Z' })
    now = new Date(now.getTime() + 23 * 3_600_000)
    expect(dueFeeds(folder, now)).toContain('kev')
    expect(await update(['kev'])).toEqual([{ feed: 'kev', imported: null, problem: null }])
    const before = readActive(folder, 'kev')
    serves('/mirror/kev/known_exploited_vulnerabilities.json', '{"vulnerabilities":[{"cveID":"x"}]}')
    expect((await update(['kev']))[0]?.problem).toContain('cveID')
    expect(readActive(folder, 'kev')).toEqual(before)
  })

  test('of several files fetches those that changed, and imports them all', async () => {
    const [google, apple] = sourcesOf('ct-logs', new URL(`${base}/`), now).map(({ url }) => new URL(url).pathname)
    const logs = (seed: number): string => {
      const key = Buffer.alloc(32, seed)
      const log_id = createHash('sha256').update(key).digest('base64')
      const log = {
        log_id,
        key: key.toString('base64'),
        url: 'https://log.test/',
        state: { usable: { timestamp: '2024-01-01T00:00:00Z' } },
      }
      return JSON.stringify({ operators: [{ name: 'one', logs: [log] }] })
    }
    serves(google ?? '', logs(1))
    serves(apple ?? '', logs(2))
    const origin = new URL(`${base}/`)
    expect(await update(['ct-logs'], { origin })).toMatchObject([{ imported: { records: 2 }, problem: null }])
    serves(apple ?? '', logs(3))
    expect(await update(['ct-logs'], { origin })).toMatchObject([{ imported: { records: 2 }, problem: null }])
    expect(await update(['ct-logs'], { origin })).toEqual([{ feed: 'ct-logs', imported: null, problem: null }])
  })

  test('whose process ends in the middle of a feed has failed at that one, and the others are due', async () => {
    serves('/mirror/kev/known_exploited_vulnerabilities.json', KEV)
    const hold = join(folder, 'fetched', 'process')
    answers.set('/mirror/epss/epss_scores-current.csv.gz', (_, response) => {
      expect(readFileSync(hold, 'utf8')).toBe(`${process.pid}\nepss`)
      expect(settleEnded(folder, 'the process ended')).toBeNull()
      response.writeHead(404).end()
    })
    await update(['kev', 'epss'])
    expect(settleEnded(folder, 'the process ended')).toBeNull()
    const gone = spawnSync(process.execPath, ['-e', '']).pid
    writeFileSync(hold, `${gone}\nretire`)
    expect(settleEnded(folder, 'the process ended')).toBe('retire')
    expect(readState(folder, 'retire')).toMatchObject({ failures: 1, problem: 'the process ended' })
    expect(dueFeeds(folder, new Date())).toContain('cve5')
    expect(dueFeeds(folder, new Date())).not.toContain('retire')
    expect(settleEnded(folder, 'the process ended')).toBeNull()
  })

  test('without a network tries two, says so of all, and does not ask again at once', async () => {
    server.close()
    const all = await update(FETCHED)
    expect(all).toHaveLength(FETCHED.length)
    expect(all.map(({ problem }) => problem)).toEqual([
      ...Array(2).fill('nobody answers (ECONNREFUSED)'),
      ...Array(FETCHED.length - 2).fill('not tried: there seems to be no network'),
    ])
    expect(dueFeeds(folder, now)).toEqual([])
  })

  test('leaves the folder to the process that fetches already, and takes it over from a dead one', async () => {
    serves('/mirror/kev/known_exploited_vulnerabilities.json', KEV)
    await update([])
    writeFileSync(join(folder, 'fetched', 'process'), String(process.ppid))
    expect(await update(['kev'])).toMatchObject([{ imported: null, problem: 'another update is under way' }])
    expect(asked).toEqual([])
    writeFileSync(join(folder, 'fetched', 'process'), '999999999')
    expect(await update(['kev'])).toMatchObject([{ imported: { records: 1 } }])
    expect(existsSync(join(folder, 'fetched', 'process'))).toBe(false)
  })
})

test('every official address is of https, every file has a bound, and a mirror has the same files', () => {
  const now = new Date('2026-11-23T10:00:00Z')
  for (const feed of FETCHED) {
    const official = sourcesOf(feed, 'official', now)
    const names = official.map(({ file }) => file)
    expect([feed, new Set(names).size]).toEqual([feed, names.length])
    for (const { url, checksum, largest } of official) {
      expect(url).toMatch(/^https:\/\/[a-z]/)
      expect(checksum?.url ?? 'https://').toMatch(/^https:/)
      expect(largest).toBeGreaterThan(0)
    }
    const mirror = sourcesOf(feed, new URL('http://mirror.test/feeds'), now)
    expect(mirror.map(({ url }) => url)).toEqual(names.map((name) => `http://mirror.test/feeds/${feed}/${name}`))
  }
  expect(sourcesOf('redhat', 'official', now)).toEqual([])
})
