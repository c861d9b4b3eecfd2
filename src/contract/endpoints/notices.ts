/** Who is told of what happens: webhooks by the Standard Webhooks scheme, and e-mail. */
import { z } from 'zod'
import * as example from '../after-examples.ts'
import { endpoint, json, raw } from '../endpoint.ts'
import { page, Uuid } from '../run.ts'
import {
  CreateMailSubscription,
  CreateWebhook,
  Delivery,
  ListDeliveries,
  MailSubscription,
  UpdateWebhook,
  Webhook,
  WebhookCreated,
} from '../webhook.ts'

const WebhookId = z.strictObject({ id: Uuid.describe('Id of the webhook') })
const WEBHOOK_MISSING = { id: 'webhook_not_found' } as const
const WebhookList = z.strictObject({ items: z.array(Webhook) })
const DeliveryPage = page(Delivery)
const MailSubscriptionList = z.strictObject({
  items: z.array(MailSubscription),
  configured: z.boolean().describe('The operator has set up a mail server; without one nothing is sent'),
})
const NO_BODY = raw('Deleted', [])

export const NOTICES = {
  listWebhooks: endpoint({
    method: 'GET',
    path: '/v1/webhooks',
    tag: 'Webhooks',
    scope: 'webhooks:write',
    summary: 'List webhooks',
    description: 'All of the organisation, newest first; at most 20.',
    responses: { 200: json('WebhookList', WebhookList, 'Webhooks', { items: [example.webhook] }) },
    problems: [],
  }),
  createWebhook: endpoint({
    method: 'POST',
    path: '/v1/webhooks',
    tag: 'Webhooks',
    scope: 'webhooks:write',
    summary: 'Register a webhook',
    description:
      'Messages are POSTed as `{type, timestamp, data}` and signed by the Standard Webhooks scheme: `webhook-signature` ' +
      'is `v1,` and the base64 of HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}` with the bytes of the ' +
      'secret. Any 2xx within 15 seconds counts as received. Otherwise it is sent again, with growing pauses, for 24 ' +
      'hours; an endpoint that takes none of it, or answers 410, is paused.',
    body: CreateWebhook,
    bodyName: 'CreateWebhook',
    bodyExample: example.createWebhook,
    responses: { 201: json('WebhookCreated', WebhookCreated, 'Registered', example.webhookCreated) },
    problems: ['too_many_receivers'],
  }),
  updateWebhook: endpoint({
    method: 'PATCH',
    path: '/v1/webhooks/{id}',
    tag: 'Webhooks',
    scope: 'webhooks:write',
    summary: 'Change, pause or resume a webhook',
    description: 'What happened while it was paused is not sent afterwards.',
    params: WebhookId,
    missing: WEBHOOK_MISSING,
    body: UpdateWebhook,
    bodyName: 'UpdateWebhook',
    bodyExample: { state: 'active' },
    responses: { 200: json('Webhook', Webhook, 'Changed', example.webhook) },
    problems: ['webhook_not_found'],
  }),
  deleteWebhook: endpoint({
    method: 'DELETE',
    path: '/v1/webhooks/{id}',
    tag: 'Webhooks',
    scope: 'webhooks:write',
    summary: 'Remove a webhook',
    description: 'Also what is still to be sent to it, and its log.',
    params: WebhookId,
    missing: WEBHOOK_MISSING,
    responses: { 204: NO_BODY },
    problems: ['webhook_not_found'],
  }),
  testWebhook: endpoint({
    method: 'POST',
    path: '/v1/webhooks/{id}/test',
    tag: 'Webhooks',
    scope: 'webhooks:write',
    summary: 'Send a test message',
    description: 'Of type `webhook.test`, once, also to a paused webhook; the log of deliveries shows what came back.',
    params: WebhookId,
    missing: WEBHOOK_MISSING,
    responses: { 202: json('Delivery', Delivery, 'On its way', example.delivery) },
    problems: ['webhook_not_found'],
  }),
  listDeliveries: endpoint({
    method: 'GET',
    path: '/v1/webhooks/{id}/deliveries',
    tag: 'Webhooks',
    scope: 'webhooks:write',
    summary: 'Read the delivery log',
    description: 'The messages of the last 30 days with every attempt, newest first.',
    params: WebhookId,
    missing: WEBHOOK_MISSING,
    query: ListDeliveries,
    responses: {
      200: json('DeliveryPage', DeliveryPage, 'Deliveries', { items: [example.delivery], next_cursor: null }),
    },
    problems: ['webhook_not_found'],
  }),
  listMailSubscriptions: endpoint({
    method: 'GET',
    path: '/v1/mail-subscriptions',
    tag: 'Webhooks',
    scope: 'webhooks:write',
    summary: 'List who gets e-mail',
    description: 'All of the organisation, by address; at most 20.',
    responses: {
      200: json('MailSubscriptionList', MailSubscriptionList, 'Subscriptions', {
        items: [example.mailSubscription],
        configured: true,
      }),
    },
    problems: [],
  }),
  createMailSubscription: endpoint({
    method: 'POST',
    path: '/v1/mail-subscriptions',
    tag: 'Webhooks',
    scope: 'webhooks:write',
    summary: 'Send e-mail to somebody',
    description:
      'At the end of a run (`scan.finished`), or when one finds something critical that was not there before ' +
      '(`scan.new_critical`). An address that has a subscription gets the new events. Needs a mail server of the operator.',
    body: CreateMailSubscription,
    bodyName: 'CreateMailSubscription',
    bodyExample: { address: 'security@example.com', events: ['scan.new_critical'] },
    responses: { 201: json('MailSubscription', MailSubscription, 'Subscribed', example.mailSubscription) },
    problems: ['too_many_receivers', 'mail_not_configured'],
  }),
  deleteMailSubscription: endpoint({
    method: 'DELETE',
    path: '/v1/mail-subscriptions/{id}',
    tag: 'Webhooks',
    scope: 'webhooks:write',
    summary: 'Send no more e-mail to somebody',
    description: 'Also what is still to be sent.',
    params: z.strictObject({ id: Uuid.describe('Id of the subscription') }),
    missing: { id: 'mail_subscription_not_found' },
    responses: { 204: NO_BODY },
    problems: ['mail_subscription_not_found'],
  }),
} as const
