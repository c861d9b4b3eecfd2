/** Runs that are judged again because feeds brought news: a queue, and the one transaction that makes the new judgement count. */
import type { Coverage, Finding } from '../contract/finding.ts'
import type { FactTable, Grade } from '../contract/findings-file.ts'
import type { JudgedAgain, JudgedBecause } from '../contract/judging-again.ts'
import type { Database, Queryable } from './database.ts'
import { WHILE_IT_RAN } from './event-log.ts'
import { allFindings, COUNTED, type NewFinding, type Revised, reviseFindings } from './findings.ts'
import { type Component, isLatest, learnQuestions, lockNews, setComponents } from './knowledge-news.ts'
import type { Lease } from './lease.ts'
import { type ProblemsOf, problemsFollow } from './problem-judgements.ts'
import { MAX_VERSIONS, nextVersion } from './reports.ts'
import { RUN_COLUMNS, type RunRecord, type RunRow, toRunRecord, toRunState } from './run-row.ts'
import { reopenChanged } from './triage.ts'

/** A judgement is begun at most so many times. */
export const JUDGEMENT_ATTEMPTS = 3

export interface JudgementJob extends Lease {
  readonly news: number
  /** Those begun before this one. */
  readonly attempts: number
  readonly run: RunRecord
}

/** The next one; two workers never take the same, and all workers together begin no more than so many in a minute. */
export const claimJudgement = (
  db: Database,
  { seconds, perMinute }: { readonly seconds: number; readonly perMinute: number },
): Promise<JudgementJob | null> =>
  db.transaction(async (tx) => {
    await lockNews(tx)
    const [free] = await tx.query(
      `select 1 from knowledge_news
        where $1 > case when minute = date_trunc('minute', clock_timestamp()) then begun else 0 end`,
      [perMinute],
    )
    if (!free) return null
    const [job] = await tx.query<Omit<JudgementJob, 'run'>>(
      `update judgements j
          set token = gen_random_uuid(), attempts = j.attempts + 1, due_at = clock_timestamp() + make_interval(secs => $1)
        where j.run_id = (
          select run_id from judgements where due_at <= clock_timestamp() order by due_at, run_id limit 1 for update skip locked)
        returning j.run_id as "runId", j.token, j.news, j.attempts - 1 as attempts`,
      [seconds],
    )
    if (!job) return null
    await tx.query(
      `update knowledge_news
          set begun = case when minute = date_trunc('minute', clock_timestamp()) then begun + 1 else 1 end,
              minute = date_trunc('minute', clock_timestamp())`,
      [],
    )
    const [row] = await tx.query<RunRow>(`select ${RUN_COLUMNS} from runs r where r.id = $1`, [job.runId])
    return row ? { ...job, run: toRunRecord(row) } : null
  })

/** Extends the lease by so many seconds from now. */
export const keepJudgement = async (db: Queryable, job: JudgementJob, seconds: number): Promise<'ok' | 'lost'> => {
  const rows = await db.query(
    `update judgements set due_at = clock_timestamp() + make_interval(secs => $3)
      where run_id = $1 and token = $2 returning run_id`,
    [job.runId, job.token, seconds],
  )
  return rows.length > 0 ? 'ok' : 'lost'
}

/** Hands it back, to be taken up after so many seconds. `counts`: whether this attempt counts. */
export const releaseJudgement = async (
  db: Queryable,
  job: JudgementJob,
  { seconds, counts }: { readonly seconds: number; readonly counts: boolean },
): Promise<void> => {
  await db.query(
    `update judgements
        set token = null, due_at = clock_timestamp() + make_interval(secs => $3), attempts = attempts - case when $4 then 0 else 1 end
      where run_id = $1 and token = $2`,
    [job.runId, job.token, seconds, counts],
  )
}

/** Ends it without a result: in words why, or null where nothing that counts is different. */
export const dropJudgement = (
  db: Database,
  job: JudgementJob,
  { reason, components }: { readonly reason: string | null; readonly components: readonly Component[] | null },
): Promise<'ok' | 'lost'> =>
  db.transaction(async (tx) => {
    if (!(await owns(tx, job))) return 'lost'
    if (components !== null && job.run.domainId !== null) {
      await learnQuestions(tx, components, job.news)
      await setComponents(tx, job.run.domainId, job.runId, components)
    }
    if (reason !== null) await say(tx, job.runId, { version: null, feeds: {}, reason: `not judged again: ${reason}` })
    await end(tx, job)
    return 'ok'
  })

/** What a version replaces of the one before; kept with it, so that whoever renders it needs nothing else. */
export interface Replaced {
  readonly modules: readonly string[]
  /** Of these modules. */
  readonly findings: readonly Finding[]
  /** Ids of all findings of the run, in the order of the list. */
  readonly order: readonly string[]
  readonly coverage: readonly Coverage[]
  readonly tables: readonly FactTable[]
  readonly knowledge: Readonly<Record<string, string>>
  readonly grade: Grade
  readonly because: JudgedBecause
}

export interface NewJudgement {
  readonly modules: readonly {
    readonly module: string
    readonly facts: unknown
    readonly findings: readonly NewFinding[]
    readonly coverage: readonly Coverage[]
    readonly tables: readonly FactTable[]
  }[]
  readonly components: readonly Component[]
  readonly knowledge: Readonly<Record<string, string>>
  /** Feeds that brought news, with versions. */
  readonly because: Readonly<Record<string, string>>
  /** The grade by all findings of the run as they are then. */
  readonly grade: (findings: readonly Finding[]) => Grade
}

/**
 * All at once: facts, findings, counts and grade of the run, the version that is to be rendered, the problems of the domain and who
 * is told of them. Returns the version; `full` where the run has as many as it may, `late` where another run stands for the domain now.
 */
export const finishJudgement = (
  db: Database,
  job: JudgementJob,
  judged: NewJudgement,
): Promise<number | 'lost' | 'full' | 'late'> =>
  db.transaction(async (tx) => {
    const { domainId } = job.run
    if (domainId === null || !(await owns(tx, job))) return 'lost'
    await tx.query('select 1 from domains where id = $1 for no key update', [domainId])
    await tx.query('select 1 from runs where id = $1 for no key update', [job.runId])
    if (job.run.finished_at === null || !(await isLatest(tx, domainId, new Date(job.run.finished_at)))) return 'late'
    const version = await nextVersion(tx, job.runId)
    if (version > MAX_VERSIONS) return 'full'
    const revised = await replaceJudged(tx, job.runId, judged)
    const findings = await allFindings(tx, job.runId)
    const grade = judged.grade(findings)
    const because = { at: await now(tx), feeds: judged.because }
    await recountRun(tx, job.runId, grade.grade)
    const replaced = replacedBy(judged, findings, grade, because)
    await addVersion(tx, job.runId, version, replaced)
    await reopenChanged(tx, job.runId)
    const about: ProblemsOf = { runId: job.runId, version, because, modules: replaced.modules, revised }
    await problemsFollow(tx, about)
    await say(tx, job.runId, { version, feeds: judged.because, reason: null })
    await learnQuestions(tx, judged.components, job.news)
    await setComponents(tx, domainId, job.runId, judged.components)
    await end(tx, job)
    return version
  })

const replaceJudged = async (tx: Queryable, runId: string, { modules }: NewJudgement): Promise<Revised> => {
  for (const { module, facts, coverage } of modules)
    await tx.query('update run_modules set facts = $3, coverage = $4 where run_id = $1 and module = $2', [
      ...[runId, module, JSON.stringify(facts), JSON.stringify(coverage)],
    ])
  return reviseFindings(tx, runId, modules)
}

const replacedBy = (
  { modules, knowledge }: NewJudgement,
  findings: readonly Finding[],
  grade: Grade,
  because: JudgedBecause,
): Replaced => {
  const names = modules.map(({ module }) => module)
  return {
    modules: names,
    findings: findings.filter(({ module }) => names.includes(module)),
    order: findings.map(({ id }) => id),
    coverage: modules.flatMap(({ coverage }) => coverage),
    tables: modules.flatMap(({ tables }) => tables),
    ...{ knowledge, grade, because },
  }
}

const recountRun = async (tx: Queryable, runId: string, grade: string): Promise<void> => {
  await tx.query(`update runs r set grade = $2, ${COUNTED} where r.id = $1`, [runId, grade])
}

/** Rendered as the version before it was asked for; a PDF only where there was one to be. */
const addVersion = async (tx: Queryable, runId: string, version: number, replaced: Replaced): Promise<void> => {
  await tx.query(
    `insert into reports (run_id, version, state, options, judged, pdf)
     select $1, $2, 'pending', p.options, $3::json,
            exists (select 1 from reports a where a.run_id = $1 and a.state <> 'none')
       from reports p where p.run_id = $1 order by p.version desc limit 1`,
    [runId, version, JSON.stringify(replaced)],
  )
  await tx.query(`select pg_notify('reports_due', '')`, [])
}

/** What the run says of itself, also to whoever reads the end of its stream later. */
const say = async (tx: Queryable, runId: string, said: Omit<JudgedAgain, 'at'>): Promise<void> => {
  const judged: JudgedAgain = { at: await now(tx), ...said }
  const [row] = await tx.query<RunRow>(`update runs r set judged_again = $2 where r.id = $1 returning ${RUN_COLUMNS}`, [
    runId,
    JSON.stringify(judged),
  ])
  if (!row) return
  await tx.query(`update events set data = $2 where run_id = $1 and type = 'done' and ${WHILE_IT_RAN}`, [
    runId,
    JSON.stringify(toRunState(row)),
  ])
}

const now = async (tx: Queryable): Promise<string> => {
  const [row] = await tx.query<{ now: Date }>('select clock_timestamp() as now', [])
  if (!row) throw new Error('The database has no clock')
  return row.now.toISOString()
}

/** Gone, unless further news asked for it meanwhile. */
const end = async (tx: Queryable, { runId, token, news }: JudgementJob): Promise<void> => {
  await tx.query('delete from judgements where run_id = $1 and token = $2 and news = $3', [runId, token, news])
  await tx.query(
    'update judgements set token = null, attempts = 0, due_at = clock_timestamp() where run_id = $1 and token = $2',
    [runId, token],
  )
}

/** Locks the row when the token still holds. */
const owns = async (tx: Queryable, { runId, token }: JudgementJob): Promise<boolean> =>
  (await tx.query('select 1 from judgements where run_id = $1 and token = $2 for update', [runId, token])).length > 0
