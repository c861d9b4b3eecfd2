import type { JudgedAgain } from '../contract/judging-again.ts'
import { NO_REPORT, type ReportState } from '../contract/report.ts'
import type {
  Counts,
  Environment,
  ErrorKind,
  Phase,
  RunOptions,
  RunState,
  RunStatus,
  SiteContext,
  Tier,
} from '../contract/run.ts'
import type { Weakness } from '../contract/weaknesses.ts'
import { iso, isoOrNull } from './time.ts'

/** What a read of a run gives: the public state, and what the product needs beside it. */
export interface RunRecord extends RunState {
  readonly organisationId: string
  /** Null once the domain was deleted. */
  readonly domainId: string | null
  readonly options: RunOptions
  /** Attempts started. */
  readonly attempts: number
  /** Number of the run's last event. */
  readonly eventSeq: number
}

export interface RunRow {
  readonly id: string
  readonly organisation_id: string
  readonly domain_id: string | null
  readonly domain: string
  readonly tier: Tier
  readonly context: SiteContext | null
  readonly options: RunOptions
  readonly status: RunStatus
  readonly phase: Phase
  readonly phase_detail: string
  readonly progress: number
  readonly counts: Counts
  readonly open_counts: Counts
  readonly grade: string | null
  /** Id of the finding; the run that found it is the baseline then. */
  readonly retest_of: string | null
  readonly hypothesis: Weakness | null
  readonly baseline_run_id: string | null
  readonly signed_in: boolean
  readonly environment: Environment
  readonly dry_run: boolean
  /** Of the newest rendering; null without one. */
  readonly report: ReportState | null
  readonly judged_again: JudgedAgain | null
  readonly error_kind: ErrorKind | null
  readonly error_detail: string | null
  readonly attempts: number
  readonly event_seq: number
  readonly duration_ms: number
  readonly created_at: Date
  readonly started_at: Date | null
  readonly finished_at: Date | null
  readonly cancel_requested_at: Date | null
}

/** `ReportState` of the newest rendering of a run, as a column; null without one. */
export const reportOf = (runId: string): string =>
  `(select json_build_object('state', p.state, 'reason', p.reason, 'version', p.version)
     from reports p where p.run_id = ${runId} order by p.version desc limit 1)`

/** What a run of one place asks it for; null of every other. */
const SUPPOSED = `r.options->'hypothesis'->>'weakness'`

/** That a run of a table or alias is one of the whole domain: neither a retest nor a hypothesis. */
export const wholeRun = (runs: string): string => `${runs}.retest_of is null and ${runs}.options->'hypothesis' is null`

/** SQL: milliseconds of a run `r` by the database's clock. */
const DURATION = `coalesce(round(extract(epoch from coalesce(r.finished_at, clock_timestamp()) - r.first_leased_at) * 1000), 0)::bigint`

/** The columns of `RunRow` of a table or alias `r`. The duration is by the database's clock. */
export const RUN_COLUMNS = `
  r.id, r.organisation_id, r.domain_id, r.domain, r.tier, r.context, r.options, r.status, r.phase, r.phase_detail,
  r.progress, r.counts, r.open_counts, r.grade, r.retest_of, ${SUPPOSED} as hypothesis, r.baseline_run_id, r.signed_in, r.environment, r.dry_run, r.error_kind, r.error_detail, r.attempts, r.event_seq,
  ${DURATION} as duration_ms,
  ${reportOf('r.id')} as report, r.judged_again,
  r.created_at, r.started_at, r.finished_at, r.cancel_requested_at`

/** SQL: `value` as JSON. */
const json = (value: string): string => `coalesce(to_json(${value})::text, 'null')`

/** SQL: `Counts` as JSON. jsonb forgets the order of keys; the gravest comes first again. */
const countsJson = (counts: string): string =>
  ['critical', 'high', 'medium', 'low', 'info']
    .map((name) => `'"${name}":' || coalesce(${counts} ->> '${name}', '0')`)
    .join(` || ',' || `)

/** The form of `Date.toISOString`, of a time that is kept to the millisecond. */
const timeJson = (time: string): string =>
  `'"' || to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"'`

const RETEST_JSON = `case when r.retest_of is null or r.baseline_run_id is null then 'null'
       else '{"scan_id":"' || r.baseline_run_id || '","finding_id":"' || r.retest_of || '"}' end`

/**
 * SQL: `RunListItem` of a run `r` as the JSON that is answered, as `JSON.stringify` would write it. Reading eleven columns of
 * each row and writing them again cost the process more than half of a page.
 */
export const LIST_ITEM = `'{"id":"' || r.id || '","domain":' || ${json('r.domain')} || ',"tier":' || ${json('r.tier')}
  || ',"status":' || ${json('r.status')} || ',"progress":' || r.progress
  || ',"counts":{' || ${countsJson('r.counts')} || '},"open_counts":{' || ${countsJson('r.open_counts')}
  || '},"retest_of":' || ${RETEST_JSON}
  || ',"hypothesis":' || ${json(SUPPOSED)} || ',"created_at":' || ${timeJson('r.created_at')} || '}'`

/** The same of one that may be null. */
const timeOrNullJson = (time: string): string => `coalesce(${timeJson(time)}, 'null')`

/** As `toReport` gives it. */
const REPORT_JSON = `coalesce((select case when r.status = 'done' or p.state = 'none'
      then '{"state":' || ${json('p.state')} || ',"reason":' || ${json('p.reason')} else '{"state":"pending","reason":null' end
      || ',"version":' || p.version || '}'
    from reports p where p.run_id = r.id order by p.version desc limit 1), '${JSON.stringify(NO_REPORT)}')`

/** SQL: `RunState` of a run `r` as JSON, as `JSON.stringify` would write it, without the brace at its end. */
export const RUN_STATE = `'{"id":"' || r.id || '","domain":' || ${json('r.domain')} || ',"tier":' || ${json('r.tier')}
  || ',"context":' || ${json('r.context')} || ',"status":' || ${json('r.status')} || ',"phase":' || ${json('r.phase')}
  || ',"phase_detail":' || ${json('r.phase_detail')} || ',"progress":' || r.progress
  || ',"counts":{' || ${countsJson('r.counts')} || '},"open_counts":{' || ${countsJson('r.open_counts')}
  || '},"duration_ms":' || greatest(0, ${DURATION}) || ',"error_kind":' || ${json('r.error_kind')}
  || ',"error_detail":' || ${json('r.error_detail')} || ',"grade":' || ${json('r.grade')}
  || ',"retest_of":' || ${RETEST_JSON} || ',"hypothesis":' || ${json(SUPPOSED)}
  || ',"signed_in":' || r.signed_in || ',"environment":' || ${json('r.environment')} || ',"dry_run":' || r.dry_run
  || ',"report":' || ${REPORT_JSON} || coalesce(',"judged_again":' || r.judged_again::text, '')
  || ',"created_at":' || ${timeJson('r.created_at')} || ',"started_at":' || ${timeOrNullJson('r.started_at')}
  || ',"finished_at":' || ${timeOrNullJson('r.finished_at')}
  || ',"cancel_requested_at":' || ${timeOrNullJson('r.cancel_requested_at')}`

/** SQL: what an estimate of a run `r` under way rests on; null where there is nothing to estimate. */
export const GOING_ON = `case when r.started_at is not null and r.finished_at is null and r.retest_of is null and ${SUPPOSED} is null
  then json_build_object('organisationId', r.organisation_id, 'domainId', r.domain_id, 'tier', r.tier, 'dry_run', r.dry_run,
    'signed_in', r.signed_in, 'options', r.options, 'progress', r.progress, 'duration_ms', greatest(0, ${DURATION}),
    'reached', coalesce((r.course -> -1 ->> 1)::int, 0)) end`

/** As `GOING_ON` says it. */
export interface GoingOn
  extends Pick<
    RunRecord,
    'organisationId' | 'domainId' | 'tier' | 'dry_run' | 'signed_in' | 'options' | 'progress' | 'duration_ms'
  > {
  /** Milliseconds since its beginning at which it came to where it is. */
  readonly reached: number
}

const toRetestOf = (row: Pick<RunRow, 'retest_of' | 'baseline_run_id'>): RunState['retest_of'] =>
  row.retest_of === null || row.baseline_run_id === null
    ? null
    : { scan_id: row.baseline_run_id, finding_id: row.retest_of }

export const toRunState = (row: RunRow): RunState => ({
  id: row.id,
  domain: row.domain,
  tier: row.tier,
  context: row.context,
  status: row.status,
  phase: row.phase,
  phase_detail: row.phase_detail,
  progress: row.progress,
  counts: toCounts(row.counts),
  open_counts: toCounts(row.open_counts),
  duration_ms: Math.max(0, row.duration_ms),
  error_kind: row.error_kind,
  error_detail: row.error_detail,
  grade: row.grade,
  retest_of: toRetestOf(row),
  hypothesis: row.hypothesis,
  signed_in: row.signed_in,
  environment: row.environment,
  dry_run: row.dry_run,
  report: toReport(row),
  ...(row.judged_again === null ? {} : { judged_again: row.judged_again }),
  created_at: iso(row.created_at),
  started_at: isoOrNull(row.started_at),
  finished_at: isoOrNull(row.finished_at),
  cancel_requested_at: isoOrNull(row.cancel_requested_at),
})

/** Its files are shown from the run's end on: until then it is not there yet, whatever became of it. */
const toReport = ({ report, status }: Pick<RunRow, 'report' | 'status'>): ReportState => {
  if (report === null) return NO_REPORT
  if (status === 'done' || report.state === 'none') return report
  return { state: 'pending', reason: null, version: report.version }
}

export const toRunRecord = (row: RunRow): RunRecord => ({
  ...toRunState(row),
  organisationId: row.organisation_id,
  domainId: row.domain_id,
  options: row.options,
  attempts: row.attempts,
  eventSeq: row.event_seq,
})

/** jsonb forgets the order of keys; the gravest comes first again. */
export const toCounts = ({ critical, high, medium, low, info }: Counts): Counts => ({
  critical,
  high,
  medium,
  low,
  info,
})
