/** What a leased run's scan is made of, beside the settings of the machine that scans. */
import type { Assignment } from '../contract/assignment.ts'
import type { SecretKeys } from '../contract/secret-keys.ts'
import type { Queryable } from './database.ts'
import { interfacesOf } from './descriptions.ts'
import { childDeaths } from './faults.ts'
import { identitiesOfRun } from './identities.ts'
import type { LeasedRun } from './lease.ts'
import { loadModules } from './modules.ts'
import { withNewestToken } from './refresh-tokens.ts'
import { openCredentials } from './seal.ts'

/** What was sealed for the run cannot be opened with the keys of this process. */
export class CredentialsUnreadable extends Error {
  constructor(cause: unknown) {
    super('The credentials of the run could not be opened on this worker.', { cause })
    this.name = 'CredentialsUnreadable'
  }
}

/**
 * Read anew for each scan process: the modules that one before it completed are not collected again. What was sealed for the run
 * is read here and nowhere before.
 * @throws CredentialsUnreadable
 */
export const assignmentOf = async (db: Queryable, keys: SecretKeys, run: LeasedRun): Promise<Assignment | 'lost'> => {
  const [held] = await db.query<{ readonly credentials: Buffer | null }>(
    'select credentials from runs where id = $1 and lease_token = $2',
    [run.runId, run.token],
  )
  if (held === undefined) return 'lost'
  const modules = await loadModules(db, run.runId)
  const completed = modules.filter(({ outcome }) => outcome.state === 'completed')
  return {
    ...{ domain: run.domain, tier: run.tier, context: run.context, environment: run.environment, options: run.options },
    ...(run.tier === 'active' && run.domainId !== null ? { descriptions: await interfacesOf(db, run.domainId) } : {}),
    credentials: await opened(db, keys, run, held.credentials),
    ...(await identitiesIn(db, keys, run)),
    deaths: await childDeaths(db, run.runId),
    completed: Object.fromEntries(completed.map(({ module, facts, outcome }) => [module, { facts, outcome }])),
  }
}

/** None where the run looks as nobody or as what it was given. */
const identitiesIn = async (
  db: Queryable,
  keys: SecretKeys,
  run: LeasedRun,
): Promise<Pick<Assignment, 'identities'>> => {
  const stored = await identitiesOfRun(db, run.runId)
  if (stored.length === 0) return {}
  const identities = stored.map(async ({ name, role, sealed }) => ({
    ...{ name, role, credentials: sealed === null ? null : await opened(db, keys, run, sealed) },
  }))
  return { identities: await Promise.all(identities) }
}

const opened = (
  db: Queryable,
  keys: SecretKeys,
  { domainId }: LeasedRun,
  sealed: Buffer | null,
): Promise<Assignment['credentials']> => withNewestToken(db, keys, domainId, openedSeal(keys, sealed))

const openedSeal = (keys: SecretKeys, sealed: Buffer | null): Assignment['credentials'] => {
  try {
    return openCredentials(keys, sealed)
  } catch (cause) {
    throw new CredentialsUnreadable(cause)
  }
}
