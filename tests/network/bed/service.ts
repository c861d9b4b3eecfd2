/**
 * The service in a network that leads nowhere: resolvers and peers without a route. Everything it does for itself is
 * asked for once (proof of a domain, webhook, mail, test of a login, a run); prints what each came to, and whether the
 * process lived through it and through a restart with deliveries waiting.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { Domain } from '../../../src/contract/domain.ts'
import { type Serving, serve } from '../../support/sonde.ts'
import { until } from '../../support/until.ts'

/** Milliseconds for one thing to come to an end, on a busy machine. */
const PATIENCE = 90_000
const SITE = '127.0.10.1'

const home = mkdtempSync(join(tmpdir(), 'sonde-nowhere-'))
const env = {
  SONDE_DATA: join(home, 'data'),
  SONDE_LOG_LEVEL: 'warn',
  SONDE_RESOLVERS: '[2001:db8::53]:53 203.0.113.53',
  SONDE_HOSTS: `shop.test=${SITE} six.test=2001:db8::80 hooks.test=2001:db8::81`,
  SONDE_ALLOW_NETWORKS: `${SITE}/32 2001:db8::/32`,
  SONDE_SMTP_URL: 'smtp://203.0.113.25:25',
  SONDE_MAIL_FROM: 'sonde@example.test',
  // It is asked every few milliseconds.
  SONDE_LIMIT_REQUESTS_PER_MINUTE: '100000',
}
let service: Serving = await serve([], env)
// Where what follows throws, the service does not stay behind.
process.on('exit', () => service.child.kill('SIGKILL'))
let key = service.ready.api_key

const send = async (method: string, path: string, body?: object) => {
  const response = await fetch(`${service.ready.base_url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const json: unknown = response.status === 204 ? null : await response.json()
  return { status: response.status, json }
}
const idOf = (json: unknown): string => z.object({ id: z.string() }).parse(json).id
const register = async (domain: string) => Domain.parse((await send('POST', '/v1/domains', { domain })).json)
const deliveries = async (id: string) =>
  z
    .object({ items: z.array(z.object({ attempts: z.array(z.object({ error: z.string().nullable() })) })) })
    .parse((await send('GET', `/v1/webhooks/${id}/deliveries`)).json).items
const attempts = async (id: string) => (await deliveries(id)).flatMap((one) => one.attempts)

const found: Record<string, unknown> = {}
const LOGIN = z.object({ state: z.string() })

// The owner proves the domain while its site is up; then the site goes.
const shop = await register('shop.test')
const proof = shop.verification.http_file
const site = createServer((_request, response) => response.end(proof.content))
await new Promise<void>((resolve) => site.listen(80, SITE, resolve))
found.proved = (await send('POST', `/v1/domains/${shop.id}/verify`)).status
found.login = (
  await send('PUT', `/v1/domains/${shop.id}/login`, { auth_cookie: 'session=0f8b5c0f8b5c', page: '/' })
).status
site.closeAllConnections()
site.close()

for (const name of ['nowhere.example.com', 'six.test']) {
  const { id } = await register(name)
  found[`verify ${name}`] = (await send('POST', `/v1/domains/${id}/verify`)).status
}
const hooks: string[] = []
for (const url of ['https://hooks.example.com/x', 'http://hooks.test/x']) {
  const id = idOf((await send('POST', '/v1/webhooks', { url })).json)
  hooks.push(id)
  await send('POST', `/v1/webhooks/${id}/test`)
  await until(async () => (await attempts(id)).length > 0, PATIENCE)
  found[`webhook ${url}`] = (await attempts(id))[0]?.error
}
await send('POST', '/v1/mail-subscriptions', { address: 'team@example.test', events: ['scan.finished'] })
await send('POST', `/v1/domains/${shop.id}/login/test`, {})
const tested = async () => LOGIN.parse((await send('GET', `/v1/domains/${shop.id}/login/test`)).json).state
await until(async () => !['waiting', 'running'].includes(await tested()), PATIENCE)
found['login test'] = await tested()
const run = idOf((await send('POST', '/v1/scans', { domain_id: shop.id, privacy: false, make_pdf: false })).json)
const ended = async () =>
  z
    .object({ status: z.string(), error_kind: z.string().nullable() })
    .parse((await send('GET', `/v1/scans/${run}`)).json)
// One run alone may not be read so often.
const Listed = z.object({ items: z.array(z.object({ status: z.string() })) })
const listed = async () => Listed.parse((await send('GET', '/v1/scans')).json).items[0]?.status ?? ''
await until(async () => ['done', 'failed'].includes(await listed()), PATIENCE)
found.run = await ended()
await until(async () => (await deliveries(hooks[0] ?? '')).length > 1, PATIENCE)
found.alive = service.child.exitCode === null

// One that was waiting is taken up at the start: it must not end the process again.
await service.end('SIGTERM')
service = await serve([], env)
key = service.ready.api_key ?? key
found['ready again'] = (await fetch(`${service.ready.base_url}/readyz`)).status
found['alive again'] = service.child.exitCode === null
found.uncaught = /uncaught|unhandled|ERR_SOCKET/i.exec(service.log())?.[0] ?? null
await service.end('SIGTERM')
rmSync(home, { recursive: true, force: true })
process.stdout.write(`${JSON.stringify(found)}\n`)
process.exit(0)
