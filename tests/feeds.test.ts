/** `sonde feeds` as a person uses it: import, list, update from an address, verify, and what is said when it fails. */
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { command } from './support/sonde.ts'

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

const sonde = (...words: readonly string[]) => command(['feeds', ...words], { SONDE_DATA: join(folder, 'data') })

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
  expect(list.find(({ feed }) => feed === 'nvd')).toMatchObject({ version: null, built_in: { records: 149 } })
  expect((await sonde('list')).out).toMatch(/^nvd +built-in [\d.]+ +149 /m)
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

test('update fetches what has an address, and one that fails does not keep the others', async () => {
  const rules = pack()
  rules.entry(
    { name: 'recog/xml/ftp.xml' },
    '<fingerprints matches="ftp.banner"><fingerprint pattern="^x$"/></fingerprints>',
  )
  rules.finalize()
  const answers: Readonly<Record<string, string | Buffer>> = {
    '/kev.json': JSON.stringify(KEV),
    '/recog.tar.gz': gzipSync(await buffer(rules)),
  }
  server = createServer((request, response) => {
    const answer = answers[request.url ?? '']
    response.statusCode = answer === undefined ? 503 : 200
    response.end(answer)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  expect((await sonde('update')).err).toContain('addresses.json')
  mkdirSync(join(folder, 'data', 'knowledge'), { recursive: true })
  file('data/knowledge/addresses.json', {
    kev: `${base}/kev.json`,
    epss: `${base}/epss.csv`,
    recog: `${base}/recog.tar.gz`,
  })
  const updated = await sonde('update', '--json')
  const results = JSON.parse(updated.out) as { feed: string; line: { records: number } | null; error: string | null }[]
  expect(updated.code).toBe(2)
  expect(results).toMatchObject([
    { feed: 'kev', line: { records: 1 }, error: null },
    { feed: 'epss', line: null, error: `${base}/epss.csv answered 503` },
    { feed: 'recog', line: { records: 1 }, error: null },
  ])
}, 60_000)
