/** Whether an organisation wants its stored runs judged again when feeds bring news. */
import type { JudgingAgain } from '../contract/judging-again.ts'
import type { Database, Queryable } from './database.ts'

export const getJudgingAgain = async (db: Queryable, organisationId: string): Promise<JudgingAgain> => {
  const [row] = await db.query<{ judge_again: boolean }>('select judge_again from organisations where id = $1', [
    organisationId,
  ])
  return { enabled: row?.judge_again ?? true }
}

/** Switched on again, its components are asked about anew: news came meanwhile. */
export const setJudgingAgain = (db: Database, organisationId: string, { enabled }: JudgingAgain): Promise<void> =>
  db.transaction(async (tx) => {
    const [row] = await tx.query(
      'update organisations set judge_again = $2 where id = $1 and judge_again <> $2 returning id',
      [organisationId, enabled],
    )
    if (!row) return
    if (enabled)
      await tx.query(
        `update components c set checked = -1
          where exists (
            select 1 from domain_components d join domains o on o.id = d.domain_id
             where d.digest = c.digest and o.organisation_id = $1)`,
        [organisationId],
      )
    else
      await tx.query(
        'delete from judgements j using runs r where r.id = j.run_id and r.organisation_id = $1 and j.token is null',
        [organisationId],
      )
  })
