/** Runs and events by the million, made in the database: rows first, their indexes after. */
import type { Database } from '../../src/store/database.ts'
import { makeEventMonths } from '../../src/store/event-months.ts'
import { createTenant, type Tenant } from './tenant.ts'

export const EVENTS_EACH = 10
/** As often was each domain scanned. */
export const RUNS_OF_NAME = 200
const ORGANISATIONS = 100
const MONTHS = 12

/** Some runs of the first organisation, of any age. */
export interface Sized {
  readonly runs: number
  readonly some: readonly { readonly id: string; readonly created_at: Date; readonly domain_id: string }[]
  readonly seconds: number
  readonly size: string
}

export const domainName = (n: number): string => `shop${n}.example.com`

/** A hundred, of which the first has half of all runs. */
export const seedOrganisations = async (db: Database): Promise<Tenant> => {
  const tenant = await createTenant(db, 'first.example.com')
  // One of version 4 that is told by a word.
  await db.query(
    `create function bench_id(word text) returns uuid language sql immutable as $$
       select overlay(overlay(md5(word) placing '4' from 13) placing '8' from 17)::uuid $$`,
    [],
  )
  await db.query(
    `insert into organisations (id, name, plan) select bench_id('o' || n), 'org ' || n, 'enterprise'
       from generate_series(1, ${ORGANISATIONS - 1}) n`,
    [],
  )
  return tenant
}

/** As of a service that has run for a year. */
export const monthsOfYear = async (db: Database): Promise<void> => {
  const now = new Date()
  await db.query('drop table events_before', [])
  for (const { name } of await db.query<{ name: string }>(
    `select relname::text as name from pg_class where relispartition and relname like 'events\\_2%' and relkind = 'r'`,
    [],
  )) {
    await db.query(`drop table ${name}`, [])
  }
  for (let ago = MONTHS; ago >= 0; ago -= 1) {
    await makeEventMonths(db, new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 15)))
  }
}

/** Up to so many runs with their events; `step` counts from 1. */
export const fillTables = async (db: Database, tenant: Tenant, runs: number, step: number): Promise<Sized> => {
  const began = performance.now()
  const from = step === 1 ? 0 : runs / 10
  await db.transaction(async (tx) => {
    await tx.query('set local statement_timeout = 0')
    await tx.query('set local idle_in_transaction_session_timeout = 0')
    await tx.query(`set local maintenance_work_mem = '512MB'`)
    // As a replica: neither keys nor triggers ask after each row.
    await tx.query('set local session_replication_role = replica')
    const indexes = await tx.query<{ name: string; made: string }>(
      `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as made from pg_index
        where indrelid = 'runs'::regclass and not indisprimary`,
    )
    const months = await tx.query<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'events'::regclass`,
    )
    for (const { name } of indexes) await tx.query(`drop index ${name}`)
    for (const { name } of months) await tx.query(`alter table ${name} drop constraint ${name}_pkey`)
    await tx.query(
      `insert into domains (id, organisation_id, domain, token)
       select bench_id('d' || n), case when n % 2 = 0 then $1::uuid else bench_id('o' || 1 + n / 2 % ${ORGANISATIONS - 1}) end,
              'shop' || n / 2 || '.example.com', md5(n::text)
         from generate_series($2::int, $3::int - 1) n on conflict do nothing`,
      [tenant.organisationId, Math.ceil(from / RUNS_OF_NAME), Math.ceil(runs / RUNS_OF_NAME)],
    )
    await tx.query(RUNS(step), [tenant.organisationId, from, runs, Math.ceil(runs / RUNS_OF_NAME)])
    await tx.query(EVENTS, [step])
    for (const { made } of indexes) await tx.query(made)
    for (const { name } of months) await tx.query(`alter table ${name} add primary key (run_id, seq)`)
  })
  const tables = await db.query<{ name: string }>(
    `select 'runs' as name union all select 'domains' union all
     select inhrelid::regclass::text from pg_inherits where inhparent = 'events'::regclass`,
    [],
  )
  // As autovacuum does in its time. Table by table: no statement of a minute.
  for (const { name } of tables) await db.query(`vacuum (analyze, parallel 0) ${name}`)
  const [size] = await db.query<{ size: string }>(
    'select pg_size_pretty(pg_database_size(current_database())) as size',
    [],
  )
  const some = await db.query<Sized['some'][number]>(
    `select id, created_at, domain_id from runs tablesample bernoulli ($2) where organisation_id = $1 limit 2000`,
    [tenant.organisationId, Math.min(100, 500_000 / runs)],
  )
  return { runs, some, seconds: (performance.now() - began) / 1_000, size: size?.size ?? '' }
}

/** Over a year, the higher number the younger; one in ten failed. */
const RUNS = (step: number): string => `
  insert into runs (id, organisation_id, domain_id, domain, tier, options, status, phase, progress, grade, error_kind, attempts,
                    event_seq, created_at, first_leased_at, started_at, finished_at, problems_followed, components_read)
  select gen_random_uuid(), case when d % 2 = 0 then $1::uuid else bench_id('o' || 1 + d / 2 % ${ORGANISATIONS - 1}) end,
         bench_id('d' || d), 'shop' || d / 2 || '.example.com', case when n % 3 = 0 then 'active' else 'passive' end,
         '{"active": false, "privacy": true, "cve_include_possible": false, "template_full": false, "make_pdf": true}',
         case when n % 10 = 0 then 'failed' else 'done' end, 'finished', case when n % 10 = 0 then 40 else 100 end,
         case when n % 10 <> 0 then 'B' end, case when n % 10 = 0 then 'target_unreachable' end, ${step}, ${EVENTS_EACH}, at, at, at,
         at + interval '2 minutes', true, true
    from generate_series($2::int, $3::int - 1) n,
         lateral (select (n::bigint * 7919 % $4::int)::int as d) as domain,
         lateral (select now() - interval '365 days' + interval '365 days' * ((n - $2)::float8 / ($3 - $2)) as at) as time`

/** One of progress, the lines of its audit log, and its end. */
const EVENTS = `
  insert into events (run_id, seq, type, data, created_at)
  select r.id, s, case when s = 1 then 'progress' when s = ${EVENTS_EACH} then 'done' else 'audit' end,
         ('{"ts":"2026-01-01T00:00:00.000Z","seq":' || s || ',"module":"site","event":"request","method":"GET","url":"https://'
          || r.domain || '/products/' || s || '","status":200,"bytes":5120,"duration_ms":35}')::json, r.created_at + make_interval(secs => s)
    from runs r, generate_series(1, ${EVENTS_EACH}) s
   where r.attempts = $1`
