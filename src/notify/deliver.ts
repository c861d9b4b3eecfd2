/** Sends what is due, notes what came of it, and decides whether and when to try again. */
import type { SecretKeys } from '../contract/secret-keys.ts'
import type { Database } from '../store/database.ts'
import { type AttemptResult, settleDelivery, type TakenDelivery, takeDeliveries } from '../store/deliveries.ts'
import { openSecret } from '../store/webhooks.ts'
import { mailOf, type SendMail } from './mail.ts'
import type { Message } from './webhook.ts'

export interface DeliverOptions {
  readonly db: Database
  readonly keys: SecretKeys
  /** Never rejects for what the receiver does. */
  readonly post: (message: Message) => Promise<AttemptResult>
  /** Null where the operator has no mail server: mail waits. */
  readonly sendMail: SendMail | null
  readonly baseUrl: () => string | null
}

/** Messages at once; each waits at most 15 seconds for its receiver. */
const BATCH = 10
/** Seconds after which another worker may take a message again. */
const TAKEN = 60

/** Until nothing is due any more, or `signal` aborts. Returns how many attempts were made. */
export const deliverDue = async (options: DeliverOptions, signal: AbortSignal): Promise<number> => {
  let attempts = 0
  while (!signal.aborted) {
    const taken = await takeDeliveries(options.db, { seconds: TAKEN, limit: BATCH, mail: options.sendMail !== null })
    if (taken.length === 0) break
    attempts += taken.length
    const ends = await Promise.allSettled(taken.map((delivery) => deliver(options, delivery)))
    const errors = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []))
    // The others have had their turn; these are taken again when their time is over.
    if (errors.length > 0) throw new AggregateError(errors, 'Messages could not be settled')
  }
  return attempts
}

/** Times that a message is taken up without an end before it is given up: each may have ended a process. */
const MOST_TAKEN = 4

const deliver = async (options: DeliverOptions, delivery: TakenDelivery): Promise<void> => {
  if (delivery.taken >= MOST_TAKEN) {
    const error = `given up: whoever sent it ended before an answer, ${delivery.taken} times`
    return settleDelivery(
      options.db,
      delivery,
      { status: null, error, durationMs: 0 },
      { delivered: false, next: null, pause: null },
    )
  }
  const result = await attempt(options, delivery)
  const delivered = result.error === null
  // A test message is for the person who looks at the log now.
  const once = delivery.event === TEST_EVENT
  const next = delivered || once ? null : nextAttempt(delivery.attempts + 1, new Date(), Math.random())
  const gone = result.status === GONE
  const exhausted = !delivered && !once && next === null
  const pause = gone
    ? 'the endpoint answered 410 Gone'
    : exhausted
      ? `no message was taken for 24 hours; last: ${result.error}`
      : null
  await settleDelivery(options.db, delivery, result, { delivered, next: gone ? null : next, pause })
}

export const TEST_EVENT = 'webhook.test'
/** Standard Webhooks: the receiver wants no more. */
const GONE = 410

const attempt = async (options: DeliverOptions, { id, event, payload, to }: TakenDelivery): Promise<AttemptResult> => {
  const started = Date.now()
  try {
    if (to.kind === 'webhook') {
      return await options.post({ id, payload, url: to.url, secret: openSecret(options.keys, to.secret) })
    }
    await options.sendMail?.(mailOf({ id, event, payload, ...to }, options.baseUrl()))
    return { status: null, error: null, durationMs: Date.now() - started }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { status: null, error: reason.slice(0, 300), durationMs: Date.now() - started }
  }
}

/** When a message that was not taken is sent again. */

/** Minutes from one attempt to the next: eight attempts within 24 hours. */
const PAUSES = [0.1, 1, 5, 30, 120, 360, 900] as const

/** `attempts` made so far, `random` from 0 to 1. Null: it has had its 24 hours. Up to a tenth is added by chance. */
export const nextAttempt = (attempts: number, now: Date, random: number): Date | null => {
  const minutes = PAUSES[attempts - 1]
  return minutes === undefined ? null : new Date(now.getTime() + minutes * 60_000 * (1 + random / 10))
}
