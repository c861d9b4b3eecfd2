/** The real service tells a real web server and a real mail server what happened. */
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Domain } from '../src/contract/domain.ts'
import { RunCreated } from '../src/contract/run.ts'
import { Delivery, Webhook, WebhookCreated } from '../src/contract/webhook.ts'
import { onPostgres } from './support/postgres.ts'
import { type Serving, serve } from './support/sonde.ts'
import { until } from './support/until.ts'

interface Post {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}
let hooks: Server
let mailServer: SMTPServer
let database: Awaited<ReturnType<typeof onPostgres>>
let service: Serving
let home = ''
const posts: Post[] = []
const mails: string[] = []
/** What the receiver answers by path, one after the other; the last stays. */
const answers: Record<string, number[]> = { '/flaky': [503, 204], '/gone': [410], '/moved': [302] }

beforeAll(async () => {
  hooks = createServer(async (request, response) => {
    const path = request.url ?? ''
    posts.push({ path, headers: request.headers, body: await text(request) })
    const list = answers[path] ?? [204]
    response.writeHead((list.length > 1 ? list.shift() : list[0]) ?? 204, { location: '/elsewhere' }).end()
  })
  await new Promise<void>((resolve) => hooks.listen(0, '127.0.23.1', resolve))
  mailServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _, done) => {
      text(stream).then((mail) => {
        mails.push(mail)
        done()
      }, done)
    },
  })
  await new Promise<void>((resolve) => mailServer.listen(0, '127.0.23.2', resolve))
  home = mkdtempSync(join(tmpdir(), 'sonde-notices-'))
  database = await onPostgres()
  service = await serve([], {
    ...database.settings,
    SONDE_DATA: join(home, 'data'),
    SONDE_LOG_LEVEL: 'warn',
    SONDE_HOSTS: 'hooks.test=127.0.23.1 closed.test=127.0.23.9 shop.test=127.0.23.8',
    SONDE_ALLOW_NETWORKS: '127.0.23.1/32 127.0.23.8/32',
    SONDE_SMTP_URL: `smtp://127.0.23.2:${(mailServer.server.address() as AddressInfo).port}`,
    SONDE_MAIL_FROM: 'sonde@example.test',
  })
})
afterAll(async () => {
  await service?.end('SIGKILL')
  await database?.drop()
  hooks?.close()
  mailServer?.close()
  rmSync(home, { recursive: true, force: true })
})

const send = async (method: string, path: string, body?: object) => {
  const response = await fetch(`${service.ready.base_url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${service.ready.api_key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const json: unknown = response.status === 204 ? null : await response.json()
  return { status: response.status, json }
}
const hook = async (path: string, host = 'hooks.test') => {
  const { port } = hooks.address() as AddressInfo
  const { json } = await send('POST', '/v1/webhooks', { url: `http://${host}:${port}${path}` })
  return WebhookCreated.parse(json)
}
const log = async (id: string): Promise<Delivery[]> =>
  z.object({ items: z.array(Delivery) }).parse((await send('GET', `/v1/webhooks/${id}/deliveries`)).json).items
const webhooks = async (): Promise<Webhook[]> =>
  z.object({ items: z.array(Webhook) }).parse((await send('GET', '/v1/webhooks')).json).items
/** The newest message to the webhook, once it was sent. */
const settled = async (id: string): Promise<Delivery> => {
  await until(async () => (await log(id))[0]?.attempts.length !== 0)
  const [first] = await log(id)
  if (!first) throw new Error('The log is empty')
  return first
}

describe('webhooks', () => {
  test('a test message is signed with the secret that was shown once', async () => {
    const { id, secret } = await hook('/signed')
    expect(JSON.stringify(await webhooks())).not.toContain(secret)
    expect((await send('POST', `/v1/webhooks/${id}/test`)).status).toBe(202)
    const delivery = await settled(id)
    expect(delivery).toMatchObject({ state: 'delivered', attempts: [{ status: 204, error: null }] })
    const post = posts.find(({ path }) => path === '/signed')
    if (!post) throw new Error('nothing came')
    expect(JSON.parse(post.body)).toMatchObject({ type: 'webhook.test' })
    const signed = `${delivery.id}.${post.headers['webhook-timestamp']}.${post.body}`
    const key = Buffer.from(secret.slice(6), 'base64')
    expect(post.headers['webhook-id']).toBe(delivery.id)
    expect(post.headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
    expect(Math.abs(Date.now() / 1000 - Number(post.headers['webhook-timestamp']))).toBeLessThan(60)
    expect(post.headers).not.toHaveProperty('authorization')
  })

  test.each([
    ['an address that the guard refuses', 'closed.test', '/closed', /may not be scanned: loopback/],
    ['a redirect is not followed', 'hooks.test', '/moved', /answered 302/],
  ])('%s', async (_, host, path, error) => {
    const { id } = await hook(path, host)
    await send('POST', `/v1/webhooks/${id}/test`)
    expect(await settled(id)).toMatchObject({ state: 'given_up', attempts: [{ error: expect.stringMatching(error) }] })
    expect(posts.some((post) => post.path === '/elsewhere' || post.path === '/closed')).toBe(false)
  })

  test('an endpoint that answers 410 is paused', async () => {
    const { id } = await hook('/gone')
    await send('POST', `/v1/webhooks/${id}/test`)
    await settled(id)
    expect((await webhooks()).find((one) => one.id === id)).toMatchObject({
      state: 'paused',
      paused_because: 'the endpoint answered 410 Gone',
    })
  })

  test.each([
    ['plain http to a name that the operator did not write down', 'http://example.com/'],
    ['a password in it', 'https://u:p@example.com/'],
    ['no address', 'hooks'],
    ['another scheme', 'ftp://hooks.test/'],
  ])('%s is refused', async (_, url) => {
    expect(await send('POST', '/v1/webhooks', { url })).toMatchObject({
      status: 400,
      json: { code: 'validation_failed', errors: [{ path: 'url' }] },
    })
  })
})

test('a run that ends is told to the webhook, again after a failure under the same id, and by mail', async () => {
  const { id } = await hook('/flaky')
  expect((await send('POST', '/v1/mail-subscriptions', { address: 'not an address' })).status).toBe(400)
  const mail = { address: 'team@example.test', events: ['scan.finished'] }
  expect((await send('POST', '/v1/mail-subscriptions', mail)).status).toBe(201)
  const domain = Domain.parse((await send('POST', '/v1/domains', { domain: 'shop.test' })).json)
  const body = { domain_id: domain.id, privacy: false, make_pdf: false }
  const run = RunCreated.parse((await send('POST', '/v1/scans', body)).json)
  const told = () => posts.filter(({ path }) => path === '/flaky')
  await until(() => told().length === 2 && mails.length > 0, 60_000)
  expect(new Set(told().map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect(new Set(told().map(({ body }) => body)).size).toBe(1)
  // Nothing listens there: the run fails, and that is told as well.
  expect(JSON.parse(told()[1]?.body ?? '')).toMatchObject({
    type: 'scan.finished',
    data: { id: run.id, domain: 'shop.test', status: 'failed', error_kind: 'target_unreachable' },
  })
  await until(async () => (await log(id))[0]?.state === 'delivered')
  expect((await log(id))[0]?.attempts.map(({ status }) => status)).toEqual([503, 204])
  const [letter = ''] = mails
  expect(letter).toMatch(/^From: sonde@example\.test\r?$/m)
  expect(letter).toMatch(/^To: team@example\.test\r?$/m)
  expect(letter).toMatch(/^Subject: shop\.test: scan failed\r?$/m)
  expect(letter).toContain(`${service.ready.base_url}/runs/${run.id}`)
})
