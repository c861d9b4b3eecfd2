import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openEmbeddedDatabase, openPostgresDatabase, type TestDatabase } from '../../tests/support/databases.ts'
import { finding, OPTIONS, seedDomain, seedRun, take, takeAndStart } from '../../tests/support/seed.ts'
import { recordActivity } from './activity.ts'
import { authenticate, createKey } from './api-keys.ts'
import { confirmEvidence, reserveArtifact } from './artifacts.ts'
import { copyDatabase } from './copy.ts'
import type { Queryable } from './database.ts'
import { addDelivery, settleDelivery } from './deliveries.ts'
import { createDescription } from './descriptions.ts'
import { appendAudit } from './events.ts'
import { addChildDeath, countFault } from './faults.ts'
import { allFindings } from './findings.ts'
import { stopRuns } from './holds.ts'
import { setLogin } from './identities.ts'
import { finish } from './lease.ts'
import { subscribe } from './mail-subscriptions.ts'
import { signInMember } from './members.ts'
import { saveModule } from './modules.ts'
import { setLogo } from './organisations.ts'
import { openReport } from './reports.ts'
import { createSchedule } from './schedules.ts'
import { createSession } from './sessions.ts'
import { decide } from './triage.ts'
import { createWebhook } from './webhooks.ts'

const TABLES = [
  'organisations',
  'holds',
  'api_keys',
  'members',
  'sessions',
  'activity',
  'domains',
  'domain_identities',
  'domain_descriptions',
  'triage',
  'runs',
  'reports',
  'idempotency_keys',
  'events',
  'run_modules',
  'child_deaths',
  'findings',
  'artifacts',
  'schedules',
  'webhooks',
  'mail_subscriptions',
  'deliveries',
  'delivery_attempts',
  'scanner_faults',
]

const everything = async (db: Queryable) =>
  Promise.all(
    TABLES.map(async (table) => [table, await db.query(`select ${table}::text as row from ${table} order by 1`)]),
  )

describe('copy from the embedded database to PostgreSQL', () => {
  let from: TestDatabase
  let to: TestDatabase
  beforeEach(async () => {
    ;[from, to] = await Promise.all([openEmbeddedDatabase(), openPostgresDatabase()])
  })
  afterEach(async () => {
    await from.drop()
    await to.drop()
  })

  const tellOf = async (organisationId: string): Promise<void> => {
    const hook = { url: 'https://hooks.test/', description: '', events: ['scan.finished' as const] }
    const made = await createWebhook(from.db, Buffer.alloc(32), organisationId, hook)
    if (made === 'too_many_receivers') throw new Error('unreachable')
    await subscribe(from.db, organisationId, { address: 'a@b.test', events: ['scan.finished'] })
    const message = await addDelivery(from.db, made.webhook.id, 'webhook.test', {}, new Date())
    const then = { delivered: true, next: null, pause: null }
    await settleDelivery(from.db, message, { status: 204, error: null, durationMs: 1 }, then)
  }

  const fill = async (): Promise<string> => {
    const at = await seedDomain(from.db)
    await setLogo(from.db, at.organisationId, Buffer.from([0, 255, 92, 34, 10]))
    const { key, secret } = await createKey(from.db, {
      organisationId: at.organisationId,
      name: 'a "quoted" \\ name, {braces} NULL',
      scopes: ['scans:read', 'scans:write'],
      expiresAt: null,
    })
    const { organisationId } = at
    const person = { issuer: 'https://id.test', subject: '1', name: 'Ada', email: null }
    await signInMember(from.db, { organisationId, ...person }, 'owner')
    await createSession(from.db, { organisationId, keyId: key.id })
    const actor = { kind: 'key' as const, id: key.id, name: key.name }
    await recordActivity(from.db, { organisationId, actor, action: 'startScan', subject: 'x' })
    await seedRun(from.db, at, { idempotency: { key: "k'\n", bodyHash: 'h' }, sealedCredentials: Buffer.of(0, 1) })
    const held = await takeAndStart(from.db)
    const facts = { hostile: '\0\ud800\\"{},NULL', deep: [[1.5, null, true]] }
    for (let i = 0; i < 11; i += 1) {
      await saveModule(from.db, held, {
        module: `m${i}`,
        facts,
        outcome: { state: 'completed', reason: null, duration_ms: 1, requests: 1 },
        coverage: [],
        findings: [finding(`m${i}/a`), finding(`m${i}/b`)],
      })
    }
    await appendAudit(
      from.db,
      held,
      Array.from({ length: 600 }, (_, n) => ({ ts: new Date().toISOString(), module: 'm', event: `e${n}` })),
    )
    const id = randomUUID()
    await reserveArtifact(from.db, held, {
      id,
      kind: 'evidence',
      module: 'm1',
      filename: 'x.txt',
      contentType: 'text/plain',
      objectKey: `runs/${id}`,
      retentionDays: 3,
      watermarked: false,
    })
    await confirmEvidence(from.db, held, { id, sizeBytes: 1, sha256: 'a'.repeat(64), pageCount: null })
    await addChildDeath(from.db, held, 1, { modules: ['m1', 'm2'], detail: 'it died' })
    await countFault(from.db, 'm1', 'F-00000001')
    await openReport(from.db, held, { pdf: true, artifacts: [] })
    await finish(from.db, held, { grade: 'B', artifacts: [] })
    const [first] = await allFindings(from.db, held.runId)
    if (!first) throw new Error('unreachable')
    const reason = 'known'
    await decide(from.db, held.runId, first, { state: 'accepted', owner: 'o', reason, expiresAt: null, decidedBy: 'k' })
    await tellOf(at.organisationId)
    const rhythm = { every: 'day', at: '03:00' } as const
    const timing = { rhythm, time_zone: 'UTC', quiet_hours: null, jitter_minutes: 0 }
    const login = { sealed: Buffer.of(0, 255), kinds: ['cookie' as const], page: '/', set_by: 'k' }
    await setLogin(from.db, at.organisationId, at.domainId, login)
    await createDescription(from.db, at.organisationId, at.domainId, {
      ...{ name: 'a.json', kind: 'OpenAPI 3.0.3', title: 'Half \ud800 of \0 one', described: 2, created_by: 'test' },
      operations: [{ method: 'GET', path: '/a', parameters: [], body: null, name: '', label: '\0' }],
      refused: [{ where: 'GET /b', line: 3, reason: 'no' }],
      left_out: [],
    })
    await createSchedule(from.db, at.organisationId, at.domainId, timing, OPTIONS)
    await seedRun(from.db, at)
    const neighbour = await seedDomain(from.db, { domain: 'held.test' })
    await stopRuns(from.db, { organisationId: neighbour.organisationId, heldBy: 'k', reason: null })
    return secret
  }

  test('every row of every table arrives unchanged, and the service goes on there', async () => {
    const secret = await fill()
    const copied = await copyDatabase(from.db, to.db)
    expect(copied.map(({ table }) => table)).toEqual(TABLES)
    expect(copied.every(({ rows }) => rows > 0)).toBe(true)
    expect(await everything(to.db)).toEqual(await everything(from.db))
    expect(await authenticate(to.db, secret)).not.toBeNull()
    expect(await take(to.db)).not.toBeNull()
  })

  test('a target with rows is refused and left as it was', async () => {
    await fill()
    await seedDomain(to.db)
    const before = await everything(to.db)
    await expect(copyDatabase(from.db, to.db)).rejects.toThrow(/not empty: it has rows in organisations/)
    expect(await everything(to.db)).toEqual(before)
  })

  test('a table that a later version added is not left behind silently', async () => {
    await from.db.query('create table surprise (n int primary key)')
    await expect(copyDatabase(from.db, to.db)).rejects.toThrow(/does not know how to copy surprise/)
  })

  test('different points of migration are refused', async () => {
    await to.db.query(`delete from schema_migrations where name like '0002%'`)
    await expect(copyDatabase(from.db, to.db)).rejects.toThrow(/same point/)
  })
})
