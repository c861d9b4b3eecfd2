/** Carries out the login tests that people asked for. Any number of workers do it; each test is taken by one. */
import type { LoginAnswer } from '../contract/domain-login.ts'
import { isDomainHeld } from '../store/holds.ts'
import { claimLoginTest, finishLoginTest, type LoginTestJob } from '../store/identities.ts'
import { keepToken, withNewestToken } from '../store/refresh-tokens.ts'
import { type Credentials, openCredentials } from '../store/seal.ts'
import type { WorkerOptions } from './options.ts'

export type LoginTester = (
  job: Pick<LoginTestJob, 'domain' | 'page' | 'exclude' | 'signInHosts' | 'requestsPerSecond'>,
  credentials: Credentials,
  signal: AbortSignal,
  /** Told of the picture of a step, by its place. */
  picture: (step: number, jpeg: Uint8Array) => void,
  /** Told where the provider has replaced the refresh token. */
  replaced: (token: string) => Promise<void>,
) => Promise<LoginAnswer>

type Options = Pick<WorkerOptions, 'db' | 'keys' | 'logger'>

/** Looks at once: one slow site does not hold up the others. */
const LANES = 4
/** Milliseconds between two looks at whether an emergency stop ends the test. */
const HELD_EVERY = 1_000

export const lookAtLogins = async (options: Options, test: LoginTester, signal: AbortSignal): Promise<void> => {
  const next = (): Promise<LoginTestJob | null> => (signal.aborted ? Promise.resolve(null) : claimLoginTest(options.db))
  const lane = async (taken: LoginTestJob | null): Promise<void> => {
    for (let job = taken; job !== null; job = await next()) {
      const pictures = new Map<number, Uint8Array>()
      const answer = await answerTo(options, test, job, signal, (step, jpeg) => void pictures.set(step, jpeg))
      await finishLoginTest(options.db, job.testId, answer, pictures)
    }
  }
  const first = await next()
  // Nearly always there is none: one question is enough then.
  if (first === null) return
  await Promise.all([lane(first), ...Array.from({ length: LANES - 1 }, async () => lane(await next()))])
}

const answerTo = async (
  options: Options,
  test: LoginTester,
  job: LoginTestJob,
  stopped: AbortSignal,
  picture: Parameters<LoginTester>[3],
): Promise<LoginAnswer> => {
  const { db, keys, logger } = options
  // Asked for while it was; it may have lapsed on the way.
  if (!job.verified) return notTested('The domain is not verified any more.')
  const free = untilHeld(options, job, stopped)
  try {
    const credentials = await withNewestToken(db, keys, job.domainId, openCredentials(keys, job.sealed))
    const { lineage } = credentials
    const answer = await test(job, credentials, free.signal, picture, async (token) => {
      if (lineage !== undefined) await keepToken(db, keys, job.domainId, lineage, token)
    })
    return free.held() ? notTested(STOPPED) : answer
  } catch (error) {
    if (free.held()) return notTested(STOPPED)
    logger.error({ err: error, domain: job.domain }, 'a login could not be tested')
    return notTested('The test failed on our side; the log of the worker says why.')
  } finally {
    free.end()
  }
}

const STOPPED = 'The emergency stop ended the test.'

/** Aborts as well when the emergency stop comes to hold the domain's organisation. */
const untilHeld = (
  { db, logger }: Options,
  { domainId, domain }: LoginTestJob,
  stopped: AbortSignal,
): { readonly signal: AbortSignal; readonly held: () => boolean; readonly end: () => void } => {
  const stop = new AbortController()
  const look = async (): Promise<void> => {
    try {
      if (await isDomainHeld(db, domainId)) stop.abort(new Error(STOPPED))
    } catch (error) {
      logger.warn({ err: error, domain }, 'whether a login test is to be stopped could not be asked')
    }
  }
  const timer = setInterval(() => void look(), HELD_EVERY)
  return {
    signal: AbortSignal.any([stopped, stop.signal]),
    held: () => stop.signal.aborted,
    end: () => clearInterval(timer),
  }
}

const notTested = (reason: string): LoginAnswer => ({
  state: 'not_tested',
  reason,
  without: null,
  with: null,
  steps: [],
})
