/** Outbound messages: what happened, to whom it is told, and what became of the telling. */
import { z } from 'zod'
import { Cursor, pageSize } from './query.ts'
import { Uuid } from './run.ts'
import { Timestamp } from './time.ts'

export const WEBHOOK_EVENTS = [
  'scan.finished',
  'domain.verified',
  'finding.opened',
  'finding.changed',
  'finding.overdue',
  'finding.mentioned',
  'batch.finished',
] as const
/** Those of a webhook that names none: an event that came later is not sent to whoever did not ask for it. */
const USUAL_EVENTS = ['scan.finished', 'domain.verified'] as const
export const MAIL_EVENTS = ['scan.finished', 'scan.new_critical', 'finding.overdue', 'finding.mentioned'] as const
export type NoticeEvent = (typeof WEBHOOK_EVENTS)[number] | (typeof MAIL_EVENTS)[number]

const Description = z.string().trim().max(200)
const distinct = <T extends string>(names: readonly [T, ...T[]]) =>
  z
    .array(z.enum(names))
    .min(1)
    .refine((given) => new Set(given).size === given.length, 'names an event twice')

export const Webhook = z.strictObject({
  id: Uuid,
  url: z.string(),
  description: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  state: z.enum(['active', 'paused']).describe('paused: nothing is sent until it is set active again'),
  paused_because: z.string().nullable(),
  failing_since: Timestamp.nullable().describe('First failure since the last success'),
  created_at: Timestamp,
})
export type Webhook = z.infer<typeof Webhook>

export const WebhookCreated = Webhook.extend({
  secret: z.string().describe('`whsec_` and 24 random bytes in base64; shown this once. Verify signatures with it'),
})

export const CreateWebhook = z.strictObject({
  url: z.string().min(1).max(2048).describe('https, without user or password'),
  events: distinct(WEBHOOK_EVENTS).default([...USUAL_EVENTS]),
  description: Description.default(''),
})
export type CreateWebhook = z.infer<typeof CreateWebhook>

export const UpdateWebhook = z.strictObject({
  state: z.enum(['active', 'paused']).optional(),
  events: distinct(WEBHOOK_EVENTS).optional(),
  description: Description.optional(),
})
export type UpdateWebhook = z.infer<typeof UpdateWebhook>

export const DeliveryAttempt = z.strictObject({
  at: Timestamp,
  status: z.int().nullable().describe('HTTP status; null when no answer came'),
  error: z.string().nullable(),
  duration_ms: z.int().min(0),
})

export const Delivery = z.strictObject({
  id: Uuid.describe('The `webhook-id` of the message; the same in every attempt'),
  event: z.string(),
  state: z.enum(['waiting', 'delivered', 'given_up']),
  attempts: z.array(DeliveryAttempt),
  next_attempt_at: Timestamp.nullable(),
  created_at: Timestamp,
})
export type Delivery = z.infer<typeof Delivery>

export const ListDeliveries = z.strictObject({
  limit: pageSize(25, 100),
  cursor: Cursor,
})

export const MailSubscription = z.strictObject({
  id: Uuid,
  address: z.email(),
  events: z
    .array(z.enum(MAIL_EVENTS))
    .describe('finding.mentioned goes to the address of whoever a comment names alone'),
  created_at: Timestamp,
})
export type MailSubscription = z.infer<typeof MailSubscription>

export const CreateMailSubscription = z.strictObject({
  address: z.email().max(254),
  events: distinct(MAIL_EVENTS).default(['scan.new_critical']),
})
export type CreateMailSubscription = z.infer<typeof CreateMailSubscription>

/** More would be a way to send a lot with one run. */
export const MAX_RECEIVERS = 20
