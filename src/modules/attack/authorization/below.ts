/**
 * Objects below others: `/customers/3/orders/61`. Who is refused at the way of the owner asks once more, by a way of their own to the same last
 * object: a server that looks at the first name alone gives it to them.
 */
import type { Case } from './judging.ts'
import { requestWith } from './operations.ts'
import { isGranted, type Party } from './parties.ts'

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
  return isGranted(reply) ? { ...one, asked: { ...asked, request, values }, replies: new Map([[party, reply]]) } : null
}
