/** Places that were asked as one, told apart. */
import type { CollectContext } from '../../../module.ts'
import type { ProbePoint } from '../../insertion-points/inventory.ts'
import type { Probe } from '../../insertion-points/prober.ts'
import { newWord } from './reflection.ts'
import { lookAt, MOST_PLACES, type Planted, type Seen, type SeenSoFar } from './stored-pages.ts'
import { sendOnce } from './stored-proofs.ts'

/**
 * A word of several places at once says nothing of one: each is sent a word of its own, and the pages that showed it are read anew,
 * before the next is sent and puts the others back.
 */
export const eachAlone = async (
  ctx: CollectContext,
  seen: Seen,
  at: (point: ProbePoint) => Probe,
): Promise<SeenSoFar> => {
  const alone: SeenSoFar = new Map()
  for (const [one, shown] of seen) {
    const { members } = one.probe.point
    if (!members) {
      alone.set(one, shown)
      continue
    }
    for (const point of alone.size < MOST_PLACES ? members : []) {
      const member: Planted = { word: newWord(), probe: at(point), location: one.location }
      member.probe.pursue()
      await sendOnce(member.probe, member.word)
      const where = (await lookAt(ctx, shown, [member])).get(member)
      if (where) alone.set(member, where)
    }
  }
  return alone
}
