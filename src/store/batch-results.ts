/** What became of each domain of a batch. */
import type { BatchResult } from '../contract/batch.ts'
import type { Counts, ErrorKind, RunStatus } from '../contract/run.ts'
import type { Queryable } from './database.ts'
import { toCounts } from './run-row.ts'
import { isoOrNull } from './time.ts'

interface Row {
  readonly n: number
  readonly domain: string
  readonly refusal: string | null
  readonly is_canceled: boolean
  readonly run_id: string | null
  readonly status: RunStatus | null
  readonly grade: string | null
  readonly counts: Counts | null
  readonly error_kind: ErrorKind | null
  readonly error_detail: string | null
  readonly finished_at: Date | null
}

const PAGE = 1_000

/** All rows in the order in which the domains were given, a page of them in memory at a time. */
export async function* batchResults(db: Queryable, batchId: string): AsyncGenerator<BatchResult[]> {
  for (let after = -1; ; ) {
    const rows = await db.query<Row>(
      `select i.n, i.domain, i.refusal, b.state = 'canceled' as is_canceled, r.id as run_id, r.status, r.grade, r.counts,
              r.error_kind, r.error_detail, r.finished_at
         from batch_items i join batches b on b.id = i.batch_id left join runs r on r.id = i.run_id
        where i.batch_id = $1 and i.n > $2 order by i.n limit ${PAGE}`,
      [batchId, after],
    )
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.n
    yield rows.map(toResult)
  }
}

const toResult = (row: Row): BatchResult => ({
  domain: row.domain,
  scan_id: row.run_id,
  status: row.status ?? (row.refusal !== null ? 'refused' : row.is_canceled ? 'canceled' : 'queued'),
  grade: row.grade,
  counts: row.counts && toCounts(row.counts),
  error_kind: row.error_kind,
  error_detail: row.error_detail ?? row.refusal,
  finished_at: isoOrNull(row.finished_at),
})
