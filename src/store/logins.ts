/**
 * The login that is stored with a domain: sealed from the moment it comes in, copied sealed into the runs that ask for it,
 * and opened only by the worker that sends it. What an asked test came to stands beside it.
 */
import type { DomainLogin, LoginAnswer, LoginTest } from '../contract/domain-login.ts'
import type { Queryable } from './database.ts'
import { iso, isoOrNull } from './time.ts'

/** Seconds that a look may take before it counts as lost with its worker. */
export const LOOK_SECONDS = 90

/** Replaces the one before, with its test. False: there is no such domain. */
export const setLogin = async (
  db: Queryable,
  organisationId: string,
  domainId: string,
  login: Pick<DomainLogin, 'kinds' | 'page' | 'set_by'> & { readonly sealed: Buffer },
): Promise<boolean> => {
  const rows = await db.query(
    `insert into domain_logins as l (domain_id, credentials, kinds, page, set_by)
     select d.id, $3, $4, $5, $6 from domains d where d.id = $2 and d.organisation_id = $1
     on conflict (domain_id) do update
       set credentials = excluded.credentials, kinds = excluded.kinds, page = excluded.page, set_by = excluded.set_by,
           set_at = clock_timestamp(), test_id = null, test_asked_at = null, test_claimed_at = null,
           test_finished_at = null, test_answer = null
     returning l.domain_id`,
    [organisationId, domainId, login.sealed, login.kinds, login.page, login.set_by],
  )
  return rows.length > 0
}

/** Runs that took it before keep their copy until they end. False: there was none. */
export const deleteLogin = async (db: Queryable, organisationId: string, domainId: string): Promise<boolean> =>
  (
    await db.query(
      `delete from domain_logins l using domains d
        where d.id = l.domain_id and d.id = $2 and d.organisation_id = $1 returning l.domain_id`,
      [organisationId, domainId],
    )
  ).length > 0

/** As a run carries it; null without one. */
export const sealedLogin = async (db: Queryable, domainId: string): Promise<Buffer | null> => {
  const [row] = await db.query<{ credentials: Buffer }>('select credentials from domain_logins where domain_id = $1', [
    domainId,
  ])
  return row?.credentials ?? null
}

/** One at a time: while a look waits or goes on, asking again answers that one. Null: nothing is stored. */
export const askLoginTest = async (
  db: Queryable,
  organisationId: string,
  domainId: string,
): Promise<LoginTest | null> => {
  await db.query(
    `with asked as (
       update domain_logins l
          set test_id = gen_random_uuid(), test_asked_at = clock_timestamp(), test_claimed_at = null,
              test_finished_at = null, test_answer = null
         from domains d
        where d.id = l.domain_id and d.id = $2 and d.organisation_id = $1
          and (l.test_asked_at is null or l.test_finished_at is not null or ${LOST})
       returning l.domain_id)
     select pg_notify('login_tests', '') from asked`,
    [organisationId, domainId],
  )
  return readLoginTest(db, organisationId, domainId)
}

/** The last one; null when nobody has asked, or nothing is stored. */
export const readLoginTest = async (
  db: Queryable,
  organisationId: string,
  domainId: string,
): Promise<LoginTest | null> => {
  const [row] = await db.query<TestRow>(
    `select l.test_asked_at, l.test_claimed_at, l.test_finished_at, l.test_answer, ${LOST} as lost
       from domain_logins l join domains d on d.id = l.domain_id
      where d.id = $2 and d.organisation_id = $1 and l.test_asked_at is not null`,
    [organisationId, domainId],
  )
  return row ? toTest(row) : null
}

export interface LoginTestJob {
  readonly testId: string
  readonly domainId: string
  readonly domain: string
  readonly page: string
  readonly exclude: readonly string[]
  readonly requestsPerSecond: number | null
  readonly verified: boolean
  readonly sealed: Buffer
}

/** The next look that nobody has taken and no emergency stop holds; two workers never take the same. */
export const claimLoginTest = async (db: Queryable): Promise<LoginTestJob | null> => {
  const [row] = await db.query<JobRow>(
    `update domain_logins l set test_claimed_at = clock_timestamp()
       from domains d
      where d.id = l.domain_id
        and l.domain_id = (
          select w.domain_id from domain_logins w join domains o on o.id = w.domain_id
           where w.test_asked_at is not null and w.test_claimed_at is null and not is_held(o.organisation_id)
           order by w.test_asked_at limit 1 for update of w skip locked)
     returning l.test_id, d.id, d.domain, l.page, d.exclude, d.requests_per_second, l.credentials,
               coalesce(d.verified_until > clock_timestamp(), false) as verified`,
    [],
  )
  if (!row) return null
  return {
    ...{ testId: row.test_id, domainId: row.id, domain: row.domain, page: row.page, exclude: row.exclude },
    ...{ requestsPerSecond: row.requests_per_second, verified: row.verified, sealed: row.credentials },
  }
}

/** Nothing is written when the login was replaced, deleted or asked about again meanwhile. */
export const finishLoginTest = async (db: Queryable, testId: string, answer: LoginAnswer): Promise<void> => {
  await db.query('update domain_logins set test_finished_at = clock_timestamp(), test_answer = $2 where test_id = $1', [
    testId,
    JSON.stringify(answer),
  ])
}

const LOST = `(l.test_finished_at is null and l.test_claimed_at is not null
  and l.test_claimed_at < clock_timestamp() - make_interval(secs => ${LOOK_SECONDS}))`

interface TestRow {
  readonly test_asked_at: Date
  readonly test_claimed_at: Date | null
  readonly test_finished_at: Date | null
  readonly test_answer: LoginAnswer | null
  readonly lost: boolean
}

interface JobRow {
  readonly test_id: string
  readonly id: string
  readonly domain: string
  readonly page: string
  readonly exclude: readonly string[]
  readonly requests_per_second: number | null
  readonly verified: boolean
  readonly credentials: Buffer
}

const toTest = (row: TestRow): LoginTest => {
  const times = { asked_at: iso(row.test_asked_at), finished_at: isoOrNull(row.test_finished_at) }
  const nothing = { without: null, with: null }
  if (row.test_answer !== null) {
    const { state, reason, without, with: signed } = row.test_answer
    return { ...{ state, reason, without, with: signed }, ...times }
  }
  if (row.lost)
    return { state: 'not_tested', reason: 'The worker that looked was lost. Ask again.', ...nothing, ...times }
  return { state: row.test_claimed_at === null ? 'waiting' : 'running', reason: null, ...nothing, ...times }
}
