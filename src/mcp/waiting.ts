/** Waiting for a run, as the interface allows it: one look in five seconds. */
import { z } from 'zod'
import type { Client } from '../contract/client-core.ts'
import { hasEnded, type RunState } from '../contract/run.ts'
import { sleep } from '../contract/sleep.ts'
import { visible } from './answer.ts'
import type { Calling } from './parts.ts'

/** Milliseconds. */
const EVERY = 5_000
const LONGEST = 300
/** Most clients give a call a minute. */
const USUAL = 45

/** The interface says of one that is none that it names nothing. */
export const GivenId = z.string().min(1).max(64)
export const ScanId = GivenId.describe('Id of the run, as start_scan, list_scans and test_hypothesis give it')
export const WaitSeconds = z
  .int()
  .min(0)
  .max(LONGEST)
  .default(USUAL)
  .describe(
    'Waits so long for the end and tells the progress meanwhile; 0 answers at once. Call again to go on waiting',
  )

/** The run as it is when it has ended, or when the time is over. */
export const waitForEnd = async (
  client: Client,
  id: string,
  seconds: number,
  { signal, progress }: Calling,
): Promise<RunState> => {
  const over = performance.now() + seconds * 1_000
  for (;;) {
    const run = await client.readScan({ params: { id }, signal })
    const left = over - performance.now()
    if (hasEnded(run.status) || left <= 0) return run
    await progress(run.progress, visible(`${run.phase}: ${run.phase_detail}`, 200))
    await sleep(Math.min(EVERY, left), signal)
  }
}
