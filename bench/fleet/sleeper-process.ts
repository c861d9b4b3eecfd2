/**
 * Many workers in one process, on the real queue: they look by the clock, lease, start, beat and finish runs, and sleep where others scan.
 * Some die. None listens: what a process is told would count as transactions, as many as there are processes.
 */
import { sleep } from '../../src/contract/sleep.ts'
import { DatabaseError } from '../../src/store/database.ts'
import { heartbeat } from '../../src/store/heartbeat.ts'
import { finish, type LeasedRun, lease, progress, startRun } from '../../src/store/lease.ts'
import { openDatabase } from '../../src/store/open-database.ts'
import { whatWaits } from '../../src/store/what-waits.ts'
import { isDatabaseAway } from '../../src/worker/failures.ts'
import { TIMING } from '../../src/worker/options.ts'
import { serveParent, settingsOf } from '../api/children.ts'
import { type FleetSettings, PLANS } from './settings.ts'

const { url, name, workers, leaseSeconds, scanSeconds, deadly } = settingsOf<FleetSettings>()
const db = await openDatabase({ url })
const never = new AbortController().signal
/** Milliseconds until one whom the database refused asks again. */
const PAUSE = 1_000
let working = true
const counts = { done: 0, lost: 0, died: 0, refused: 0, vain: 0 }

const scan = async (run: LeasedRun): Promise<'done' | 'lost' | 'died'> => {
  if ((await startRun(db, run)) === 'lost') return 'lost'
  const length = (0.5 + Math.random()) * scanSeconds * 1_000
  const dies = Math.random() < deadly
  for (let slept = 0; slept < length; ) {
    const turn = Math.min(length - slept, leaseSeconds * 300)
    await sleep(turn, never)
    slept += turn
    // It is never heard of again; its lease runs out.
    if (dies) return 'died'
    if ((await heartbeat(db, run, leaseSeconds)) === 'lost') return 'lost'
  }
  await progress(db, run, { phase: 'report', detail: 'asleep', progress: 90 })
  return (await finish(db, run, { grade: 'B', artifacts: [] })) === 'lost' ? 'lost' : 'done'
}

const work = async (n: number): Promise<void> => {
  await sleep(Math.random() * TIMING.poll, never)
  while (working) {
    try {
      const of = await whatWaits(db, { plans: PLANS })
      const run = of && (await lease(db, { workerId: `${name}-${n}`, seconds: leaseSeconds, plans: PLANS, of }))
      if (run !== null) counts[await scan(run)] += 1
      else {
        counts.vain += 1
        await sleep(TIMING.poll, never)
      }
    } catch (error) {
      if (!isDatabaseAway(error) && !(error instanceof DatabaseError)) throw error
      // As a worker does: what it had is taken up by another.
      counts.refused += 1
      await sleep(PAUSE, never)
    }
  }
}

const all = Promise.all(Array.from({ length: workers }, (_, n) => work(n)))
serveParent(
  {
    counts: async () => counts,
    stop: async () => {
      working = false
      await all
      return counts
    },
  },
  () => db.close(),
).ready(null)
