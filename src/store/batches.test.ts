import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ENGINES, type TestDatabase } from '../../tests/support/databases.ts'
import { listedRuns, newRun, PLANS, seedDomain, seedRun, take } from '../../tests/support/seed.ts'
import { BatchOptions } from '../contract/batch.ts'
import { oneKey } from '../contract/secret-keys.ts'
import { batchResults } from './batch-results.ts'
import {
  addItems,
  cancelBatch,
  dropBatch,
  dropUnprepared,
  getBatch,
  listBatches,
  pauseBatch,
  prepared,
  reserveBatch,
  resumeBatch,
} from './batches.ts'
import { deleteDomain, setVerified } from './domains.ts'
import { stopRuns } from './holds.ts'
import { cancelEnd, fail, finish, type LeasedRun, lease, release, startRun } from './lease.ts'
import { registerDomains, stepsOf } from './many-domains.ts'
import { used } from './quota.ts'
import { createRun, getRun } from './runs.ts'
import { createWebhook } from './webhooks.ts'

const PASSIVE = BatchOptions.parse({ make_pdf: false, privacy: false })

describe.each(ENGINES)('batches on $kind', ({ open }) => {
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

  const reserve = async (names: readonly string[], options = PASSIVE, organisationId = at.organisationId) => {
    const made = await reserveBatch(t.db, PLANS, { organisationId, total: names.length, options, idempotency: null })
    if ('refused' in made) throw new Error(made.detail)
    return made.batch.id
  }
  /** As the interface does it. */
  const make = async (names: readonly string[], options = PASSIVE, organisationId = at.organisationId) => {
    const id = await reserve(names, options, organisationId)
    for (const { from, part } of stepsOf(names)) {
      const found = await registerDomains(
        t.db,
        organisationId,
        part.map((domain) => ({ domain })),
      )
      await addItems(
        t.db,
        id,
        from,
        part.map((domain) => ({ id: found.get(domain)?.id ?? '', domain })),
      )
    }
    await prepared(t.db, id)
    return id
  }
  const names = (count: number, word = 'site') => Array.from({ length: count }, (_, n) => `${word}${n}.example.com`)
  const read = async (id: string, organisationId = at.organisationId) => {
    const found = await getBatch(t.db, organisationId, id)
    if (!found) throw new Error('The batch is gone')
    return found
  }
  const next = async (): Promise<LeasedRun> => {
    const run = await take(t.db)
    if (!run) throw new Error('Nothing to lease')
    return run
  }
  const endDone = async (run: LeasedRun) => {
    expect(await startRun(t.db, run)).not.toBe('lost')
    expect(await finish(t.db, run, { grade: 'B', artifacts: [] })).toMatchObject({ status: 'done' })
  }
  const results = async (id: string) => {
    const rows = []
    for await (const page of batchResults(t.db, id)) rows.push(...page)
    return rows
  }

  test('goes from its first domain to its last, counts what became of each, and ends', async () => {
    const id = await make(names(4))
    expect(await read(id)).toMatchObject({ state: 'running', counts: { total: 4, waiting: 4, running: 0 } })
    const [first, second, third] = [await next(), await next(), await next()]
    expect([first, second, third].map((run) => run?.domain)).toEqual(names(3))
    await endDone(first)
    await fail(t.db, second, { kind: 'target_unreachable', detail: 'Nothing answers.', artifacts: [] })
    expect((await read(id)).counts).toMatchObject({ waiting: 1, running: 1, done: 1, failed: 1 })
    const fourth = await next()
    await t.db.query('update runs set cancel_requested_at = clock_timestamp() where id = $1', [third.runId])
    await cancelEnd(t.db, third, { artifacts: [] })
    expect(await read(id)).toMatchObject({ state: 'running', finished_at: null })
    await endDone(fourth)
    expect(await read(id)).toMatchObject({
      state: 'done',
      counts: { total: 4, waiting: 0, running: 0, done: 2, failed: 1, canceled: 1, refused: 0 },
      finished_at: expect.any(String),
    })
    expect(
      (await results(id)).map(({ domain, status, grade, error_kind }) => [domain, status, grade, error_kind]),
    ).toEqual([
      ['site0.example.com', 'done', 'B', null],
      ['site1.example.com', 'failed', null, 'target_unreachable'],
      ['site2.example.com', 'canceled', null, null],
      ['site3.example.com', 'done', 'B', null],
    ])
    // A failed run gives its unit back.
    expect(await used(t.db, at.organisationId)).toBe(3)
    expect(await take(t.db)).toBeNull()
  })

  test('runs started alone overtake it, and one claim in so many begins with it', async () => {
    await make(names(3))
    const alone = [await seedRun(t.db, at), await seedRun(t.db, at)]
    expect((await next()).runId).toBe(alone[0]?.id)
    const turn = await lease(t.db, { workerId: 'w', seconds: 30, plans: PLANS, first: 'batch' })
    expect(turn?.domain).toBe('site0.example.com')
    expect((await next()).runId).toBe(alone[1]?.id)
    expect((await next()).domain).toBe('site1.example.com')
  })

  test('between organisations it goes round, and none has more at once than its plan allows', async () => {
    const other = await seedDomain(t.db, { plan: 'team', domain: 'other.test' })
    await make(names(20, 'mine'))
    await make(names(20, 'theirs'), PASSIVE, other.organisationId)
    const taken: string[] = []
    for (let run = await take(t.db); run; run = await take(t.db)) taken.push(run.domain.replace(/\d.*/, ''))
    expect(taken.slice(0, 6).toSorted()).toEqual(['mine', 'mine', 'mine', 'theirs', 'theirs', 'theirs'])
    // The plans allow 10 and 3.
    expect(taken).toHaveLength(13)
    expect(taken.filter((one) => one === 'theirs')).toHaveLength(3)
  })

  test('many workers at once take no item twice and never too many', async () => {
    await make(names(30))
    const taken = await Promise.all(Array.from({ length: 16 }, (_, n) => take(t.db, `worker-${n}`)))
    const domains = taken.flatMap((run) => (run ? [run.domain] : []))
    expect(domains).toHaveLength(10)
    expect(new Set(domains).size).toBe(10)
  })

  test('two batches of an organisation take turns', async () => {
    await make(names(5, 'first'))
    await make(names(5, 'second'))
    const taken = [await next(), await next(), await next(), await next()].map(({ domain }) => domain)
    expect(taken).toEqual(['first0.example.com', 'second0.example.com', 'first1.example.com', 'second1.example.com'])
  })

  test('paused, nothing more starts: neither an item nor a run that came back', async () => {
    const id = await make(names(3))
    const run = await next()
    expect(await pauseBatch(t.db, at.organisationId, id)).toMatchObject({ state: 'paused' })
    expect(await pauseBatch(t.db, at.organisationId, id)).toMatchObject({ state: 'paused' })
    await release(t.db, run)
    expect(await take(t.db)).toBeNull()
    expect((await read(id)).counts).toMatchObject({ waiting: 2, running: 1 })
    expect(await resumeBatch(t.db, at.organisationId, id)).toMatchObject({ state: 'running' })
    expect((await next()).runId).toBe(run.runId)
    expect((await next()).domain).toBe('site1.example.com')
  })

  test('cancelled, it gives back what was not drawn, ends what goes on, and is over when that has ended', async () => {
    const id = await make(names(5))
    const [running, returned] = [await next(), await next()]
    await release(t.db, returned)
    expect(await used(t.db, at.organisationId)).toBe(5)
    const canceled = { state: 'canceled', finished_at: null, counts: { total: 5, waiting: 0, running: 1, canceled: 4 } }
    expect(await cancelBatch(t.db, at.organisationId, id)).toMatchObject(canceled)
    expect(await cancelBatch(t.db, at.organisationId, id)).toMatchObject(canceled)
    expect(await pauseBatch(t.db, at.organisationId, id)).toBe('ended')
    expect(await take(t.db)).toBeNull()
    expect(await getRun(t.db, at.organisationId, running.runId)).toMatchObject({
      cancel_requested_at: expect.any(String),
    })
    // What a worker had is used, as for every run.
    expect(await used(t.db, at.organisationId)).toBe(2)
    await cancelEnd(t.db, running, { artifacts: [] })
    expect(await read(id)).toMatchObject({ finished_at: expect.any(String), counts: { running: 0, canceled: 5 } })
    expect(await cancelBatch(t.db, at.organisationId, id)).toBe('ended')
    expect((await results(id)).map(({ status }) => status)).toEqual(Array(5).fill('canceled'))
  })

  test('the quota is reserved for all of it at once, or none of it', async () => {
    const free = await seedDomain(t.db, { plan: 'free', domain: 'free.test' })
    const ask = (total: number) =>
      reserveBatch(t.db, PLANS, { organisationId: free.organisationId, total, options: PASSIVE, idempotency: null })
    await seedRun(t.db, free)
    expect(await ask(10)).toMatchObject({ refused: 'quota_exceeded', detail: expect.stringContaining('9 of 10') })
    const both = await Promise.all([ask(5), ask(5)])
    expect(both.filter((one) => 'refused' in one)).toHaveLength(1)
    expect(await used(t.db, free.organisationId)).toBe(6)
    expect(await createRun(t.db, PLANS, newRun(free))).toMatchObject({ run: { status: 'queued' } })
    const made = both.find((one) => 'batch' in one)
    await dropBatch(t.db, made && 'batch' in made ? made.batch.id : '')
    expect(await used(t.db, free.organisationId)).toBe(2)
  })

  test('its units are of the month in which it was made, whenever its runs come', async () => {
    const id = await make(names(2))
    await t.db.query(`update batches set created_at = created_at - interval '40 days'`, [])
    await next()
    expect(await used(t.db, at.organisationId)).toBe(0)
    expect(await used(t.db, at.organisationId, new Date(Date.parse((await read(id)).created_at)))).toBe(2)
  })

  test('an item that may not run any more is refused, keeps the reason, and costs nothing', async () => {
    const found = await registerDomains(
      t.db,
      at.organisationId,
      names(3).map((domain) => ({ domain })),
    )
    for (const { id } of found.values()) {
      await setVerified(t.db, id, { at: new Date(), until: new Date(Date.now() + 86_400_000) })
    }
    const id = await make(names(3), BatchOptions.parse({ active: true, make_pdf: false }))
    const idOf = (n: number) => found.get(`site${n}.example.com`)?.id ?? ''
    await deleteDomain(t.db, at.organisationId, idOf(0))
    await setVerified(t.db, idOf(1), null)
    expect(await next()).toMatchObject({ domain: 'site2.example.com', tier: 'active' })
    expect(await take(t.db)).toBeNull()
    expect((await read(id)).counts).toMatchObject({ waiting: 0, running: 1, refused: 2 })
    expect(
      (await results(id)).map(({ status, scan_id, error_detail }) => [status, scan_id === null, error_detail]),
    ).toEqual([
      ['refused', true, 'There is no such domain.'],
      ['refused', true, expect.stringContaining('Verify site1')],
      ['leased', false, null],
    ])
    expect(await used(t.db, at.organisationId)).toBe(1)
  })

  test('its end is told once to who wants to hear of it', async () => {
    const hook = { url: 'https://hooks.test/', description: '', events: ['batch.finished' as const] }
    await createWebhook(t.db, oneKey(Buffer.alloc(32)), at.organisationId, hook)
    const id = await make(names(2))
    const [first, second] = [await next(), await next()]
    await endDone(first)
    const told = () =>
      t.db.query<{ payload: unknown }>(`select payload from deliveries where event = 'batch.finished'`, [])
    expect(await told()).toEqual([])
    await fail(t.db, second, { kind: 'internal', detail: 'x', artifacts: [] })
    expect(await told()).toMatchObject([
      { payload: { type: 'batch.finished', data: { id, state: 'done', counts: { total: 2, done: 1, failed: 1 } } } },
    ])
  })

  test('one whose every item is refused is over at once', async () => {
    const id = await make(names(2))
    for (const { id: domainId } of (
      await registerDomains(
        t.db,
        at.organisationId,
        names(2).map((domain) => ({ domain })),
      )
    ).values())
      await deleteDomain(t.db, at.organisationId, domainId)
    expect(await take(t.db)).toBeNull()
    expect(await read(id)).toMatchObject({ state: 'done', counts: { refused: 2 } })
  })

  test('nothing is drawn before all is written; what its maker left is taken back', async () => {
    const id = await reserve(names(2))
    expect(await take(t.db)).toBeNull()
    expect(await dropUnprepared(t.db)).toBe(0)
    await t.db.query(`update batches set created_at = created_at - interval '1 hour'`, [])
    expect(await dropUnprepared(t.db)).toBe(1)
    expect(await getBatch(t.db, at.organisationId, id)).toBeNull()
    expect(await used(t.db, at.organisationId)).toBe(0)
  })

  test('an emergency stop holds it, too', async () => {
    await make(names(1))
    await stopRuns(t.db, { organisationId: at.organisationId, heldBy: 'me', reason: null })
    expect(await take(t.db)).toBeNull()
  })

  test('its runs have its options, those of a survey without browser and PDF', async () => {
    await make(names(1), BatchOptions.parse({ survey: true, context: 'shop', exclude: ['/admin'] }))
    expect(await next()).toMatchObject({
      context: 'shop',
      options: { survey: true, privacy: false, make_pdf: false, exclude: ['/admin'] },
    })
    const [listed] = await listBatches(t.db, at.organisationId, null, 10)
    expect(listed?.options).toMatchObject({ survey: true, privacy: false, make_pdf: false })
  })

  test('a survey is no baseline of a whole run, and has one', async () => {
    const end = async (survey: boolean) => {
      await seedRun(t.db, at, { survey })
      const run = await next()
      await endDone(run)
      const [row] = await t.db.query<{ baseline_run_id: string | null }>(
        'select baseline_run_id from runs where id = $1',
        [run.runId],
      )
      return { id: run.runId, base: row?.baseline_run_id }
    }
    const whole = await end(false)
    const survey = await end(true)
    expect(survey.base).toBe(whole.id)
    expect((await end(true)).base).toBe(survey.id)
    expect((await end(false)).base).toBe(whole.id)
  })

  test('the counts on its row are those of its runs', async () => {
    const id = await make(names(9))
    for (const [n, how] of ['done', 'failed', 'canceled', 'back'].entries()) {
      const run = await next()
      expect(run.domain).toBe(`site${n}.example.com`)
      if (how === 'done') await endDone(run)
      if (how === 'failed') await fail(t.db, run, { kind: 'internal', detail: 'x', artifacts: [] })
      if (how === 'back') await release(t.db, run)
      if (how !== 'canceled') continue
      await t.db.query('update runs set cancel_requested_at = clock_timestamp() where id = $1', [run.runId])
      await cancelEnd(t.db, run, { artifacts: [] })
    }
    const rows = await t.db.query<{ status: string; n: number }>(
      'select status, count(*) as n from runs where batch_id = $1 group by status',
      [id],
    )
    expect(Object.fromEntries(rows.map(({ status, n }) => [status, n]))).toEqual({
      done: 1,
      failed: 1,
      canceled: 1,
      queued: 1,
    })
    expect((await read(id)).counts).toEqual({
      ...{ total: 9, waiting: 5, running: 1, done: 1, failed: 1, canceled: 1, refused: 0 },
    })
    expect(await listedRuns(t.db, at.organisationId, {}, null, 100)).toHaveLength(4)
  })

  test('the same key and body give the same batch, another body and another kind of start a conflict', async () => {
    const ask = (bodyHash: string) =>
      reserveBatch(t.db, PLANS, {
        ...{ organisationId: at.organisationId, total: 2, options: PASSIVE },
        idempotency: { key: 'k', bodyHash },
      })
    const first = await ask('a')
    expect(await ask('a')).toEqual({ ...first, created: false })
    expect(await ask('b')).toMatchObject({ refused: 'idempotency_conflict' })
    const run = await createRun(t.db, PLANS, newRun(at, { idempotency: { key: 'k', bodyHash: 'a' } }))
    expect(run).toMatchObject({ refused: 'idempotency_conflict' })
    expect(await used(t.db, at.organisationId)).toBe(2)
  })

  test('another organisation neither sees nor moves it', async () => {
    const id = await make(names(1))
    const stranger = randomUUID()
    expect(await getBatch(t.db, stranger, id)).toBeNull()
    expect(await pauseBatch(t.db, stranger, id)).toBe('not_found')
    const other = await seedDomain(t.db, { domain: 'other.test' })
    expect(await cancelBatch(t.db, other.organisationId, id)).toBe('not_found')
    expect(await listBatches(t.db, other.organisationId, null, 10)).toEqual([])
  })
})
