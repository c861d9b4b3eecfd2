import { ProblemError } from '../../contract/problem.ts'
import { addDelivery, listDeliveries } from '../../store/deliveries.ts'
import { listSubscriptions, subscribe, unsubscribe } from '../../store/mail-subscriptions.ts'
import { createWebhook, deleteWebhook, getWebhook, listWebhooks, updateWebhook } from '../../store/webhooks.ts'
import { byTime, pageOf } from '../page.ts'
import { answer, bind, type Route, rawAnswer } from '../route.ts'
import type { Services } from '../services.ts'

export const noticeRoutes = (services: Services): readonly Route[] => [
  bind('listWebhooks', async ({ caller }) =>
    answer(200, { items: await listWebhooks(services.db, caller.organisation.id) }),
  ),

  bind('createWebhook', async ({ body, caller }) => {
    const url = receiverUrl(services, body.url)
    const made = await createWebhook(services.db, services.keys, caller.organisation.id, { ...body, url })
    if (made === 'too_many_receivers') throw full()
    const location = { Location: `/v1/webhooks/${made.webhook.id}` }
    return answer(201, { ...made.webhook, secret: made.secret }, location)
  }),

  bind('updateWebhook', async ({ params, body, caller }) =>
    answer(200, present(await updateWebhook(services.db, caller.organisation.id, params.id, body))),
  ),

  bind('deleteWebhook', async ({ params, caller }) => {
    if (!(await deleteWebhook(services.db, caller.organisation.id, params.id))) throw noWebhook()
    return rawAnswer(204, null)
  }),

  bind('testWebhook', async ({ params, caller }) => {
    const { id } = present(await getWebhook(services.db, caller.organisation.id, params.id))
    const data = { webhook_id: id, text: 'This is a test. Nothing has happened.' }
    return answer(202, await addDelivery(services.db, id, 'webhook.test', data, new Date()))
  }),

  bind('listDeliveries', async ({ params, query: { limit, cursor }, caller }) => {
    const { id } = present(await getWebhook(services.db, caller.organisation.id, params.id))
    const scope = ['deliveries', id]
    const after = cursor === undefined ? null : byTime.parse(services.cursors.open(scope, cursor))
    const found = await listDeliveries(services.db, id, after, limit + 1)
    return answer(
      200,
      pageOf(found, limit, (last) => services.cursors.seal(scope, { createdAt: last.created_at, id: last.id })),
    )
  }),

  bind('listMailSubscriptions', async ({ caller }) =>
    answer(200, {
      items: await listSubscriptions(services.db, caller.organisation.id),
      configured: services.mail === true,
    }),
  ),

  bind('createMailSubscription', async ({ body, caller }) => {
    if (!services.mail) throw new ProblemError('mail_not_configured', 'Nobody can be written to before that.')
    const made = await subscribe(services.db, caller.organisation.id, body)
    if (made === 'too_many_receivers') throw full()
    return answer(201, made, { Location: `/v1/mail-subscriptions/${made.id}` })
  }),

  bind('deleteMailSubscription', async ({ params, caller }) => {
    if (!(await unsubscribe(services.db, caller.organisation.id, params.id))) {
      throw new ProblemError('mail_subscription_not_found', 'There is no such subscription.')
    }
    return rawAnswer(204, null)
  }),
]

/** Plain http is only for names that the operator has written down himself. Where it leads, the guard decides. */
const receiverUrl = ({ hosts }: Services, given: string): string => {
  const url = URL.parse(given)
  const bad = (message: string): ProblemError =>
    new ProblemError('validation_failed', 'One field is not valid.', { errors: [{ path: 'url', message }] })
  if (url === null || url.hostname === '') throw bad('must be an absolute address')
  if (url.username !== '' || url.password !== '') throw bad('must not hold a user or password')
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && hosts.has(url.hostname))) throw bad('must be https')
  url.hash = ''
  return url.href
}

const noWebhook = (): ProblemError => new ProblemError('webhook_not_found', 'There is no such webhook.')
const full = (): ProblemError => new ProblemError('too_many_receivers', 'There are 20 already; remove one first.')

const present = <T>(found: T | null): T => {
  if (found === null) throw noWebhook()
  return found
}
