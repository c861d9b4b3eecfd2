/** How the fake server judges records in CBC mode where its padding is flawed. */
import { createDecipheriv } from 'node:crypto'
import type { CipherParts, Protection } from '../../../../protocols/tls/session/protection.ts'
import { RECORD } from '../../../../protocols/tls/wire/record.ts'

/** Dies: of padding that is right and leaves no room for a MAC, as Node 0.10.1 did over OpenSSL 1.0.1e. */
export type PaddingFlaw = 'poodle' | 'zombie' | 'dies' | 'zero' | 'silent'

export interface Secured {
  readonly version: number
  readonly until: number
  readonly parts: CipherParts
  readonly read: Protection
  readonly write: Protection
  readonly key: Buffer
  readonly die: () => void
}

/** What a flawed server makes of the first record; null where it judges as it should. */
export const leniently = (
  payload: Buffer,
  flaw: PaddingFlaw,
  secured: Secured,
): 'accept' | 'drop' | 'die' | number | null => {
  const { parts, read } = secured
  // TLS 1.1 and later: the record begins with its initialization vector.
  const decipher = createDecipheriv(parts.algorithm, secured.key, payload.subarray(0, parts.block)).setAutoPadding(
    false,
  )
  const octets = Buffer.concat([decipher.update(payload.subarray(parts.block)), decipher.final()])
  const padding = (octets.at(-1) ?? 0) + 1
  const end = octets.length - padding - parts.macLength
  const paddingRight = octets.subarray(-padding).every((octet) => octet === padding - 1)
  if (end < 0) return flaw === 'dies' && paddingRight ? 'die' : null
  const plain = octets.subarray(0, end)
  const macRight = read.macOf(RECORD.data, plain).equals(octets.subarray(end, end + parts.macLength))
  if (flaw === 'poodle' && macRight) return 'accept'
  if (flaw === 'zombie' && macRight && !paddingRight) return 51
  return flaw === 'zero' && plain.length === 0 && !macRight ? 'drop' : null
}
