/** Open problems whose day has passed: their organisation hears of each day once. */
import type { ProblemKey } from './adoption.ts'
import type { Database } from './database.ts'
import { OVERDUE } from './problem-row.ts'
import { tell } from './problem-states.ts'

/** Problems in one transaction; what is beyond comes with the next look. */
const MOST = 5_000

/** Tells of those of which it was not told yet; returns how many these were. Of many processes each tells of others. */
export const tellOverdue = (db: Database): Promise<number> =>
  db.transaction(async (tx) => {
    const fresh = await tx.query<ProblemKey>(
      `update problems p set overdue_told = p.due
        where (p.domain_id, p.fingerprint) in (
          select p.domain_id, p.fingerprint from problems p
           where p.superseded_at is null and ${OVERDUE} and p.overdue_told is distinct from p.due
           order by p.organisation_id limit ${MOST} for update skip locked)
       returning p.domain_id, p.fingerprint`,
      [],
    )
    await tell(tx, 'finding.overdue', fresh, null)
    return fresh.length
  })
