/** Times of audit lines by the database's clock: those of workers may be wrong, and differ from one to the next. */
import type { AuditEntry } from '../contract/event.ts'
import type { Queryable } from './database.ts'

/** What the database's clock says, and what has to be added to a time of this machine's to be its; milliseconds. */
export interface Clock {
  readonly now: number
  readonly offset: number
}

/** Clocks that differ by less than the question took count as equal. */
export const readClock = async (tx: Queryable): Promise<Clock> => {
  const before = Date.now()
  const [row] = await tx.query<{ now: Date }>('select clock_timestamp() as now', [])
  const after = Date.now()
  const now = row?.now.getTime() ?? after
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
