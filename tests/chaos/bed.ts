/**
 * A whole installation of processes: an interface, three workers and two agents on a real PostgreSQL and a real S3 server, each
 * behind a relay that can cut it off. `far` is an agent that is only cut off, `near` one that is killed.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ObjectStorage } from '../../src/artifacts/artifacts.ts'
import { s3Storage } from '../../src/artifacts/s3.ts'
import { type Client, createClient } from '../../src/contract/client.ts'
import type { Database } from '../../src/store/database.ts'
import { openRelay, type Relay } from '../outage/relay.ts'
import { createTenant, type Tenant, verify } from '../support/api.ts'
import { openPostgresDatabase } from '../support/databases.ts'
import { openS3 } from '../support/s3.ts'
import { until } from '../support/until.ts'
import { keepAlive, type Member } from './fleet.ts'
import type { Role } from './process.ts'

/** Who starts runs, and of which domain. */
export interface Customer {
  readonly client: Client
  readonly organisationId: string
  readonly domainId: string
}

export interface Bed {
  /** Past the relays: sees everything all the time. */
  readonly db: Database
  readonly storage: ObjectStorage
  readonly relays: Readonly<Record<'postgres' | 's3' | 'near' | 'far', Relay>>
  readonly members: Readonly<Record<'interface' | 'near' | 'far', Member>> & { readonly workers: readonly Member[] }
  /** Of workers, of the agent that is killed, and of the one that is cut off, whose scans wait for the file `go` of its folder. */
  readonly customers: { readonly workers: readonly Customer[]; readonly near: Customer; readonly far: Customer }
  readonly close: () => Promise<void>
}

/** Milliseconds for processes to start, where much else runs. */
const START = 120_000
const PREFIX = 'chaos/'

export const openChaosBed = async (): Promise<Bed> => {
  const root = mkdtempSync(join(tmpdir(), 'sonde-chaos-'))
  const [s3, postgres, port] = await Promise.all([openS3(), openPostgresDatabase(), freePort()])
  const { db } = postgres
  const url = new URL('url' in postgres.where ? postgres.where.url.replace('@/', '@x/') : '')
  const { hostname, port: bucketPort } = new URL(s3.endpoint)
  const relays = {
    postgres: await openRelay({ path: `${url.searchParams.get('host')}/.s.PGSQL.5432` }),
    s3: await openRelay({ host: hostname, port: Number(bucketPort) }),
    near: await openRelay({ host: '127.0.0.1', port }),
    far: await openRelay({ host: '127.0.0.1', port }),
  }
  const { bucket, region, credentials } = s3
  const bucketAt = (endpoint: string) => ({ bucket, region, credentials, endpoint, prefix: PREFIX, pathStyle: true })
  const member = (kind: Role['kind'], name: string, more: Partial<Role> = {}): Member => {
    const folder = join(root, name)
    mkdirSync(folder)
    return keepAlive({
      ...{ kind, name, folder, port, url: '', token: '' },
      database: `postgres://sonde@127.0.0.1:${relays.postgres.port}${url.pathname}`,
      bucket: bucketAt(`http://127.0.0.1:${relays.s3.port}`),
      ...more,
    })
  }
  const service = member('interface', 'interface')
  const customerOf = (tenant: Tenant): Customer => ({
    ...tenant,
    client: createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: tenant.secret, timeout: 10_000 }),
  })
  const tenants = await Promise.all(
    ['1', '2', '3', 'near', 'far'].map((n) => createTenant(db, n === 'far' ? 'waits.test' : 'slow.test')),
  )
  const [one, two, three, near, far] = tenants.map(customerOf)
  if (!one || !two || !three || !near || !far) throw new Error('unreachable')
  for (const { domainId } of tenants) await verify(db, domainId)
  await until(async () => (await answers(one.client)) !== null, START)
  for (const { client } of [one, two, three, near]) await client.createWebhook({ body: WEBHOOK })
  const agent = async (name: 'near' | 'far', { client, domainId }: Customer): Promise<Member> => {
    const { agent: made, token } = await client.createAgent({ body: { name } })
    await client.updateDomain({ params: { id: domainId }, body: { agent_id: made.id } })
    await verify(db, domainId)
    return member('agent', name, { url: `http://127.0.0.1:${relays[name].port}`, token })
  }
  const members = {
    interface: service,
    workers: ['worker-1', 'worker-2', 'worker-3'].map((name) => member('worker', name)),
    near: await agent('near', near),
    far: await agent('far', far),
  }
  const direct = s3Storage(bucketAt(s3.endpoint))
  return {
    ...{ db, storage: direct, relays, members },
    customers: { workers: [one, two, three], near, far },
    close: async () => {
      await Promise.all([service, ...members.workers, members.near, members.far].map(({ end }) => end()))
      await Promise.all(Object.values(relays).map((relay) => relay.close()))
      direct.close()
      await postgres.drop()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** Nobody sends them here: what was told is counted. */
const WEBHOOK = { url: 'https://hooks.example.com/sonde', events: ['scan.finished' as const], description: 'chaos' }

const answers = (client: Client) => client.listAgents().catch(() => null)

/** The same after each start of the interface. */
const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject).listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(address !== null && typeof address === 'object' ? address.port : 0))
    })
  })
