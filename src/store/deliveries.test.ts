import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SQL_ENGINES, type TestDatabase } from '../../tests/support/databases.ts'
import { finding, seedDomain, seedRun, takeAndStart } from '../../tests/support/seed.ts'
import { oneKey } from '../contract/secret-keys.ts'
import { addDelivery, listDeliveries, settleDelivery, takeDeliveries } from './deliveries.ts'
import { setVerified } from './domains.ts'
import { finish } from './lease.ts'
import { subscribe } from './mail-subscriptions.ts'
import { saveModule } from './modules.ts'
import { cancelRun } from './runs.ts'
import { createWebhook, getWebhook, openSecret, updateWebhook } from './webhooks.ts'

const KEY = oneKey(Buffer.alloc(32, 7))
const HOOK = { url: 'https://hooks.test/x', description: '', events: ['scan.finished', 'domain.verified'] } as const
const DONE = { status: 204, error: null, durationMs: 3 }
const DOWN = { status: 503, error: 'answered 503', durationMs: 3 }

describe.each(SQL_ENGINES)('deliveries on $kind', ({ open }) => {
  let t: TestDatabase
  let at: Awaited<ReturnType<typeof seedDomain>>
  beforeAll(async () => {
    t = await open()
  })
  afterAll(() => t.drop())
  beforeEach(async () => {
    await t.empty()
    at = await seedDomain(t.db)
  })

  const hook = async (organisationId = at.organisationId): Promise<string> => {
    const made = await createWebhook(t.db, KEY, organisationId, { ...HOOK, events: [...HOOK.events] })
    if (made === 'too_many_receivers') throw new Error('unexpected')
    return made.webhook.id
  }
  const take = (limit = 10) => takeDeliveries(t.db, { seconds: 60, limit, mail: true })
  const endRun = async (severity: 'critical' | 'low' = 'low'): Promise<string> => {
    const run = await seedRun(t.db, at)
    const held = await takeAndStart(t.db)
    const outcome = { state: 'completed', reason: null, duration_ms: 1, requests: 1 } as const
    const findings = [finding('headers/a', { severity })]
    await saveModule(t.db, held, { module: 'headers', facts: {}, outcome, coverage: [], findings })
    await finish(t.db, held, { grade: 'B', artifacts: [] })
    return run.id
  }

  test('the end of a run is told once, with what the run came to', async () => {
    await hook()
    await hook((await seedDomain(t.db)).organisationId)
    const id = await endRun()
    const [first, ...others] = await take()
    expect(others).toEqual([])
    expect(JSON.parse(first?.payload ?? '')).toMatchObject({
      type: 'scan.finished',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: { id, status: 'done', grade: 'B', counts: { low: 1 }, open_counts: { low: 1 }, domain: 'shop.test' },
    })
  })

  test('what was taken without an end comes later each time, after the others, and alone', async () => {
    await hook()
    await endRun()
    await endRun()
    const lapse = () =>
      t.db.query(`update deliveries set taken_until = clock_timestamp() - interval '1 second' where taken > 0`, [])
    expect((await take()).map(({ taken }) => taken)).toEqual([0, 0])
    // Whoever took them is gone.
    await lapse()
    await endRun()
    expect((await take()).map(({ taken }) => taken)).toEqual([0])
    const suspects = [...(await take()), ...(await take())]
    expect(suspects.map(({ taken }) => taken)).toEqual([1, 1])
    const waits = await t.db.query<{ seconds: number }>(
      `select extract(epoch from taken_until - clock_timestamp())::float8 as seconds from deliveries where taken = 2`,
      [],
    )
    for (const { seconds } of waits) expect(seconds).toBeGreaterThan(200)
    const [first] = suspects
    if (!first) throw new Error('unexpected')
    await settleDelivery(t.db, first, DOWN, { delivered: false, next: new Date(0), pause: null })
    expect((await take()).map(({ id, taken }) => [id, taken])).toEqual([[first.id, 0]])
  })

  test('a queued run that is cancelled has ended too', async () => {
    await hook()
    const run = await seedRun(t.db, at)
    await cancelRun(t.db, at.organisationId, run.id)
    expect((await take()).map(({ payload }) => JSON.parse(payload).data.status)).toEqual(['canceled'])
  })

  test('a domain that is verified is told; one whose proof is renewed is not', async () => {
    await hook()
    const verify = () => setVerified(t.db, at.domainId, { at: new Date(), until: new Date(Date.now() + 86_400_000) })
    await verify()
    expect(await take()).toEqual([])
    await setVerified(t.db, at.domainId, null)
    await verify()
    expect((await take()).map(({ event }) => event)).toEqual(['domain.verified'])
  })

  test('mail: something critical that was not there before, and only then', async () => {
    await subscribe(t.db, at.organisationId, { address: 'a@b.test', events: ['scan.new_critical'] })
    await endRun('low')
    expect(await take()).toEqual([])
    await endRun('critical')
    const [first] = await take()
    expect([first?.to, JSON.parse(first?.payload ?? '').data.new_critical]).toEqual([
      { kind: 'mail', address: 'a@b.test', language: 'en' },
      1,
    ])
    await settleDelivery(t.db, { id: first?.id ?? '' }, DONE, { delivered: true, next: null, pause: null })
    await endRun('critical')
    expect(await take()).toEqual([])
  })

  test('many workers: each message goes to one of them, and comes back when that one dies', async () => {
    const id = await hook()
    for (let n = 0; n < 20; n += 1) await addDelivery(t.db, id, 'webhook.test', {}, new Date())
    const taken = (await Promise.all(Array.from({ length: 8 }, () => take(3)))).flat()
    expect(new Set(taken.map((one) => one.id)).size).toBe(taken.length)
    expect(taken).toHaveLength(20)
    expect(await take()).toEqual([])
    await t.db.query(`update deliveries set taken_until = clock_timestamp() - interval '1 second'`)
    const again: string[] = []
    for (let [one, ...beside] = await take(30); one; [one, ...beside] = await take(30)) {
      expect(beside).toEqual([])
      again.push(one.id)
    }
    expect(again.toSorted()).toEqual(taken.map(({ id: each }) => each).toSorted())
  })

  test('the log: waiting, delivered, given up, with every attempt', async () => {
    const id = await hook()
    const [a, b, c] = [
      await addDelivery(t.db, id, 'one', {}, new Date()),
      await addDelivery(t.db, id, 'two', {}, new Date()),
      await addDelivery(t.db, id, 'three', {}, new Date()),
    ]
    for (const [n, { id: message }] of [a, b, c].entries()) {
      await t.db.query(`update deliveries set created_at = created_at + make_interval(secs => $2) where id = $1`, [
        message,
        n,
      ])
    }
    const later = new Date(Date.now() + 60_000)
    await settleDelivery(t.db, a, DOWN, { delivered: false, next: later, pause: null })
    await settleDelivery(t.db, b, DOWN, { delivered: false, next: later, pause: null })
    expect((await getWebhook(t.db, at.organisationId, id))?.failing_since).not.toBeNull()
    await settleDelivery(t.db, b, DONE, { delivered: true, next: null, pause: null })
    expect((await getWebhook(t.db, at.organisationId, id))?.failing_since).toBeNull()
    await settleDelivery(t.db, c, DOWN, { delivered: false, next: null, pause: null })
    const log = await listDeliveries(t.db, id, null, 10)
    expect(log.map(({ event, state, attempts }) => [event, state, attempts.map(({ status }) => status)])).toEqual([
      ['three', 'given_up', [503]],
      ['two', 'delivered', [503, 204]],
      ['one', 'waiting', [503]],
    ])
    const [first] = log
    if (!first) throw new Error('unreachable')
    expect(await listDeliveries(t.db, id, { createdAt: new Date(first.created_at), id: first.id }, 10)).toEqual(
      log.slice(1),
    )
  })

  test('a paused webhook gets nothing, and nothing of that time later', async () => {
    const id = await hook()
    const message = await addDelivery(t.db, id, 'one', {}, new Date())
    await addDelivery(t.db, id, 'two', {}, new Date())
    await settleDelivery(t.db, message, DOWN, { delivered: false, next: null, pause: 'it is dead' })
    expect(await getWebhook(t.db, at.organisationId, id)).toMatchObject({
      state: 'paused',
      paused_because: 'it is dead',
    })
    expect(await take()).toEqual([])
    await endRun()
    await updateWebhook(t.db, at.organisationId, id, { state: 'active' })
    expect(await take()).toEqual([])
    await endRun()
    expect(await take()).toHaveLength(1)
  })

  test('the secret lies sealed', async () => {
    const made = await createWebhook(t.db, KEY, at.organisationId, { ...HOOK, events: [...HOOK.events] })
    if (made === 'too_many_receivers') throw new Error('unexpected')
    const [row] = await t.db.query<{ secret: Buffer }>('select secret from webhooks')
    expect(row?.secret.toString('latin1')).not.toContain(made.secret.slice(6))
    expect(openSecret(KEY, row?.secret ?? Buffer.alloc(0))).toBe(made.secret)
    expect(() => openSecret(oneKey(Buffer.alloc(32)), row?.secret ?? Buffer.alloc(0))).toThrow()
  })

  test('no more than twenty', async () => {
    const made = await Promise.all(
      Array.from({ length: 22 }, () =>
        createWebhook(t.db, KEY, at.organisationId, { ...HOOK, events: ['scan.finished'] }),
      ),
    )
    expect(made.filter((one) => one === 'too_many_receivers')).toHaveLength(2)
  })
})
