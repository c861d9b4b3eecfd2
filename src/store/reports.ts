/**
 * Renderings of a run's report: a queue of its own, so that no run depends on how its report fares. A rendering has a
 * number within its run; whoever takes it up has a token, and writes nothing once that is another's.
 */
import type { AskReport, ReportState } from '../contract/report.ts'
import { confirmArtifacts, insertArtifact, type NewArtifact, type StoredArtifact } from './artifacts.ts'
import type { Database, Queryable } from './database.ts'
import type { Lease } from './lease.ts'
import { holds } from './lease-guard.ts'

/** A rendering is begun at most so many times; the one whose worker is lost at the limit has failed. */
export const REPORT_ATTEMPTS = 3
/** Renderings of one run. */
export const MAX_VERSIONS = 50

export type ReportOptions = Partial<AskReport>

export interface ReportJob extends Lease {
  readonly version: number
  /** Those begun before this one. */
  readonly attempts: number
  /** Seconds since it was asked for. */
  readonly age: number
  readonly options: ReportOptions
  /** False: nobody has asked for one, neither of the run nor of an earlier version. */
  readonly pdf: boolean
  /** What the last judgement up to this version has replaced, see worker/judged-file.ts; null: none. */
  readonly judged: unknown
  readonly organisationId: string
  readonly organisationName: string
  readonly plan: string
}

/**
 * The first one of a run, under its lease: the findings file and the page are stored already, `pdf` says whether more
 * is to come. What an agent has scanned stays running from one worker to the next: what one of them had of a report and did not bring to
 * the run's end goes, as it does with an attempt.
 */
export const openReport = (
  db: Database,
  held: Lease,
  { pdf, artifacts }: { readonly pdf: boolean; readonly artifacts: readonly StoredArtifact[] },
): Promise<'ok' | 'lost'> =>
  db.transaction(async (tx) => {
    if (!(await holds(tx, held))) return 'lost'
    const before = await tx.query('delete from reports where run_id = $1 returning version', [held.runId])
    if (before.length > 0)
      await tx.query(
        'update artifacts set stored_at = null where run_id = $1 and version is not null and deleted_at is null',
        [held.runId],
      )
    await tx.query(
      `insert into reports (run_id, version, state, finished_at)
       values ($1, 1, $2, case when $2 = 'none' then clock_timestamp() end)`,
      [held.runId, pdf ? 'pending' : 'none'],
    )
    await confirmArtifacts(tx, held, artifacts)
    if (pdf) await wake(tx)
    return 'ok'
  })

/** Of the newest rendering; null without one. */
export const readReport = async (db: Queryable, runId: string): Promise<ReportState | null> => {
  const [row] = await db.query<ReportState>(
    'select state, reason, version from reports where run_id = $1 order by version desc limit 1',
    [runId],
  )
  return row ?? null
}

/**
 * Another rendering of a run that is done. One that waits with the same wishes is answered instead of a second one: it
 * takes the decisions as they stand when it is made. `full` at `MAX_VERSIONS`, `not_done` for a run without a result.
 */
export const askReport = (
  db: Database,
  runId: string,
  options: ReportOptions,
): Promise<ReportState | 'not_done' | 'full'> =>
  db.transaction(async (tx) => {
    // The lock keeps two that ask at once from taking the same number.
    const [run] = await tx.query<{ status: string }>('select status from runs where id = $1 for no key update', [runId])
    if (run?.status !== 'done') return 'not_done'
    const [waiting] = await tx.query<ReportState>(
      `select state, reason, version from reports
        where run_id = $1 and version > 1 and state = 'pending' and pdf and lease_token is null and options = $2::jsonb
        order by version desc limit 1`,
      [runId, JSON.stringify(options)],
    )
    if (waiting) return waiting
    const version = await nextVersion(tx, runId)
    if (version > MAX_VERSIONS) return 'full'
    const [made] = await tx.query<ReportState>(
      `insert into reports (run_id, version, state, options) values ($1, $2, 'pending', $3::jsonb)
       returning state, reason, version`,
      [runId, version, JSON.stringify(options)],
    )
    if (!made) throw new Error('The rendering was not stored')
    await wake(tx)
    return made
  })

/** The number of a further rendering; whoever asks holds the run's row. */
export const nextVersion = async (tx: Queryable, runId: string): Promise<number> => {
  const [row] = await tx.query<{ next: number }>(
    'select coalesce(max(version), 0) + 1 as next from reports where run_id = $1',
    [runId],
  )
  return row?.next ?? 1
}

/** The next one that is due; two workers never take the same. */
export const claimReport = async (db: Queryable, seconds: number): Promise<ReportJob | null> => {
  const [job] = await db.query<ReportJob>(
    `update reports p
        set lease_token = gen_random_uuid(), attempts = p.attempts + 1,
            due_at = clock_timestamp() + make_interval(secs => $1)
       from runs r join organisations o on o.id = r.organisation_id
      where r.id = p.run_id
        and (p.run_id, p.version) = (
          select run_id, version from reports
           where state = 'pending' and due_at <= clock_timestamp() and attempts < ${REPORT_ATTEMPTS}
           order by due_at limit 1 for update skip locked)
      returning p.run_id as "runId", p.version, p.lease_token as token, p.attempts - 1 as attempts, p.options, p.pdf,
                extract(epoch from clock_timestamp() - p.asked_at)::float8 as age,
                (select j.judged from reports j
                  where j.run_id = p.run_id and j.version <= p.version and j.judged is not null
                  order by j.version desc limit 1) as judged,
                o.id as "organisationId", o.name as "organisationName", o.plan`,
    [seconds],
  )
  return job ?? null
}

/**
 * Object key of the newest findings file up to this version, also of a run that still waits for its report; null once it was
 * deleted.
 */
export const storedFindings = async (db: Queryable, runId: string, version: number): Promise<string | null> => {
  const [row] = await db.query<{ key: string; present: boolean }>(
    `select object_key as key, deleted_at is null and (expires_at is null or expires_at > clock_timestamp()) as present
       from artifacts
      where run_id = $1 and kind = 'findings_json' and version <= $2 and stored_at is not null
      order by version desc limit 1`,
    [runId, version],
  )
  return row?.present ? row.key : null
}

/** Extends the lease by so many seconds from now. */
export const keepReport = async (db: Queryable, job: ReportJob, seconds: number): Promise<'ok' | 'lost'> => {
  const rows = await db.query(
    `update reports set due_at = clock_timestamp() + make_interval(secs => $4)
      where run_id = $1 and version = $2 and lease_token = $3 returning version`,
    [job.runId, job.version, job.token, seconds],
  )
  return rows.length > 0 ? 'ok' : 'lost'
}

/** Before the object is written. */
export const reserveReportFile = (db: Database, job: ReportJob, file: NewArtifact): Promise<'ok' | 'lost'> =>
  db.transaction(async (tx) => {
    if (!(await owns(tx, job))) return 'lost'
    await insertArtifact(tx, job.runId, job.token, file)
    return 'ok'
  })

/** The end of a rendering: its files become visible in the same moment. `reason` says why there is no PDF. */
export const finishReport = (
  db: Database,
  job: ReportJob,
  { reason, artifacts }: { readonly reason: string | null; readonly artifacts: readonly StoredArtifact[] },
): Promise<'ok' | 'lost'> =>
  db.transaction(async (tx) => {
    if (!(await owns(tx, job))) return 'lost'
    await tx.query(
      `update reports set state = $3, reason = $4, lease_token = null, finished_at = clock_timestamp()
        where run_id = $1 and version = $2`,
      [job.runId, job.version, reason !== null ? 'failed' : job.pdf ? 'ready' : 'none', reason],
    )
    await confirmArtifacts(tx, job, artifacts)
    return 'ok'
  })

/**
 * Hands the rendering back, to be taken up after so many seconds. `counts`: whether this attempt counts; it does not
 * when the worker only stops.
 */
export const releaseReport = async (
  db: Queryable,
  job: ReportJob,
  { seconds, counts }: { readonly seconds: number; readonly counts: boolean },
): Promise<void> => {
  await db.query(
    `with back as (
       update reports
          set lease_token = null, due_at = clock_timestamp() + make_interval(secs => $4),
              attempts = attempts - case when $5 then 0 else 1 end
        where run_id = $1 and version = $2 and lease_token = $3
        returning version)
     select pg_notify('reports_due', '') from back`,
    [job.runId, job.version, job.token, seconds, counts],
  )
}

/** Renderings whose worker was lost each time. Any number of workers may do it at once. Returns how many. */
export const failLostReports = async (db: Queryable): Promise<number> =>
  (
    await db.query(
      `update reports
          set state = 'failed', reason = $1, lease_token = null, finished_at = clock_timestamp()
        where state = 'pending' and attempts >= ${REPORT_ATTEMPTS} and due_at <= clock_timestamp()
        returning version`,
      [`The worker was lost in each of ${REPORT_ATTEMPTS} attempts to make the report.`],
    )
  ).length

/** Locks the row when the token still holds. */
const owns = async (tx: Queryable, job: ReportJob): Promise<boolean> =>
  (
    await tx.query('select 1 from reports where run_id = $1 and version = $2 and lease_token = $3 for update', [
      job.runId,
      job.version,
      job.token,
    ])
  ).length > 0

const wake = async (tx: Queryable): Promise<void> => {
  await tx.query(`select pg_notify('reports_due', '')`)
}
