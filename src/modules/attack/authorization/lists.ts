/** Lists that show what the address of the object itself refuses: the check stands in front of one of the two. */
import type { CollectContext } from '../../module.ts'
import type { Flaw } from './facts.ts'
import { type Case, flawOf, isHigher, type World } from './judging.ts'
import { isUser } from './names.ts'
import { isGranted, type Party } from './parties.ts'
import { carriedOf, isPersonal } from './telling.ts'

/** Of the object, so much stands in the list: titles and names alone are what lists are for. */
const WHOLE = 0.9

export const listFlaws = (ctx: CollectContext, cases: readonly Case[], world: World): readonly Flaw[] =>
  cases.flatMap((list) => {
    if (list.operation.slots.length > 0) return []
    const items = cases.filter((one) => one.operation.slots.length === 1 && isItemOf(one, list))
    return world.identities.flatMap((party) => {
      const shown = party === list.victim ? list.answers[0] : list.replies.get(party)
      const found = items.find((item) => isRefused(item, party) && isShown(item, party, list))
      if (found === undefined || !isGranted(shown)) return []
      const { leaves } = carriedOf(found.stable, shown)
      const told = { ...list, victim: found.victim, replies: new Map([...list.replies, [party, shown]]) }
      const because = `${found.operation.name} refuses the same to ${party.name}`
      // A directory of people may show what each of them alone may open.
      const confidence = [...found.asked.values.keys()].some(isUser) ? 'firm' : 'confirmed'
      return [flawOf(ctx, told, { kind: 'object', confidence, leaves, slot: null, because }, party)]
    })
  })

/** `/orders/7` of `/orders`. */
const isItemOf = ({ asked }: Case, { asked: list }: Case): boolean => {
  const [item, whole] = [asked.request.url, list.request.url].map((address) => new URL(address).pathname)
  return item !== undefined && whole !== undefined && item.replace(/\/[^/]+\/?$/, '') === whole.replace(/\/$/, '')
}

/** Who is shown their own by it is refused for whose it is, and not for a role. */
const isRefused = ({ operation, victim, replies }: Case, party: Party): boolean =>
  party !== victim &&
  !isHigher(party, victim) &&
  replies.get(party)?.state === 'refused' &&
  isGranted(party.own.get(operation)?.first)

/** With what is private of it: that a thing is there may be for all. */
const isShown = ({ stable }: Case, party: Party, list: Case): boolean => {
  const reply = party === list.victim ? list.answers[0] : list.replies.get(party)
  if (!isGranted(reply)) return false
  const { share, leaves } = carriedOf(stable, reply)
  return share >= WHOLE && leaves.some(isPersonal)
}
