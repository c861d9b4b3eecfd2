/** Seals what the service has to keep and give back: AES-256-GCM, NIST SP 800-38D. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { SignIn } from '../contract/identity.ts'
import type { SecretKeys } from '../contract/secret-keys.ts'

export interface Credentials {
  readonly cookie: string | null
  readonly header: string | null
  /** How cookie and header are come by, or proven to work; absent where they are all that is known. */
  readonly signIn?: SignIn
}

const VERSION = 1
/** 96 bits, the length that SP 800-38D, 8.2 recommends; random, one per text. */
const IV_LENGTH = 12
const TAG_LENGTH = 16

/** What is sealed for one purpose opens for no other. */
export type Purpose = 'sonde run credentials' | 'sonde webhook secret' | 'sonde signing key'

/** The answer is version, IV, tag and ciphertext. */
export const seal = ({ current: key }: SecretKeys, purpose: Purpose, text: string): Buffer => {
  const iv = randomBytes(IV_LENGTH)
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_LENGTH }).setAAD(Buffer.from(purpose))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.of(VERSION), iv, cipher.getAuthTag(), sealed])
}

/** @throws when no key or another purpose sealed it or the bytes were altered; the message never holds the content. */
export const open = ({ accepted }: SecretKeys, purpose: Purpose, sealed: Buffer): string => {
  if (sealed[0] !== VERSION) throw new Error(`unknown version ${sealed[0]}`)
  const failures: unknown[] = []
  for (const key of accepted) {
    try {
      return openWith(key, purpose, sealed)
    } catch (error) {
      // The tag says that it was another key: the next one may be it.
      failures.push(error)
    }
  }
  throw new AggregateError(failures, 'none of the keys opens it')
}

const openWith = (key: Buffer, purpose: Purpose, sealed: Buffer): string => {
  const iv = sealed.subarray(1, 1 + IV_LENGTH)
  const tag = sealed.subarray(1 + IV_LENGTH, 1 + IV_LENGTH + TAG_LENGTH)
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_LENGTH })
    .setAAD(Buffer.from(purpose))
    .setAuthTag(tag)
  return Buffer.concat([decipher.update(sealed.subarray(1 + IV_LENGTH + TAG_LENGTH)), decipher.final()]).toString()
}

/** Null when there is nothing to seal. */
export const sealCredentials = (keys: SecretKeys, { cookie, header, signIn }: Credentials): Buffer | null =>
  cookie === null && header === null && signIn === undefined
    ? null
    : seal(keys, 'sonde run credentials', JSON.stringify({ cookie, header, signIn }))

/** @throws as `open` does, with a sentence for the operator. */
export const openCredentials = (keys: SecretKeys, sealed: Buffer | null): Credentials => {
  if (sealed === null) return { cookie: null, header: null }
  try {
    const { cookie, header, signIn } = JSON.parse(open(keys, 'sonde run credentials', sealed)) as Credentials
    return { cookie, header, ...(signIn === undefined ? {} : { signIn }) }
  } catch (cause) {
    throw new Error('The credentials of the run cannot be opened: SONDE_SECRET_KEY differs from when it was started', {
      cause,
    })
  }
}
