/** Commands about what stands between runs: schedules, receivers of notices, members; and a retest of one finding. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { member } from '../contract/account-examples.ts'
import * as after from '../contract/after-examples.ts'
import * as example from '../contract/examples.ts'
import { type FakeService, fakeService } from './testing/fake-service.ts'
import { runWords } from './testing/run-words.ts'

const { schedule, webhook, webhookCreated, delivery, mailSubscription } = after
const NOTHING = { status: 204, text: '', type: 'text/plain' } as const
const RETEST = `/v1/scans/${example.runState.id}/findings/${example.finding.id}/retest`
let ended: string
let service: FakeService
beforeEach(async () => {
  ended = 'gone'
  let looks = 0
  service = await fakeService(() => ({
    'GET /v1/domains': { json: { items: [{ ...example.domain, domain: 'shop.example' }], next_cursor: null } },
    'GET /v1/schedules': { json: { items: [schedule] } },
    'POST /v1/schedules': { status: 201, json: schedule },
    [`PATCH /v1/schedules/${schedule.id}`]: { json: { ...schedule, state: 'paused', next_at: null } },
    [`DELETE /v1/schedules/${schedule.id}`]: NOTHING,
    'GET /v1/webhooks': { json: { items: [webhook] } },
    'POST /v1/webhooks': { status: 201, json: webhookCreated },
    [`PATCH /v1/webhooks/${webhook.id}`]: { json: { ...webhook, state: 'paused' } },
    [`DELETE /v1/webhooks/${webhook.id}`]: NOTHING,
    [`POST /v1/webhooks/${webhook.id}/test`]: { status: 202, json: delivery },
    [`GET /v1/webhooks/${webhook.id}/deliveries`]: { json: { items: [delivery], next_cursor: null } },
    'GET /v1/mail-subscriptions': { json: { items: [mailSubscription], configured: false } },
    'POST /v1/mail-subscriptions': { status: 201, json: mailSubscription },
    [`DELETE /v1/mail-subscriptions/${mailSubscription.id}`]: NOTHING,
    'GET /v1/members': { json: { items: [member] } },
    [`PATCH /v1/members/${member.id}`]: { json: { ...member, role: 'reader' } },
    [`DELETE /v1/members/${member.id}`]: NOTHING,
    [`POST ${RETEST}`]: { status: 202, json: { ...example.retest, state: 'waiting', finding: null } },
    [`GET ${RETEST}`]: () => {
      looks += 1
      const state = looks === 1 ? 'running' : ended
      return {
        json: {
          ...example.retest,
          state,
          finding: state === 'still_there' ? example.finding : null,
          reason: 'no answer',
        },
      }
    },
  }))
})
afterEach(() => service.close())
const run = (...words: readonly string[]) =>
  runWords(words, { env: { SONDE_URL: service.url, SONDE_API_KEY: 'sonde_key' } })
const sent = (method: string) => service.seen.find((one) => one.method === method)?.body

test.each([
  [['--daily', '03:30', '--active'], { every: 'day', at: '03:30' }, { active: true }],
  [
    ['--weekly', 'monday', '--at', '04:00', '--stored-login'],
    { every: 'week', weekday: 'monday', at: '04:00' },
    { auth_stored: true },
  ],
  [['--daily', '04:00', '--identity', 'editor'], { every: 'day', at: '04:00' }, { identities: ['editor'] }],
  [['--monthly', 'last', '--at', '04:00'], { every: 'month', day: 'last', at: '04:00' }, {}],
  [['--monthly', '3', '--at', '04:00'], { every: 'month', day: 3, at: '04:00' }, {}],
  [['--cron', '0 4 * * 1-5'], { every: 'cron', cron: '0 4 * * 1-5' }, {}],
])('a schedule by %j', async (words, rhythm, options) => {
  const made = await run('schedule', 'add', 'shop.example', ...words, '--time-zone', 'Europe/Berlin')
  expect([made.code, made.err]).toEqual([0, ''])
  expect(sent('POST')).toMatchObject({ domain_id: example.domain.id, rhythm, options, time_zone: 'Europe/Berlin' })
})

test.each([
  [[], 'One of --daily'],
  [['--daily', '03:30', '--cron', '0 4 * * *'], 'One of --daily'],
  [['--weekly', 'monday'], '--weekly needs --at'],
  [['--daily', '25:30'], 'at: must be a time of day'],
  [['--monthly', '31', '--at', '04:00'], 'day: '],
])('no schedule by %j', async (words, why) => {
  expect(await run('schedule', 'add', 'shop.example', ...words)).toMatchObject({
    code: 3,
    err: expect.stringContaining(why),
  })
  expect(service.seen).toEqual([])
})

test('schedules are listed, paused and removed', async () => {
  expect((await run('schedule', 'list', '--domain', 'shop.example')).out).toContain(schedule.id)
  expect(service.seen.at(-1)?.query).toEqual({ domain_id: example.domain.id })
  expect((await run('schedule', 'pause', schedule.id)).out).toContain('paused')
  expect(sent('PATCH')).toEqual({ state: 'paused' })
  expect(await run('schedule', 'remove', schedule.id)).toMatchObject({ code: 0, out: 'Removed.\n' })
})

test('a webhook is registered, its secret shown once', async () => {
  const made = await run(
    'webhook',
    'add',
    'https://hooks.example/x',
    '--event',
    'finding.opened',
    '--event',
    'scan.finished',
  )
  expect(made).toMatchObject({ code: 0, err: 'This is the only time the secret is shown.\n' })
  expect(made.out).toContain(webhookCreated.secret)
  expect(sent('POST')).toEqual({ url: 'https://hooks.example/x', events: ['finding.opened', 'scan.finished'] })
  expect(await run('webhook', 'add', 'https://hooks.example/x', '--event', 'nothing')).toMatchObject({ code: 3 })
})

test('webhooks are listed, paused, tried and removed', async () => {
  expect((await run('webhook', 'list')).out).toContain(webhook.url)
  expect((await run('webhook', 'pause', webhook.id)).out).toContain('paused')
  expect((await run('webhook', 'test', webhook.id)).out).toContain(delivery.event)
  expect((await run('webhook', 'deliveries', webhook.id)).out).toContain(delivery.id)
  expect((await run('webhook', 'remove', webhook.id)).out).toBe('Removed.\n')
})

test.each([
  ['schedule', 'pause', schedule],
  ['schedule', 'remove', { removed: schedule.id }],
  ['webhook', 'resume', webhook],
  ['webhook', 'test', delivery],
  ['webhook', 'remove', { removed: webhook.id }],
  ['mail', 'remove', { removed: mailSubscription.id }],
  ['member', 'remove', { removed: member.id }],
])('%s %s says what became of it as JSON, too', async (noun, verb, said) => {
  const { id } = { schedule, webhook, mail: mailSubscription, member }[noun] ?? { id: '' }
  const { code, out, err } = await run(noun, verb, id, '--json')
  expect([code, err]).toEqual([0, ''])
  expect(JSON.parse(out)).toMatchObject('id' in said ? { id: said.id } : said)
})

test('e-mail is subscribed, and that nothing is sent is said', async () => {
  expect((await run('mail', 'add', mailSubscription.address)).out).toContain(mailSubscription.id)
  const list = await run('mail', 'list')
  expect([list.out, list.err]).toEqual([
    expect.stringContaining(mailSubscription.address),
    expect.stringContaining('nothing is sent'),
  ])
  expect((await run('mail', 'remove', mailSubscription.id)).out).toBe('Removed.\n')
})

test('members are listed, given a role, removed', async () => {
  expect((await run('member', 'list')).out).toContain(member.name)
  expect((await run('member', 'set', member.id, '--role', 'reader')).out).toContain('reader')
  expect(sent('PATCH')).toEqual({ role: 'reader' })
  expect((await run('member', 'remove', member.id)).out).toBe('Removed.\n')
})

test.each([
  ['gone', 0, 'Gone', [], {}],
  ['still_there', 1, example.finding.title, ['--identity', 'editor'], { identities: ['editor'] }],
  ['not_tested', 2, 'no answer', ['--signed-out'], { identities: [] }],
])('a retest that ends %s', async (state, code, text, words, body) => {
  ended = state
  const result = await run('retest', example.runState.id, example.finding.id, ...words)
  expect([result.code, result.err]).toEqual([code, ''])
  expect(result.out).toContain(text)
  expect(sent('POST')).toEqual(body)
})
