/**
 * What a limit of the application's own keeps from a form for a time: it answers 429 with Retry-After (RFC 6585, 4; RFC 9110, 10.2.3) while all else is
 * answered. That is no answer to what was asked. Whoever asks there waits, other places go on meanwhile, and what was refused is asked again.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { HttpExchange } from '../../../egress/door/egress.ts'
import { retryAfter } from '../../../egress/pace/retry-after.ts'
import { headerOf } from '../../../page/exchange.ts'

/** What is limited: the egress waits by the same. */
export interface Asked {
  readonly method: string
  readonly url: string
}

export interface Limits {
  /**
   * Sends, as often as it is refused with a time; null where the form is left. `patience`: aborted while whoever asks does not wait, which is the default.
   */
  readonly ask: <Answer extends { readonly exchange: HttpExchange }>(
    request: Asked,
    work: () => Promise<Answer>,
    patience?: () => AbortSignal,
  ) => Promise<Answer | null>
  /** Nothing is asked there now. */
  readonly isClosed: (request: Asked) => boolean
  /** It was refused with a time before. */
  readonly isLimited: (request: Asked) => boolean
  /** Nothing is asked there any more. */
  readonly isLeft: (request: Asked) => boolean
  /** Until something is closed or open that was not. */
  readonly changed: () => Promise<void>
}

/** Refusals one after another, each behind the time that the one before gave, with which a form is left. */
const IN_A_ROW = 3
/** Times that one form is waited for. */
const MOST = 30
/** Milliseconds: whoever is kept out for longer is not waited for. */
const LONGEST = 300_000

interface Form {
  /** One asks at a time, so that a refusal costs one. */
  line: Promise<void>
  until: number
  inARow: number
  times: number
  isLeft: boolean
}

export const createLimits = (): Limits => {
  const forms = new Map<string, Form>()
  let change = Promise.withResolvers<void>()
  const tell = (): void => {
    change.resolve()
    change = Promise.withResolvers<void>()
  }
  const find = (request: Asked): Form | undefined => (forms.size === 0 ? undefined : forms.get(nameOf(request)))
  const refused = (request: Asked, pause: number): void => {
    const form = find(request) ?? { line: Promise.resolve(), until: 0, inARow: 0, times: 0, isLeft: false }
    forms.set(nameOf(request), form)
    const now = performance.now()
    // Several that were on their way are one refusal.
    if (now >= form.until) {
      form.inARow += 1
      form.times += 1
    }
    form.until = Math.max(form.until, now + pause)
    form.isLeft ||= form.inARow >= IN_A_ROW || form.times > MOST || pause > LONGEST
    tell()
    if (!form.isLeft) void delay(pause + 1, undefined, { ref: false }).then(tell)
  }
  /** Whether it is open in the end. */
  const opened = async (form: Form, patience: AbortSignal): Promise<boolean> => {
    while (!form.isLeft && !patience.aborted && form.until > performance.now()) {
      const wait = Math.ceil(form.until - performance.now())
      await delay(wait, undefined, { signal: patience }).catch(() => undefined)
    }
    return !form.isLeft && form.until <= performance.now()
  }
  return {
    ask: async (request, work, patience = () => NEVER) => {
      for (;;) {
        const form = find(request)
        const asked = form
          ? await inLine(form, async () => ((await opened(form, patience())) ? work() : null))
          : await work()
        if (asked === null) return null
        const pause = pauseOf(asked.exchange)
        if (pause === 0 && form) form.inARow = 0
        if (pause === 0) return asked
        refused(request, pause)
      }
    },
    isClosed: (request) => (find(request)?.until ?? 0) > performance.now(),
    isLimited: (request) => find(request) !== undefined,
    isLeft: (request) => find(request)?.isLeft === true,
    changed: () => change.promise,
  }
}

const inLine = async <Value>(form: Form, work: () => Promise<Value>): Promise<Value> => {
  const before = form.line
  const done = Promise.withResolvers<void>()
  form.line = done.promise
  await before
  try {
    return await work()
  } finally {
    done.resolve()
  }
}

const NEVER = AbortSignal.abort()

/** Milliseconds, 0 where it is not refused for a time. */
export const pauseOf = ({ status, headers }: HttpExchange): number =>
  status === 429 ? retryAfter(headerOf({ headers }, 'retry-after') || null) : 0

const nameOf = ({ method, url }: Asked): string => `${method} ${url.replace(/[?#].*/s, '')}`

/** How long one module waits for such forms. */
export interface Patience {
  /** Aborted while it does not wait. */
  readonly signal: () => AbortSignal
  /** It waits from now on. */
  readonly begin: () => void
  readonly end: () => void
  /** What may be begun beside requests that are being asked, and how many of these wait. */
  readonly allowed: (running: readonly Asked[]) => {
    readonly when: (request: Asked) => 'now' | 'later' | 'never'
    readonly waiting: number
  }
  readonly changed: () => Promise<void>
  /** There is nothing else to do until one of these ends, or something is closed or open that was not. */
  readonly idle: (until: readonly Promise<void>[]) => Promise<void>
}

/** Milliseconds that a module waits with nothing else to ask: most limits are of a minute. */
const IDLE = 75_000

const OVER = Symbol('over')

/** Forms that refuse for a time are asked by one place at a time. */
export const patienceFor = (limits: Limits, idleTime = IDLE): Patience => {
  let patience = new AbortController()
  patience.abort()
  let left = idleTime
  return {
    signal: () => patience.signal,
    begin: () => {
      if (left > 0) patience = new AbortController()
    },
    end: () => patience.abort(),
    allowed: (running) => ({
      waiting: running.filter(limits.isClosed).length,
      when: (request) => {
        if (!limits.isLimited(request)) return 'now'
        if (limits.isLeft(request)) return 'never'
        if (limits.isClosed(request)) return patience.signal.aborted ? 'never' : 'later'
        return running.some((one) => nameOf(one) === nameOf(request)) ? 'later' : 'now'
      },
    }),
    changed: limits.changed,
    idle: async (until) => {
      const began = performance.now()
      const called = new AbortController()
      const over = delay(Math.max(0, left), OVER, { signal: called.signal }).catch(() => undefined)
      const first = await Promise.race([...until, limits.changed(), over])
      called.abort()
      // A timer may ring a moment before its time.
      left = first === OVER ? 0 : left - (performance.now() - began)
      if (left <= 0) patience.abort()
    },
  }
}
