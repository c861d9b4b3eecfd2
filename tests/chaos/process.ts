/**
 * One process of a fleet that is killed at random: the interface, a worker, or an agent, on a database and a bucket that go away now
 * and then. Scans are fake, all else is the product's.
 */
import { join } from 'node:path'
import { startAgent } from '../../src/agent/agent.ts'
import { claimInstance } from '../../src/agent/instances.ts'
import { createPaceBook } from '../../src/agent/pace-book.ts'
import { agentService } from '../../src/agent/service.ts'
import { openSpool } from '../../src/agent/spool.ts'
import { buildApp } from '../../src/api/app.ts'
import { DEFAULT_LIMITS } from '../../src/api/options.ts'
import type { ObjectStorage } from '../../src/artifacts/artifacts.ts'
import { s3Storage } from '../../src/artifacts/s3.ts'
import type { S3StorageOptions } from '../../src/artifacts/s3-url.ts'
import { watchStorage } from '../../src/artifacts/watched.ts'
import { AGENT_LEASE } from '../../src/contract/agent.ts'
import { openDatabase } from '../../src/store/open-database.ts'
import { startWorker } from '../../src/worker/loop.ts'
import type { Logger, Timing } from '../../src/worker/options.ts'
import { PLANS } from '../support/seed.ts'
import { FAKE_SCAN, KEY, workerOptions } from '../support/worker.ts'

/** How a process is told what it is. */
export interface Role {
  readonly kind: 'interface' | 'worker' | 'agent'
  /** Unique among those of its kind. */
  readonly name: string
  /** As it reaches them. */
  readonly database: string
  readonly bucket: S3StorageOptions
  /** Of the interface: where it listens. */
  readonly port: number
  /** Of an agent: where it finds the interface, and its token. */
  readonly url: string
  readonly token: string
  /** Its own, the same after each of its starts; scan processes leave their marks there. */
  readonly folder: string
}

/** Milliseconds. A lease is longer than most outages, and shorter than the longest. */
const TIMING: Partial<Timing> = {
  ...{ lease: 4_000, heartbeat: 400, poll: 300, grace: 500, reap: 300, sweep: 5_000 },
  ...{ storageFirst: 100, storageMost: 1_000, reportWait: 20_000, reportRetry: 500, signRetry: 500 },
}
const OPEN = 1_000_000
const say = (fields: object, message: string): void => {
  const { err, ...about } = fields as { err?: unknown }
  const why = err instanceof Error ? `${err.stack} ${err.cause}`.replaceAll('\n', ' ') : ''
  process.stderr.write(`${new Date().toISOString()} ${message} ${JSON.stringify(about)} ${why}\n`)
}
const logger: Logger = { info: () => undefined, warn: say, error: say }

const bucketOf = (role: Role): ObjectStorage => watchStorage(s3Storage(role.bucket))

const serve = async (role: Role): Promise<void> => {
  const base = workerOptions(await openDatabase({ url: role.database }), bucketOf(role))
  const app = await buildApp({
    ...{ db: base.db, storage: bucketOf(role), fileKeys: null, plans: PLANS, keys: KEY },
    limits: { ...DEFAULT_LIMITS, requestsPerMinute: OPEN, startsPerMinute: OPEN, runReads: OPEN },
    verifyTraffic: () => null,
    ...{ hosts: new Set<string>(), allowTargetPorts: false, scanAddresses: [], requestsPerSecond: 20 },
    verifyDomain: async () => [],
    render: { sarif: () => '', defectdojo: () => '', csv: () => '', junit: () => '' },
    prepareLogo: async (body) => ({ body }),
    drawCover: async () => Buffer.alloc(0),
    ...{ webFolder: null, openId: null, version: '0.1.0', logger: null },
    baseUrl: () => `http://127.0.0.1:${role.port}`,
  })
  await app.listen({ port: role.port, host: '127.0.0.1' })
}

const work = async (role: Role): Promise<void> => {
  const db = await openDatabase({ url: role.database })
  await startWorker(
    workerOptions(db, bucketOf(role), {
      ...{ logger, concurrency: 3, timing: TIMING, workerId: `${role.name}-${process.pid}` },
      childEnv: { FAKE_SCAN_FOLDER: role.folder },
    }),
  )
}

const attend = (role: Role): void => {
  const instances = claimInstance(join(role.folder, 'agent'))
  const { egress } = workerOptions({} as never, {} as never)
  startAgent({
    ...{
      egress,
      logger,
      instances,
      version: '0.1.0',
      networks: [],
      concurrency: 3,
      timing: { ...TIMING, lease: AGENT_LEASE * 1_000 },
    },
    scanScript: async () => FAKE_SCAN,
    childEnv: { FAKE_SCAN_FOLDER: role.folder },
    service: agentService({ url: role.url, token: role.token, logger }),
    spool: openSpool(instances.folder),
    paces: createPaceBook(),
    verifyDomain: async () => [{ method: 'dns_txt', ok: true, seen: 'the value' }],
    onRefused: (sentence) => {
      throw new Error(sentence)
    },
  })
}

const role = JSON.parse(process.argv[2] ?? '{}') as Role
process.once('disconnect', () => process.exit(1))
if (role.kind === 'interface') await serve(role)
else if (role.kind === 'worker') await work(role)
else attend(role)
process.send?.('ready')
