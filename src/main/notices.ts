/** Sends webhooks and e-mail beside the worker; any number of processes may do it. */
import { randomUUID } from 'node:crypto'
import { createEgress } from '../egress/door/create-egress.ts'
import { deliverDue } from '../notify/deliver.ts'
import type { Mail } from '../notify/mail.ts'
import { type Message, postMessage } from '../notify/webhook.ts'
import type { AttemptResult } from '../store/deliveries.ts'
import { tellOverdue } from '../store/overdue.ts'
import { repeat } from '../worker/repeat.ts'
import { task } from './last-wall.ts'
import type { Runtime } from './runtime.ts'
import { VERSION } from './version.ts'

/** Milliseconds between looks at the table when nothing wakes us: what is sent again later. */
const POLL = 5_000
/** Milliseconds between looks for findings whose day has passed. */
const DAYS_POLL = 10 * 60_000
/** Milliseconds for one message with all that belongs to it. */
const DEADLINE = 20_000

export interface Notices {
  /** Ends when the messages under way have. */
  readonly stop: () => Promise<void>
}

export const startNotices = async (runtime: Runtime): Promise<Notices> => {
  const { config, db, logger } = runtime
  const ended = new AbortController()
  // Loaded where mail is sent: most services have no mail server.
  const sendMail =
    config.smtpUrl === null ? null : (await import('./mail.ts')).mailSender(config.smtpUrl, config.mailFrom)
  const options = {
    db,
    keys: runtime.keys,
    post: (message: Message) => task(runtime, 'delivery', () => post(runtime, message)),
    sendMail:
      sendMail &&
      ((mail: Mail) =>
        task(
          runtime,
          'mail',
          () => sendMail(mail),
          () => true,
        )),
    baseUrl: () => config.publicUrl ?? runtime.address.baseUrl,
  }
  const round = repeat({ every: POLL, signal: ended.signal, logger, name: 'notices' }, async () => {
    await deliverDue(options, ended.signal)
  })
  const days = repeat({ every: DAYS_POLL, signal: ended.signal, logger, name: 'overdue findings' }, async () => {
    await tellOverdue(db)
  })
  const unlisten = await db.listen('deliveries', round.now)
  round.now()
  days.now()
  return {
    stop: async () => {
      await unlisten()
      ended.abort()
      await Promise.all([round.ended(), days.ended()])
    },
  }
}

/** Through the guard of the scans: an address that the operator did not allow is not reached by a webhook either. */
const post = async ({ egress: settings, logger }: Runtime, message: Message): Promise<AttemptResult> => {
  const url = new URL(message.url)
  const signal = AbortSignal.timeout(DEADLINE)
  const run = createEgress({
    settings,
    runId: randomUUID(),
    version: VERSION,
    target: { host: url.hostname, port: url.port === '' ? null : Number(url.port) },
    credentials: { cookie: null, header: null },
    audit: (entry) => logger.debug({ webhook: url.host, ...entry }, 'webhook'),
    signal,
  })
  try {
    return await postMessage(run.forModule('webhook', { requests: 10, signal }), message)
  } finally {
    await run.close()
  }
}
