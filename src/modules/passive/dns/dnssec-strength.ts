import { ALGORITHMS, algorithmName, DIGESTS } from '../../../knowledge/dns/algorithms.ts'
import type { SignatureOfSet } from '../../../protocols/dns/security.ts'
import type { Check, Finding, FindingDefinition, Judgement } from '../../module.ts'
import type { DnsFacts } from './facts.ts'

const algorithm: FindingDefinition = {
  id: 'dns/dnssec-algorithm',
  title: 'DNSSEC algorithm outdated: the zone is signed with one that validators drop',
  severity: 'medium',
  cwe: 327,
  why: 'SHA-1 and MD5 no longer withstand collisions, and resolvers begin to treat zones signed with them as unsigned.',
  remediation:
    'Roll the zone over to algorithm 13 (ECDSA P-256): sign with both, exchange the DS record, remove the old key.',
  references: ['https://www.rfc-editor.org/rfc/rfc9905', 'https://www.rfc-editor.org/rfc/rfc8624#section-3.1'],
}

const digest: FindingDefinition = {
  ...algorithm,
  id: 'dns/dnssec-digest',
  title: 'DS record by SHA-1 only: the parent vouches for the zone’s key with a broken hash',
  why: 'The DS record is the one link to the parent zone, and its hash no longer withstands collisions.',
  remediation: 'Hand the DS record with digest type 2 (SHA-256) to the registrar and remove the one with type 1.',
}

const iterations: FindingDefinition = {
  ...algorithm,
  id: 'dns/dnssec-iterations',
  title: 'NSEC3 iterations: names are hashed more than once',
  severity: 'low',
  cwe: 400,
  why: 'Extra iterations hide nothing and cost every resolver time; some treat such zones as unsigned.',
  remediation:
    'Set NSEC3 to zero iterations and an empty salt (`nsec3param iterations 0 salt-length 0;`), or use NSEC.',
  references: ['https://www.rfc-editor.org/rfc/rfc9276#section-3.1'],
}

const expiry: FindingDefinition = {
  ...algorithm,
  id: 'dns/dnssec-signature-expiry',
  title: 'DNSSEC signatures near expiry: they run out within three days',
  severity: 'low',
  cwe: 298,
  why: 'When they run out before they are renewed, the domain vanishes for everybody behind a validating resolver.',
  remediation: 'Check that the signing job runs, and let it renew signatures at least a week before their end.',
  references: ['https://www.rfc-editor.org/rfc/rfc6781#section-4.4.2'],
}

const DAY = 86_400_000
const SHORTEST_LEFT = 3 * DAY
/** Servers that sign on the fly give lifetimes of a day or two; there only the share left tells of trouble. */
const LEAST_SHARE = 0.25

export const dnssecStrength: Check<'dns'> = {
  findings: [algorithm, digest, iterations, expiry],
  judge: (facts, _known, { now }): Judgement => {
    if (facts.dnssec.published.length === 0) return { state: 'not_applicable', reason: `${facts.zone} is not signed.` }
    return [...judgeAlgorithm(facts), ...judgeDigest(facts), ...judgeIterations(facts), ...judgeExpiry(facts, now)]
  },
}

const judgeAlgorithm = ({ zone, dnssec }: DnsFacts): Finding[] => {
  const weak = [...new Set(dnssec.published.map((key) => key.algorithm))].filter((one) => ALGORITHMS[one]?.weak)
  if (weak.length === 0) return []
  const names = weak.map((one) => `${one} (${algorithmName(one)})`).join(', ')
  const excerpt = dnssec.published.map(
    (key) => `DNSKEY ${key.flags} 3 ${key.algorithm} ; key tag ${key.tag}, ${key.bits ?? '?'} bits`,
  )
  return [
    {
      definition: algorithm,
      confidence: 'confirmed',
      at: { host: zone },
      detail: `${zone} has keys of algorithm ${names}.`,
      proof: { excerpt: excerpt.join('\n'), mark: null, replay: `dig DNSKEY ${zone}` },
    },
  ]
}

const judgeDigest = ({ zone, dnssec }: DnsFacts): Finding[] => {
  const ds = dnssec.links.find((link) => link.zone === zone)?.ds ?? []
  if (ds.length === 0 || ds.some(({ digestType }) => DIGESTS[digestType]?.weak === false)) return []
  const excerpt = ds.map((one) => `DS ${one.tag} ${one.algorithm} ${one.digestType}`).join('\n')
  return [
    {
      definition: digest,
      confidence: 'confirmed',
      at: { host: zone },
      detail: `All DS records of ${zone} are of digest type ${[...new Set(ds.map(({ digestType }) => digestType))].join(', ')}.`,
      proof: { excerpt, mark: null, replay: `dig DS ${zone}` },
    },
  ]
}

const judgeIterations = ({ zone, dnssec: { denial } }: DnsFacts): Finding[] => {
  if (denial === null || denial.iterations === 0) return []
  return [
    {
      definition: iterations,
      confidence: 'confirmed',
      at: { host: zone },
      detail: `NSEC3 of ${zone} uses ${denial.iterations} extra iterations and ${denial.salt} octets of salt.`,
      proof: {
        excerpt: `NSEC3 1 ${denial.optOut ? 1 : 0} ${denial.iterations}`,
        mark: null,
        replay: `dig NSEC3PARAM ${zone}`,
      },
    },
  ]
}

const judgeExpiry = (facts: DnsFacts, now: number): Finding[] => {
  const own = facts.dnssec.links.find((link) => link.zone === facts.zone)
  const signatures: readonly (readonly [string, SignatureOfSet | null])[] = [
    [`DNSKEY ${facts.zone}`, own?.signature ?? null],
    ...facts.dnssec.sets.map(
      ({ name, type, signature, zone }) => [`${type} ${name}`, zone === facts.zone ? signature : null] as const,
    ),
  ]
  const ending = signatures.flatMap(([what, signature]) =>
    signature && isEnding(signature, now) ? [{ what, signature }] : [],
  )
  const [first] = ending.toSorted((a, b) => a.signature.expiration - b.signature.expiration)
  if (!first) return []
  const date = new Date(first.signature.expiration).toISOString()
  return [
    {
      definition: expiry,
      confidence: 'confirmed',
      at: { host: facts.zone },
      detail: `The signature over ${first.what} ends on ${date}; ${ending.length} of the signatures seen end within three days.`,
      proof: {
        excerpt: ending
          .map(({ what, signature }) => `RRSIG ${what} until ${new Date(signature.expiration).toISOString()}`)
          .join('\n'),
        mark: date,
        replay: `dig +dnssec SOA ${facts.zone}`,
      },
    },
  ]
}

const isEnding = ({ inception, expiration }: SignatureOfSet, now: number): boolean => {
  const left = expiration - now
  return left > 0 && left < SHORTEST_LEFT && left < (expiration - inception) * LEAST_SHARE
}
