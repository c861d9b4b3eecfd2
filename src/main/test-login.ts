/** Trying out a stored login, through the same door as a scan. */
import { randomUUID } from 'node:crypto'
import { splitDomain } from '../contract/domain-name.ts'
import { sleep } from '../contract/sleep.ts'
import { createEgress } from '../egress/door/create-egress.ts'
import { pacedBy } from '../egress/door/settings.ts'
import { launchAlone } from '../engine/browser/launch.ts'
import { secretsOf } from '../sign-in/secrets.ts'
import { tryOut } from '../sign-in/try-out.ts'
import type { LoginTester } from '../worker/login-looks.ts'
import { testLogin } from '../worker/login-test.ts'
import { task } from './last-wall.ts'
import type { Runtime } from './runtime.ts'
import { VERSION } from './version.ts'

/** Milliseconds for all looks together; less than after which the look counts as lost. */
const TIMEOUT = 60_000
/** The same of an identity that signs in by itself: in a browser, and waiting for the next code. */
const SIGN_IN_TIMEOUT = 120_000
/** Questions and requests, redirects included. */
const REQUESTS = 60
const SIGN_IN_REQUESTS = 2_000

export const loginTester =
  (runtime: Pick<Runtime, 'egress' | 'logger' | 'db'>): LoginTester =>
  (...given) =>
    task(runtime, 'login-test', () => look(runtime, ...given))

const look = async (
  { egress: settings, logger }: Pick<Runtime, 'egress' | 'logger'>,
  ...[job, credentials, stopped, picture, replaced]: Parameters<LoginTester>
): ReturnType<LoginTester> => {
  const { signIn, ...given } = credentials
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(signIn === undefined ? TIMEOUT : SIGN_IN_TIMEOUT)])
  const run = createEgress({
    settings: pacedBy(settings, job.requestsPerSecond),
    // No run stands behind it; the owner's question whether it was ours is still answered with yes.
    runId: randomUUID(),
    version: VERSION,
    target: splitDomain(job.domain),
    exclude: job.exclude,
    credentials: { ...credentials, typed: signIn === undefined ? [] : secretsOf(signIn) },
    audit: (entry) => logger.debug({ domain: job.domain, ...entry }, 'login test'),
    signal,
  })
  try {
    if (signIn?.proof !== undefined) {
      const door = run.forModule('sign-in', { requests: SIGN_IN_REQUESTS, signal, signsIn: true })
      return await tryOut({ ...signIn, proof: signIn.proof }, hasGiven(given) ? given : null, {
        egress: door,
        place: { domain: job.domain, hosts: job.signInHosts },
        clock: Date.now,
        browser: {
          open: () => launchAlone(door, signal, (line) => logger.debug({ domain: job.domain }, run.redact.text(line))),
          pictures: true,
        },
        sleep: (milliseconds) => sleep(milliseconds, signal),
        replaced: async (token) => {
          run.hide({ cookie: null, header: `Refresh-Token: ${token}` })
          await replaced(token)
        },
        become: run.become,
        picture,
        text: run.redact.text,
      })
    }
    return await testLogin(run.forModule('login', { requests: REQUESTS, signal }), job, run.redact)
  } finally {
    await run.close()
  }
}

const hasGiven = ({ cookie, header }: { readonly cookie: string | null; readonly header: string | null }): boolean =>
  cookie !== null || header !== null
