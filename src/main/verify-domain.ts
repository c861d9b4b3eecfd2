/** Asking for the proof of a domain, through the same door as a scan. */
import { randomUUID } from 'node:crypto'
import type { VerificationAttempt } from '../contract/domain.ts'
import { splitDomain } from '../contract/domain-name.ts'
import { createEgress } from '../egress/create-egress.ts'
import { verifyDomain } from '../worker/verify-domain.ts'
import type { Runtime } from './runtime.ts'
import { VERSION } from './version.ts'

/** Milliseconds for all three ways together. */
const TIMEOUT = 30_000
/** Questions and requests, redirects included. */
const REQUESTS = 40

export const verifyDomainNow = async (
  { egress: settings, logger }: Runtime,
  domain: { readonly domain: string; readonly token: string },
): Promise<VerificationAttempt[]> => {
  const signal = AbortSignal.timeout(TIMEOUT)
  const run = createEgress({
    settings,
    // No run stands behind it; the owner's question whether it was ours is still answered with yes.
    runId: randomUUID(),
    version: VERSION,
    target: splitDomain(domain.domain),
    credentials: { cookie: null, header: null },
    audit: (entry) => logger.debug({ domain: domain.domain, ...entry }, 'domain verification'),
    signal,
  })
  try {
    return await verifyDomain(run.forModule('verification', { requests: REQUESTS, signal }), domain)
  } finally {
    await run.close()
  }
}
