/** The denial records of an answer, verified, and what they prove. */
import type { DnsAnswer } from '../../egress/door/egress.ts'
import { isCovered, type OwnedNsec, type OwnedNsec3, type Proof, proveByNsec, proveByNsec3 } from './denial.ts'
import type { DenialFacts } from './security.ts'
import { recordsOf, signaturesOf } from './sets.ts'
import type { RecordSet, Verdict } from './signature.ts'
import { bare, labelsOf, type Rrsig, readNsec, readNsec3, TYPE_NUMBERS } from './wire.ts'

export type VerifyDenial = (one: {
  readonly set: RecordSet
  readonly signatures: readonly Rrsig[]
}) => { readonly ok: true } | Extract<Verdict, { readonly ok: false }>

export const provenBy = (name: string, zone: string, answer: DnsAnswer, verify: VerifyDenial): Proof => {
  const { nsec, nsec3, flaw } = denials(answer, verify)
  if (nsec.length > 0) return proveByNsec(name, nsec)
  if (nsec3.length > 0) return proveByNsec3(name, zone, nsec3)
  return { kind: 'none', reason: flaw ?? 'the answer has no NSEC or NSEC3 record' }
}

/** A wildcard may answer only where the name itself is proven absent (RFC 4035, 5.3.4). */
export const provesExpansion = (
  name: string,
  zone: string,
  answer: DnsAnswer,
  labels: number,
  verify: VerifyDenial,
): boolean => {
  const { nsec, nsec3 } = denials(answer, verify)
  if (nsec.length > 0) return proveByNsec(name, nsec).kind === 'absent'
  if (nsec3.length === 0) return false
  // The name one label below the wildcard's parent has to be covered; its parent exists, as the signature shows.
  const next = labelsOf(name)
    .slice(-(labels + 1))
    .join('.')
  return isCovered(next, zone, nsec3)
}

export const denialOf = (answer: DnsAnswer): DenialFacts | null => {
  const { nsec, nsec3 } = denials(answer, () => ({ ok: true }))
  const [first] = nsec3
  if (first) {
    return {
      kind: 'NSEC3',
      iterations: first.iterations,
      salt: first.salt.length,
      optOut: nsec3.some((one) => one.optOut),
    }
  }
  return nsec.length > 0 ? { kind: 'NSEC', iterations: 0, salt: 0, optOut: false } : null
}

const denials = (answer: DnsAnswer, verify: VerifyDenial) => {
  const nsec: OwnedNsec[] = []
  const nsec3: OwnedNsec3[] = []
  let flaw: string | null = null
  const owners = answer.authorities
    .filter(({ type }) => type === 'NSEC' || type === 'NSEC3')
    .map(({ name }) => bare(name))
  for (const owner of new Set(owners)) {
    for (const type of ['NSEC', 'NSEC3'] as const) {
      const records = recordsOf(answer.authorities, owner, type)
      if (records.length === 0) continue
      const set = { name: owner, type: TYPE_NUMBERS[type], records }
      const verdict = verify({ set, signatures: signaturesOf(answer.authorities, owner) })
      if (!verdict.ok) {
        flaw = `its ${type} record: ${verdict.reason}`
        continue
      }
      for (const rdata of records) {
        const plain = type === 'NSEC' ? readNsec(rdata) : null
        const hashed = type === 'NSEC3' ? readNsec3(rdata) : null
        if (plain) nsec.push({ ...plain, owner })
        if (hashed) nsec3.push({ ...hashed, owner })
      }
    }
  }
  return { nsec, nsec3, flaw }
}
