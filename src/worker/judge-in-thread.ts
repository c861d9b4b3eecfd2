import { Worker } from 'node:worker_threads'
import { faultIdOf } from '../engine/faults.ts'
import { RunFailed, Stopped } from './failures.ts'
import type { Logger } from './options.ts'
import type { RunJudge } from './report-writer.ts'

export interface JudgeQuestion {
  readonly modules: Parameters<RunJudge>[0]
  readonly about: Parameters<RunJudge>[1]
  /** As in judge-stored.ts. */
  readonly leftOut: Readonly<Record<string, string>>
}
export type JudgeAnswer = Awaited<ReturnType<RunJudge>> & { readonly failures: readonly string[] }
export type FromJudge = { readonly begins: string } | { readonly answer: JudgeAnswer }

const BODY = new URL('./judge-thread.ts', import.meta.url)

/** Threads that may end early for one run: each end leaves one more module out. */
const MOST_ENDS = 5

/**
 * Checks are pure, but they read what a hostile site sent: in a thread of its own with bounds, one that takes too long
 * or too much costs its module and neither the run nor the service.
 */
export const createJudge = ({
  logger,
  seconds = 120,
  memoryMb = 1_024,
  body,
}: {
  readonly logger: Logger
  readonly seconds?: number
  readonly memoryMb?: number
  /** Body of the thread, asked for at each start. Null, and by default: its source. */
  readonly body?: () => Promise<URL | null>
}): RunJudge => {
  return async (modules, about, signal) => {
    const leftOut: Record<string, string> = {}
    for (;;) {
      try {
        const script = (await body?.()) ?? BODY
        const bounds = { seconds, memoryMb, body: script, signal }
        const { failures, ...judged } = await ask({ modules, about, leftOut }, bounds)
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

/** The thread died, or had to be ended, while this module was judged; null: before the first. */
class EndedEarly extends RunFailed {
  readonly module: string | null
  constructor(detail: string, module: string | null, cause: unknown) {
    super('internal', detail, { cause })
    this.module = module
  }
}

const ask = async (
  question: JudgeQuestion,
  { seconds, memoryMb, body, signal }: { seconds: number; memoryMb: number; body: URL; signal: AbortSignal },
): Promise<JudgeAnswer> => {
  if (signal.aborted) throw new Stopped()
  const { promise, resolve, reject } = Promise.withResolvers<JudgeAnswer>()
  const thread = new Worker(body, { workerData: question, resourceLimits: { maxOldGenerationSizeMb: memoryMb } })
  let module: string | null = null
  const failed = (detail: string, cause?: unknown): void => reject(new EndedEarly(detail, module, cause))
  thread.on('message', (message: FromJudge) => {
    if ('answer' in message) resolve(message.answer)
    else module = message.begins
  })
  thread.on('error', (cause) => failed('The results could not be judged.', cause))
  thread.on('exit', (code) => failed(`The judgement ended early (${code}).`))
  const timer = setTimeout(() => failed(`The results could not be judged within ${seconds} seconds.`), seconds * 1000)
  const onAbort = (): void => reject(new Stopped())
  signal.addEventListener('abort', onAbort)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    await thread.terminate()
  }
}
