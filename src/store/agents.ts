/** Agents of organisations, and what they are asked beside runs. */
import { timingSafeEqual } from 'node:crypto'
import type { Agent, AgentCheck } from '../contract/agent.ts'
import { agentTokens, hashSecret } from '../contract/key-format.ts'
import type { Organisation, OrganisationState } from '../contract/organisation.ts'
import { type Database, DatabaseError, type Queryable } from './database.ts'
import { appendEvents, stateEvent } from './event-log.ts'
import { RUN_COLUMNS, type RunRow } from './run-row.ts'
import { iso, isoOrNull } from './time.ts'

interface Row {
  readonly id: string
  readonly organisation_id: string
  readonly name: string
  readonly created_at: Date
  readonly created_by: string
  readonly last_seen_at: Date | null
  readonly version: string | null
  readonly networks: readonly string[]
  readonly domains: number
  readonly revoked_at: Date | null
}
const COLUMNS = `a.id, a.organisation_id, a.name, a.created_at, a.created_by, a.last_seen_at, a.version, a.networks, a.revoked_at,
  (select count(*) from domains d where d.agent_id = a.id) as domains`
const UNIQUE_VIOLATION = '23505'

/** The token is in the answer and nowhere else: only its hash is stored. */
export const createAgent = async (
  db: Queryable,
  agent: { readonly organisationId: string; readonly name: string; readonly createdBy: string },
): Promise<{ agent: Agent; token: string } | 'agent_exists'> => {
  const token = agentTokens.make()
  try {
    const [row] = await db.query<Row>(
      `insert into agents as a (organisation_id, name, token_hash, created_by) values ($1, $2, $3, $4) returning ${COLUMNS}`,
      [agent.organisationId, agent.name, hashSecret(token), agent.createdBy],
    )
    if (!row) throw new Error('The agent was not stored')
    return { agent: toAgent(row), token }
  } catch (error) {
    if (error instanceof DatabaseError && error.code === UNIQUE_VIOLATION) return 'agent_exists'
    throw error
  }
}

/** Oldest first, revoked ones included. */
export const listAgents = async (db: Queryable, organisationId: string): Promise<Agent[]> =>
  (
    await db.query<Row>(`select ${COLUMNS} from agents a where a.organisation_id = $1 order by a.created_at, a.id`, [
      organisationId,
    ])
  ).map(toAgent)

/** Null for a token that is malformed, unknown or revoked. */
export const authenticateAgent = async (
  db: Queryable,
  token: string,
): Promise<{ agent: Agent; organisation: Organisation } | null> => {
  if (!agentTokens.isWellFormed(token)) return null
  const hash = hashSecret(token)
  const [row] = await db.query<
    Row & {
      token_hash: Buffer
      org_name: string
      plan: string
      state: OrganisationState
      per_day: number | null
      org_at: Date
    }
  >(
    `select ${COLUMNS}, a.token_hash, o.name as org_name, o.plan, o.state, o.requests_per_day as per_day, o.created_at as org_at
       from agents a join organisations o on o.id = a.organisation_id
      where a.token_hash = $1 and a.revoked_at is null`,
    [hash],
  )
  if (!row || !timingSafeEqual(row.token_hash, hash)) return null
  const { organisation_id: id, org_name: name, plan, state, per_day: requests_per_day, org_at } = row
  return { agent: toAgent(row), organisation: { id, name, plan, state, requests_per_day, created_at: iso(org_at) } }
}

/** What it says of itself when it asks for work. */
export const noteSeen = async (
  db: Queryable,
  agentId: string,
  said: { readonly version: string; readonly networks: readonly string[] },
): Promise<void> => {
  await db.query('update agents set last_seen_at = clock_timestamp(), version = $2, networks = $3 where id = $1', [
    agentId,
    said.version,
    [...said.networks],
  ])
}

/**
 * From now on its token opens nothing, and its runs that have not ended fail. Its domains go on naming it, so that the
 * service's own workers do not come to ask for what is behind a firewall. Null: no such agent. Twice keeps the first time.
 */
export const revokeAgent = (db: Database, organisationId: string, id: string): Promise<Agent | null> =>
  db.transaction(async (tx) => {
    const [row] = await tx.query<Row>(
      `update agents a set revoked_at = coalesce(revoked_at, clock_timestamp())
        where id = $2 and organisation_id = $1 returning ${COLUMNS}`,
      [organisationId, id],
    )
    if (!row) return null
    const ended = await tx.query<RunRow>(
      `update runs r
          set status = 'failed', phase = 'finished', error_kind = 'worker_lost', error_detail = $2, phase_detail = $2,
              finished_at = clock_timestamp(), credentials = null, lease_token = null, lease_until = null, leased_by = null
        where r.agent_id = $1 and r.status in ('queued', 'leased', 'running') and r.scan_end is null
        returning ${RUN_COLUMNS}`,
      [id, `The agent ${row.name} was revoked.`],
    )
    for (const run of ended) await appendEvents(tx, run.id, [stateEvent(run)])
    return toAgent(row)
  })

/** Seconds after which a check that was taken and not answered is given out again, and within which one is answered at all. */
const CHECK_AGAIN = 60
const CHECK_LIFE = 3_600
const MOST_CHECKS = 10

/** Asks the domain's agent whether the domain shows its proof; null where the domain has none. */
export const askCheck = async (db: Queryable, domainId: string): Promise<string | null> => {
  const [row] = await db.query<{ id: string }>(
    `insert into agent_checks (domain_id, agent_id)
     select d.id, d.agent_id from domains d where d.id = $1 and d.agent_id is not null returning id`,
    [domainId],
  )
  return row?.id ?? null
}

/** Checks for this agent; each is given out again where nobody answers it. */
export const takeChecks = (db: Queryable, agentId: string): Promise<AgentCheck[]> =>
  db.query<AgentCheck>(
    `update agent_checks c set claimed_at = clock_timestamp()
       from domains d
      where d.id = c.domain_id and c.id in (
        select o.id from agent_checks o join domains n on n.id = o.domain_id and n.agent_id = o.agent_id
         where o.agent_id = $1 and o.answered_at is null
           and o.asked_at > clock_timestamp() - interval '${CHECK_LIFE} seconds'
           and (o.claimed_at is null or o.claimed_at < clock_timestamp() - interval '${CHECK_AGAIN} seconds')
         order by o.asked_at limit ${MOST_CHECKS} for update of o skip locked)
     returning c.id, d.domain, d.token`,
    [agentId],
  )

/** The domain of the check, or null where the agent was not asked, or somebody answered before. Forgets old ones. */
export const answerCheck = async (
  db: Queryable,
  agentId: string,
  checkId: string,
  attempts: readonly object[],
): Promise<string | null> => {
  const [row] = await db.query<{ domain_id: string }>(
    `update agent_checks c set answered_at = clock_timestamp(), attempts = $3
       from domains d
      where c.id = $2 and c.agent_id = $1 and c.answered_at is null and d.id = c.domain_id and d.agent_id = $1
      returning c.domain_id`,
    [agentId, checkId, JSON.stringify(attempts)],
  )
  await db.query(`delete from agent_checks where asked_at < clock_timestamp() - interval '1 day'`, [])
  return row?.domain_id ?? null
}

/** Null while nobody has answered. */
export const checkAnswer = async <Attempt>(db: Queryable, checkId: string): Promise<readonly Attempt[] | null> => {
  const [row] = await db.query<{ attempts: readonly Attempt[] | null }>(
    'select attempts from agent_checks where id = $1',
    [checkId],
  )
  return row?.attempts ?? null
}

const toAgent = (row: Row): Agent => ({
  id: row.id,
  name: row.name,
  created_at: iso(row.created_at),
  created_by: row.created_by,
  last_seen_at: isoOrNull(row.last_seen_at),
  version: row.version,
  networks: [...row.networks],
  domains: row.domains,
  revoked_at: isoOrNull(row.revoked_at),
})
