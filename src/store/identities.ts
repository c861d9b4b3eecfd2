/**
 * Identities of a domain: sealed from the moment they come in, copied sealed into the runs that ask for them, and opened only by the
 * worker that sends them. What an asked test came to stands beside each. The login of a domain is the one called `default`.
 */
import type { DomainLogin, LoginAnswer, LoginTest } from '../contract/domain-login.ts'
import { DEFAULT_IDENTITY, type Identity, type IdentityKind, MOST_IDENTITIES } from '../contract/identity.ts'
import type { Proof } from '../contract/sign-in.ts'
import { type Database, DatabaseError, type Queryable } from './database.ts'
import { iso, isoOrNull } from './time.ts'

/** Seconds that a look may take before it counts as lost with its worker. */
export const LOOK_SECONDS = 150

/** One of a domain. */
export type Which = { readonly id: string } | { readonly name: string }

export interface NewIdentity {
  readonly name: string
  readonly role: string
  /** Its kind first. */
  readonly parts: readonly string[]
  readonly proof: Proof | null
  /** Path by which a cookie or a header is tried out; null: as it was, of a new one the start page. */
  readonly page: string | null
  readonly set_by: string
  readonly sealed: Buffer
}

const UNTESTED = `test_id = null, test_asked_at = null, test_claimed_at = null, test_finished_at = null, test_answer = null`

/** Replaces the one before, with its test. False: there is no such domain. */
export const setLogin = async (
  db: Queryable,
  organisationId: string,
  domainId: string,
  login: Pick<DomainLogin, 'kinds' | 'page' | 'set_by'> & { readonly sealed: Buffer },
): Promise<boolean> => {
  const rows = await db.query(
    `insert into domain_identities as l (domain_id, name, credentials, parts, page, set_by)
     select d.id, $7, $3, $4, $5, $6 from domains d where d.id = $2 and d.organisation_id = $1
     on conflict (domain_id, name) do update
       set credentials = excluded.credentials, parts = excluded.parts, page = excluded.page, set_by = excluded.set_by,
           proof = null, set_at = clock_timestamp(), ${UNTESTED}
     returning l.domain_id`,
    [organisationId, domainId, login.sealed, login.kinds, login.page, login.set_by, DEFAULT_IDENTITY],
  )
  return rows.length > 0
}

/** `domain_not_found` also for another organisation's. */
export const createIdentity = (
  db: Database,
  organisationId: string,
  domainId: string,
  made: NewIdentity,
): Promise<Identity | 'domain_not_found' | 'identity_exists' | 'too_many_identities'> =>
  db.transaction(async (tx) => {
    const [domain] = await tx.query('select 1 from domains where organisation_id = $1 and id = $2 for no key update', [
      organisationId,
      domainId,
    ])
    if (!domain) return 'domain_not_found'
    const existing = await tx.query<{ name: string }>('select name from domain_identities where domain_id = $1', [
      domainId,
    ])
    if (existing.some(({ name }) => name === made.name)) return 'identity_exists'
    if (existing.length >= MOST_IDENTITIES) return 'too_many_identities'
    const [row] = await tx.query<Row>(
      `insert into domain_identities as l (domain_id, name, role, parts, proof, page, set_by, credentials)
       values ($1, $2, $3, $4, $5, coalesce($6, '/'), $7, $8) returning ${COLUMNS}`,
      [
        ...[domainId, made.name, made.role, made.parts, made.proof && JSON.stringify(made.proof)],
        ...[made.page, made.set_by, made.sealed],
      ],
    )
    if (!row) throw new Error('an insert answers its row')
    return toIdentity(row)
  })

/** By name. */
export const listIdentities = async (
  db: Queryable,
  organisationId: string,
  domainId: string,
): Promise<readonly Identity[]> => {
  const rows = await db.query<Row>(`select ${COLUMNS} ${OWN} order by l.name`, [organisationId, domainId])
  return rows.map(toIdentity)
}

/** With what is sealed; null for another organisation's. */
export const getIdentity = async (
  db: Queryable,
  organisationId: string,
  domainId: string,
  id: string,
): Promise<{ readonly identity: Identity; readonly sealed: Buffer } | null> => {
  const [row] = await db.query<Row & { credentials: Buffer }>(`select ${COLUMNS}, l.credentials ${OWN} and l.id = $3`, [
    organisationId,
    domainId,
    id,
  ])
  return row ? { identity: toIdentity(row), sealed: row.credentials } : null
}

/** A changed identity begins without a test, unless it is called otherwise alone. */
export const updateIdentity = async (
  db: Queryable,
  organisationId: string,
  domainId: string,
  id: string,
  now: NewIdentity,
): Promise<Identity | 'identity_not_found' | 'identity_exists'> => {
  try {
    const [row] = await db.query<Row>(
      `update domain_identities l
          set name = $4, role = $5, parts = $6, proof = $7, page = coalesce($8, l.page), set_by = $9, credentials = $10,
              set_at = clock_timestamp(), ${UNTESTED}
         from domains d
        where d.id = l.domain_id and d.organisation_id = $1 and d.id = $2 and l.id = $3
        returning ${COLUMNS}`,
      [
        ...[organisationId, domainId, id, now.name, now.role, now.parts, now.proof && JSON.stringify(now.proof)],
        ...[now.page, now.set_by, now.sealed],
      ],
    )
    return row ? toIdentity(row) : 'identity_not_found'
  } catch (error) {
    if (error instanceof DatabaseError && error.code === UNIQUE_VIOLATION) return 'identity_exists'
    throw error
  }
}
const UNIQUE_VIOLATION = '23505'

/** Its name. Runs that took it before keep their copy until they end. Null: there was none. */
export const deleteIdentity = async (
  db: Queryable,
  organisationId: string,
  domainId: string,
  which: Which,
): Promise<string | null> => {
  const [by, value] = selector(which)
  const [row] = await db.query<{ name: string }>(
    `delete from domain_identities l using domains d
      where d.id = l.domain_id and d.id = $2 and d.organisation_id = $1 and l.${by} = $3 returning l.name`,
    [organisationId, domainId, value],
  )
  return row?.name ?? null
}

/** As a run carries it; null where the domain has none of that name. */
export const sealedIdentity = async (db: Queryable, domainId: string, name: string): Promise<Buffer | null> => {
  const [row] = await db.query<{ credentials: Buffer }>(
    'select credentials from domain_identities where domain_id = $1 and name = $2',
    [domainId, name],
  )
  return row?.credentials ?? null
}

/** As whom a run looks, the one that it scans as first: that one's credentials are the run's own. */
export interface RunIdentity {
  readonly name: string
  readonly role: string
  /** Null: those of the run. */
  readonly sealed: Buffer | null
}

/** Copies what the domain keeps now: what is changed there later is no business of this run. */
export const giveIdentities = async (
  db: Queryable,
  run: { readonly id: string; readonly domainId: string },
  names: readonly string[],
): Promise<void> => {
  await db.query(
    `insert into run_identities (run_id, place, name, role, credentials)
     select $1, wanted.place, l.name, l.role, case when wanted.place > 1 then l.credentials end
       from unnest($3::text[]) with ordinality as wanted (name, place)
       join domain_identities l on l.domain_id = $2 and l.name = wanted.name`,
    [run.id, run.domainId, [...names]],
  )
}

/** In their order; none where the run looks as nobody or as what it was given. */
export const identitiesOfRun = async (db: Queryable, runId: string): Promise<readonly RunIdentity[]> => {
  const rows = await db.query<{ name: string; role: string; credentials: Buffer | null }>(
    'select name, role, credentials from run_identities where run_id = $1 order by place',
    [runId],
  )
  return rows.map(({ name, role, credentials }) => ({ name, role, sealed: credentials }))
}

/** One at a time: while a look waits or goes on, asking again answers that one. Null: nothing is stored. */
export const askLoginTest = async (
  db: Queryable,
  organisationId: string,
  domainId: string,
  which: Which,
): Promise<LoginTest | null> => {
  const [by, value] = selector(which)
  await db.query(
    `with asked as (
       update domain_identities l
          set test_id = gen_random_uuid(), test_asked_at = clock_timestamp(), test_claimed_at = null,
              test_finished_at = null, test_answer = null
         from domains d
        where d.id = l.domain_id and d.id = $2 and d.organisation_id = $1 and l.${by} = $3
          and (l.test_asked_at is null or l.test_finished_at is not null or ${LOST})
       returning l.domain_id)
     select pg_notify('login_tests', '') from asked`,
    [organisationId, domainId, value],
  )
  return readLoginTest(db, organisationId, domainId, which)
}

/** The last one; null when nobody has asked, or nothing is stored. */
export const readLoginTest = async (
  db: Queryable,
  organisationId: string,
  domainId: string,
  which: Which,
): Promise<LoginTest | null> => {
  const [by, value] = selector(which)
  const [row] = await db.query<Row>(`select ${COLUMNS} ${OWN} and l.${by} = $3`, [organisationId, domainId, value])
  return row ? toIdentity(row).test : null
}

export interface LoginTestJob {
  readonly testId: string
  readonly domainId: string
  readonly domain: string
  readonly page: string
  readonly exclude: readonly string[]
  readonly signInHosts: readonly string[]
  readonly requestsPerSecond: number | null
  readonly verified: boolean
  readonly sealed: Buffer
}

/** The next look that nobody has taken and no emergency stop holds; two workers never take the same. */
export const claimLoginTest = async (db: Queryable): Promise<LoginTestJob | null> => {
  const [row] = await db.query<JobRow>(
    `update domain_identities l set test_claimed_at = clock_timestamp()
       from domains d
      where d.id = l.domain_id
        and l.id = (
          select w.id from domain_identities w join domains o on o.id = w.domain_id
           where w.test_asked_at is not null and w.test_claimed_at is null and o.agent_id is null and not is_held(o.organisation_id)
           order by w.test_asked_at limit 1 for update of w skip locked)
     returning l.test_id, d.id, d.domain, l.page, d.exclude, d.sign_in_hosts, d.requests_per_second, l.credentials,
               coalesce(d.verified_until > clock_timestamp(), false) as verified`,
    [],
  )
  if (!row) return null
  return {
    ...{ testId: row.test_id, domainId: row.id, domain: row.domain, page: row.page, exclude: row.exclude },
    ...{ signInHosts: row.sign_in_hosts, requestsPerSecond: row.requests_per_second },
    ...{ verified: row.verified, sealed: row.credentials },
  }
}

/** Nothing is written when the login was replaced, deleted or asked about again meanwhile. */
export const finishLoginTest = (
  db: Database,
  testId: string,
  answer: LoginAnswer,
  /** JPEG, by the place of the step. */
  pictures: ReadonlyMap<number, Uint8Array> = new Map(),
): Promise<void> =>
  db.transaction(async (tx) => {
    const [row] = await tx.query<{ id: string }>(
      'update domain_identities set test_finished_at = clock_timestamp(), test_answer = $2 where test_id = $1 returning id',
      [testId, JSON.stringify(answer)],
    )
    if (!row) return
    await tx.query('delete from identity_pictures where identity_id = $1', [row.id])
    for (const [step, jpeg] of pictures) {
      await tx.query('insert into identity_pictures (identity_id, test_id, step, jpeg) values ($1, $2, $3, $4)', [
        ...[row.id, testId, step, Buffer.from(jpeg)],
      ])
    }
  })

/** Of the test that stands; null where there is none. */
export const readIdentityPicture = async (
  db: Queryable,
  organisationId: string,
  domainId: string,
  id: string,
  step: number,
): Promise<Buffer | null> => {
  const [row] = await db.query<{ jpeg: Buffer }>(
    `select p.jpeg from identity_pictures p
       join domain_identities l on l.id = p.identity_id and l.test_id = p.test_id
       join domains d on d.id = l.domain_id
      where d.organisation_id = $1 and d.id = $2 and l.id = $3 and p.step = $4`,
    [organisationId, domainId, id, step],
  )
  return row?.jpeg ?? null
}

const selector = (which: Which): readonly ['id' | 'name', string] =>
  'id' in which ? ['id', which.id] : ['name', which.name]

const LOST = `(l.test_finished_at is null and l.test_claimed_at is not null
  and l.test_claimed_at < clock_timestamp() - make_interval(secs => ${LOOK_SECONDS}))`
const COLUMNS = `l.id, l.name, l.role, l.parts, l.proof, l.set_at, l.set_by,
  l.test_asked_at, l.test_claimed_at, l.test_finished_at, l.test_answer, ${LOST} as lost`
const OWN = 'from domain_identities l join domains d on d.id = l.domain_id where d.organisation_id = $1 and d.id = $2'

interface Row {
  readonly id: string
  readonly name: string
  readonly role: string
  readonly parts: readonly string[]
  readonly proof: Proof | null
  readonly set_at: Date
  readonly set_by: string
  readonly test_asked_at: Date | null
  readonly test_claimed_at: Date | null
  readonly test_finished_at: Date | null
  /** Of earlier versions without steps. */
  readonly test_answer: (Omit<LoginAnswer, 'steps'> & Partial<Pick<LoginAnswer, 'steps'>>) | null
  readonly lost: boolean
}

interface JobRow {
  readonly test_id: string
  readonly id: string
  readonly domain: string
  readonly page: string
  readonly exclude: readonly string[]
  readonly sign_in_hosts: readonly string[]
  readonly requests_per_second: number | null
  readonly verified: boolean
  readonly credentials: Buffer
}

const toIdentity = (row: Row): Identity => ({
  ...{ id: row.id, name: row.name, role: row.role, kind: row.parts[0] as IdentityKind, parts: [...row.parts] },
  ...{ proof: row.proof, set_at: iso(row.set_at), set_by: row.set_by, test: toTest(row) },
})

const toTest = (row: Row): LoginTest | null => {
  if (row.test_asked_at === null) return null
  const times = { asked_at: iso(row.test_asked_at), finished_at: isoOrNull(row.test_finished_at) }
  const nothing = { without: null, with: null, steps: [] }
  if (row.test_answer !== null) {
    const { state, reason, without, with: signed, steps = [] } = row.test_answer
    return { ...{ state, reason, without, with: signed, steps }, ...times }
  }
  if (row.lost)
    return { state: 'not_tested', reason: 'The worker that looked was lost. Ask again.', ...nothing, ...times }
  return { state: row.test_claimed_at === null ? 'waiting' : 'running', reason: null, ...nothing, ...times }
}
