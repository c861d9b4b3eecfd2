/**
 * Objects that no answer names: what takes a number is tried with small ones as the first of the people, until an answer says whose it is. On test
 * systems alone, as what is of nobody in the run is shown as well.
 */
import { jsonTreeOf } from '../../../page/json.ts'
import type { CollectContext } from '../../module.ts'

import { type Operation, requestWith } from './operations.ts'
import { isCalled } from './owned.ts'
import { isGranted, type Party } from './parties.ts'

const MOST_OPERATIONS = 10
const MOST_NUMBERS = 20
const DEEPEST = 6
const OWNER = /^(?:owner|user|customer|client|account|member|holder|belongs_?to)(?:_?(?:id|name))?$/i
const CALLS = /^(?:id|name|user_?name|login|e?-?mail)$/i

/** Gives each of the people an object of theirs where one is found so. */
export const countOwn = async (
  { target, signal }: Pick<CollectContext, 'target' | 'signal'>,
  operations: readonly Operation[],
  identities: readonly Party[],
  isOver: () => boolean = () => false,
): Promise<void> => {
  const [first, ...others] = identities.filter(({ left }) => left === null)
  if (target.environment !== 'test' || first === undefined || others.length === 0) return
  const open = operations.filter(
    (one) => takesNumber(one) && !identities.some(({ own }) => isGranted(own.get(one)?.first)),
  )
  for (const operation of open.slice(0, MOST_OPERATIONS)) {
    signal.throwIfAborted()
    if (isOver()) return
    await count(operation, first, [first, ...others])
  }
}

const takesNumber = ({ slots: [slot, ...more], reads }: Operation): boolean =>
  reads && slot !== undefined && more.length === 0 && /^\d{1,6}$/.test(slot.value)

const count = async (operation: Operation, first: Party, people: readonly Party[]): Promise<void> => {
  const [slot] = operation.slots
  if (slot === undefined) return
  const missing = new Set(people)
  for (let number = 1; number <= MOST_NUMBERS && missing.size > 0; number += 1) {
    const values = new Map([[slot, String(number)]])
    const request = requestWith(operation, values)
    const reply = await first.ask(request, operation.template)
    if (!isGranted(reply)) continue
    const json = jsonTreeOf(reply.text)
    const owner = people.find((party) => missing.has(party) && ownerIn(json, party) !== null)
    if (owner === undefined) continue
    const own = owner === first ? reply : await owner.ask(request, operation.template)
    if (!isGranted(own)) continue
    const says = ownerIn(json, owner) ?? ''
    owner.own.set(operation, { request, values, first: own, says })
    missing.delete(owner)
  }
}

/** `owner: carla`, of a member that says whose it is; null where none names this one. Numbers are many people's. */
const ownerIn = (value: unknown, party: Party, depth = 0): string | null => {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return null
  for (const [key, one] of Object.entries(value)) {
    const names = OWNER.test(key) ? namesIn(one) : []
    const called = names.find((name) => isCalled(party, name))
    if (called !== undefined) return `${key} is ${called}`
    const within = ownerIn(one, party, depth + 1)
    if (within !== null) return within
  }
  return null
}

const namesIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)]
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  return Object.entries(value).flatMap(([key, one]) =>
    CALLS.test(key) && (typeof one === 'string' || typeof one === 'number') ? [String(one)] : [],
  )
}
