/** The parts of addresses' paces that this run holds. They are asked for where somebody waits, and end by themselves. */
import type { Slice } from '../../contract/pace.ts'

/** A part for this run; null where nobody could tell. Never rejects. */
export type LeaseSlice = (address: string) => Promise<Slice | null>

/** Part of the pace that may be used now, 0 to 1; `wanted`: somebody waits for it. */
export type Shares = (address: string, wanted: boolean) => number

/** Milliseconds before its end in which a slice is asked for anew. */
const RENEWED = 1_000
/** Where nobody can tell: as before, and this where nothing was held before. */
const UNTOLD: Slice = { share: 1 / 4, milliseconds: 4_000 }
const KEPT = 1_000

interface Held {
  share: number
  until: number
  asking: boolean
}

/** `changed` is called when what is held of an address is another part than before, or may be asked for again. */
export const createShares = (lease: LeaseSlice, changed: (address: string) => void): Shares => {
  const held = new Map<string, Held>()
  const ask = async (address: string, one: Held): Promise<void> => {
    one.asking = true
    // From when it was asked for: who keeps the slices counts from later, so that no two hold the same.
    const sent = performance.now()
    const told = await lease(address)
    const { share, milliseconds } = told ?? { ...UNTOLD, share: one.share > 0 ? one.share : UNTOLD.share }
    Object.assign(one, { share, until: sent + milliseconds, asking: false })
    if (share === 0) setTimeout(() => changed(address), milliseconds).unref()
    changed(address)
  }
  const forget = (now: number): void => {
    for (const [address, one] of held) if (!one.asking && one.until < now) held.delete(address)
  }
  return (address, wanted) => {
    const now = performance.now()
    let one = held.get(address)
    if (one === undefined) {
      if (held.size >= KEPT) forget(now)
      one = { share: 0, until: 0, asking: false }
      held.set(address, one)
    }
    const renew = one.share === 0 ? one.until : one.until - RENEWED
    if (wanted && !one.asking && now >= renew) void ask(address, one)
    return now < one.until ? one.share : 0
  }
}
