/** Items of batches become runs here, one at a time, when a worker has a place for one. */
import { RunOptions, type SiteContext } from '../contract/run.ts'
import type { Database, Queryable } from './database.ts'
import { lockSite, readyRun, storeRun } from './new-run.ts'
import { deferRun } from './silences.ts'

interface Claimed {
  /** A run of a batch that came back from a worker; null: an item was drawn. */
  readonly returned_run: string | null
  readonly drawn_batch: string
  readonly drawn_item: number
}

/** Why an item becomes no run: batches are drawn by workers of the service as they have places. */
const THROUGH_AGENT = 'It is scanned through an agent: start its run alone, or by a schedule.'

/** Items that one call may refuse, or find to be waiting still, before it gives up until the next: it must not hold up its worker. */
const MAX_PASSED = 100

/**
 * The next run of a batch, leased by `take` in the transaction that makes it, or null when no batch has something for an
 * organisation below its limit (`caps`: JSON of plan and runs at once). An item whose domain was removed or may not be asked
 * so any more becomes no run, keeps the reason, and the next one is taken; one that may not begin yet waits in the queue.
 */
export const drawNext = async <Leased>(
  db: Database,
  { caps, light }: { readonly caps: string; readonly light: boolean },
  take: (tx: Queryable, runId: string) => Promise<Leased | 'waits' | null>,
): Promise<Leased | null> => {
  // One statement in place of a transaction, for every look at a service without batches.
  if (!(await hasBatches(db))) return null
  for (let passed = 0; passed < MAX_PASSED; passed += 1) {
    const drawn = await db.transaction(async (tx) => {
      const [claimed] = await tx.query<Claimed>(
        'select returned_run, drawn_batch, drawn_item from claim_batch($1, $2)',
        [...[caps, light]],
      )
      if (!claimed) return null
      const runId = claimed.returned_run ?? (await makeRun(tx, claimed))
      return runId === null || (await deferRun(tx, runId)) ? 'waits' : take(tx, runId)
    })
    if (drawn !== 'waits') return drawn
  }
  return null
}

/** SQL: that a batch `b` goes on and has something to be taken, be its organisation above its limit. */
export const GOES_ON = `b.state = 'running' and has_next(b)`

const hasBatches = async (db: Queryable): Promise<boolean> =>
  (await db.query(`select 1 from batches b where ${GOES_ON} limit 1`, [])).length > 0

interface ItemRow {
  readonly organisation_id: string
  readonly domain_id: string
  readonly options: RunOptions & { readonly context?: SiteContext | null }
}

/** The id of the run; null where it was refused, which is kept with the item. */
const makeRun = async (tx: Queryable, { drawn_batch: batch, drawn_item: n }: Claimed): Promise<string | null> => {
  const [item] = await tx.query<ItemRow>(
    `select b.organisation_id, i.domain_id, b.options
       from batch_items i join batches b on b.id = i.batch_id where i.batch_id = $1 and i.n = $2`,
    [batch, n],
  )
  if (!item) throw new Error(`The batch ${batch} has no item ${n}`)
  const of = { organisationId: item.organisation_id, domainId: item.domain_id }
  const ready = await readyRun(
    tx,
    {
      ...RunOptions.strip().parse(item.options),
      ...of,
      context: item.options.context ?? null,
      sealedCredentials: null,
    },
    await lockSite(tx, of),
  )
  const refusal = 'refused' in ready ? ready.detail : ready.site.agent_id === null ? null : THROUGH_AGENT
  if ('refused' in ready || refusal !== null) {
    await tx.query('update batch_items set refusal = $3 where batch_id = $1 and n = $2', [batch, n, refusal])
    await tx.query('update batches set refused = refused + 1 where id = $1', [batch])
    return null
  }
  const { id } = await storeRun(tx, ready, batch)
  await tx.query('update batch_items set run_id = $3 where batch_id = $1 and n = $2', [batch, n, id])
  return id
}
