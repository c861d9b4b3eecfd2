/** Whether a leased run may send active requests: the domain is asked again before the first of them. */
import type { VerificationAttempt } from '../contract/domain.ts'
import { VERIFICATION_DAYS } from '../contract/verification.ts'
import type { Database } from './database.ts'
import { getDomain, type StoredDomain, setVerified } from './domains.ts'
import { appendAudit } from './events.ts'
import type { LeasedRun } from './lease.ts'

/** `refused`: why nothing active may be sent, in words for coverage; null where it may. `prove`: the proof has to be asked for. */
export type ActiveStanding = { readonly refused: string | null } | { readonly prove: StoredDomain } | 'lost'

/** From when to when a proof seen now holds. */
export const proofFrom = (at: Date): { readonly at: Date; readonly until: Date } => ({
  at,
  until: new Date(at.getTime() + VERIFICATION_DAYS * 86_400_000),
})

/** The operator's word needs no proof, but ends when it ends. */
export const activeStanding = async (db: Database, run: LeasedRun): Promise<ActiveStanding> => {
  if (run.tier !== 'active') return { refused: null }
  const domain = run.domainId === null ? null : await getDomain(db, run.organisationId, run.domainId)
  if (domain === null) return refused(db, run, 'the domain is not registered any more')
  if (domain.vouched && domain.verifiedUntil !== null && domain.verifiedUntil > new Date()) return { refused: null }
  return { prove: domain }
}

/** A proof that holds is renewed. The verification is that of the domain as it was when the proof was asked for. */
export const settleProof = async (
  db: Database,
  run: LeasedRun,
  domain: StoredDomain,
  attempts: readonly VerificationAttempt[],
): Promise<{ readonly refused: string | null } | 'lost'> => {
  const proof = attempts.find(({ ok }) => ok)
  if (proof === undefined) {
    const seen = attempts.map((attempt) => `${attempt.method}: ${attempt.seen}`).join('; ')
    return refused(db, run, lapsed(domain), seen)
  }
  await setVerified(db, domain.id, { ...proofFrom(new Date()), through: domain.agentId })
  const noted = await note(db, run, 'proven', `${proof.method}: ${proof.seen}`)
  return noted === 'lost' ? 'lost' : { refused: null }
}

const lapsed = ({ verifiedUntil }: StoredDomain): string =>
  verifiedUntil === null
    ? 'the verification of the domain was taken back'
    : 'the domain does not show its verification any more'

const refused = async (
  db: Database,
  run: LeasedRun,
  reason: string,
  seen?: string,
): Promise<{ readonly refused: string } | 'lost'> => {
  const noted = await note(db, run, 'refused', seen === undefined ? reason : `${reason} (${seen})`)
  return noted === 'lost' ? 'lost' : { refused: `${reason}, so nothing active was sent` }
}

const note = (db: Database, run: LeasedRun, result: string, detail: string): Promise<'ok' | 'lost'> =>
  appendAudit(db, run, [
    { ts: new Date().toISOString(), module: 'worker', event: 'domain_verification', result, detail },
  ])
