import { randomBytes, randomUUID } from 'node:crypto'
import { BUILT_IN_PLANS } from '../../src/contract/organisation.ts'
import type { RunListItem, RunOptions } from '../../src/contract/run.ts'
import type { Database } from '../../src/store/database.ts'
import { createDomain, setVerified } from '../../src/store/domains.ts'
import type { NewFinding } from '../../src/store/findings.ts'
import { type Lease, type LeasedRun, lease, startRun } from '../../src/store/lease.ts'
import { createOrganisation } from '../../src/store/organisations.ts'
import { listRuns } from '../../src/store/run-list.ts'
import type { RunRecord } from '../../src/store/run-row.ts'
import { createRun, type NewRun } from '../../src/store/runs.ts'

export const PLANS = BUILT_IN_PLANS
export const OPTIONS: RunOptions = {
  active: false,
  privacy: false,
  cve_include_possible: false,
  template_full: false,
  make_pdf: false,
}

/** An organisation with one verified domain. */
export const seedDomain = async (
  db: Database,
  { plan = 'enterprise', domain = 'shop.test' } = {},
): Promise<{ organisationId: string; domainId: string }> => {
  const organisation = await createOrganisation(db, { name: `Org ${randomUUID()}`, plan })
  const stored = await createDomain(db, {
    organisationId: organisation.id,
    domain,
    context: null,
    token: randomBytes(16).toString('hex'),
  })
  if (stored === 'domain_exists') throw new Error('unexpected')
  await setVerified(db, stored.id, { at: new Date(), until: new Date(Date.now() + 86_400_000) })
  return { organisationId: organisation.id, domainId: stored.id }
}

export const newRun = (at: { organisationId: string; domainId: string }, change: Partial<NewRun> = {}): NewRun => ({
  ...OPTIONS,
  ...at,
  context: null,
  sealedCredentials: null,
  idempotency: null,
  ...change,
})

/** A queued run; throws when it is refused. */
export const seedRun = async (
  db: Database,
  at: { organisationId: string; domainId: string },
  change: Partial<NewRun> = {},
): Promise<RunRecord> => {
  const result = await createRun(db, PLANS, newRun(at, change))
  if ('refused' in result) throw new Error(`Refused: ${result.refused}`)
  return result.run
}

export const take = (db: Database, workerId = 'worker-1'): Promise<LeasedRun | null> =>
  lease(db, { workerId, seconds: 30, plans: PLANS })

/** Leases the next run and starts it; throws when there is none. */
export const takeAndStart = async (db: Database): Promise<LeasedRun> => {
  const held = await take(db)
  if (!held) throw new Error('Nothing to lease')
  if ((await startRun(db, held)) === 'lost') throw new Error('Lost')
  return held
}

/** As if the worker had been silent for longer than its lease. */
export const expireLease = async (db: Database, { runId }: Pick<Lease, 'runId'>): Promise<void> => {
  await db.query(`update runs set lease_until = clock_timestamp() - interval '1 second' where id = $1`, [runId])
}

export const finding = (check_id: string, change: Partial<NewFinding> = {}): NewFinding => ({
  check_id,
  module: check_id.split('/')[0] ?? '',
  title: `Problem ${check_id}`,
  severity: 'medium',
  shift: null,
  confidence: 'firm',
  location: { url: 'http://shop.test/' },
  places: [],
  detail: 'Seen.',
  description: 'Matters.',
  remediation: 'Fix.',
  references: [],
  cwe: 200,
  owasp: [],
  cvss: null,
  cve: [],
  proof: null,
  evidence: [],
  fingerprint: Buffer.from(check_id.padEnd(32, '.')).toString('hex').slice(0, 64),
  ...change,
})

/** Runs as the list shows them. */
export const listedRuns = async (...of: Parameters<typeof listRuns>): Promise<RunListItem[]> =>
  (await listRuns(...of)).map((item) => JSON.parse(item))
