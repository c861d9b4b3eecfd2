import { afterEach, beforeEach, expect, test } from 'vitest'
import * as example from '../contract/examples.ts'
import { type FakeService, fakeService, problem } from './testing/fake-service.ts'
import { runWords } from './testing/run-words.ts'

const DOMAIN = { ...example.domain, domain: 'shop.example' }
const OPEN = { ...DOMAIN, verified_at: null, verified_until: null }
const PATH = `/v1/domains/${DOMAIN.id}`
const HOST = { sources: ['certificate', 'guess'], seen_at: null, answer: ['192.0.2.4'], run_id: DOMAIN.id }
const HOSTS = {
  ...{ proposed: 1, registered: 1, looked_for: true, left: [], next_cursor: null },
  items: [
    { ...HOST, host: 'api.shop.example', domain_id: null },
    { ...HOST, host: 'www.shop.example', domain_id: DOMAIN.id },
  ],
}
let proven = true
let service: FakeService
beforeEach(async () => {
  proven = true
  service = await fakeService(() => ({
    'GET /v1/domains': { json: { items: [DOMAIN], next_cursor: null } },
    [`GET ${PATH}/hosts`]: ({ query: { state } }) => ({
      json: { ...HOSTS, items: HOSTS.items.filter(({ domain_id }) => state !== 'proposed' || domain_id === null) },
    }),
    'POST /v1/domains/import': {
      json: { counts: { added: 1, exists: 0, refused: 0 }, items: [] },
    },
    'POST /v1/domains': { status: 201, json: OPEN },
    [`GET ${PATH}`]: () => ({ json: proven ? DOMAIN : OPEN }),
    [`PATCH ${PATH}`]: { json: { ...DOMAIN, sign_in_hosts: ['id.example.com'] } },
    [`DELETE ${PATH}`]: () =>
      proven ? problem(409, 'domain_in_use', 'A run of it goes on') : { status: 204, text: '', type: 'text/plain' },
    [`POST ${PATH}/verify`]: () => ({
      json: {
        domain: proven ? DOMAIN : OPEN,
        attempts: [{ method: 'dns_txt', ok: proven, seen: 'no TXT record \u001b[31m' }],
      },
    }),
  }))
})
afterEach(() => service.close())
const run = (words: readonly string[], more: Parameters<typeof runWords>[1] = {}) =>
  runWords(['domain', ...words], { env: { SONDE_URL: service.url, SONDE_API_KEY: 'sonde_key' }, ...more })

test('hosts are listed, and the proposed ones registered', async () => {
  const list = await run(['hosts', 'shop.example'])
  expect([list.code, list.err]).toEqual([0, ''])
  expect(list.out).toMatch(/api\.shop\.example +proposed +certificate, guess +192\.0\.2\.4/)
  expect(list.out).toMatch(/www\.shop\.example +registered/)
  const { code, out } = await run(['hosts', 'shop.example', '--register'])
  expect([code, out]).toEqual([0, '1 added, 0 there already, 0 refused\n'])
  const sent = service.seen.find(({ path }) => path === '/v1/domains/import')
  expect(sent?.body).toEqual({ domains: [{ domain: 'api.shop.example' }] })
  expect((await run(['hosts', 'shop.example', '--register', '--state', 'registered'])).code).toBe(3)
})

test('the domains are listed', async () => {
  const list = await run(['list'])
  expect([list.code, list.err]).toEqual([0, ''])
  expect(list.out).toMatch(new RegExp(`${DOMAIN.id} +shop.example +production +until 20`))
  expect(JSON.parse((await run(['list', '--json'])).out)).toEqual({ items: [DOMAIN] })
})

test('one that is not proven says what to publish; one that is does not', async () => {
  expect((await run(['show', 'https://shop.example/cart'])).out).not.toContain('publish')
  proven = false
  const { out } = await run(['show', 'shop.example'])
  for (const part of [
    OPEN.verification.dns_txt.value,
    OPEN.verification.http_file.url,
    OPEN.verification.meta_tag.html,
  ])
    expect(out).toContain(part)
})

test('a proof is looked for, and its absence is no success', async () => {
  expect(await run(['verify', 'shop.example'])).toMatchObject({ code: 0, out: expect.stringContaining('holds') })
  proven = false
  const none = await run(['verify', 'shop.example'])
  expect(none.code).toBe(1)
  expect(none.out).toContain('no TXT record')
  expect(none.out).not.toContain('\u001b')
  expect(none.out).toContain(OPEN.verification.http_file.url)
})

test('what is named of a domain is changed, and the rest is not spoken of', async () => {
  const sent = (): unknown => service.seen.findLast(({ method }) => method === 'PATCH')?.body
  const hosts = await run(['set', '--sign-in-host', 'id.example.com', '--sign-in-host', 'two.example', 'shop.example'])
  expect(hosts).toMatchObject({ code: 0, out: expect.stringContaining('Signs in at: id.example.com\n') })
  expect(sent()).toEqual({ sign_in_hosts: ['id.example.com', 'two.example'] })
  await run(['set', 'shop.example', '--no-sign-in-hosts', '--environment', 'test'])
  expect(sent()).toEqual({ sign_in_hosts: [], environment: 'test' })
  const paths = ['--start-path', '/wiki/', '--start-path', '/shop/', '--exclude', '/admin']
  await run(['set', 'shop.example', ...paths])
  expect(sent()).toEqual({ start_paths: ['/wiki/', '/shop/'], exclude: ['/admin'] })
  await run(['set', 'shop.example', '--no-start-paths', '--no-excludes'])
  expect(sent()).toEqual({ start_paths: [], exclude: [] })
  expect(await run(['set', 'shop.example', '--start-path', 'wiki'])).toMatchObject({
    ...{ code: 3, err: expect.stringContaining('such as "/wiki/"') },
  })
  await run(['set', 'shop.example', '--context', 'shop'])
  expect(sent()).toEqual({ context: 'shop' })
  const quiet = await run(['set', 'shop.example', '--quiet-hours', '22:00-06:00@Europe/Berlin', '--cooldown', '60'])
  // The example has hours of its own.
  expect(quiet.out).toContain(
    'Nothing is sent from 08:00 to 18:00 (Europe/Berlin)\nRests 60 minutes between two runs\n',
  )
  expect(sent()).toEqual({
    quiet_hours: { from: '22:00', to: '06:00', time_zone: 'Europe/Berlin' },
    cooldown_minutes: 60,
  })
  await run(['set', 'shop.example', '--quiet-hours', 'none', '--requests-per-second', 'none', '--cooldown', '0'])
  expect(sent()).toEqual({ quiet_hours: null, requests_per_second: null, cooldown_minutes: 0 })
  for (const wrong of ['8-18', '08:00-08:00@UTC', '08:00-18:00@Mars/Olympus'])
    expect(await run(['set', 'shop.example', '--quiet-hours', wrong])).toMatchObject({
      ...{ code: 3, err: expect.stringContaining('two times of day and a time zone') },
    })
  expect(await run(['set', 'shop.example'])).toMatchObject({ code: 3, err: expect.stringContaining('what to change') })
})

test('one is removed by its name; one with a run is not', async () => {
  expect(await run(['remove', 'shop.example'])).toMatchObject({
    code: 3,
    err: expect.stringContaining('A run of it goes on'),
  })
  proven = false
  expect(await run(['remove', 'shop.example'])).toMatchObject({ code: 0, out: 'Removed.\n' })
  const said = JSON.parse((await run(['remove', 'shop.example', '--json'])).out)
  expect(said).toEqual({ removed: example.domain.id })
  expect(await run(['remove', 'other.example'])).toMatchObject({ code: 3, err: 'other.example is not registered\n' })
})

test('whoever has a key alone registers without vouching', async () => {
  const made = await run(['add', 'shop.example', '--environment', 'test'], { remote: true })
  expect([made.code, made.err]).toEqual([0, ''])
  expect(made.out).toContain('publish one of these')
  expect(service.seen.find(({ method }) => method === 'POST')?.body).toEqual({
    domain: 'shop.example',
    environment: 'test',
  })
})
