/** Storage or database away while runs are under way: they wait, nothing is lost, nothing is done twice. */
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Timing } from '../../src/worker/options.ts'
import { until } from '../support/until.ts'
import { type Bed, ended, openBed, statuses, tally } from './bed.ts'

const LONG = process.env.SONDE_LONG !== undefined
const RUNS = LONG ? 50 : 6
/** Milliseconds of an outage. */
const AWAY = LONG ? 60_000 : 4_000
const DEADLINE = LONG ? 600_000 : 150_000

const waits = { storageFirst: 100, storageMost: 2_000, storagePatience: 900_000 }
/** As in service, where the outage is as long as in service; else quicker. */
const TIMING: Partial<Timing> = LONG
  ? { sweep: 600_000 }
  : { lease: 12_000, heartbeat: 500, poll: 300, grace: 500, reap: 300, sweep: 600_000, ...waits }

let bed: Bed
beforeAll(async () => {
  bed = await openBed()
}, 200_000)
afterAll(() => bed.close(), 120_000)

/** Queues, lets some runs end, takes something away for a while, and waits for all of them. */
const outage = async (timing: Partial<Timing>, take: () => Promise<void> | void, back: () => Promise<void>) => {
  const ids = await bed.queue(RUNS)
  const worker = await bed.start(timing, 3)
  await until(async () => (await ended(bed, ids)) >= Math.ceil(RUNS / 5), DEADLINE)
  await take()
  const before = bed.log.length
  try {
    await delay(AWAY)
  } finally {
    await back()
  }
  const said = bed.log.slice(before).join('\n')
  await until(async () => (await ended(bed, ids)) === RUNS, DEADLINE)
  await worker.drain()
  const result = await tally(bed, ids)
  if (LONG) process.stdout.write(`${RUNS} runs, ${AWAY / 1000} s away: ${JSON.stringify(result)}\n`)
  return { result, said }
}

describe(`${RUNS} runs, ${AWAY / 1000} s`, { timeout: DEADLINE + 60_000 }, () => {
  test('the storage refuses: runs wait, none is leased, none fails', async () => {
    const seen: number[] = []
    const { s3 } = bed.relays
    const watching = { on: true, ended: Promise.resolve() }
    const take = async (): Promise<void> => {
      await s3.refuse()
      watching.ended = (async () => {
        // Time for what was leased before anybody could know.
        await delay(AWAY / 2)
        for (; watching.on; await delay(100)) seen.push((await statuses(bed)).queued ?? 0)
      })()
    }
    const back = async (): Promise<void> => {
      watching.on = false
      await watching.ended
      await s3.restore()
    }
    const { result, said } = await outage(TIMING, take, back)
    expect(result).toEqual({ done: RUNS, failed: 0, twice: 0, again: 0 })
    expect(seen.length).toBeGreaterThan(0)
    expect(new Set(seen).size, 'nothing is leased meanwhile').toBe(1)
    expect(said).not.toContain('run failed')
  })

  // Longer than a lease, below, is harder.
  test.runIf(LONG)('the database refuses', async () => {
    const { postgres } = bed.relays
    const { result } = await outage(TIMING, postgres.refuse, postgres.restore)
    expect(result).toEqual({ done: RUNS, failed: 0, twice: 0, again: 0 })
  })

  // The long one above is that already.
  if (!LONG) {
    test('the database is away for longer than a lease', async () => {
      const { postgres } = bed.relays
      const timing = { ...TIMING, lease: 2_500, heartbeat: 300 }
      // Whoever is back first takes nothing for lost that the other has, and hands back itself.
      const second = await bed.start(timing, 4)
      const { result } = await outage(timing, postgres.refuse, postgres.restore)
      await second.drain()
      expect(result).toEqual({ done: RUNS, failed: 0, twice: 0, again: 0 })
    })
  }
})

test('a storage that does not come back: the run is handed back, and its attempt does not count', {
  timeout: DEADLINE,
}, async () => {
  const { s3 } = bed.relays
  const [id = ''] = await bed.queue(1)
  await s3.refuse()
  // Leased by a worker that does not ask first, as one whose storage goes away in the middle of a run.
  const worker = await bed.start({ ...TIMING, ...waits, storagePatience: 1_500 }, 1)
  try {
    await delay(1_000)
    expect((await statuses(bed)).queued, 'nothing is leased').toBe(1)
    await s3.restore()
    await until(() => worker.activeRuns() === 1, DEADLINE)
    await s3.refuse()
    await until(() => bed.log.some((line) => line.includes('handed back')), DEADLINE)
    await until(async () => (await statuses(bed)).queued === 1, DEADLINE)
    const [row] = await bed.db.query<{ attempts: number }>('select attempts from runs where id = $1', [id])
    expect(row?.attempts).toBe(0)
  } finally {
    await s3.restore()
  }
  await until(async () => (await ended(bed, [id])) === 1, DEADLINE)
  expect(await tally(bed, [id])).toEqual({ done: 1, failed: 0, twice: 0, again: 0 })
})

if (LONG) {
  test('a storage that takes connections and says nothing', { timeout: DEADLINE + 60_000 }, async () => {
    const { s3 } = bed.relays
    const { result } = await outage(TIMING, s3.silence, s3.restore)
    expect(result).toEqual({ done: RUNS, failed: 0, twice: 0, again: 0 })
  })
}
