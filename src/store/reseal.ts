/** Seals again what an earlier secret key has sealed. */
import type { SecretKeys } from '../contract/secret-keys.ts'
import type { Database } from './database.ts'
import { open, type Purpose, seal } from './seal.ts'

/** Every column whose bytes are sealed. A run copies identities of its domain: those go first. */
export const SEALED: readonly { readonly table: string; readonly column: string; readonly purpose: Purpose }[] = [
  { table: 'domain_identities', column: 'credentials', purpose: 'sonde run credentials' },
  { table: 'webhooks', column: 'secret', purpose: 'sonde webhook secret' },
  { table: 'runs', column: 'credentials', purpose: 'sonde run credentials' },
  { table: 'refresh_tokens', column: 'token', purpose: 'sonde run credentials' },
  { table: 'run_identities', column: 'credentials', purpose: 'sonde run credentials' },
  { table: 'signing_keys', column: 'private_key', purpose: 'sonde signing key' },
]
const BATCH = 100

export interface Resealed {
  readonly resealed: number
  /** Rows that none of the keys opens: they stay as they are, and were of no use before. */
  readonly unopened: number
}

/** May run beside a service and beside itself: a row that changes meanwhile keeps what was written last. */
export const resealAll = async (db: Database, keys: SecretKeys): Promise<Resealed> => {
  const all = { resealed: 0, unopened: 0 }
  for (const sealed of SEALED) {
    let after: string | null = null
    for (;;) {
      const rows: { id: string; bytes: Buffer }[] = await db.query<{ id: string; bytes: Buffer }>(
        `select id, ${sealed.column} as bytes from ${sealed.table}
          where ${sealed.column} is not null and ($1::uuid is null or id > $1) order by id limit ${BATCH}`,
        [after],
      )
      for (const { id, bytes } of rows) {
        const again = sealedAgain(keys, sealed.purpose, bytes)
        if (again === 'as it is') continue
        if (again === null) all.unopened += 1
        else {
          const written = await db.query(
            `update ${sealed.table} set ${sealed.column} = $3 where id = $1 and ${sealed.column} = $2 returning id`,
            [id, bytes, again],
          )
          all.resealed += written.length
        }
      }
      after = rows.at(-1)?.id ?? null
      if (after === null) break
    }
  }
  return all
}

/** Null: no key opens it. */
const sealedAgain = (keys: SecretKeys, purpose: Purpose, bytes: Buffer): Buffer | 'as it is' | null => {
  if (opened({ current: keys.current, accepted: [keys.current] }, purpose, bytes) !== null) return 'as it is'
  const text = opened(keys, purpose, bytes)
  return text === null ? null : seal(keys, purpose, text)
}

const opened = (keys: SecretKeys, purpose: Purpose, bytes: Buffer): string | null => {
  try {
    return open(keys, purpose, bytes)
  } catch {
    // That it does not open is the answer.
    return null
  }
}
