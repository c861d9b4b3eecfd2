/**
 * Objects below others: `/customers/3/orders/61`. Who is refused at the way of the owner asks once more, by a way of their own to the same last
 * object: a server that looks at the first name alone gives it to them.
 */
import { plainName, singular } from '../../../page/names.ts'
import type { Answer } from './answers.ts'
import type { Case } from './judging.ts'
import { requestWith, type Slot } from './operations.ts'
import { isGranted, type Party, type Reply } from './parties.ts'
import { stableLeaves } from './telling.ts'

/** Null where there is no such way, it was asked already, or it is refused, too. */
export const askBelow = async (one: Case, party: Party): Promise<Case | null> => {
  const { operation, asked, replies } = one
  const [own, last] = [party.own.get(operation), operation.slots.at(-1)]
  const wanted = last && asked.values.get(last)
  if (last === undefined || wanted === undefined || own === undefined || !isGranted(own.first)) return null
  if (operation.slots.length < 2 || isGranted(replies.get(party)) || own.values.get(last) === wanted) return null
  const isOwnWay = operation.slots.slice(0, -1).some((slot) => own.values.get(slot) !== asked.values.get(slot))
  if (!isOwnWay) return null
  const values = new Map([...own.values, [last, wanted]])
  const request = requestWith(operation, values)
  const reply = await party.ask(request, operation.template)
  if (!isGranted(reply)) return null
  // Other modules write to it meanwhile: what its owner is shown now is what another may have been shown.
  const [first, again] = [
    await one.victim.ask(asked.request, operation.template),
    await one.victim.ask(asked.request, operation.template),
  ]
  const now =
    isGranted(first) && isGranted(again) ? { answers: [first, again] as const, stable: stableLeaves(first, again) } : {}
  const holder = operation.slots.slice(0, -1).find((slot) => liesBelow(reply, slot, asked.values.get(slot), own.values))
  return {
    ...{ ...one, ...now, asked: { ...asked, request, values }, replies: new Map([[party, reply]]) },
    ...(holder === undefined
      ? {}
      : {
          misplaced: {
            slot: last,
            because: `it says that it lies in ${holder.name} ${asked.values.get(holder)}, where ${party.name} is refused`,
          },
        }),
  }
}

/**
 * By which objects of their own somebody writes to what is another's, and says of itself (`before`, as its owner sees it) that it lies in what is the
 * owner's; null where they know none, or it does not say so.
 */
export const ownWayTo = (
  slots: readonly Slot[],
  values: ReadonlyMap<Slot, string>,
  party: Pick<Party, 'objects'>,
  before: Reply,
): ReadonlyMap<Slot, string> | null => {
  if (slots.length < 2 || !isGranted(before)) return null
  const own = new Map(values)
  const parents = slots.slice(0, -1).filter(({ place }) => place === 'path')
  for (const slot of parents) {
    const [other] = party.objects(slot).filter((one) => one !== values.get(slot))
    if (other !== undefined) own.set(slot, other)
  }
  return parents.some((slot) => liesBelow(before, slot, values.get(slot), own)) ? own : null
}

/** The answer names what the owner's way leads through as what it lies in (`workspace_id` of `/workspaces/3/…`), and not what it was asked below. */
const liesBelow = (
  { leaves }: Answer,
  slot: Slot,
  theirs: string | undefined,
  own: ReadonlyMap<Slot, string>,
): boolean => {
  if (theirs === undefined || own.get(slot) === theirs) return false
  const thing = singular(plainName(slot.of ?? slot.name))
  const says = leaves.filter(({ name }) => [thing, `${thing}id`, `${thing}uuid`].includes(plainName(name)))
  return says.some(({ value }) => value === theirs) && says.every(({ value }) => value !== own.get(slot))
}
