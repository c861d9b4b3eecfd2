/** `sonde feeds` as a person uses it: import, list, update from an address, verify, and what is said when it fails. */
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { onPostgres } from './support/postgres.ts'
import { command, type Env, serve } from './support/sonde.ts'
import { until } from './support/until.ts'

const KEV = { vulnerabilities: [{ cveID: 'CVE-2024-1000', dateAdded: '2024-05-01' }] }

let folder: string
let server: Server | null = null
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-feeds-cli-'))
})
afterEach(async () => {
  if (server) {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
    server = null
  }
  rmSync(folder, { recursive: true, force: true })
})

const sondeWith = (env: Env, ...words: readonly string[]) =>
  command(['feeds', ...words], { SONDE_DATA: join(folder, 'data'), ...env })
const sonde = (...words: readonly string[]) => sondeWith({}, ...words)

const file = (name: string, content: unknown): string => {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

test('import by content, list, verify', async () => {
  const made = await sonde('import', file('anything.json', KEV), '--json')
  expect([made.code, made.err]).toEqual([0, ''])
  const { version } = JSON.parse(made.out) as { version: string }
  const list = JSON.parse((await sonde('list', '--json')).out) as { feed: string; version: string | null }[]
  expect(list.find(({ feed }) => feed === 'kev')?.version).toBe(version)
  expect(list.find(({ feed }) => feed === 'nvd')).toMatchObject({ version: null, built_in: { records: 304 } })
  expect((await sonde('list')).out).toMatch(/^nvd +built-in [\d.]+ +304 /m)
  expect((await sonde('verify')).out).toBe('ok   kev\n')
}, 60_000)

test('a broken feed is refused with file, record and reason', async () => {
  const broken = await sonde('import', file('kev.json', { vulnerabilities: [...KEV.vulnerabilities, { cveID: 'x' }] }))
  expect(broken.code).not.toBe(0)
  expect(broken.err).toContain('kev.json, entry 2: cveID')
  const unknown = await sonde('import', file('notes.json', { hello: 1 }))
  expect(unknown.err).toContain('no feed looks like this')
  const misnamed = await sonde('import', file('a.json', KEV), '--feed', 'kevv')
  expect([misnamed.code, misnamed.err.includes('There are: nvd, ')]).toEqual([3, true])
}, 60_000)

test('update fetches from a mirror, and one that fails does not keep the others', async () => {
  const rules = pack()
  rules.entry(
    { name: 'recog/xml/ftp.xml' },
    '<fingerprints matches="ftp.banner"><fingerprint pattern="^x$"/></fingerprints>',
  )
  rules.finalize()
  const answers: Readonly<Record<string, string | Buffer>> = {
    '/feeds/kev/known_exploited_vulnerabilities.json': JSON.stringify(KEV),
    '/feeds/recog/recog.tar.gz': gzipSync(await buffer(rules)),
  }
  server = createServer((request, response) => {
    const answer = answers[request.url ?? '']
    response.statusCode = answer === undefined ? 503 : 200
    response.end(answer)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const mirror = { SONDE_FEEDS: `${base}/feeds/` }
  expect((await sonde('update')).err).toContain('SONDE_FEEDS is off')
  const updated = await sondeWith(mirror, 'update', 'kev', 'epss', 'recog', '--json')
  const results = JSON.parse(updated.out) as { feed: string; line: { records: number } | null; error: string | null }[]
  expect(updated.code).toBe(2)
  const epss = `${base}/feeds/epss/epss_scores-current.csv.gz`
  expect(results).toMatchObject([
    { feed: 'kev', line: { records: 1 }, error: null },
    { feed: 'epss', line: null, error: `${epss} answered 503` },
    { feed: 'recog', line: { records: 1 }, error: null },
  ])
  const list = (await sonde('list')).out
  expect(list).toMatch(/^epss +not imported +- +- +not updated: http:.* answered 503 /m)
  expect((await sondeWith(mirror, 'update', 'redhat')).out).toContain('it does not come by itself; import it by hand')
  expect((await sondeWith({ SONDE_FEEDS: 'ftp://x' }, 'list')).err).toContain('must be auto, off, or the http address')
}, 60_000)

const KEV_ON_MIRROR = '/feeds/kev/known_exploited_vulnerabilities.json'
const listed = async (feed: string) => {
  const list = JSON.parse((await sonde('list', '--json')).out) as {
    feed: string
    records: number | null
    problem: string | null
  }[]
  return list.find((one) => one.feed === feed)
}

test('the service fetches what is due by itself, without a word typed', async () => {
  let asked = 0
  server = createServer((request, response) => {
    asked += 1
    response.statusCode = request.url === KEV_ON_MIRROR ? 200 : 404
    response.end(request.url === KEV_ON_MIRROR ? JSON.stringify(KEV) : '')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const mirror = `http://127.0.0.1:${(server.address() as AddressInfo).port}/feeds`
  const database = await onPostgres()
  const service = await serve([], { ...database.settings, SONDE_DATA: join(folder, 'data'), SONDE_FEEDS: mirror })
  await until(async () => (await listed('kev'))?.records === 1, 60_000)
  expect(asked).toBeGreaterThan(0)
  expect((await service.end('SIGTERM')).code).toBe(0)
  await database.drop()
}, 180_000)

test('without a network the service serves, and says once that no publisher could be reached', async () => {
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port } = closed.address() as AddressInfo
  closed.close()
  const database = await onPostgres()
  const service = await serve([], {
    ...database.settings,
    SONDE_DATA: join(folder, 'data'),
    SONDE_FEEDS: `http://127.0.0.1:${port}/`,
  })
  await until(async () => (await listed('cve5'))?.problem !== null, 60_000)
  expect((await listed('kev'))?.problem).toBe('nobody answers (ECONNREFUSED)')
  await until(() => service.log().includes('no publisher could be reached'), 60_000)
  expect((await service.end('SIGTERM')).code).toBe(0)
  await database.drop()
}, 180_000)

test('a bundle goes to another installation, by the key that it was signed with', async () => {
  await sonde('import', file('kev.json', KEV))
  const made = await sonde('bundle', join(folder, 'feeds.bundle'), '--json')
  expect([made.code, made.err]).toEqual([0, ''])
  const { public_key } = JSON.parse(made.out) as { public_key: string }
  const there = (env: Env, ...words: readonly string[]) =>
    sondeWith({ SONDE_DATA: join(folder, 'there'), ...env }, 'import', join(folder, 'feeds.bundle'), ...words)
  const untrusted = await there({})
  expect(untrusted.code).not.toBe(0)
  expect(untrusted.err).toContain('give its public key with --key or SONDE_FEEDS_KEY')
  expect((await there({}, '--key', public_key)).out).toMatch(/^kev {2}\S+ {2}1 records\n$/)
  expect((await there({ SONDE_FEEDS_KEY: public_key })).out).toBe('kev  unchanged\n')
  expect((await sonde('bundle', join(folder, 'again.bundle'))).out).toContain(`--key ${public_key}`)
}, 60_000)
