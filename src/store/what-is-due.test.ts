import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../tests/support/databases.ts'
import { expireLease, seedDomain, seedRun, take } from '../../tests/support/seed.ts'
import { type Due, whatIsDue } from './what-is-due.ts'

let t: TestDatabase
let at: { organisationId: string; domainId: string }
beforeAll(async () => {
  t = await openTestDatabase()
})
afterAll(() => t.drop())
beforeEach(async () => {
  await t.empty()
  at = await seedDomain(t.db)
})

const due = async (): Promise<string[]> =>
  Object.entries(await whatIsDue(t.db))
    .filter(([, is]) => is)
    .map(([name]) => name)
const insert = (sql: string): Promise<unknown> => t.db.query(sql, [at.organisationId, at.domainId])
const AGO = `clock_timestamp() - interval '1 hour'`
const LATER = `clock_timestamp() + interval '1 hour'`
const RUN = `
  insert into runs (id, organisation_id, domain_id, domain, tier, options, status, phase, progress, grade, first_leased_at, started_at, finished_at)
  values (gen_random_uuid(), $1, $2, 'shop.test', 'passive', '{}', 'done', 'finished', 100, 'B', ${AGO}, ${AGO}, ${AGO}) returning id`

test('nothing, as nearly always', async () => {
  await seedRun(t.db, at)
  expect(await due()).toEqual([])
})

/** What is written, with a time in place of `:at`. */
const DATED: Partial<Record<keyof Due, string>> = {
  reports: `with run as (${RUN}) insert into reports (run_id, version, options, state, due_at) select id, 1, '{}', 'pending', :at from run`,
  signatures: `with run as (${RUN}) insert into reports (run_id, version, options, state, due_at, finished_at, sign_due_at)
               select id, 1, '{}', 'ready', ${AGO}, ${AGO}, :at from run`,
  decisions: `insert into triage (organisation_id, domain_id, fingerprint, state, owner, reason, expires_at, proof_hash, subject, decided_by)
              values ($1, $2, 'f', 'accepted', 'o', 'r', :at, 'p', '{}', 'd')`,
  schedules: `insert into schedules (organisation_id, domain_id, timing, options, next_at) values ($1, $2, '{}', '{}', :at)`,
  batches: `insert into batches (id, organisation_id, options, total, created_at) select gen_random_uuid(), $1, '{}', 1, :at where $2::uuid is not null`,
}
test.each(Object.entries(DATED))('%s whose time has come, and none before', async (name, sql) => {
  await insert(sql.replace(':at', LATER))
  expect(await due()).toEqual([])
  await insert(sql.replace(':at', AGO).replace("'f'", "'g'"))
  expect(await due()).toEqual([name])
})

test('a run whose lease has run out, and an organisation that has nothing left in the queue', async () => {
  await seedRun(t.db, at)
  const held = await take(t.db)
  if (held === null) throw new Error('Nothing to lease')
  expect(await due()).toEqual(['settled'])
  await expireLease(t.db, held)
  expect(await due()).toEqual(['lost', 'settled'])
})

test('an erasure until it has ended', async () => {
  await insert(
    `insert into erasures (organisation_id, organisation, asked_by, counts, units) select $1, 'o', 'a', '{}', 0 where $2::uuid is not null`,
  )
  expect(await due()).toEqual(['erasures'])
  await t.db.query(`update erasures set ended_at = clock_timestamp(), receipt = 'r'`, [])
  expect(await due()).toEqual([])
})

test('a login test that nobody has taken, unless the emergency stop holds it', async () => {
  await insert(
    `insert into domain_identities (domain_id, name, credentials, parts, page, set_by, test_id, test_asked_at)
     select $2, 'admin', '\\x00', '{cookie}', '/', 's', gen_random_uuid(), clock_timestamp() where $1::uuid is not null`,
  )
  expect(await due()).toEqual(['logins'])
  await t.db.query(`insert into holds (organisation_id, held_by) values ($1, 'h')`, [at.organisationId])
  expect(await due()).toEqual([])
})
