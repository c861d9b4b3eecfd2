import type { CertificateFacts, KeyFacts } from '../../../protocols/tls/certificate/facts.ts'
import type { Check, Finding, FindingDefinition, Judgement, Unjudged } from '../../module.ts'
import type { TlsFacts } from './facts.ts'
import { judgeServed } from './facts-addresses.ts'
import { certificateProof, placeOf, type Served } from './facts-served.ts'

const RENEW =
  'Make a new key (`openssl ecparam -genkey -name prime256v1 -out key.pem`, or RSA with 2048 bits and more), request a new certificate with it, install both and have the old certificate revoked.'

const broken: FindingDefinition = {
  id: 'tls/key-broken',
  title: 'TLS certificate key breakable: it is so weak that it can be computed',
  severity: 'critical',
  cwe: 326,
  why: 'RSA with less than 1024 bits, or with the exponent 1, is broken with ordinary means. Who holds the key can pose as the site.',
  remediation: RENEW,
  references: ['https://csrc.nist.gov/pubs/sp/800/131/a/r2/final', 'https://cwe.mitre.org/data/definitions/326.html'],
}

const weak: FindingDefinition = {
  ...broken,
  id: 'tls/key-weak',
  title: 'TLS certificate key too short',
  severity: 'high',
  why: 'RSA under 2048 bits and curves under 224 bits are within reach of well-funded attackers, and browsers refuse them.',
}

const roca: FindingDefinition = {
  ...broken,
  id: 'tls/key-roca',
  title: 'ROCA: the key comes from a generator whose keys can be computed (CVE-2017-15361)',
  cwe: 338,
  why: 'The modulus bears the fingerprint of the faulty Infineon library (CVE-2017-15361): its private key can be computed from the certificate.',
  references: ['https://nvd.nist.gov/vuln/detail/CVE-2017-15361', 'https://doi.org/10.1145/3133956.3133969'],
}

const known: FindingDefinition = {
  ...broken,
  id: 'tls/key-known',
  title: 'TLS certificate key known: its private half is public',
  cwe: 321,
  why: 'The private key stands in a list of published ones: it comes with a product, an example or a library, or a faulty generator made it (CVE-2008-0166). Whoever has it poses as the site and reads connections without forward secrecy.',
  references: ['https://nvd.nist.gov/vuln/detail/CVE-2008-0166', 'https://cwe.mitre.org/data/definitions/321.html'],
}

export const certificateKey: Check<'tls', 'site'> = {
  findings: [broken, weak, roca, known],
  judge: (facts) =>
    judgeServed(facts, (served): Judgement => {
      const findings = served.flatMap((one) => one.vouching.flatMap((certificate) => judgeKey(facts, one, certificate)))
      return facts.knownKeys ? findings : { ...UNLISTED, findings }
    }),
}

const UNLISTED: Unjudged = {
  state: 'not_tested',
  reason: 'No list of keys whose private half is known is imported (feed “known-keys”).',
  only: [known.id],
}

const judgeKey = (facts: TlsFacts, one: Served, certificate: CertificateFacts): readonly Finding[] => {
  const list = facts.knownKeys?.[certificate.sha256]
  const own = definitionOf(certificate.key)
  const line = `Key: ${describeKey(certificate)}`
  const found = (definition: FindingDefinition, says: string, lines: readonly string[]): Finding => ({
    definition,
    confidence: definition === roca || definition === known ? 'firm' : 'confirmed',
    at: placeOf(facts),
    detail: `${one.addresses.join(', ')}: the certificate of “${certificate.subject.slice(0, 200)}” has the key ${describeKey(certificate)}${says}.`,
    proof: certificateProof(facts, one, lines, line),
    subject: certificate.subject,
  })
  return [
    ...(own === null ? [] : [found(own, '', [line])]),
    ...(list === undefined ? [] : [found(known, `, which the list “${list}” has`, [line, `List: ${list}`])]),
  ]
}

const definitionOf = ({ type, bits, exponent, modulus }: KeyFacts): FindingDefinition | null => {
  if (type === 'rsa' || type === 'rsa-pss') {
    if (exponent === '1' || (bits !== null && bits < 1024)) return broken
    if (modulus !== null && hasRocaFingerprint(modulus)) return roca
    return bits !== null && bits < 2048 ? weak : null
  }
  return type === 'ec' && bits !== null && bits < 224 ? weak : null
}

export const describeKey = ({ key }: CertificateFacts): string => {
  const size = key.bits === null ? '' : ` ${key.bits} bit`
  const curve = key.curve === null ? '' : ` (${key.curve})`
  return `${key.type.toUpperCase()}${size}${curve}${key.exponent === null ? '' : `, exponent ${key.exponent}`}`
}

/**
 * The fingerprint of keys from the faulty Infineon library (CVE-2017-15361). Such primes have the form
 * k·M + (65537^a mod M), M being the product of the first primes; so the modulus is a power of 65537 modulo each of them.
 * A sound key passes all of these tests with a probability of about 2^-27 or less.
 * Source: Nemec et al., "The Return of Coppersmith's Attack", ACM CCS 2017.
 */
const PRIMES = [
  3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109, 113,
  127, 131, 137, 139, 149, 151, 157, 163, 167,
]

const powersOfGenerator = (prime: number): ReadonlySet<number> => {
  const powers = new Set<number>()
  for (let power = 1; !powers.has(power); power = (power * 65537) % prime) powers.add(power)
  return powers
}

const SUBGROUPS = PRIMES.map((prime) => ({ prime: BigInt(prime), powers: powersOfGenerator(prime) }))

/** @param modulus hexadecimal */
export const hasRocaFingerprint = (modulus: string): boolean => {
  const value = BigInt(`0x${modulus}`)
  return SUBGROUPS.every(({ prime, powers }) => powers.has(Number(value % prime)))
}
