/** Key derivation of TLS 1.0 to 1.2 (RFC 2246, 5; RFC 5246, 5) and 1.3 (RFC 8446, 7.1). */
import { createHash, createHmac } from 'node:crypto'
import { u8, u16, vector, xor } from '../wire/bytes.ts'
import { VERSION } from '../wire/record.ts'

export type PrfHash = 'legacy' | 'sha256' | 'sha384'

const expand = (hash: string, secret: Buffer, seed: Buffer, length: number): Buffer => {
  const parts: Buffer[] = []
  let a = seed
  for (let made = 0; made < length; ) {
    a = createHmac(hash, secret).update(a).digest()
    const part = createHmac(hash, secret).update(a).update(seed).digest()
    parts.push(part)
    made += part.length
  }
  return Buffer.concat(parts).subarray(0, length)
}

export const prf = (hash: PrfHash, secret: Buffer, label: string, seed: Buffer, length: number): Buffer => {
  const labelled = Buffer.concat([Buffer.from(label, 'latin1'), seed])
  if (hash !== 'legacy') return expand(hash, secret, labelled, length)
  const half = Math.ceil(secret.length / 2)
  return xor(
    expand('md5', secret.subarray(0, half), labelled, length),
    expand('sha1', secret.subarray(secret.length - half), labelled, length),
  )
}

/** The transcript hash under Finished. */
export const transcriptHash = (hash: PrfHash, transcript: Buffer): Buffer =>
  hash === 'legacy'
    ? Buffer.concat([createHash('md5').update(transcript).digest(), createHash('sha1').update(transcript).digest()])
    : createHash(hash).update(transcript).digest()

export const prfHashOf = (version: number, suiteName: string): PrfHash =>
  version < VERSION.tls12 ? 'legacy' : suiteName.endsWith('SHA384') ? 'sha384' : 'sha256'

export const hkdfExtract = (hash: string, salt: Buffer, input: Buffer): Buffer =>
  createHmac(hash, salt).update(input).digest()

export const hkdfExpandLabel = (
  hash: string,
  secret: Buffer,
  label: string,
  context: Buffer,
  length: number,
): Buffer => {
  const info = Buffer.concat([u16(length), vector(1, Buffer.from(`tls13 ${label}`)), vector(1, context)])
  const parts: Buffer[] = []
  let last: Buffer = Buffer.alloc(0)
  for (let made = 0, counter = 1; made < length; counter++) {
    last = createHmac(hash, secret).update(last).update(info).update(u8(counter)).digest()
    parts.push(last)
    made += last.length
  }
  return Buffer.concat(parts).subarray(0, length)
}
