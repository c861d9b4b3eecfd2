/** Parts of the paces of addresses, held by the runs of one agent: its network is nobody else's, and addresses there mean nothing elsewhere. */
import { SLICE_MS, type Slice, sliceBeside } from '../contract/pace.ts'

export type PaceBook = (runId: string, address: string) => Slice

export const createPaceBook = (): PaceBook => {
  const held = new Map<string, Map<string, { readonly share: number; readonly until: number }>>()
  return (runId, address) => {
    const now = performance.now()
    for (const [of, runs] of held) {
      for (const [run, { until }] of runs) if (until <= now) runs.delete(run)
      if (runs.size === 0) held.delete(of)
    }
    const runs = held.get(address) ?? new Map()
    held.set(address, runs)
    runs.delete(runId)
    const slice = sliceBeside([...runs.values()].map(({ share }) => share))
    runs.set(runId, { share: slice.share, until: now + SLICE_MS })
    return slice
  }
}
