/** Carries out the login tests that people asked for. Any number of workers do it; each test is taken by one. */
import type { LoginAnswer } from '../contract/domain-login.ts'
import { claimLoginTest, finishLoginTest, type LoginTestJob } from '../store/logins.ts'
import { type Credentials, openCredentials } from '../store/seal.ts'
import type { WorkerOptions } from './options.ts'

export type LoginTester = (
  job: Pick<LoginTestJob, 'domain' | 'page' | 'exclude' | 'requestsPerSecond'>,
  credentials: Credentials,
  signal: AbortSignal,
) => Promise<LoginAnswer>

/** Looks at once: one slow site does not hold up the others. */
const LANES = 4

export const lookAtLogins = async (
  options: Pick<WorkerOptions, 'db' | 'secretKey' | 'logger'>,
  test: LoginTester,
  signal: AbortSignal,
): Promise<void> => {
  const next = (): Promise<LoginTestJob | null> => (signal.aborted ? Promise.resolve(null) : claimLoginTest(options.db))
  const lane = async (taken: LoginTestJob | null): Promise<void> => {
    for (let job = taken; job !== null; job = await next()) {
      await finishLoginTest(options.db, job.testId, await answerTo(options, test, job, signal))
    }
  }
  const first = await next()
  // Nearly always there is none: one question is enough then.
  if (first === null) return
  await Promise.all([lane(first), ...Array.from({ length: LANES - 1 }, async () => lane(await next()))])
}

const answerTo = async (
  { secretKey, logger }: Pick<WorkerOptions, 'secretKey' | 'logger'>,
  test: LoginTester,
  job: LoginTestJob,
  signal: AbortSignal,
): Promise<LoginAnswer> => {
  // Asked for while it was; it may have lapsed on the way.
  if (!job.verified) return notTested('The domain is not verified any more.')
  try {
    return await test(job, openCredentials(secretKey, job.sealed), signal)
  } catch (error) {
    logger.error({ err: error, domain: job.domain }, 'a login could not be tested')
    return notTested('The test failed on our side; the log of the worker says why.')
  }
}

const notTested = (reason: string): LoginAnswer => ({ state: 'not_tested', reason, without: null, with: null })
