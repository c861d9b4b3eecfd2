/** A database with rows in every table, and what lies in it: for all that moves a whole service. */

import { randomUUID } from 'node:crypto'
import type { ObjectStorage } from '../../src/artifacts/artifacts.ts'
import { BatchOptions } from '../../src/contract/batch.ts'
import { oneKey } from '../../src/contract/secret-keys.ts'
import { recordActivities } from '../../src/store/activity.ts'
import { askCheck, createAgent } from '../../src/store/agents.ts'
import { createKey } from '../../src/store/api-keys.ts'
import { confirmEvidence, reserveArtifact } from '../../src/store/artifacts.ts'
import { addItems, prepared, reserveBatch } from '../../src/store/batches.ts'
import type { Database, Queryable } from '../../src/store/database.ts'
import { addDelivery, settleDelivery } from '../../src/store/deliveries.ts'
import { createDescription } from '../../src/store/descriptions.ts'
import { createDomain } from '../../src/store/domains.ts'
import { appendAudit } from '../../src/store/events.ts'
import { addChildDeath, countFault } from '../../src/store/faults.ts'
import { allFindings } from '../../src/store/findings.ts'
import { stopRuns } from '../../src/store/holds.ts'
import { askLoginTest, claimLoginTest, finishLoginTest, setLogin } from '../../src/store/identities.ts'
import {
  announceFeeds,
  claimAsking,
  dueComponents,
  readNextRun,
  settleComponents,
} from '../../src/store/knowledge-news.ts'
import { finish } from '../../src/store/lease.ts'
import { subscribe } from '../../src/store/mail-subscriptions.ts'
import { signInMember } from '../../src/store/members.ts'
import { saveModule } from '../../src/store/modules.ts'
import { setLogo, setOrganisation } from '../../src/store/organisations.ts'
import { keepToken } from '../../src/store/refresh-tokens.ts'
import { openReport } from '../../src/store/reports.ts'
import { saveView } from '../../src/store/saved-views.ts'
import { createSchedule } from '../../src/store/schedules.ts'
import { createSession } from '../../src/store/sessions.ts'
import { replaceSigningKey } from '../../src/store/signing-keys.ts'
import { countSent } from '../../src/store/silences.ts'
import { decide } from '../../src/store/triage.ts'
import { createWebhook } from '../../src/store/webhooks.ts'
import { finding, OPTIONS, PLANS, seedDomain, seedRun, takeAndStart } from './seed.ts'

export const TABLES = [
  'organisations',
  'known_feeds',
  'knowledge_news',
  'signing_keys',
  'holds',
  'api_keys',
  'members',
  'sessions',
  'activity',
  'agents',
  'domains',
  'domain_identities',
  'identity_pictures',
  'refresh_tokens',
  'agent_checks',
  'domain_descriptions',
  'triage',
  'batches',
  'batch_items',
  'runs',
  'run_identities',
  'reports',
  'idempotency_keys',
  'events',
  'run_modules',
  'child_deaths',
  'components',
  'domain_components',
  'judgements',
  'findings',
  'problems',
  'problem_events',
  'saved_views',
  'artifacts',
  'schedules',
  'webhooks',
  'mail_subscriptions',
  'deliveries',
  'delivery_attempts',
  'scanner_faults',
  'erasures',
  'erased_files',
  'sent_requests',
]

export const everything = async (db: Queryable) =>
  Promise.all(
    TABLES.map(async (table) => [table, await db.query(`select ${table}::text as row from ${table} order by 1`)]),
  )

/** A run that waits to be judged again. */
const hearOfNews = async (db: Database): Promise<void> => {
  const feed = { feed: 'kev', version: '1', importedAt: new Date(0) }
  await announceFeeds(db, [feed], { alone: true })
  const component = { module: 'm1', question: 'jquery 3.4.1', answer: '' }
  await readNextRun(db, ['m1'], () => ({ components: [component], outdated: true }))
  const asking = await claimAsking(db, 30)
  if (asking === null) throw new Error('unreachable')
  const due = await dueComponents(db, asking, 10)
  await settleComponents(
    db,
    asking,
    due.map(({ digest }) => ({ digest, answer: 'exploited' })),
    30,
  )
}

const tellOf = async (db: Database, organisationId: string): Promise<void> => {
  const hook = { url: 'https://hooks.test/', description: '', events: ['scan.finished' as const] }
  const made = await createWebhook(db, oneKey(Buffer.alloc(32)), organisationId, hook)
  if (made === 'too_many_receivers') throw new Error('unreachable')
  await subscribe(db, organisationId, { address: 'a@b.test', events: ['scan.finished'] })
  const message = await addDelivery(db, made.webhook.id, 'webhook.test', {}, new Date())
  const then = { delivered: true, next: null, pause: null }
  await settleDelivery(db, message, { status: 204, error: null, durationMs: 1 }, then)
}

/** Of another domain: this one's runs are for the service's own workers. */
const askAgent = async (db: Database, organisationId: string): Promise<void> => {
  const made = await createAgent(db, { organisationId, name: 'warehouse', createdBy: 'a' })
  if (made === 'agent_exists') throw new Error('unreachable')
  const about = { organisationId, domain: 'wiki.corp', context: null, token: 'c', agentId: made.agent.id }
  const domain = await createDomain(db, about)
  if (domain === 'domain_exists') throw new Error('unreachable')
  await askCheck(db, domain.id)
}

const startBatch = async (db: Database, at: { organisationId: string; domainId: string }): Promise<void> => {
  const made = await reserveBatch(db, PLANS, {
    ...{ organisationId: at.organisationId, total: 1, options: BatchOptions.parse({ survey: true }) },
    idempotency: { key: 'batch', bodyHash: 'h' },
  })
  if ('refused' in made) throw new Error(made.detail)
  await addItems(db, made.batch.id, 0, [{ id: at.domainId, domain: 'shop.test' }])
  await prepared(db, made.batch.id)
}

/** Rows in every table; gives the secret of a key. */
export const fillEverything = async (db: Database): Promise<string> => {
  // Two of them: one that signs and a retired one.
  for (let i = 0; i < 2; i += 1) await replaceSigningKey(db, oneKey(Buffer.alloc(32)))
  const at = await seedDomain(db)
  await setLogo(db, at.organisationId, Buffer.from([0, 255, 92, 34, 10]))
  const { key, secret } = await createKey(db, {
    organisationId: at.organisationId,
    name: 'a "quoted" \\ name, {braces} NULL',
    scopes: ['scans:read', 'scans:write'],
    expiresAt: null,
  })
  const { organisationId } = at
  const person = { issuer: 'https://id.test', subject: '1', name: 'Ada', email: null }
  await signInMember(db, { organisationId, ...person }, 'owner')
  await createSession(db, { organisationId, keyId: key.id })
  const actor = { kind: 'key' as const, id: key.id, name: key.name }
  await recordActivities(db, [{ organisationId, actor, action: 'startScan', subject: 'x' }])
  await seedRun(db, at, { idempotency: { key: "k'\n", bodyHash: 'h' }, sealedCredentials: Buffer.of(0, 1) })
  const held = await takeAndStart(db)
  const facts = { hostile: '\0\ud800\\"{},NULL', deep: [[1.5, null, true]] }
  for (let i = 0; i < 11; i += 1) {
    await saveModule(db, held, {
      module: `m${i}`,
      facts,
      outcome: { state: 'completed', reason: null, duration_ms: 1, requests: 1 },
      coverage: [],
      findings: [finding(`m${i}/a`), finding(`m${i}/b`)],
    })
  }
  await appendAudit(
    db,
    held,
    Array.from({ length: 600 }, (_, n) => ({ ts: new Date().toISOString(), module: 'm', event: `e${n}` })),
  )
  const id = randomUUID()
  await reserveArtifact(db, held, {
    id,
    kind: 'evidence',
    module: 'm1',
    filename: 'x.txt',
    contentType: 'text/plain',
    objectKey: `runs/${id}`,
    retentionDays: 3,
    watermarked: false,
  })
  await confirmEvidence(db, held, { id, sizeBytes: 1, sha256: 'a'.repeat(64), pageCount: null })
  await addChildDeath(db, held, 1, { modules: ['m1', 'm2'], detail: 'it died' })
  await countFault(db, 'm1', 'F-00000001')
  await openReport(db, held, { pdf: true, artifacts: [] })
  await finish(db, held, { grade: 'B', artifacts: [] })
  await hearOfNews(db)
  const [first] = await allFindings(db, held.runId)
  if (!first) throw new Error('unreachable')
  const reason = 'known'
  await decide(db, held.runId, first, { state: 'accepted', owner: 'o', reason, expiresAt: null }, 'k')
  await saveView(db, { organisationId, actorId: key.id }, { name: 'mine', query: 'sort=due' })
  await keepToken(db, oneKey(Buffer.alloc(32)), at.domainId, 'l', 'token')
  await tellOf(db, at.organisationId)
  await askAgent(db, at.organisationId)
  const rhythm = { every: 'day', at: '03:00' } as const
  const timing = { rhythm, time_zone: 'UTC', quiet_hours: null, jitter_minutes: 0 }
  const login = { sealed: Buffer.of(0, 255), kinds: ['cookie' as const], page: '/', set_by: 'k' }
  await setLogin(db, at.organisationId, at.domainId, login)
  await askLoginTest(db, at.organisationId, at.domainId, { name: 'default' })
  const job = await claimLoginTest(db)
  const tested = { state: 'works', reason: 'r', without: null, with: null, steps: [] } as const
  await finishLoginTest(db, job?.testId ?? '', { ...tested, steps: [] }, new Map([[0, Buffer.of(0xff, 0xd8)]]))
  await createDescription(db, at.organisationId, at.domainId, {
    ...{ name: 'a.json', kind: 'OpenAPI 3.0.3', title: 'Half \ud800 of \0 one', described: 2, created_by: 'test' },
    operations: [{ method: 'GET', path: '/a', parameters: [], body: null, name: '', label: '\0' }],
    refused: [{ where: 'GET /b', line: 3, reason: 'no' }],
    left_out: [],
  })
  await createSchedule(db, at.organisationId, at.domainId, timing, OPTIONS)
  await seedRun(db, at)
  await startBatch(db, at)
  await eraseAnother(db, at.organisationId)
  await setOrganisation(db, at.organisationId, { requests_per_day: 1_000_000 })
  await countSent(db, at.organisationId, 7)
  const neighbour = await seedDomain(db, { domain: 'held.test' })
  await stopRuns(db, { organisationId: neighbour.organisationId, heldBy: 'k', reason: null })
  return secret
}

/** Its rows are gone, and a file is not yet. */
const eraseAnother = async (db: Database, organisationId: string): Promise<void> => {
  const counts = { domains: 1, runs: 1, findings: 0, problems: 0, files: 1, bytes: 6 }
  await db.query(
    `with made as (
       insert into erasures (organisation_id, organisation, domain, asked_by, counts, units)
       values ($1, 'Acme', 'gone.test', 'k', $2, 1) returning id)
     insert into erased_files (erasure_id, object_key) select id, 'runs/gone/page.txt' from made`,
    [organisationId, JSON.stringify(counts)],
  )
}

/** Evidence of one of the runs, as a worker would have stored it; gives its key. */
export const storeEvidence = async (
  db: Database,
  storage: ObjectStorage,
  body: Buffer,
  expires: Date | null = null,
): Promise<string> => {
  const key = `runs/${randomUUID()}/page.txt`
  const { size, sha256 } = await storage.put(key, body, { contentType: 'text/plain' })
  await db.query(
    `insert into artifacts (id, run_id, kind, filename, content_type, object_key, size_bytes, sha256, stored_at, expires_at)
     select $1, id, 'evidence', 'page.txt', 'text/plain', $2, $3, $4, clock_timestamp(), $5 from runs order by id limit 1`,
    [randomUUID(), key, size, sha256, expires],
  )
  return key
}
