/** API and worker as processes of their own on a real PostgreSQL and a real S3 server; a user's whole way through it. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CaseServers, serveCase } from '../src/modules/testing/collecting.ts'
import { createPostgresDatabase } from './support/postgres.ts'
import { openS3, type S3Server } from './support/s3.ts'
import { command, type Env, type Serving, serve, sonde, startWorkerProcess } from './support/sonde.ts'

let folder = ''
let s3: S3Server
let postgres: Awaited<ReturnType<typeof createPostgresDatabase>>
let site: CaseServers
let api: Serving
let env: Env = {}
let user: Env = {}
const workers: ReturnType<typeof startWorkerProcess>[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-distributed-'))
  ;[s3, postgres, site] = await Promise.all([
    openS3(),
    createPostgresDatabase(),
    serveCase(60, {
      http: (_request, response) =>
        response
          .writeHead(200, { 'Content-Type': 'text/html', 'X-Powered-By': 'PHP/5.6.40' })
          .end('<!doctype html><html lang=en><title>Shop</title><p>Tents and packs'),
    }),
  ])
  env = {
    SONDE_DATA: join(folder, 'data'),
    DATABASE_URL: postgres.url,
    SONDE_STORAGE: `s3://${s3.bucket}?endpoint=${s3.endpoint}&region=${s3.region}&prefix=sonde`,
    AWS_ACCESS_KEY_ID: s3.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
    SONDE_SECRET_KEY: 'ab'.repeat(32),
    SONDE_HOSTS: `shop.test=${site.address}`,
    SONDE_ALLOW_NETWORKS: `${site.address}/32`,
    // Nobody answers there.
    SONDE_RESOLVERS: `${site.address}:9`,
  }
  api = await serve(['--no-worker'], env)
  user = { SONDE_URL: api.ready.base_url, SONDE_API_KEY: api.ready.api_key ?? '' }
}, 300_000)

afterAll(async () => {
  for (const worker of workers) await worker.end()
  await api?.end('SIGTERM')
  await Promise.all([site?.close(), postgres?.drop()])
  rmSync(folder, { recursive: true, force: true })
})

test('what the interface queues, a worker elsewhere scans, and the bucket keeps', { timeout: 120_000 }, async () => {
  const domain = 'shop.test'
  expect((await command(['domain', 'add', domain, '--verified', '--context', 'shop'], env)).code).toBe(0)

  const queued = await command(['scan', domain, '--no-privacy', '--no-report', '--json'], user)
  expect(JSON.parse(queued.out)).toMatchObject({ status: 'queued' })
  const { id: waiting } = JSON.parse(queued.out)
  expect((await command(['cancel', waiting, '--json'], user)).code).toBe(0)
  expect(await command(['status', waiting], user)).toMatchObject({ code: 2, out: expect.stringContaining('canceled') })

  workers.push(startWorkerProcess(env))
  const [pdf, sarif] = [join(folder, 'report.pdf'), join(folder, 'sonde.sarif')]
  const words = ['scan', domain, '--no-privacy', '--fail-on', 'low', '--pdf', pdf, '--sarif', sarif]
  const scan = await sonde(words, user, { deadline: 100_000 })
  expect(scan.err).toMatch(/findings of severity low or above/)
  expect(scan.code).toBe(1)
  expect(scan.out).toMatch(/100 % {2}finished/)
  expect(readFileSync(pdf).subarray(0, 5).toString()).toBe('%PDF-')
  expect(JSON.parse(readFileSync(sarif, 'utf8'))).toMatchObject({ version: '2.1.0' })
  expect(existsSync(join(folder, 'data', 'files'))).toBe(false)

  const [run] = JSON.parse((await command(['runs', '--json', '--status', 'done'], user)).out)
  const artifacts = JSON.parse((await command(['artifacts', run.id, '--json'], user)).out)
  const kinds = new Set(artifacts.map((artifact: { kind: string }) => artifact.kind))
  for (const kind of ['report_pdf', 'report_md', 'findings_json', 'audit_log', 'report_tex', 'evidence', 'signature'])
    expect(kinds).toContain(kind)
  // What the worker has signed is of the key that the interface shows.
  const { fingerprint } = JSON.parse((await command(['signing-key', '--json'], user)).out)
  const files = ['signature', 'report_md', 'audit_log'].map((kind) => [kind, join(folder, `fetched-${kind}`)] as const)
  for (const [kind, path] of files) expect((await command(['download', run.id, kind, '-o', path], user)).code).toBe(0)
  const fetched = files.map(([, path]) => path)
  const verified = await command(['verify', ...fetched, '--key', fingerprint, '--partial', '--json'], env)
  expect({ code: verified.code, outcome: JSON.parse(verified.out).outcome }).toEqual({ code: 0, outcome: 'verified' })
  const again = JSON.parse((await command(['judge', run.id, '--json'], env)).out)
  expect(again.counts).toEqual(run.counts)
})

test('a worker that is told to stop leaves with 0', async () => {
  for (const worker of workers.splice(0)) expect(await worker.end(), worker.log()).toBe(0)
})
