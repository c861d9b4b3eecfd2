/** News of feeds among several workers: each step is done once, whoever is lost; and how much of it there may be. */
import { describe, expect, test } from 'vitest'
import { bringKev } from '../../tests/support/feed-mirror.ts'
import { EXPLOITED, jquery, LONG, newsBench } from '../../tests/support/news-bench.ts'
import { seedDomain } from '../../tests/support/seed.ts'
import { until } from '../../tests/support/until.ts'
import { claimJudgement, dropJudgement, JUDGEMENT_ATTEMPTS } from '../store/judgements.ts'
import { setJudgingAgain } from '../store/judging-again.ts'
import { announceFeeds, claimAsking } from '../store/knowledge-news.ts'
import type { RunRecord } from '../store/run-row.ts'

describe('workers and news of feeds', { timeout: 180_000 }, () => {
  const { db, folder, feeds, news, start, drained, idle, scanned, state, judged } = newsBench()

  test('two workers judge each run once', async () => {
    await bringKev(folder(), 'CVE-1999-0001')
    const runs: RunRecord[] = []
    for (const name of ['a.test', 'b.test', 'c.test', 'd.test']) runs.push(await scanned(name, [jquery()]))
    await start({ workerId: 'one' })
    await start({ workerId: 'two' })
    await idle()
    await bringKev(folder(), 'CVE-1999-0001', EXPLOITED)
    for (const run of runs) await judged(run, 2)
    await idle()
    const versions = await db().query('select 1 from reports', [])
    expect(versions).toHaveLength(2 * runs.length)
    const events = await db().query(`select 1 from problem_events where kind = 'judged_again'`, [])
    expect(events).toHaveLength(runs.length)
  })

  test('a worker with older feeds leaves it to the others', async () => {
    await bringKev(folder(), 'CVE-1999-0001')
    const stale = feeds()
    const run = await scanned('ok.test', [jquery()])
    await bringKev(folder(), 'CVE-1999-0001', EXPLOITED)
    const known = feeds()
    expect(await announceFeeds(db(), known, { alone: false })).toBe('news')
    expect(await announceFeeds(db(), stale, { alone: false })).toBe('behind')
    expect(await announceFeeds(db(), [], { alone: false })).toBe('behind')
    expect(await announceFeeds(db(), known, { alone: false })).toBe('known')
    expect((await state(run)).report.version).toBe(1)
  })

  test('what a worker that was lost left in between is taken up, and done once', async () => {
    await bringKev(folder(), 'CVE-1999-0001')
    const run = await scanned('ok.test', [jquery()])
    await start()
    await idle()
    await drained()
    await bringKev(folder(), 'CVE-1999-0001', EXPLOITED)
    // It asks, and is gone before it has settled anything.
    await announceFeeds(db(), feeds(), { alone: true })
    expect(await claimAsking(db(), 1)).not.toBeNull()
    expect(await claimAsking(db(), 1)).toBeNull()
    // Another takes the run, and is gone before it has judged it.
    await start({ news: news({ perMinute: 0 }) })
    await until(async () => (await db().query('select 1 from judgements', [])).length === 1, LONG)
    await drained()
    const lost = await claimJudgement(db(), { seconds: 1, perMinute: 10 })
    expect(lost?.runId).toBe(run.id)
    expect(await claimJudgement(db(), { seconds: 1, perMinute: 10 })).toBeNull()
    expect((await state(run)).report.version).toBe(1)
    await start()
    await judged(run, 2)
    await idle()
    // Whoever was lost comes back late, and changes nothing.
    if (lost === null) throw new Error('unexpected')
    expect(await dropJudgement(db(), lost, { reason: 'late', components: null })).toBe('lost')
    expect((await state(run)).judged_again).toMatchObject({ version: 2, reason: null })
    expect(await db().query('select 1 from reports where run_id = $1', [run.id])).toHaveLength(2)
  })

  test('a run over which workers are lost again and again is left as it is, and says so', async () => {
    await bringKev(folder(), 'CVE-1999-0001')
    const run = await scanned('ok.test', [jquery()])
    await start({ news: news({ perMinute: 0 }) })
    await until(async () => (await db().query('select 1 from components', [])).length > 0, LONG)
    await bringKev(folder(), 'CVE-1999-0001', EXPLOITED)
    await until(async () => (await db().query('select 1 from judgements', [])).length === 1, LONG)
    await drained()
    for (let begun = 0; begun < JUDGEMENT_ATTEMPTS; begun += 1)
      expect(await claimJudgement(db(), { seconds: 0, perMinute: 100 })).toMatchObject({ attempts: begun })
    await start()
    await until(async () => (await state(run)).judged_again !== undefined, LONG)
    expect((await state(run)).judged_again).toMatchObject({
      version: null,
      reason: expect.stringContaining('ended each time'),
    })
    expect(await db().query('select 1 from judgements', [])).toEqual([])
  })

  test('no more in a minute than the operator allows', async () => {
    await bringKev(folder(), 'CVE-1999-0001')
    const runs: RunRecord[] = []
    for (const name of ['a.test', 'b.test', 'c.test']) runs.push(await scanned(name, [jquery()]))
    await start({ news: news({ perMinute: 0 }) })
    await until(async () => (await db().query('select 1 from components', [])).length > 0, LONG)
    await bringKev(folder(), 'CVE-1999-0001', EXPLOITED)
    await until(async () => (await db().query('select 1 from judgements', [])).length === runs.length, LONG)
    await drained()
    await db().query(`update knowledge_news set minute = null, begun = 0`, [])
    const claimed: unknown[] = []
    for (let n = 0; n < runs.length; n += 1) claimed.push(await claimJudgement(db(), { seconds: 30, perMinute: 2 }))
    // Over the turn of a minute they are three.
    const minutes = await db().query<{ begun: number }>('select begun from knowledge_news', [])
    expect(claimed.filter((job) => job !== null).length).toBe((minutes[0]?.begun ?? 0) === 2 ? 2 : 3)
  })

  test('an organisation that has switched it off waits, and catches up when it switches it on', async () => {
    await bringKev(folder(), 'CVE-1999-0001')
    const at = await seedDomain(db(), { domain: 'ok.test' })
    const run = await scanned('ok.test', [jquery()], { at })
    await setJudgingAgain(db(), at.organisationId, { enabled: false })
    await start()
    await idle()
    await bringKev(folder(), 'CVE-1999-0001', EXPLOITED)
    await idle()
    expect((await state(run)).report.version).toBe(1)
    await setJudgingAgain(db(), at.organisationId, { enabled: true })
    await judged(run, 2)
  })
})
