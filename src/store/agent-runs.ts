/** Runs in the hands of agents: leased to one, fed by it message by message, and handed over for their end. */
import { AGENT_LEASE } from '../contract/agent.ts'
import type { Plan } from '../contract/organisation.ts'
import { type NewArtifact, reserveArtifact } from './artifacts.ts'
import type { Database, Queryable } from './database.ts'
import { appendAudit } from './events.ts'
import {
  type Lease,
  type LeasedRun,
  leaseBy,
  leasedRun,
  pastWaiting,
  type ScanEnd,
  startRun,
  TO_FINISH,
  tell,
} from './lease.ts'
import { RUN_COLUMNS, type RunRow } from './run-row.ts'
import { capsOf } from './what-waits.ts'

export interface AgentProcess {
  readonly agentId: string
  /** Of the folder that it works in. */
  readonly instance: string
}

/** As it is shown on a lease. */
const claimant = ({ agentId, instance }: AgentProcess): string => `agent ${agentId} ${instance}`

/**
 * The agent's next run, or null where none waits, its organisation is at its limit, or it is revoked. Two processes with one
 * token never get the same.
 */
export const leaseForAgent = (
  db: Database,
  plans: readonly Plan[],
  by: AgentProcess,
  seconds: number = AGENT_LEASE,
): Promise<LeasedRun | null> => {
  const caps = capsOf(plans)
  return pastWaiting(() =>
    db.transaction((tx) => leaseBy(tx, 'claim_agent_run($1, $2, $3, $4)', [by.agentId, claimant(by), seconds, caps])),
  )
}

/**
 * Lets the leases run out that this instance had and does not have any more: its process was killed, or never got the answer
 * that gave it the run. Other instances of the agent keep theirs. The reaper does the rest.
 */
export const letGo = async (db: Queryable, by: AgentProcess, holding: readonly string[]): Promise<void> => {
  await db.query(
    `update runs set lease_until = clock_timestamp() - interval '1 millisecond'
      where leased_by = $1 and agent_id = $2 and status in ('leased', 'running') and scan_end is null
        and lease_until > clock_timestamp() and id <> all ($3::uuid[])`,
    [claimant(by), by.agentId, [...holding]],
  )
}

/** The run of this lease, if it is this agent's to scan. */
export const agentsRun = async (db: Queryable, agentId: string, held: Lease): Promise<LeasedRun | null> => {
  const own = await db.query(
    'select 1 from runs where id = $1 and lease_token = $2 and agent_id = $3 and scan_end is null',
    [held.runId, held.token, agentId],
  )
  return own.length === 0 ? null : leasedRun(db, held)
}

/** leased → running with the first line of its log; of a run that this lease has begun before, what that answered. */
export const startOnce = (db: Database, held: Lease): Promise<{ startedAt: Date; attempt: number } | 'lost'> =>
  db.transaction(async (tx) => {
    const inside = within(db, tx)
    const started = await startRun(inside, held)
    if (started === 'lost') {
      const [row] = await tx.query<{ started_at: Date; attempts: number }>(
        `select started_at, attempts from runs where id = $1 and lease_token = $2 and status = 'running'`,
        [held.runId, held.token],
      )
      return row ? { startedAt: row.started_at, attempt: row.attempts } : 'lost'
    }
    const { attempt } = started
    await appendAudit(inside, held, [{ ts: new Date().toISOString(), module: 'worker', event: 'run_started', attempt }])
    return started
  })

/** Before a file is written; one that was reserved under this lease and not confirmed stays so. */
export const reserveOnce = (db: Database, held: Lease, artifact: NewArtifact): Promise<'ok' | 'lost'> =>
  db.transaction(async (tx) => {
    const before = await tx.query(
      'select 1 from artifacts where id = $1 and run_id = $2 and lease_token = $3 and stored_at is null',
      [artifact.id, held.runId, held.token],
    )
    return before.length > 0 ? 'ok' : reserveArtifact(tx, held, artifact)
  })

/** The database with its transactions inside of this one. */
const within = (db: Database, tx: Queryable): Database => ({
  ...db,
  query: tx.query,
  transaction: (inner) => inner(tx),
})

/** `replayed`: it was kept before; `gap`: one before it was not. */
export type Kept = 'kept' | 'replayed' | 'gap' | 'lost'

/** Where number `seq` of this lease stands. */
export const standing = async (tx: Queryable, held: Lease, seq: number): Promise<Exclude<Kept, 'kept'> | 'next'> => {
  const [row] = await tx.query<{ agent_seq: number }>(
    'select agent_seq from runs where id = $1 and lease_token = $2 for update',
    [held.runId, held.token],
  )
  if (!row) return 'lost'
  if (row.agent_seq >= seq) return 'replayed'
  return row.agent_seq === seq - 1 ? 'next' : 'gap'
}

/**
 * Does `work` once for each number of a lease, in order, and together with counting it: what is sent again after a lost
 * answer does nothing. `work` gets a database whose transactions are part of this one.
 */
export const keepOnce = (
  db: Database,
  held: Lease,
  seq: number,
  work: (db: Database) => Promise<'ok' | 'lost'>,
): Promise<Kept> =>
  db.transaction(async (tx) => {
    const at = await standing(tx, held, seq)
    if (at !== 'next') return at
    if ((await work(within(db, tx))) === 'lost') return 'lost'
    await tx.query('update runs set agent_seq = $2 where id = $1', [held.runId, seq])
    return 'kept'
  })

/**
 * The scan has ended: the lease goes, and a worker of the service brings the run to its end. Sending it again with the same
 * lease answers the same.
 */
export const handOver = (
  db: Database,
  agentId: string,
  held: Lease,
  end: ScanEnd,
): Promise<{ readonly domain: string } | 'lost'> =>
  db.transaction(async (tx) => {
    const [row] = await tx.query<RunRow>(
      `update runs r set scan_end = $3::jsonb || jsonb_build_object('lease', r.lease_token), finishes = 0, ${TO_FINISH},
              status = 'running', attempts = greatest(r.attempts, 1), started_at = coalesce(r.started_at, clock_timestamp())
        where r.id = $1 and r.lease_token = $2 and r.agent_id = $4 and r.scan_end is null
        returning ${RUN_COLUMNS}`,
      [held.runId, held.token, JSON.stringify(end), agentId],
    )
    if (row) {
      await tell(tx, row)
      return { domain: row.domain }
    }
    const [before] = await tx.query<{ domain: string }>(
      `select domain from runs where id = $1 and scan_end ->> 'lease' = $2 and agent_id = $3`,
      [held.runId, held.token, agentId],
    )
    return before ?? 'lost'
  })
