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
  /** Somebody else may have it: what it has signed proves nothing. Null: nobody said so. */
  readonly revoked: { readonly at: Date; readonly because: string } | null
}

/** The private half cannot be opened; the message is for the operator. */
export class SigningKeyError extends Error {
  override readonly name = 'SigningKeyError'
}

const COLUMNS = `public_key as "publicKey", fingerprint, created_at as "createdAt", retired_at as "retiredAt",
  revoked_at as "revokedAt", revoked_because as "revokedBecause"`

interface Row extends Omit<SigningKey, 'revoked'> {
  readonly revokedAt: Date | null
  readonly revokedBecause: string | null
}

const toKey = ({ revokedAt, revokedBecause, ...key }: Row): SigningKey => ({
  ...key,
  revoked: revokedAt === null ? null : { at: revokedAt, because: revokedBecause ?? '' },
})

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
  (await db.query<Row>(`select ${COLUMNS} from signing_keys order by retired_at desc nulls first`, [])).map(toKey)

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

/**
 * From now on whoever asks is told that the key proves nothing; one that signs is replaced first. What was revoked stays so, with the
 * first reason. Null: there is no such key.
 */
export const revokeSigningKey = (
  db: Database,
  keys: SecretKeys,
  { fingerprint, because }: { readonly fingerprint: string; readonly because: string },
): Promise<{ readonly revoked: SigningKey; readonly present: SigningKey } | null> =>
  db.transaction(async (tx) => {
    const retired = await tx.query(
      `update signing_keys set retired_at = clock_timestamp(), private_key = null
        where fingerprint = $1 and retired_at is null returning id`,
      [fingerprint],
    )
    if (retired.length > 0) await insertNew(tx, keys)
    await tx.query(
      `update signing_keys set revoked_at = clock_timestamp(), revoked_because = $2
        where fingerprint = $1 and revoked_at is null`,
      [fingerprint, because],
    )
    const revoked = (await allSigningKeys(tx)).find((key) => key.fingerprint === fingerprint)
    return revoked === undefined ? null : { revoked, present: await presentKey(tx, keys) }
  })

const readPresent = async (db: Queryable): Promise<SigningKey | null> => {
  const [row] = await db.query<Row>(`select ${COLUMNS} from signing_keys where retired_at is null`, [])
  return row === undefined ? null : toKey(row)
}

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
