/**
 * Refresh tokens that their provider replaces at each use: the one that an identity was brought with is good once, and whoever uses it a second time has
 * all of its line revoked (RFC 9700, 4.14.2). So the newest of each line is kept, and found by the first.
 */
import { createHash } from 'node:crypto'
import type { SecretKeys } from '../contract/secret-keys.ts'
import type { Queryable } from './database.ts'
import { type Credentials, open, seal } from './seal.ts'

const PURPOSE = 'sonde run credentials'

/** With the newest token of its line, and the line by which the next is kept; as they are where they have none. */
export const withNewestToken = async (
  db: Queryable,
  keys: SecretKeys,
  domainId: string | null,
  credentials: Credentials,
): Promise<Credentials & { readonly lineage?: string }> => {
  const { signIn } = credentials
  const oauth2 = signIn?.oauth2
  if (domainId === null || signIn === undefined || oauth2?.grant !== 'refresh_token') return credentials
  const lineage = createHash('sha256')
    .update(JSON.stringify([oauth2.token_url, oauth2.client_id, oauth2.refresh_token]))
    .digest('hex')
  const [row] = await db.query<{ readonly token: Buffer }>(
    'select token from refresh_tokens where domain_id = $1 and lineage = $2',
    [domainId, lineage],
  )
  if (row === undefined) return { ...credentials, lineage }
  const refresh_token = open(keys, PURPOSE, row.token)
  return { ...credentials, signIn: { ...signIn, oauth2: { ...oauth2, refresh_token } }, lineage }
}

/** The provider has replaced it, whoever holds the lease of whatever run by now. */
export const keepToken = async (
  db: Queryable,
  keys: SecretKeys,
  domainId: string,
  lineage: string,
  token: string,
): Promise<void> => {
  await db.query(
    `insert into refresh_tokens (domain_id, lineage, token)
     select d.id, $2, $3 from domains d where d.id = $1
     on conflict (domain_id, lineage) do update set token = excluded.token, changed_at = clock_timestamp()`,
    [domainId, lineage, seal(keys, PURPOSE, token)],
  )
}
