/**
 * Threads that judge: one question at a time, with bounds. One that has answered waits a while for the next run's question, as its
 * start costs several times what the judgement does; one that failed, ran late or is no longer as it began judges nothing more.
 * For the same reason a question that meets others waits a moment for a thread of theirs.
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

/** Milliseconds for which a thread waits for the next question, as long as a started scan process does: it holds some 40 MB. */
const WAITS = 120_000
/** Questions after which one ends in any case, so that nothing that it keeps grows for ever. */
const MOST_JUDGED = 100

/** Milliseconds that a question waits for a thread that judges another: some starts, and fifty judgements of light runs. */
const PATIENCE = 500

/** `waits`, `patience`: milliseconds; `waits` 0: each question has a thread of its own. */
export const createJudgeThreads = (waits = WAITS, patience = PATIENCE): JudgeThreads => {
  let waiting: { readonly thread: JudgeThread; readonly timer: NodeJS.Timeout } | null = null
  const queue = createQueue()
  /** Questions that have a thread, or start one. */
  let judging = 0

  const take = async (bounds: JudgeBounds): Promise<JudgeThread> => {
    let taken = waiting?.thread ?? null
    clearTimeout(waiting?.timer)
    waiting = null
    if (taken === null && waits > 0 && judging > 0) taken = await queue.wait(patience, bounds.signal)
    judging += 1
    try {
      if (taken?.fits(bounds)) return taken
      await taken?.end()
      return startThread(bounds)
    } catch (error) {
      judging -= 1
      throw error
    }
  }
  /** Whether somebody has it, or of two one waits. */
  const keep = (thread: JudgeThread): boolean => {
    if (queue.give(thread)) return true
    if (waiting !== null) return false
    const forget = (): void => {
      if (waiting?.thread !== thread) return
      waiting = null
      void thread.end()
    }
    waiting = { thread, timer: setTimeout(forget, waits).unref() }
    return true
  }
  return {
    ask: async <Answer>(question: unknown, bounds: JudgeBounds): Promise<Answer> => {
      const thread = await take(bounds)
      let kept = false
      try {
        if (bounds.signal.aborted) throw new Stopped()
        const { answer, asItBegan } = await thread.ask<Answer>(question, bounds)
        kept = asItBegan && thread.judged() < MOST_JUDGED && waits > 0 && keep(thread)
        return answer
      } finally {
        judging -= 1
        if (!kept) {
          queue.give(null)
          await thread.end()
        }
      }
    },
  }
}

/** Questions that wait for a thread, in the order of their coming. */
const createQueue = () => {
  const waiters = new Set<(thread: JudgeThread | null) => void>()
  return {
    /** Null after so many milliseconds, or once the signal aborts. */
    wait: (milliseconds: number, signal: AbortSignal): Promise<JudgeThread | null> => {
      const { promise, resolve } = Promise.withResolvers<JudgeThread | null>()
      const none = (): void => settle(null)
      const timer = setTimeout(none, milliseconds)
      const settle = (thread: JudgeThread | null): void => {
        waiters.delete(settle)
        clearTimeout(timer)
        signal.removeEventListener('abort', none)
        resolve(thread)
      }
      waiters.add(settle)
      signal.addEventListener('abort', none)
      if (signal.aborted) none()
      return promise
    },
    /** Whether one has waited for it; null: that one has to start its own. */
    give: (thread: JudgeThread | null): boolean => {
      const [first] = waiters
      first?.(thread)
      return first !== undefined
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
