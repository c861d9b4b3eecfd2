/**
 * The HTTP interface on a real database and a real folder, with two organisations. The database is that of
 * `openTestDatabase`.
 */

import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { buildApp } from '../../src/api/app.ts'
import { type AppOptions, DEFAULT_LIMITS } from '../../src/api/options.ts'
import type { ObjectStorage } from '../../src/artifacts/artifacts.ts'
import { fsStorage } from '../../src/artifacts/fs.ts'
import { type ArtifactKind, VERSIONED_KINDS } from '../../src/contract/artifact.ts'
import * as example from '../../src/contract/examples.ts'
import { BUILT_IN_PLANS, SCOPES, type Scope } from '../../src/contract/organisation.ts'
import { oneKey } from '../../src/contract/secret-keys.ts'
import { createKey } from '../../src/store/api-keys.ts'
import { reserveArtifact } from '../../src/store/artifacts.ts'
import type { Database } from '../../src/store/database.ts'
import { createDomain, setVerified } from '../../src/store/domains.ts'
import type { NewFinding } from '../../src/store/findings.ts'
import { finish, type LeasedRun, lease, startRun } from '../../src/store/lease.ts'
import { saveModule } from '../../src/store/modules.ts'
import { createOrganisation } from '../../src/store/organisations.ts'
import { openReport } from '../../src/store/reports.ts'
import { openTestDatabase } from './databases.ts'

export interface Tenant {
  readonly organisationId: string
  readonly secret: string
  readonly keyId: string
  readonly domainId: string
}

export interface TestApi {
  readonly app: FastifyInstance
  readonly db: Database
  readonly storage: ObjectStorage
  readonly mine: Tenant
  readonly other: Tenant
  /** A request with a key; `mine`'s unless another is given. */
  readonly send: (method: Method, url: string, more?: Sending) => Promise<LightMyRequestResponse>
  /** One more process of the service, on the same database. The caller closes it. */
  readonly another: () => Promise<FastifyInstance>
  readonly close: () => Promise<void>
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT' | 'HEAD' | 'OPTIONS'
interface Sending {
  readonly secret?: string | null
  readonly body?: unknown
  readonly payload?: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
}

export const FILE_SECRET = oneKey(Buffer.alloc(32, 7))
export const UNLIMITED = {
  ...DEFAULT_LIMITS,
  requestsPerMinute: 1_000_000,
  startsPerMinute: 1_000_000,
  runReads: 1_000_000,
  refusalsPerMinute: 1_000_000,
}

export const openApi = async (changes: Partial<AppOptions> = {}): Promise<TestApi> => {
  const { db, drop } = await openTestDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'sonde-files-'))
  const baseUrl = (): string => 'http://sonde.test'
  const storage = fsStorage({ folder, keys: FILE_SECRET, baseUrl: changes.baseUrl ?? baseUrl })
  const options: AppOptions = {
    db,
    storage,
    fileKeys: FILE_SECRET,
    plans: BUILT_IN_PLANS,
    limits: UNLIMITED,
    keys: oneKey(Buffer.alloc(32, 1)),
    verifyTraffic: (header) => (header === 'genuine' ? { runId: example.ids.run, issuedAt: 1_790_000_000 } : null),
    hosts: new Set(['shop.test']),
    allowTargetPorts: false,
    scanAddresses: ['192.0.2.16/28'],
    requestsPerSecond: 20,
    verifyDomain: async () => [...example.verifyAnswer.attempts],
    render: {
      sarif: () => JSON.stringify({ version: '2.1.0', runs: [] }),
      defectdojo: () => JSON.stringify({ findings: [] }),
      csv: () => 'severity\r\n',
      junit: () => '<testsuites/>',
    },
    prepareLogo: async (file) => ({ body: file }),
    drawCover: async ({ organisation }) => Buffer.from(`cover of ${organisation}`),
    webFolder: null,
    openId: null,
    baseUrl,
    version: '0.1.0',
    logger: null,
    ...changes,
  }
  const app = await buildApp(options)
  const mine = await createTenant(db, 'mine.example.com')
  const other = await createTenant(db, 'other.example.com')
  return {
    ...{ app, db, storage, mine, other },
    another: () => buildApp(options),
    send: (method, url, { secret = mine.secret, body, payload, headers } = {}) =>
      app.inject({
        ...{ method, url },
        headers: {
          ...(secret === null ? {} : { authorization: `Bearer ${secret}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
        ...(payload === undefined ? {} : { payload }),
      }),
    close: async () => {
      await app.close()
      await drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export const createTenant = async (db: Database, domain: string, plan = 'enterprise'): Promise<Tenant> => {
  const organisation = await createOrganisation(db, { name: domain, plan })
  const { key, secret } = await createKey(db, keyWith(organisation.id, SCOPES))
  const stored = await createDomain(db, {
    ...{ organisationId: organisation.id, domain, context: null, token: 'abc' },
  })
  if (stored === 'domain_exists') throw new Error('The domain exists')
  return { organisationId: organisation.id, secret, keyId: key.id, domainId: stored.id }
}

export const keyWith = (organisationId: string, scopes: readonly Scope[]) => ({
  ...{ organisationId, name: 'test', scopes, expiresAt: null },
})

export const verify = async (db: Database, domainId: string): Promise<void> => {
  await setVerified(db, domainId, { at: new Date(), until: new Date(Date.now() + 86_400_000) })
}

/** Takes the next run as a worker would and starts it. */
export const startNext = async (db: Database): Promise<LeasedRun> => {
  const leased = await lease(db, { workerId: 'test', seconds: 60, plans: BUILT_IN_PLANS })
  if (leased === null) throw new Error('No run is waiting')
  await startRun(db, leased)
  return leased
}

export const addFindings = async (db: Database, held: LeasedRun, findings: readonly Partial<NewFinding>[]) => {
  const { id: _id, status: _status, ...base } = example.finding
  await saveModule(db, held, {
    module: 'headers',
    facts: {},
    outcome: { state: 'completed', reason: null, duration_ms: 1, requests: 1 },
    coverage: [],
    findings: findings.map((finding, index) => ({
      ...base,
      fingerprint: index.toString(16).padStart(64, '0'),
      ...finding,
    })),
  })
}

export interface TestFile {
  readonly kind: ArtifactKind
  readonly filename: string
  readonly body: string
  readonly module?: string
  readonly contentType?: string
}

/** Ends the run `done` with these files. */
export const finishWith = async (api: TestApi, held: LeasedRun, files: readonly TestFile[]): Promise<string[]> => {
  const artifacts = []
  for (const file of files) {
    const id = randomUUID()
    const objectKey = `runs/${held.runId}/${id}`
    const contentType = file.contentType ?? 'application/octet-stream'
    await reserveArtifact(api.db, held, {
      ...{ id, kind: file.kind, module: file.module ?? null, filename: file.filename, contentType, objectKey },
      ...{ retentionDays: 7, watermarked: file.kind === 'report_pdf' },
      ...(VERSIONED_KINDS.includes(file.kind) ? { version: 1 } : {}),
    })
    const { size, sha256 } = await api.storage.put(objectKey, Buffer.from(file.body), { contentType })
    artifacts.push({ id, sizeBytes: size, sha256, pageCount: file.kind === 'report_pdf' ? 3 : null })
  }
  await openReport(api.db, held, { pdf: false, artifacts: [] })
  if (files.some(({ kind }) => kind === 'report_pdf')) {
    await api.db.query(`update reports set state = 'ready' where run_id = $1`, [held.runId])
  }
  const ended = await finish(api.db, held, { grade: 'B', artifacts })
  if (typeof ended === 'string') throw new Error(`The run did not end: ${ended}`)
  return artifacts.map(({ id }) => id)
}
