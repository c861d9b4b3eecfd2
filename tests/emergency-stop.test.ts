/**
 * The emergency stop as people meet it: runs with scanners of their own, against a site that answers slowly. After it nothing
 * more comes to the site, over a restart too, until it is released. Two runs in one process; with SONDE_LONG=1 six, by the
 * operator too, and with workers apart.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Client, createClient } from '../src/contract/client.ts'
import type { HoldState } from '../src/contract/hold.ts'
import { copyTemplate } from './support/databases.ts'
import { createPostgresDatabase } from './support/postgres.ts'
import { openS3, type S3Server } from './support/s3.ts'
import { command, type Env, type Serving, serve, sonde, startWorkerProcess } from './support/sonde.ts'
import { until } from './support/until.ts'

const NETWORK = `127.${180 + (process.pid % 20)}.${(process.pid >> 8) % 256}`
const ADDRESS = `${NETWORK}.7`
const SITES = (process.env.SONDE_LONG ? ['a', 'b', 'c', 'd', 'e', 'f'] : ['a', 'b']).map(
  (letter) => `slow-${letter}.test`,
)
const RUNS = SITES.length
/** Milliseconds: a heartbeat of a worker, and what a busy machine adds. */
const HEARTBEAT = 5_000
const SLACK = 2_500
/** Milliseconds that an answer takes: no run comes to its end by itself within the test. */
const SLOW = 4_000
const LOOK_EVERY = 250

let site: Server
/** When a request or a mere connection came, in milliseconds. */
let calls: number[] = []
let folder = ''
let env: Env = {}
let services: { readonly end: () => Promise<unknown> }[] = []

beforeAll(async () => {
  site = createServer((request, response) => {
    calls.push(Date.now())
    const answered = setTimeout(() => {
      const links = Array.from({ length: 20 }, (_, n) => `<a href="${request.url}${n}/">${n}</a>`).join(' ')
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><title>Slow</title>${links}`)
    }, SLOW)
    response.on('close', () => clearTimeout(answered))
  })
  site.on('connection', () => calls.push(Date.now()))
  await new Promise<void>((resolve) => site.listen(80, ADDRESS, resolve))
})
afterAll(async () => {
  site.closeAllConnections()
  await new Promise((resolve) => site.close(resolve))
})

beforeEach(async () => {
  calls = []
  folder = mkdtempSync(join(tmpdir(), 'sonde-stop-'))
  await copyTemplate(join(folder, 'data'))
  chmodSync(join(folder, 'data'), 0o700)
  env = {
    SONDE_DATA: join(folder, 'data'),
    SONDE_HOSTS: SITES.map((name) => `${name}=${ADDRESS}`).join(' '),
    SONDE_ALLOW_NETWORKS: `${NETWORK}.0/24`,
    SONDE_RESOLVERS: `${NETWORK}.8`,
    SONDE_CONCURRENCY: String(RUNS),
    SONDE_LOG_LEVEL: 'warn',
    SONDE_LIMIT_REQUESTS_PER_MINUTE: '100000',
  }
}, 300_000)
afterEach(async () => {
  for (const service of services.reverse()) await service.end()
  services = []
  rmSync(folder, { recursive: true, force: true })
})

const started = async (words: readonly string[] = []): Promise<Serving> => {
  const service = await serve(words, env)
  services.push({ end: () => service.end('SIGTERM') })
  return service
}
const userOf = ({ ready }: Serving): Env => ({ SONDE_URL: ready.base_url, SONDE_API_KEY: ready.api_key ?? '' })
const asking = ({ ready }: Serving): Client => createClient({ baseUrl: ready.base_url, apiKey: ready.api_key ?? '' })
const WITHOUT_REPORT = { privacy: false, make_pdf: false }

/** All runs, which have asked the site at least once each. */
const underWay = async (client: Client): Promise<string[]> => {
  const ids: string[] = []
  for (const domain of SITES) {
    const { id } = await client.createDomain({ body: { domain } })
    ids.push((await client.startScan({ body: { domain_id: id, ...WITHOUT_REPORT } })).id)
  }
  await until(async () => {
    await delay(LOOK_EVERY)
    const { items } = await client.listScans({ query: { status: 'running' } })
    return items.length === RUNS && calls.length >= RUNS
  }, 180_000)
  return ids
}

const statuses = async (client: Client, ids: readonly string[]): Promise<string[]> => {
  const told = []
  for (const id of ids) {
    const { status, phase_detail } = await client.readScan({ params: { id } })
    told.push(`${status}: ${phase_detail}`)
  }
  return [...new Set(told)]
}

/** Nothing comes for as long as a worker would need to notice, and a scanner to be ended. */
const expectSilence = async (): Promise<void> => {
  const before = calls.length
  await delay(HEARTBEAT)
  expect(calls.length).toBe(before)
}

const stopAndWait = async (client: Client, user: Env, restart: () => Promise<Client>): Promise<void> => {
  const ids = await underWay(client)
  const asked = Date.now()
  const stopped = await command(['stop-all', '--reason', 'the shop is down', '--json'], user)
  expect(stopped).toMatchObject({ code: 0 })
  const { hold, ending }: HoldState = JSON.parse(stopped.out)
  expect([ending, hold?.by, hold?.reason]).toEqual([0, 'organisation', 'the shop is down'])
  const last = Math.max(...calls) - asked
  process.stdout.write(`emergency stop: ${RUNS} runs, the last request ${last} ms after it was asked for\n`)
  expect(last).toBeLessThan(HEARTBEAT + SLACK)
  await expectSilence()
  expect(await statuses(client, ids)).toEqual([`canceled: Ended by the emergency stop of ${hold?.held_by}`])

  // Runs are taken and wait, over a restart too.
  const [domain] = (await client.listDomains({ query: {} })).items
  const waiting = await client.startScan({ body: { domain_id: domain?.id ?? '', ...WITHOUT_REPORT } })
  const later = await restart()
  await expectSilence()
  expect(await statuses(later, [waiting.id])).toEqual([`queued: Held by the emergency stop of ${hold?.held_by}`])
  expect((await later.readOrganisation()).hold).toMatchObject({ reason: 'the shop is down' })
}

describe('in one process', () => {
  test('ends every run, holds the queue over a restart, and releases it', { timeout: 420_000 }, async () => {
    let service = await started()
    let user = userOf(service)
    const first = service
    await stopAndWait(asking(service), user, async () => {
      await first.end('SIGTERM')
      service = await started()
      user = userOf(service)
      return asking(service)
    })
    const before = calls.length
    expect(await command(['release'], user)).toMatchObject({ code: 0, out: 'Released.\n' })
    await until(async () => calls.length > before, 120_000)
    const activity = (await asking(service).listActivity({ query: {} })).items.map(({ action }) => action)
    expect(activity).toEqual(expect.arrayContaining(['stopRuns', 'releaseRuns']))
  })

  const byOperator = 'the operator stops all organisations, and the owners cannot release that'
  test.runIf(process.env.SONDE_LONG)(byOperator, { timeout: 420_000 }, async () => {
    const service = await started()
    await underWay(asking(service))
    const stopped = await sonde(['stop-all', '--everyone', '--json'], env, { deadline: 180_000 })
    expect(stopped).toMatchObject({ code: 0 })
    expect(JSON.parse(stopped.out)).toMatchObject({ organisation: null, ending: 0, hold: { by: 'operator' } })
    await expectSilence()
    expect(await sonde(['release'], userOf(service))).toMatchObject({
      out: expect.stringMatching(/^Still held by the operator/),
    })
    expect((await sonde(['doctor'], env)).out).toMatch(/emergency stop.+all organisations held by the operator/)
    expect(await (await fetch(`${service.ready.base_url}/metrics`)).text()).toContain('sonde_holds{over="all"} 1')
    expect(await sonde(['release', '--everyone'], env)).toMatchObject({ code: 0, out: 'Released.\n' })
  })
})

describe.runIf(process.env.SONDE_LONG)('with workers apart', () => {
  let s3: S3Server
  let postgres: Awaited<ReturnType<typeof createPostgresDatabase>>
  beforeAll(async () => {
    ;[s3, postgres] = await Promise.all([openS3(), createPostgresDatabase()])
  }, 300_000)
  afterAll(async () => {
    await postgres?.drop()
  })

  test('two workers end their runs, and one that comes later takes none', { timeout: 420_000 }, async () => {
    env = {
      ...env,
      DATABASE_URL: postgres.url,
      SONDE_STORAGE: `s3://${s3.bucket}?endpoint=${s3.endpoint}&region=${s3.region}&prefix=stop`,
      AWS_ACCESS_KEY_ID: s3.credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
      SONDE_SECRET_KEY: 'cd'.repeat(32),
      SONDE_CONCURRENCY: String(RUNS / 2),
    }
    const api = await started(['--no-worker'])
    const worker = (): void => {
      services.push(startWorkerProcess(env))
    }
    worker()
    worker()
    await stopAndWait(asking(api), userOf(api), async () => {
      worker()
      return asking(api)
    })
    const before = calls.length
    expect(await sonde(['release', '--org', api.ready.organisation_id], env)).toMatchObject({ out: 'Released.\n' })
    await until(async () => calls.length > before, 120_000)
  })
})
