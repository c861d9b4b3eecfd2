/** Trying out a stored login, through the same door as a scan. */
import { randomUUID } from 'node:crypto'
import { splitDomain } from '../contract/domain-name.ts'
import { createEgress } from '../egress/door/create-egress.ts'
import type { LoginTester } from '../worker/login-looks.ts'
import { testLogin } from '../worker/login-test.ts'
import { pacedBy } from '../worker/spec.ts'
import { task } from './last-wall.ts'
import type { Runtime } from './runtime.ts'
import { VERSION } from './version.ts'

/** Milliseconds for all looks together; less than after which the look counts as lost. */
const TIMEOUT = 60_000
/** Questions and requests, redirects included. */
const REQUESTS = 60

export const loginTester =
  (runtime: Pick<Runtime, 'egress' | 'logger' | 'db'>): LoginTester =>
  (job, credentials, stopped) =>
    task(runtime, 'login-test', () => look(runtime, job, credentials, stopped))

const look = async (
  { egress: settings, logger }: Pick<Runtime, 'egress' | 'logger'>,
  ...[job, credentials, stopped]: Parameters<LoginTester>
): ReturnType<LoginTester> => {
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(TIMEOUT)])
  const run = createEgress({
    settings: pacedBy(settings, job.requestsPerSecond),
    // No run stands behind it; the owner's question whether it was ours is still answered with yes.
    runId: randomUUID(),
    version: VERSION,
    target: splitDomain(job.domain),
    exclude: job.exclude,
    credentials,
    audit: (entry) => logger.debug({ domain: job.domain, ...entry }, 'login test'),
    signal,
  })
  try {
    return await testLogin(run.forModule('login', { requests: REQUESTS, signal }), job, run.redact)
  } finally {
    await run.close()
  }
}
