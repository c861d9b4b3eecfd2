/** Asking for the proof of a domain, through the same door as a scan. */
import { randomUUID } from 'node:crypto'
import { type VerificationAttempt, VerificationMethod } from '../contract/domain.ts'
import { splitDomain } from '../contract/domain-name.ts'
import { createEgress } from '../egress/door/create-egress.ts'
import { verifyDomain } from '../worker/verify-domain.ts'
import { TaskFault, task } from './last-wall.ts'
import type { Runtime } from './runtime.ts'
import { VERSION } from './version.ts'

/** Milliseconds for all three ways together. */
const TIMEOUT = 30_000
/** Questions and requests, redirects included. */
const REQUESTS = 40

type Claimed = { readonly domain: string; readonly token: string }

/** Never rejects: what fails on our side is said of each way, and proves nothing. */
export const verifyDomainNow = async (runtime: Runtime, domain: Claimed): Promise<VerificationAttempt[]> => {
  try {
    return await task(runtime, 'verification', () => verifyThrough(runtime, domain))
  } catch (error) {
    if (!(error instanceof TaskFault)) throw error
    const seen = `Nothing: ${error.message}`
    return VerificationMethod.options.map((method) => ({ method, ok: false, seen }))
  }
}

/** The same without the service around it; rejects for what fails on our side. */
export const verifyThrough = async (
  { egress: settings, logger }: Pick<Runtime, 'egress' | 'logger'>,
  domain: Claimed,
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
