/** Seals a run's credentials for the time it waits and runs. AES-256-GCM: NIST SP 800-38D. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

export interface Credentials {
  readonly cookie: string | null
  readonly header: string | null
}

const VERSION = 1
/** 96 bits, the length that SP 800-38D, 8.2 recommends; random, one per run. */
const IV_LENGTH = 12
const TAG_LENGTH = 16
const PURPOSE = Buffer.from('sonde run credentials')

/** `key` has 32 bytes. The answer is version, IV, tag and ciphertext; null when there is nothing to seal. */
export const sealCredentials = (key: Buffer, credentials: Credentials): Buffer | null => {
  if (credentials.cookie === null && credentials.header === null) return null
  const iv = randomBytes(IV_LENGTH)
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_LENGTH }).setAAD(PURPOSE)
  const text = JSON.stringify({ cookie: credentials.cookie, header: credentials.header })
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.of(VERSION), iv, cipher.getAuthTag(), sealed])
}

/** Throws when the key is another one or the bytes were altered; the message never holds the content. */
export const openCredentials = (key: Buffer, sealed: Buffer | null): Credentials => {
  if (sealed === null) return { cookie: null, header: null }
  try {
    if (sealed[0] !== VERSION) throw new Error(`unknown version ${sealed[0]}`)
    const iv = sealed.subarray(1, 1 + IV_LENGTH)
    const tag = sealed.subarray(1 + IV_LENGTH, 1 + IV_LENGTH + TAG_LENGTH)
    const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_LENGTH })
      .setAAD(PURPOSE)
      .setAuthTag(tag)
    const text = Buffer.concat([decipher.update(sealed.subarray(1 + IV_LENGTH + TAG_LENGTH)), decipher.final()])
    const { cookie, header } = JSON.parse(text.toString('utf8')) as Credentials
    return { cookie, header }
  } catch (cause) {
    throw new Error('The credentials of the run cannot be opened: SONDE_SECRET_KEY differs from when it was started', {
      cause,
    })
  }
}
