import { createHash } from 'node:crypto'
import type { AuditEntry, AuditLine, RunEvent } from '../contract/event.ts'
import { NO_REPORT, type ReportState } from '../contract/report.ts'
import type { RunStatus } from '../contract/run.ts'
import type { Database, Queryable } from './database.ts'
import { type NumberedEvent, stateEvent, storeEvents, WHILE_IT_RAN } from './event-log.ts'
import type { Lease } from './lease.ts'
import { RUN_COLUMNS, type RunRow, reportOf } from './run-row.ts'
import { countSent } from './silences.ts'

/**
 * Adds audit lines to the run's chain and to its events: each carries the SHA-256 of the exact text of the line before,
 * the first one zeros. A later attempt goes on with the same chain. `ts` is by the database's clock and never goes back.
 */
export const appendAudit = (db: Database, held: Lease, entries: readonly AuditEntry[]): Promise<'ok' | 'lost'> =>
  db.transaction(async (tx) => {
    const chain = await lockChain(tx, held)
    if (chain === null) return 'lost'
    await storeEvents(tx, held.runId, await extendChain(tx, held, chain, entries))
    return 'ok'
  })

/** The end of a run's audit log. */
export interface Chain {
  readonly seq: number
  readonly head: string
  readonly at: Date | null
  /** Organisation whose requests of a day are counted. */
  readonly limited: string | null
  readonly status: RunStatus
  readonly clock: Clock
}

/** Locks the run's row when the lease still holds, see `holds`; null where it is lost. */
export const lockChain = async (tx: Queryable, held: Lease): Promise<Chain | null> => {
  const before = Date.now()
  const [row] = await tx.query<Omit<Chain, 'clock'> & { readonly now: Date }>(
    `select audit_seq as seq, audit_head as head, audit_at as at, status, clock_timestamp() as now,
            (select o.id from organisations o where o.id = organisation_id and o.requests_per_day is not null) as limited
       from runs where id = $1 and lease_token = $2 for update`,
    [held.runId, held.token],
  )
  return row ? { ...row, clock: clockOf(row.now, before, Date.now()) } : null
}

/** The lines as events, which are not stored yet: the row has their numbers. */
export const extendChain = async (
  tx: Queryable,
  { runId }: Lease,
  chain: Chain,
  entries: readonly AuditEntry[],
): Promise<NumberedEvent[]> => {
  if (entries.length === 0) return []
  const lines: AuditLine[] = []
  let { seq, head } = chain
  const inOrder = timed(entries, chain.clock, chain.at?.getTime() ?? null)
  for (const entry of inOrder) {
    seq += 1
    const line = toLine(entry, seq, head)
    lines.push(line)
    head = sha256(JSON.stringify(line))
  }
  const at = new Date(inOrder.at(-1)?.ts ?? '')
  const [row] = await tx.query<{ before: number }>(
    `update runs set audit_seq = $2, audit_head = $3, audit_at = $4, event_seq = event_seq + $5 where id = $1
     returning event_seq - $5 as before`,
    [runId, seq, head, at, lines.length],
  )
  if (!row) throw new Error(`There is no run ${runId}`)
  if (chain.limited !== null)
    await countSent(tx, chain.limited, entries.filter(({ event }) => SENDING.has(event)).length)
  return lines.map((data, n) => ({ type: 'audit', seq: row.before + n + 1, data }))
}

/** Lines of what was sent to a target, a name server's questions apart. */
const SENDING: ReadonlySet<string> = new Set(['request', 'connect', 'tls', 'datagram', 'sweep'])

/**
 * Events with a number above `after`, in order. Of a run that has ended the end stays: where its events are too old to be kept, it
 * is told by the run.
 */
export const read = async (db: Queryable, runId: string, after: number, limit: number): Promise<RunEvent[]> => {
  const rows = await db.query<RunEvent & { report: ReportState | null }>(
    `select seq, type, data, case when type = 'done' then ${reportOf('events.run_id')} end as report
       from events where run_id = $1 and seq > $2 and ${WHILE_IT_RAN} order by seq limit $3`,
    [runId, after, limit],
  )
  if (rows.length === 0) return endOf(db, runId, after)
  return rows.map(({ report, ...event }) =>
    // The one thing that changes after the end: whoever reads the end later learns of it as it is.
    event.type === 'done' ? { ...event, data: { ...event.data, report: report ?? NO_REPORT } } : event,
  )
}

const endOf = async (db: Queryable, runId: string, after: number): Promise<RunEvent[]> => {
  const rows = await db.query<RunRow>(
    `select ${RUN_COLUMNS} from runs r where r.id = $1 and r.finished_at is not null and r.event_seq > $2`,
    [runId, after],
  )
  return rows.map((row) => ({ ...stateEvent(row), seq: row.event_seq }) as RunEvent)
}

/** The exact texts of the audit lines, in order, for audit-log.jsonl. `after` and `seq` are event numbers. */
export const readAuditTexts = (
  db: Queryable,
  runId: string,
  after: number,
  limit: number,
): Promise<{ seq: number; text: string }[]> =>
  db.query(
    `select seq, data::text as text from events
      where run_id = $1 and seq > $2 and type = 'audit' and ${WHILE_IT_RAN}
      order by seq limit $3`,
    [runId, after, limit],
  )

/** Calls back after every commit that wrote events, with the run and its last number; null means any run may have. */
export const listenRuns = (
  db: Database,
  onEvents: (wake: { readonly runId: string; readonly seq: number } | null) => void,
): Promise<() => Promise<void>> =>
  db.listen('run_events', (payload) => {
    const [runId, seq] = payload.split(':')
    onEvents(runId && seq ? { runId, seq: Number(seq) } : null)
  })

const toLine = (entry: AuditEntry, seq: number, prev: string): AuditLine => {
  const { ts, module, event, ...rest } = entry as AuditLine
  return Object.assign({ ts, seq, module, event }, rest, { seq, prev })
}

const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')

/** What the database's clock says, and what has to be added to a time of this machine's to be its; milliseconds. */
export interface Clock {
  readonly now: number
  readonly offset: number
}

/** Clocks that differ by less than the question took count as equal: the machine's said `before` and `after` it. */
export const clockOf = (said: Date, before: number, after: number): Clock => {
  const now = said.getTime()
  return { now, offset: now < before ? now - before : Math.max(0, now - after) }
}

/** The entries with times that are not before `last`, not after now, and never go back; `last` as milliseconds or null. */
export const timed = (entries: readonly AuditEntry[], { now, offset }: Clock, last: number | null): AuditEntry[] => {
  let floor = last ?? Number.NEGATIVE_INFINITY
  return entries.map((entry) => {
    const said = Date.parse(entry.ts)
    const own = Number.isNaN(said) ? now : said + offset
    floor = Math.max(floor, Math.min(own, now))
    return floor === said ? entry : { ...entry, ts: new Date(floor).toISOString() }
  })
}
