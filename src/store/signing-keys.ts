/** The Ed25519 keys (RFC 8032) by which the installation signs reports: one at a time, shared by all its processes. */
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import type { SecretKeys } from '../contract/secret-keys.ts'
import { fingerprintOf, type Signer } from '../signature/envelope.ts'
import type { Database, Queryable } from './database.ts'
import { open, seal } from './seal.ts'

export interface SigningKey {
  /** SPKI in DER. */
  readonly publicKey: Buffer
  /** SHA-256 of it, lower case hex. */
  readonly fingerprint: string
  readonly createdAt: Date
  /** Null: it signs. */
  readonly retiredAt: Date | null
}

/** The private half cannot be opened; the message is for the operator. */
export class SigningKeyError extends Error {
  override readonly name = 'SigningKeyError'
}

const COLUMNS = 'public_key as "publicKey", fingerprint, created_at as "createdAt", retired_at as "retiredAt"'

/** The present one, made where there is none yet; of two processes that make it at once both get the same. */
export const presentKey = async (db: Queryable, keys: SecretKeys): Promise<SigningKey> => {
  const known = await readPresent(db)
  if (known !== null) return known
  await insertNew(db, keys)
  const made = await readPresent(db)
  if (made === null) throw new Error('unreachable: a key of the installation was made and is not there')
  return made
}

/** All there were, the present one first. */
export const allSigningKeys = async (db: Queryable): Promise<SigningKey[]> =>
  db.query<SigningKey>(`select ${COLUMNS} from signing_keys order by retired_at desc nulls first`, [])

/** @throws {SigningKeyError} where the secret key is not the one that sealed it. */
export const presentSigner = async (db: Queryable, keys: SecretKeys): Promise<Signer> => {
  const { publicKey, fingerprint } = await presentKey(db, keys)
  const [row] = await db.query<{ sealed: Buffer | null }>(
    'select private_key as sealed from signing_keys where fingerprint = $1',
    [fingerprint],
  )
  // Retired in between: then another is the present one.
  if (!row?.sealed) return presentSigner(db, keys)
  const privateKey = createPrivateKey({ key: opened(keys, row.sealed), format: 'der', type: 'pkcs8' })
  return { publicKey, fingerprint, sign: (bytes) => sign(null, bytes, privateKey) }
}

/** Whether what signs can be opened; null: there is no key yet. */
export const signingKeyWorks = async (db: Queryable, keys: SecretKeys): Promise<boolean | null> => {
  if ((await readPresent(db)) === null) return null
  return presentSigner(db, keys).then(
    () => true,
    (error: unknown) => {
      if (error instanceof SigningKeyError) return false
      throw error
    },
  )
}

/** Another key signs from now on; the private half of the one before is gone for good. */
export const replaceSigningKey = (db: Database, keys: SecretKeys): Promise<SigningKey> =>
  db.transaction(async (tx) => {
    await tx.query(
      'update signing_keys set retired_at = clock_timestamp(), private_key = null where retired_at is null',
      [],
    )
    await insertNew(tx, keys)
    return presentKey(tx, keys)
  })

const readPresent = async (db: Queryable): Promise<SigningKey | null> =>
  (await db.query<SigningKey>(`select ${COLUMNS} from signing_keys where retired_at is null`, []))[0] ?? null

const insertNew = async (db: Queryable, keys: SecretKeys): Promise<void> => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const spki = publicKey.export({ format: 'der', type: 'spki' })
  const secret = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')
  await db.query(
    `insert into signing_keys (public_key, fingerprint, private_key) values ($1, $2, $3)
     on conflict ((true)) where retired_at is null do nothing`,
    [spki, fingerprintOf(spki), seal(keys, 'sonde signing key', secret)],
  )
}

const opened = (keys: SecretKeys, sealed: Buffer): Buffer => {
  try {
    return Buffer.from(open(keys, 'sonde signing key', sealed), 'base64')
  } catch (cause) {
    throw new SigningKeyError(
      'The signing key cannot be opened: SONDE_SECRET_KEY differs from when it was made. ' +
        'Set the one of then, or make another signing key: sonde key rotate-signing',
      { cause },
    )
  }
}
