/** What shows that a limit has come into force. */
import { CAPTCHA, TOO_MANY } from '../../../page/guessing.ts'
import type { Answer, Endpoint } from './facts.ts'

const OTHER_PAGE = 0.6
/** Answers of each end that are compared for delay. */
const SAMPLES = 5
const SLOWER = 3
const SLOWER_BY = 500

/** The sign in the last answer, compared with the first; null where it is like those before. `first` and `last` are bodies. */
export const signalOf = (answers: readonly Answer[], first: string, last: string): Endpoint['signal'] => {
  const after = answers.length
  const [start] = answers
  const now = answers.at(-1)
  if (!start || !now || after < 2) return null
  if (now.status === 429) return { kind: 'status', after, detail: `status 429 after ${after} requests${waitOf(now)}` }
  if (now.status !== start.status && [401, 403, 406, 423, 503].includes(now.status))
    return {
      kind: 'status',
      after,
      detail: `status ${now.status} in place of ${start.status} after ${after} requests${waitOf(now)}`,
    }
  if (now.retryAfter !== null && start.retryAfter === null)
    return { kind: 'retry-after', after, detail: `Retry-After: ${now.retryAfter} after ${after} requests` }
  if (CAPTCHA.test(last) && !CAPTCHA.test(first))
    return { kind: 'captcha', after, detail: `a captcha after ${after} requests` }
  const words = TOO_MANY.exec(last)?.[0]
  if (words && !TOO_MANY.test(first)) return { kind: 'other-page', after, detail: `“${words}” after ${after} requests` }
  if (
    now.status === start.status &&
    now.likeness < OTHER_PAGE &&
    answers.slice(1, -1).every((one) => one.likeness >= OTHER_PAGE) &&
    after > 3
  )
    return { kind: 'other-page', after, detail: `another page after ${after} requests` }
  return growthOf(answers) ?? delayOf(answers)
}

/** Answers that are compared for a wait that grows, by what each has to be longer than the one before, and all in all in milliseconds. */
const GROWTH = { answers: 4, each: 1.3, by: 1_000 }

const isGrowing = (answers: readonly Answer[]): boolean =>
  answers.every(({ ms }, at) => at === 0 || ms >= GROWTH.each * (answers[at - 1]?.ms ?? 0))

/** Each attempt waits longer than the one before: by whatever it doubles, nobody guesses for long. */
const growthOf = (answers: readonly Answer[]): Endpoint['signal'] => {
  const last = answers.slice(-GROWTH.answers)
  if (last.length < GROWTH.answers || !isGrowing(last)) return null
  const waits = last.map(({ ms }) => ms)
  if ((waits.at(-1) ?? 0) - (waits[0] ?? 0) < GROWTH.by) return null
  return { kind: 'delay', after: answers.length, detail: `each answer takes longer: ${waits.join(', ')} ms` }
}

/**
 * What an attempt without an answer shows, after these. `page`: milliseconds in which the page of the form has been answered just now,
 * null where it was not, so that the server as a whole is slow or gone; `timeout`: milliseconds that were waited.
 */
export const signalOfSilence = (
  answers: readonly Answer[],
  page: number | null,
  timeout: number,
): Endpoint['signal'] => {
  const after = answers.length + 1
  const waits = answers.slice(-GROWTH.answers).map(({ ms }) => ms)
  const [first = 0, last = 0] = [waits[0], waits.at(-1)]
  // One slow answer and one that never comes are a busy server.
  const isHeldBack = waits.length > 1 && isGrowing(answers.slice(-GROWTH.answers)) && last >= first + SLOWER_BY
  if (isHeldBack && page !== null && last >= SLOWER * page)
    return {
      ...{ kind: 'delay', after },
      detail: `each answer takes longer: ${waits.join(', ')} ms, then none within ${timeout} ms, while the page itself takes ${page} ms`,
    }
  return answers.length > 2 ? { kind: 'cut', after, detail: 'connections are not answered any more' } : null
}

/** Each attempt is kept waiting. */
const delayOf = (answers: readonly Answer[]): Endpoint['signal'] => {
  if (answers.length < 2 * SAMPLES) return null
  const early = median(answers.slice(0, SAMPLES))
  const late = median(answers.slice(-SAMPLES))
  if (late < SLOWER * early || late < early + SLOWER_BY) return null
  return {
    kind: 'delay',
    after: answers.length,
    detail: `answers take ${late} ms in place of ${early} ms after ${answers.length} requests`,
  }
}

/**
 * Whether waits are those of the form, and not of a server that is busy with something else: its page, asked for in the same moment, has to
 * be a good deal faster. `page`: milliseconds it took, null where it was not answered.
 */
export const isOfForm = (answers: readonly Answer[], page: number | null): boolean =>
  page !== null && (answers.at(-1)?.ms ?? 0) >= SLOWER * page

/** True where every answer was an error from the beginning: the endpoint does not work for us. */
export const isSilent = (answers: readonly Answer[]): boolean => answers.every(({ status }) => status >= 500)

export const median = (answers: readonly Answer[]): number =>
  answers.map(({ ms }) => ms).toSorted((a, b) => a - b)[Math.floor(answers.length / 2)] ?? 0

const waitOf = ({ retryAfter }: Answer): string => (retryAfter === null ? '' : `, Retry-After: ${retryAfter}`)

/** The answer has what was asked for. */
export const isTaken = (status: number): boolean => status >= 200 && status < 300
