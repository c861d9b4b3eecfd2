/** Signatures over DER as X.509, OCSP and revocation lists have them: AlgorithmIdentifier, data, BIT STRING. */
import { constants, type KeyObject, verify } from 'node:crypto'
import { childrenOf, DerError, type DerNode, readOid } from './der.ts'

/** RFC 3279, 4055, 5758, 8410. MD5 is left out: a signature with it proves nothing. */
const HASHES: Readonly<Record<string, string | null>> = {
  '1.2.840.113549.1.1.5': 'sha1',
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
  '1.2.840.10045.4.1': 'sha1',
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
  '1.3.101.112': null,
  '1.3.101.113': null,
}
const PSS = '1.2.840.113549.1.1.10'
const PSS_HASHES: Readonly<Record<string, string>> = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
}

export interface Signed {
  /** The AlgorithmIdentifier. */
  readonly algorithm: DerNode
  readonly data: Buffer
  /** The BIT STRING. */
  readonly signature: DerNode
}

/** unknown: an algorithm that is not checked here. @throws DerError */
export const checkSigned = (
  { algorithm, data, signature }: Signed,
  key: KeyObject,
): 'valid' | 'invalid' | 'unknown' => {
  const [oid, parameters] = childrenOf(algorithm)
  if (oid === undefined || signature.tag !== 0x03) throw new DerError('a signature without algorithm or bits')
  const bits = signature.content.subarray(1)
  const name = readOid(oid.content)
  if (name === PSS) {
    const hash = pssHash(parameters)
    if (hash === null) return 'unknown'
    const { RSA_PKCS1_PSS_PADDING: padding, RSA_PSS_SALTLEN_AUTO: saltLength } = constants
    return outcome(() => verify(hash, data, { key, padding, saltLength }, bits))
  }
  const hash = HASHES[name]
  return hash === undefined ? 'unknown' : outcome(() => verify(hash, data, key, bits))
}

/** RSASSA-PSS-params (RFC 4055, 3.1): [0] holds the hash; without it, it is SHA-1, which nobody uses so. */
const pssHash = (parameters: DerNode | undefined): string | null => {
  const tagged = parameters && childrenOf(parameters).find((node) => node.tag === 0xa0)
  const oid = tagged && childrenOf(childrenOf(tagged)[0] ?? tagged)[0]
  return oid ? (PSS_HASHES[readOid(oid.content)] ?? null) : null
}

/** A key of another kind than the algorithm's, or one that OpenSSL refuses, has not made the signature. */
const outcome = (check: () => boolean): 'valid' | 'invalid' => {
  try {
    return check() ? 'valid' : 'invalid'
  } catch {
    return 'invalid'
  }
}
