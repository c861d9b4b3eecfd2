/**
 * Threads that judge: one question at a time, with bounds. One that has answered waits a while for the next run's question, as its
 * start costs several times what the judgement does; one that failed, ran late or is no longer as it began judges nothing more.
 */
import { Worker } from 'node:worker_threads'
import { RunFailed, Stopped } from './failures.ts'

/** Of a thread: the module that it judges now, or its last word on the question. */
export type FromJudge<Answer = unknown> =
  | { readonly begins: string }
  /** `asItBegan`: the question has changed nothing that the next one would meet; see engine/foundations.ts. */
  | { readonly answer: Answer; readonly asItBegan: boolean }

/** For one question; `body` and `memoryMb` are those of its thread. */
export interface JudgeBounds {
  readonly seconds: number
  readonly memoryMb: number
  readonly body: URL
  readonly signal: AbortSignal
}

/** The thread died, or had to be ended, while this module was judged; null: before the first. */
export class EndedEarly extends RunFailed {
  readonly module: string | null
  constructor(detail: string, module: string | null, cause: unknown) {
    super('internal', detail, { cause })
    this.module = module
  }
}

export interface JudgeThreads {
  /** @throws EndedEarly, or Stopped where the signal says so */
  readonly ask: <Answer>(question: unknown, bounds: JudgeBounds) => Promise<Answer>
}

/** Milliseconds for which a thread waits for the next question: it holds some 40 MB. */
const WAITS = 20_000
/** Questions after which one ends in any case, so that nothing that it keeps grows for ever. */
const MOST_JUDGED = 100

/** `waits`: milliseconds; 0: each question has a thread of its own. */
export const createJudgeThreads = (waits = WAITS): JudgeThreads => {
  let waiting: { readonly thread: JudgeThread; readonly timer: NodeJS.Timeout } | null = null

  const take = async (bounds: JudgeBounds): Promise<JudgeThread> => {
    const taken = waiting
    waiting = null
    clearTimeout(taken?.timer)
    if (taken?.thread.fits(bounds)) return taken.thread
    await taken?.thread.end()
    return startThread(bounds)
  }
  const keep = (thread: JudgeThread): void => {
    const forget = (): void => {
      if (waiting?.thread !== thread) return
      waiting = null
      void thread.end()
    }
    waiting = { thread, timer: setTimeout(forget, waits).unref() }
  }
  return {
    ask: async <Answer>(question: unknown, bounds: JudgeBounds): Promise<Answer> => {
      const thread = await take(bounds)
      let kept = false
      try {
        if (bounds.signal.aborted) throw new Stopped()
        const { answer, asItBegan } = await thread.ask<Answer>(question, bounds)
        // Of two that answer together one waits.
        kept = asItBegan && thread.judged() < MOST_JUDGED && waits > 0 && waiting === null
        if (kept) keep(thread)
        return answer
      } finally {
        if (!kept) await thread.end()
      }
    },
  }
}

type Answered<Answer> = Extract<FromJudge<Answer>, { answer: Answer }>

interface JudgeThread {
  /** It is alive, and what the question wants. */
  readonly fits: (bounds: JudgeBounds) => boolean
  /** Questions so far. */
  readonly judged: () => number
  readonly ask: <Answer>(question: unknown, bounds: JudgeBounds) => Promise<Answered<Answer>>
  readonly end: () => Promise<void>
}

const startThread = ({ body, memoryMb }: JudgeBounds): JudgeThread => {
  const worker = new Worker(body, { resourceLimits: { maxOldGenerationSizeMb: memoryMb } })
  /** Who waits for it, if anyone does. */
  let hears: (message: FromJudge) => void = () => undefined
  let fails: (detail: string, cause?: unknown) => void = () => undefined
  let alive = true
  let judged = 0
  const died = (detail: string, cause?: unknown): void => {
    alive = false
    fails(detail, cause)
  }
  worker.on('message', (message: FromJudge) => hears(message))
  worker.on('error', (cause) => died('The results could not be judged.', cause))
  worker.on('exit', (code) => died(`The judgement ended early (${code}).`))
  return {
    fits: (bounds) => alive && bounds.body.href === body.href && bounds.memoryMb === memoryMb,
    judged: () => judged,
    ask: async <Answer>(question: unknown, { seconds, signal }: JudgeBounds) => {
      const { promise, resolve, reject } = Promise.withResolvers<Answered<Answer>>()
      let module: string | null = null
      fails = (detail, cause) => reject(new EndedEarly(detail, module, cause))
      hears = (message) => {
        if ('answer' in message) resolve(message as Answered<Answer>)
        else module = message.begins
      }
      const late = (): void => fails(`The results could not be judged within ${seconds} seconds.`)
      const timer = setTimeout(late, seconds * 1_000)
      const onAbort = (): void => reject(new Stopped())
      signal.addEventListener('abort', onAbort)
      judged += 1
      // While it waits for a question it does not keep the service.
      worker.ref()
      worker.postMessage(question)
      try {
        return await promise
      } finally {
        worker.unref()
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
      }
    },
    end: async () => {
      await worker.terminate()
    },
  }
}
