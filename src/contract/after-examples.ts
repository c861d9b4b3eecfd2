/** Examples of what happens after a run, and by itself; see examples.ts. */
import type { z } from 'zod'
import { ids } from './examples.ts'
import type { Schedule } from './schedule.ts'
import type { Delivery, MailSubscription, Webhook, WebhookCreated } from './webhook.ts'

export const webhook: Webhook = {
  id: '6e1f4d0b-8f0e-4a39-9c2b-7d0f5a8e1b33',
  url: 'https://hooks.example.com/sonde',
  description: 'Ticket system',
  events: ['scan.finished', 'domain.verified'],
  state: 'active',
  paused_because: null,
  failing_since: null,
  created_at: '2026-11-20T08:30:00.000Z',
}
export const webhookCreated: z.infer<typeof WebhookCreated> = {
  ...webhook,
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
}
export const createWebhook = { url: webhook.url, events: webhook.events, description: webhook.description }
export const delivery: Delivery = {
  id: '3b9a1c52-0d4e-4f86-8a77-9e5c2d1f6a44',
  event: 'scan.finished',
  state: 'delivered',
  attempts: [{ at: '2026-11-20T09:03:12.400Z', status: 204, error: null, duration_ms: 87 }],
  next_attempt_at: null,
  created_at: '2026-11-20T09:03:12.310Z',
}
export const mailSubscription: MailSubscription = {
  id: 'a4c7e2d9-5b1f-4c68-b3d0-1f8e6a9c7d55',
  address: 'security@example.com',
  events: ['scan.new_critical'],
  created_at: '2026-11-20T08:35:00.000Z',
}
export const schedule: Schedule = {
  id: '0d5f7b31-6c2e-4e94-a1d8-3b7c9f0e2a66',
  domain_id: ids.domain,
  domain: 'shop.example.com',
  rhythm: { every: 'week', at: '03:30', weekday: 'sunday' },
  time_zone: 'Europe/Berlin',
  quiet_hours: { from: '08:00', to: '18:00' },
  jitter_minutes: 30,
  options: {
    active: false,
    privacy: true,
    cve_include_possible: false,
    template_full: false,
    make_pdf: true,
  },
  state: 'active',
  next_at: '2026-11-22T02:41:00.000Z',
  last_at: '2026-11-15T02:33:00.000Z',
  last_run_id: ids.run,
  last_refusal: null,
  created_at: '2026-11-01T12:00:00.000Z',
}
export const createSchedule = {
  domain_id: ids.domain,
  rhythm: schedule.rhythm,
  time_zone: schedule.time_zone,
  quiet_hours: schedule.quiet_hours,
  jitter_minutes: schedule.jitter_minutes,
  options: { privacy: true },
}
