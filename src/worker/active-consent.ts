/** Whether an active run may still probe its target: the domain is asked again before the first active request. */
import { getDomain, type StoredDomain, setVerified } from '../store/domains.ts'
import { appendAudit } from '../store/events.ts'
import type { LeasedRun } from '../store/lease.ts'
import { held, Stopped } from './failures.ts'
import type { WorkerOptions } from './options.ts'
import { proofFrom } from './verify-domain.ts'

/**
 * Null where the run may send active requests, or none are asked for; otherwise the reason against, in words for coverage.
 * A proof that holds is renewed. The operator's word needs no proof, but ends when it ends. Throws `Stopped` when the run
 * has to stop meanwhile.
 */
export const refuseActive = async (
  options: WorkerOptions,
  run: LeasedRun,
  signal: AbortSignal,
): Promise<string | null> => {
  if (run.tier !== 'active') return null
  const domain = run.domainId === null ? null : await getDomain(options.db, run.organisationId, run.domainId)
  if (domain === null) return noted(options, run, 'the domain is not registered any more')
  if (domain.vouched && domain.verifiedUntil !== null && domain.verifiedUntil > new Date()) return null
  const attempts = await unlessAborted(options.verifyDomain(domain), signal)
  const proof = attempts.find(({ ok }) => ok)
  if (proof === undefined) {
    const seen = attempts.map((attempt) => `${attempt.method}: ${attempt.seen}`).join('; ')
    return noted(options, run, lapsed(domain), seen)
  }
  await setVerified(options.db, domain.id, proofFrom(new Date()))
  await note(options, run, 'proven', `${proof.method}: ${proof.seen}`)
  return null
}

const lapsed = ({ verifiedUntil }: StoredDomain): string =>
  verifiedUntil === null
    ? 'the verification of the domain was taken back'
    : 'the domain does not show its verification any more'

const noted = async (options: WorkerOptions, run: LeasedRun, reason: string, seen?: string): Promise<string> => {
  await note(options, run, 'refused', seen === undefined ? reason : `${reason} (${seen})`)
  return `${reason}, so nothing active was sent`
}

const note = async ({ db }: WorkerOptions, run: LeasedRun, result: string, detail: string): Promise<void> => {
  const entry = { ts: new Date().toISOString(), module: 'worker', event: 'domain_verification', result, detail }
  held(await appendAudit(db, run, [entry]))
}

const unlessAborted = async <Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> => {
  const stopped = Promise.withResolvers<never>()
  const stop = (): void => stopped.reject(new Stopped())
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work, stopped.promise])
  } finally {
    signal.removeEventListener('abort', stop)
    // Whichever was not waited for: the run is over, and a check writes nothing.
    work.catch(() => undefined)
    stopped.promise.catch(() => undefined)
  }
}
