/**
 * What is to be sent, and what became of it. The rows are made by the database in the transaction of what they tell of.
 * Sending is at least once: a receiver that cares tells repeats by the id.
 */
import type { Language } from '../contract/language.ts'
import type { Delivery } from '../contract/webhook.ts'
import type { Database, Queryable } from './database.ts'
import { iso, isoOrNull } from './time.ts'

/** A message to send, taken by this process for a while. */
export interface TakenDelivery {
  readonly id: string
  readonly event: string
  /** JSON, the very bytes of every attempt. */
  readonly payload: string
  /** Attempts made before this one. */
  readonly attempts: number
  /** How often it was taken since the last end of an attempt: whoever took it then did not live to say what became of it. */
  readonly taken: number
  readonly createdAt: Date
  readonly to:
    | { readonly kind: 'webhook'; readonly id: string; readonly url: string; readonly secret: Buffer }
    | { readonly kind: 'mail'; readonly address: string; readonly language: Language }
}

interface TakenRow {
  readonly id: string
  readonly event: string
  readonly payload: string
  readonly attempts: number
  readonly taken: number
  readonly created_at: Date
  readonly webhook_id: string | null
  readonly url: string | null
  readonly secret: Buffer | null
  readonly address: string | null
  /** Of the organisation whose mail it is. */
  readonly language: Language | null
}

/**
 * The due ones, oldest first. Of many workers each gets others; one that dies loses them after so many seconds, and four times
 * as many each time it happens again. What may have ended its worker comes last and alone.
 */
export const takeDeliveries = async (
  db: Queryable,
  { seconds, limit, mail }: { readonly seconds: number; readonly limit: number; readonly mail: boolean },
): Promise<TakenDelivery[]> => {
  const rows = await db.query<TakenRow>(
    `with waiting as (
       select id, taken, next_attempt_at from deliveries
        where next_attempt_at <= clock_timestamp()
          and (taken_until is null or taken_until < clock_timestamp())
          and ($3 or mail_subscription_id is null)
        order by taken > 0, next_attempt_at
        limit $2
          for update skip locked
     ), due as (
       (select id from waiting where taken = 0)
       union all
       (select id from waiting where not exists (select 1 from waiting where taken = 0)
         order by taken, next_attempt_at limit 1)
     ), taken as (
       update deliveries d
          set taken_until = clock_timestamp() + make_interval(secs => $1 * power(4, least(d.taken, 6))), taken = d.taken + 1
         from due where d.id = due.id
       returning d.*
     )
     select t.id, t.event, t.payload::text as payload, t.attempts, t.taken - 1 as taken, t.created_at, t.webhook_id, w.url,
            w.secret, m.address, o.language
       from taken t
       left join webhooks w on w.id = t.webhook_id
       left join mail_subscriptions m on m.id = t.mail_subscription_id
       left join organisations o on o.id = m.organisation_id
      order by t.created_at`,
    [seconds, limit, mail],
  )
  return rows.flatMap((row) => {
    const to = receiver(row)
    const { id, event, payload, attempts, taken, created_at } = row
    return to === null ? [] : [{ id, event, payload, attempts, taken, createdAt: created_at, to }]
  })
}

const receiver = ({ webhook_id, url, secret, address, language }: TakenRow): TakenDelivery['to'] | null => {
  if (webhook_id !== null && url !== null && secret !== null) return { kind: 'webhook', id: webhook_id, url, secret }
  return address === null ? null : { kind: 'mail', address, language: language ?? 'en' }
}

export interface AttemptResult {
  readonly status: number | null
  readonly error: string | null
  readonly durationMs: number
}

/**
 * `next` is when to try again; null ends it, delivered or given up. `pause` stops the webhook with a reason, and what
 * else waits for it is given up too.
 */
export const settleDelivery = (
  db: Database,
  { id }: Pick<TakenDelivery, 'id'>,
  result: AttemptResult,
  then: { readonly delivered: boolean; readonly next: Date | null; readonly pause: string | null },
): Promise<void> =>
  db.transaction(async (tx) => {
    const [row] = await tx.query<{ attempts: number; webhook_id: string | null }>(
      `update deliveries
          set attempts = attempts + 1, taken = 0, taken_until = null, next_attempt_at = $2,
              delivered_at = case when $3 then clock_timestamp() end
        where id = $1
        returning attempts, webhook_id`,
      [id, then.next, then.delivered],
    )
    // Deleted with its receiver while it was being sent.
    if (!row) return
    await tx.query(
      'insert into delivery_attempts (delivery_id, number, status, error, duration_ms) values ($1, $2, $3, $4, $5)',
      [id, row.attempts, result.status, result.error, Math.round(result.durationMs)],
    )
    if (row.webhook_id === null) return
    await tx.query(
      `update webhooks
          set failing_since = case when $2 then null else coalesce(failing_since, clock_timestamp()) end,
              paused_at = case when $3::text is null then paused_at else coalesce(paused_at, clock_timestamp()) end,
              paused_because = coalesce(paused_because, $3)
        where id = $1`,
      [row.webhook_id, then.delivered, then.pause],
    )
    if (then.pause !== null) {
      await tx.query('update deliveries set next_attempt_at = null where webhook_id = $1', [row.webhook_id])
    }
  })

/** One message to one webhook, whatever its events and state. */
export const addDelivery = async (
  db: Queryable,
  webhookId: string,
  event: string,
  data: object,
  now: Date,
): Promise<Delivery> => {
  const payload = JSON.stringify({ type: event, timestamp: now.toISOString(), data })
  const [row] = await db.query<Omit<LogRow, 'tries'>>(
    `insert into deliveries (webhook_id, event, payload, next_attempt_at) values ($1, $2, $3::json, clock_timestamp())
     returning id, event, next_attempt_at, delivered_at, created_at, pg_notify('deliveries', '')`,
    [webhookId, event, payload],
  )
  if (!row) throw new Error('The message was not stored')
  return toDelivery({ ...row, tries: [] })
}

interface LogRow {
  readonly id: string
  readonly event: string
  readonly next_attempt_at: Date | null
  readonly delivered_at: Date | null
  readonly created_at: Date
  readonly tries: readonly { status: number | null; error: string | null; duration_ms: number; at: string }[]
}

/** Newest first, each with its attempts; `after` is the last one of the page before. */
export const listDeliveries = async (
  db: Queryable,
  webhookId: string,
  after: { readonly createdAt: Date; readonly id: string } | null,
  limit: number,
): Promise<Delivery[]> => {
  const rows = await db.query<LogRow>(
    `select d.id, d.event, d.next_attempt_at, d.delivered_at, d.created_at,
            coalesce((select json_agg(json_build_object('status', a.status, 'error', a.error,
                                'duration_ms', a.duration_ms, 'at', rfc3339(a.at)) order by a.number)
                        from delivery_attempts a where a.delivery_id = d.id), '[]') as tries
       from deliveries d
      where d.webhook_id = $1 and ($2::timestamptz is null or (d.created_at, d.id) < ($2, $3::uuid))
      order by d.created_at desc, d.id desc
      limit $4`,
    [webhookId, after?.createdAt ?? null, after?.id ?? null, limit],
  )
  return rows.map(toDelivery)
}

const toDelivery = ({ id, event, next_attempt_at, delivered_at, created_at, tries }: LogRow): Delivery => ({
  id,
  event,
  state: delivered_at !== null ? 'delivered' : next_attempt_at === null ? 'given_up' : 'waiting',
  attempts: tries.map(({ at, status, error, duration_ms }) => ({ at, status, error, duration_ms })),
  next_attempt_at: isoOrNull(next_attempt_at),
  created_at: iso(created_at),
})

/** The log keeps 30 days. */
export const forgetDeliveries = async (db: Queryable): Promise<void> => {
  await db.query(
    `delete from deliveries where created_at < clock_timestamp() - interval '30 days' and next_attempt_at is null`,
    [],
  )
}
