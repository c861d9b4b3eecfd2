import { faultIdOf } from '../engine/faults.ts'
import type { Asked, JudgedAnew } from '../engine/judge-anew.ts'
import { createJudgeThreads, EndedEarly, type JudgeBounds } from './judge-threads.ts'
import type { Logger } from './options.ts'
import type { RunJudge } from './report-writer.ts'

export interface JudgeQuestion {
  readonly modules: Parameters<RunJudge>[0]
  readonly about: Parameters<RunJudge>[1]
  /** As in judge-stored.ts. */
  readonly leftOut: Readonly<Record<string, string>>
}
/** What feeds answer to questions of runs, see engine/judge-anew.ts. */
export interface AnswersQuestion {
  readonly asked: readonly Asked[]
  readonly knowledge: string | undefined
}
/** One run in the light of the feeds of now. */
export interface AnewQuestion extends Pick<JudgeQuestion, 'modules' | 'about'> {
  readonly anew: { readonly knowledge: string | undefined; readonly now: number }
}
/** With failures as texts: an error does not pass between threads whole. */
export type AnewAnswer = string | (Omit<JudgedAnew, 'failures'> & { readonly failures: readonly string[] })
export type JudgeAnswer = Awaited<ReturnType<RunJudge>> & { readonly failures: readonly string[] }

const BODY = new URL('./judge-thread.ts', import.meta.url)

/** Threads that may end early for one run: each end leaves one more module out. */
const MOST_ENDS = 5

/**
 * Checks are pure, but they read what a hostile site sent: in a thread of its own with bounds, one that takes too long
 * or too much costs its module and neither the run nor the service.
 */
export const createJudge = ({ logger, seconds = 120, memoryMb = 1_024, body }: Bounds): RunJudge => {
  const threads = createJudgeThreads()
  return async (modules, about, signal) => {
    const leftOut: Record<string, string> = {}
    for (;;) {
      try {
        const script = (await body?.()) ?? BODY
        const bounds = { seconds, memoryMb, body: script, signal }
        const question: JudgeQuestion = { modules, about, leftOut }
        const { failures, ...judged } = await threads.ask<JudgeAnswer>(question, bounds)
        for (const failure of failures) logger.error({ failure }, 'a check failed on our side')
        return judged
      } catch (error) {
        const module = error instanceof EndedEarly ? error.module : null
        if (module === null || leftOut[module] !== undefined || Object.keys(leftOut).length >= MOST_ENDS) throw error
        leftOut[module] = faultIdOf(module, error)
        logger.error({ err: error, module, fault: leftOut[module] }, 'a module could not be judged, so it is left out')
      }
    }
  }
}

interface Bounds {
  readonly logger: Logger
  readonly seconds?: number
  readonly memoryMb?: number
  /** Body of the thread, asked for at each start. Null, and by default: its source. */
  readonly body?: () => Promise<URL | null>
}

/** The feeds of this machine, asked in a thread as well: what they say of old facts is as hostile as the facts. */
export interface FeedJudge {
  /** In the order of the questions. */
  readonly answers: (asked: readonly Asked[], signal: AbortSignal) => Promise<readonly string[]>
  /** In words why not, where the facts do not hold enough. `now`: the day of the judgement. */
  readonly anew: (
    modules: JudgeQuestion['modules'],
    about: JudgeQuestion['about'],
    now: number,
    signal: AbortSignal,
  ) => Promise<AnewAnswer>
}

export const createFeedJudge = (
  knowledge: string | undefined,
  { seconds = 120, memoryMb = 1_024, body }: Omit<Bounds, 'logger'>,
): FeedJudge => {
  // None waits: it would keep the feeds of then open.
  const threads = createJudgeThreads(0)
  const ask = async <Answer>(question: AnswersQuestion | AnewQuestion, signal: AbortSignal): Promise<Answer> =>
    threads.ask<Answer>(question, { seconds, memoryMb, body: (await body?.()) ?? BODY, signal } satisfies JudgeBounds)
  return {
    answers: async (asked, signal) => ask({ asked, knowledge }, signal),
    anew: async (modules, about, now, signal) => ask({ modules, about, anew: { knowledge, now } }, signal),
  }
}
