/**
 * What was asked signed in and is in doubt: a session that is found lost was lost at some time since its last proof, and what was answered since then
 * may have been answered to nobody.
 */
import type { RunSession } from './module.ts'

export interface Doubtful<Item> {
  /** To be called when work on an item begins; what it gives when the work is done. */
  readonly begin: (item: Item) => () => void
  /** Proves the sessions. Those items whose answers are in doubt, each once: to be done again where it can. */
  readonly settle: () => Promise<readonly Item[]>
}

/** Of everybody as whom an item is asked; null for whom nobody proves. */
export const createDoubtful = <Item>(of: readonly (RunSession | null | undefined)[]): Doubtful<Item> => {
  const watched = of.flatMap((session) => (session ? [session] : []))
  let under = watched.map(countsOf)
  let since = new Set<Item>()
  let doubtful = new Set<Item>()
  const look = (): void => {
    const now = watched.map(countsOf)
    const replaced = now.some(({ session, lost }, at) => session !== under[at]?.session || lost !== under[at]?.lost)
    if (replaced) doubtful = doubtful.union(since)
    // Only where all were proven since is all of it known to have been answered to somebody.
    if (replaced || (now.length > 0 && now.every(({ proofs }, at) => proofs !== under[at]?.proofs))) {
      since = new Set()
      under = now
    }
  }
  return {
    begin: (item) => {
      look()
      const begun = watched.map(countsOf)
      return () => {
        look()
        if (watched.length === 0) return
        const replaced = watched
          .map(countsOf)
          .some(({ session, lost }, at) => session !== begun[at]?.session || lost !== begun[at]?.lost)
        if (replaced) doubtful.add(item)
        else since.add(item)
      }
    },
    settle: async () => {
      look()
      if (since.size > 0) for (const session of watched) if (session.lost() === null) await session.prove()
      look()
      const again = [...doubtful]
      doubtful = new Set()
      return again
    },
  }
}

const countsOf = (session: RunSession) => ({
  session: session.session(),
  proofs: session.proofs(),
  lost: session.lost() !== null,
})

/** Times that what is in doubt is done again: a session that dies each time would have it done for ever. */
const MOST_ROUNDS = 3

/** Does all, and again what is in doubt. Returns what still is. */
export const doneSurely = async <Item>(
  sessions: readonly (RunSession | null | undefined)[],
  items: readonly Item[],
  work: (items: readonly Item[], begin: Doubtful<Item>['begin'], again: boolean) => Promise<void>,
): Promise<readonly Item[]> => {
  const doubt = createDoubtful<Item>(sessions)
  let next = items
  for (let round = 0; next.length > 0; round += 1) {
    if (round > MOST_ROUNDS) return next
    await work(next, doubt.begin, round > 0)
    next = await doubt.settle()
  }
  return []
}
