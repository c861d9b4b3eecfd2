import { Worker } from 'node:worker_threads'
import { RunFailed, Stopped } from './failures.ts'
import type { Logger } from './options.ts'
import type { RunJudge } from './report-writer.ts'

export interface JudgeQuestion {
  readonly modules: Parameters<RunJudge>[0]
  readonly about: Parameters<RunJudge>[1]
}
export type JudgeAnswer = Awaited<ReturnType<RunJudge>> & { readonly failures: readonly string[] }

const BODY = new URL('./judge-thread.ts', import.meta.url)

/**
 * Checks are pure, but they read what a hostile site sent: in a thread of its own with bounds, one that takes too long
 * or too much costs its run and not the service.
 */
export const createJudge = ({
  logger,
  seconds = 120,
  memoryMb = 1_024,
  body = BODY,
}: {
  readonly logger: Logger
  readonly seconds?: number
  readonly memoryMb?: number
  readonly body?: URL
}): RunJudge => {
  return async (modules, about, signal) => {
    const { failures, ...judged } = await ask({ modules, about }, { seconds, memoryMb, body, signal })
    for (const failure of failures) logger.error({ failure }, 'a check failed on our side')
    return judged
  }
}

const ask = async (
  question: JudgeQuestion,
  { seconds, memoryMb, body, signal }: { seconds: number; memoryMb: number; body: URL; signal: AbortSignal },
): Promise<JudgeAnswer> => {
  if (signal.aborted) throw new Stopped()
  const { promise, resolve, reject } = Promise.withResolvers<JudgeAnswer>()
  const thread = new Worker(body, { workerData: question, resourceLimits: { maxOldGenerationSizeMb: memoryMb } })
  const failed = (detail: string, cause?: unknown): void => reject(new RunFailed('internal', detail, { cause }))
  thread.on('message', resolve)
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
