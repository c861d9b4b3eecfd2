/** An organisation with a key and a domain, and runs in bulk. */
import { SCOPES } from '../../src/contract/organisation.ts'
import { createKey } from '../../src/store/api-keys.ts'
import type { Database } from '../../src/store/database.ts'
import { createDomain } from '../../src/store/domains.ts'
import { createOrganisation } from '../../src/store/organisations.ts'

export interface Tenant {
  readonly organisationId: string
  readonly domainId: string
  readonly secret: string
}

export const createTenant = async (db: Database, domain: string): Promise<Tenant> => {
  const organisation = await createOrganisation(db, { name: domain, plan: 'enterprise' })
  const { secret } = await createKey(db, {
    ...{ organisationId: organisation.id, name: 'bench', scopes: SCOPES, expiresAt: null },
  })
  const stored = await createDomain(db, {
    ...{ organisationId: organisation.id, domain, context: null, token: 'abc' },
  })
  if (stored === 'domain_exists') throw new Error('The domain exists')
  return { organisationId: organisation.id, domainId: stored.id, secret }
}

/**
 * Ended runs of the numbers from `from` to `to`, a second apart and the higher number the older, over 200 names: as an
 * organisation's history looks. One in ten failed.
 */
export const addRuns = async (db: Database, tenant: Tenant, from: number, to: number): Promise<void> => {
  await db.query(
    `insert into runs (id, organisation_id, domain_id, domain, tier, options, status, phase, progress, grade, error_kind,
                       created_at, first_leased_at, started_at, finished_at)
     select gen_random_uuid(), $1, $2, 'shop' || n % 200 || '.example.com',
            case when n % 3 = 0 then 'active' else 'passive' end,
            '{"active": false, "privacy": true, "cve_include_possible": false, "template_full": false, "make_pdf": true}',
            case when n % 10 = 0 then 'failed' else 'done' end, 'finished', case when n % 10 = 0 then 40 else 100 end,
            case when n % 10 <> 0 then 'B' end, case when n % 10 = 0 then 'target_unreachable' end, at, at, at, at
       from generate_series($3::int, $4::int) n, lateral (select now() - make_interval(secs => n) as at) t`,
    [tenant.organisationId, tenant.domainId, from, to],
  )
  await db.query('analyze runs')
}

/** A stored report of the tenant's newest done run; returns the run. */
export const addReport = async (db: Database, tenant: Tenant): Promise<string> => {
  const [row] = await db.query<{ run_id: string }>(
    `insert into artifacts (id, run_id, kind, filename, content_type, object_key, size_bytes, sha256, page_count,
                            stored_at, expires_at)
     select gen_random_uuid(), id, 'report_pdf', 'report.pdf', 'application/pdf', 'runs/' || id || '/report.pdf', 1,
            repeat('0', 64), 1, now(), now() + interval '1 year'
       from runs where organisation_id = $1 and status = 'done' order by created_at desc limit 1
     returning run_id`,
    [tenant.organisationId],
  )
  if (!row) throw new Error('There is no run for a report')
  return row.run_id
}
