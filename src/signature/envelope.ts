/**
 * The file that signs: a DSSE envelope (secure-systems-lab/dsse v1.0) with one Ed25519 signature (RFC 8032) over the exact bytes
 * of what it holds, so that nothing has to be brought into a canonical form before it is checked.
 */
import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { z } from 'zod'
import { parsedJson } from './json.ts'

export const PAYLOAD_TYPE = 'application/vnd.in-toto+json'
/** Bytes of a signature file; the largest that is read. */
export const MAX_ENVELOPE = 16 * 1024 * 1024

const Envelope = z.strictObject({
  payloadType: z.literal(PAYLOAD_TYPE),
  payload: z.base64().min(1),
  signatures: z.tuple([
    z.strictObject({
      keyid: z.string().regex(/^[0-9a-f]{64}$/),
      sig: z.base64(),
    }),
  ]),
})
type Envelope = z.infer<typeof Envelope>

/** What signs. The private half never leaves it. */
export interface Signer {
  /** SPKI (RFC 8410) in DER. */
  readonly publicKey: Buffer
  /** Of the public key. */
  readonly fingerprint: string
  /** The 64 bytes of an Ed25519 signature. */
  readonly sign: (bytes: Buffer) => Buffer
}

/** SHA-256 of the public key as SPKI in DER, lower case hex: `openssl pkey -pubin -outform der | sha256sum` gives the same. */
export const fingerprintOf = (publicKey: Buffer): string => createHash('sha256').update(publicKey).digest('hex')

/** As people type or copy it: in any case, in groups, with the name of the hash before it. Null: it is none. */
export const parseFingerprint = (text: string): string | null => {
  const hex = text
    .replace(/^sha-?256:/i, '')
    .replace(/[\s:]/g, '')
    .toLowerCase()
  return /^[0-9a-f]{64}$/.test(hex) ? hex : null
}

/** The one form of the file: whatever has another was altered. */
const written = ({ payloadType, payload, signatures: [{ keyid, sig }] }: Envelope): string =>
  `${JSON.stringify({ payloadType, payload, signatures: [{ keyid, sig }] }, null, 2)}\n`

export const seal = (payload: Buffer, signer: Signer): Buffer =>
  Buffer.from(
    written({
      payloadType: PAYLOAD_TYPE,
      payload: payload.toString('base64'),
      signatures: [{ keyid: signer.fingerprint, sig: signer.sign(signedBytes(payload)).toString('base64') }],
    }),
  )

/** DSSE, "PAE": type and length of everything are signed with it. */
const signedBytes = (payload: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(PAYLOAD_TYPE)} ${PAYLOAD_TYPE} ${payload.length} `), payload])

export interface OpenedEnvelope {
  readonly payload: Buffer
  readonly keyid: string
  readonly isSignedBy: (publicKey: Buffer) => boolean
}

/** Whether a file wants to be one, whatever is wrong with it. */
export const looksSealed = (bytes: Buffer): boolean =>
  bytes.length <= MAX_ENVELOPE && bytes.subarray(0, 64).toString('latin1').includes('"payloadType"')

/** Null for what is not exactly such a file, to the last byte. Says nothing about who signed it. */
export const openEnvelope = (bytes: Buffer): OpenedEnvelope | null => {
  if (bytes.length > MAX_ENVELOPE) return null
  const parsed = Envelope.safeParse(parsedJson(bytes))
  if (!parsed.success || written(parsed.data) !== bytes.toString('latin1')) return null
  const { payload, signatures } = parsed.data
  const [{ keyid, sig }] = signatures
  const [body, signature] = [strictBase64(payload), strictBase64(sig)]
  if (body === null || signature === null) return null
  return {
    payload: body,
    keyid,
    isSignedBy: (publicKey) => {
      const key = ed25519Key(publicKey)
      return key !== null && fingerprintOf(publicKey) === keyid && verify(null, signedBytes(body), key, signature)
    },
  }
}

/** Bits that decoding ignores would be a way to alter the file unseen. */
const strictBase64 = (text: string): Buffer | null => {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : null
}

const ed25519Key = (publicKey: Buffer): KeyObject | null => {
  try {
    const key = createPublicKey({ key: publicKey, format: 'der', type: 'spki' })
    const isExact = key.export({ format: 'der', type: 'spki' }).equals(publicKey)
    return key.asymmetricKeyType === 'ed25519' && isExact ? key : null
  } catch {
    // Bytes that are no key have signed nothing.
    return null
  }
}
