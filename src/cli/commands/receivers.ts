/** `sonde webhook` and `sonde mail`: who is told of what happens. */
import { Command } from 'commander'
import { everyItem } from '../../contract/client.ts'
import { Uuid } from '../../contract/run.ts'
import { type Delivery, MAIL_EVENTS, WEBHOOK_EVENTS, type Webhook } from '../../contract/webhook.ts'
import { connect } from '../client.ts'
import type { CliDeps } from '../deps.ts'
import { clean, jsonText, table } from '../screen.ts'
import { examples, JSON_FLAG, matching, oneOf, removedText } from './options.ts'

const ONE = '0198f2c4-5f7e-7c3a-9a51-2b8d1c6e4f00'
const idOf = (list: string) => matching(Uuid, `It is the id that "sonde ${list} list" shows.`)
const several =
  <T extends string>(names: readonly T[]) =>
  (text: string, before: readonly T[] | undefined): readonly T[] => [...(before ?? []), oneOf(names)(text)]

type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]
type MailEvent = (typeof MAIL_EVENTS)[number]

export const receiverCommands = (deps: CliDeps): readonly Command[] => [webhookCommand(deps), mailCommand(deps)]

const webhookCommand = (deps: CliDeps): Command => {
  const { out, err } = deps.screen
  const webhook = new Command('webhook').description('addresses that are told of what happens, by signed messages')
  webhook
    .command('add')
    .description('register a webhook; the secret of its signatures is shown this once')
    .argument('<url>', 'https, without user or password')
    .option('--event <event>', `what it is told, several times: ${WEBHOOK_EVENTS.join(', ')}`, several(WEBHOOK_EVENTS))
    .option('--description <text>', 'what it is for')
    .option(...JSON_FLAG)
    .addHelpText('after', examples('sonde webhook add https://hooks.example.com/sonde --event finding.opened'))
    .action(async (url: string, options: { event?: WebhookEvent[]; description?: string; json?: true }) => {
      const { event, description } = options
      const body = { url, ...(event ? { events: event } : {}), ...(description ? { description } : {}) }
      const made = await (await connect(deps)).createWebhook({ body })
      if (options.json) return out(jsonText(made))
      err('This is the only time the secret is shown.\n')
      out(`${made.id}  ${made.secret}\n`)
    })
  webhook
    .command('list')
    .description('list the webhooks of the organisation')
    .option(...JSON_FLAG)
    .addHelpText('after', examples('sonde webhook list'))
    .action(async (options: { json?: true }) => {
      const { items } = await (await connect(deps)).listWebhooks()
      out(options.json ? jsonText({ items }) : webhooksText(items))
    })
  for (const [verb, state, words] of [
    ['pause', 'paused', 'send it nothing until it is resumed; what happens meanwhile is not sent afterwards'],
    ['resume', 'active', 'send to it again'],
  ] as const)
    webhook
      .command(verb)
      .description(words)
      .argument('<id>', 'id of the webhook', idOf('webhook'))
      .option(...JSON_FLAG)
      .addHelpText('after', examples(`sonde webhook ${verb} ${ONE}`))
      .action(async (id: string, options: { json?: true }) => {
        const now = await (await connect(deps)).updateWebhook({ params: { id }, body: { state } })
        out(options.json ? jsonText(now) : webhooksText([now]))
      })
  webhook
    .command('test')
    .description('send it a message of the type webhook.test; "deliveries" shows what came back')
    .argument('<id>', 'id of the webhook', idOf('webhook'))
    .option(...JSON_FLAG)
    .addHelpText('after', examples(`sonde webhook test ${ONE}`))
    .action(async (id: string, options: { json?: true }) => {
      const sent = await (await connect(deps)).testWebhook({ params: { id } })
      out(options.json ? jsonText(sent) : deliveriesText([sent]))
    })
  webhook
    .command('deliveries')
    .description('what was sent to it in the last 30 days, and what came back')
    .argument('<id>', 'id of the webhook', idOf('webhook'))
    .option(...JSON_FLAG)
    .addHelpText('after', examples(`sonde webhook deliveries ${ONE}`))
    .action(async (id: string, options: { json?: true }) => {
      const client = await connect(deps)
      const items: Delivery[] = []
      const pages = everyItem((cursor) => client.listDeliveries({ params: { id }, query: { cursor, limit: 100 } }))
      for await (const one of pages) items.push(one)
      out(options.json ? jsonText({ items }) : deliveriesText(items))
    })
  webhook
    .command('remove')
    .description('remove a webhook, what is still to be sent to it, and its log')
    .argument('<id>', 'id of the webhook', idOf('webhook'))
    .option(...JSON_FLAG)
    .addHelpText('after', examples(`sonde webhook remove ${ONE}`))
    .action(async (id: string, options: { json?: true }) => {
      await (await connect(deps)).deleteWebhook({ params: { id } })
      out(removedText(id, options.json))
    })
  return webhook
}

const mailCommand = (deps: CliDeps): Command => {
  const { out, err } = deps.screen
  const mail = new Command('mail').description('people who are told by e-mail')
  mail
    .command('add')
    .description('send e-mail to somebody')
    .argument('<address>')
    .option('--event <event>', `of what, several times: ${MAIL_EVENTS.join(', ')}`, several(MAIL_EVENTS))
    .option(...JSON_FLAG)
    .addHelpText('after', examples('sonde mail add security@example.com --event scan.new_critical'))
    .action(async (address: string, options: { event?: MailEvent[]; json?: true }) => {
      const body = { address, ...(options.event ? { events: options.event } : {}) }
      const made = await (await connect(deps)).createMailSubscription({ body })
      out(options.json ? jsonText(made) : `${made.id}  ${clean(made.address)}  ${made.events.join(', ')}\n`)
    })
  mail
    .command('list')
    .description('list who gets e-mail')
    .option(...JSON_FLAG)
    .addHelpText('after', examples('sonde mail list'))
    .action(async (options: { json?: true }) => {
      const answer = await (await connect(deps)).listMailSubscriptions()
      if (options.json) return out(jsonText(answer))
      if (!answer.configured) err('No mail server is set up, so nothing is sent: SONDE_SMTP_URL is the operator’s.\n')
      out(
        table(
          ['ID', 'ADDRESS', 'EVENTS'],
          answer.items.map((one) => [one.id, one.address, one.events.join(', ')]),
        ),
      )
    })
  mail
    .command('remove')
    .description('send somebody no more e-mail')
    .argument('<id>', 'id of the subscription', idOf('mail'))
    .option(...JSON_FLAG)
    .addHelpText('after', examples(`sonde mail remove ${ONE}`))
    .action(async (id: string, options: { json?: true }) => {
      await (await connect(deps)).deleteMailSubscription({ params: { id } })
      out(removedText(id, options.json))
    })
  return mail
}

const webhooksText = (items: readonly Webhook[]): string =>
  table(
    ['ID', 'URL', 'EVENTS', 'STATE', 'WHY'],
    items.map((one) => [one.id, one.url, one.events.join(', '), one.state, one.paused_because ?? '-']),
  )

const deliveriesText = (items: readonly Delivery[]): string =>
  table(
    ['ID', 'EVENT', 'STATE', 'ATTEMPTS', 'LAST ANSWER', 'CREATED'],
    items.map(({ id, event, state, attempts, created_at }) => {
      const last = attempts.at(-1)
      const answer = last === undefined ? '-' : (last.error ?? String(last.status))
      return [id, event, state, String(attempts.length), answer, created_at]
    }),
  )
