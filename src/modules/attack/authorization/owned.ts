/** What a list names to everybody, and an answer says is somebody's: that it may be asked for is meant, its secrets are not. */
import type { Answer, Leaf } from './answers.ts'
import type { Case, Found } from './judging.ts'
import { isUser } from './names.ts'
import type { Slot } from './operations.ts'
import type { Party } from './parties.ts'
import { STAFF } from './ranks.ts'
import { carriedOf } from './telling.ts'

const OWNER = /^(?:owner|user|username|owned_?by|created_?by|holder|belongs_?to)(?:_?name)?$/
const SELF = /^(?:user_?name|login|e_?mail)$/
/** Members that are called after what others must not know, whatever else is shown to them. */
const SECRET = /secret|private|pass(?:word|phrase|code)|token|api_?key|^pin$|iban|card_?(?:no|number)|^ssn$/
/** A flag, or what is masked for others. */
const NO_SECRET = /^(?:true|false|null)$|[*•…]|x{4}/i
const FEWEST = 4

/** `own`: what the other was shown by nothing else. */
export const ownedFlaw = (
  { asked, victim, answers: [first] }: Pick<Case, 'asked' | 'victim' | 'answers'>,
  party: Party,
  reply: Answer,
  own: readonly Leaf[],
): Found | null => {
  const slot = [...asked.values.keys()].at(-1)
  if (slot === undefined) return null
  // Of a person, who has a profile that others see, the record itself says who it is.
  const owner = first.leaves.find(({ name, value }) =>
    isUser(slot)
      ? SELF.test(name) && isRecordOfAnother(victim, party, value)
      : OWNER.test(name) && isCalled(victim, value),
  )
  if (owner === undefined || isCalled(party, owner.value)) return null
  const { leaves } = carriedOf(
    own.filter(({ name, value }) => SECRET.test(name) && value.length >= FEWEST && !NO_SECRET.test(value)),
    reply,
  )
  return leaves.length === 0
    ? null
    : { ...{ kind: 'object', confidence: 'firm', leaves, slot }, because: `its ${owner.name} is ${owner.value}` }
}

/** It is the victim's, or one person's alone of two that may do the same: whose ever it is, one of them is shown it who should not be. */
const isRecordOfAnother = (victim: Party, party: Party, value: string): boolean =>
  isCalled(victim, value) ||
  isNamesake(victim, value) ||
  (!isNamesake(party, value) && victim.rank === party.rank && (party.rank ?? STAFF) < STAFF)

/** Identities are named after their accounts more often than not. */
const isNamesake = ({ name }: Party, value: string): boolean =>
  name !== '' && value.split('@')[0]?.toLowerCase() === name.toLowerCase()

const HOLDER = /^(?:owner|user|customer|client|account|member|person|holder|patient|tenant)(?:_?id)?$/

/**
 * Of an object that the sign-in gave to the one, and another to the other: that it shows nothing private says nothing where it names the one as whose it
 * is, by the number that the sign-in knows them by.
 */
export const namedOwnerFlaw = (
  { victim, answers: [first] }: Pick<Case, 'victim' | 'answers'>,
  party: Party,
  reply: Answer,
  slot: Slot,
): Found | null => {
  const owner = first.leaves.find(({ name, value }) => HOLDER.test(name) && isCalled(victim, value))
  if (owner === undefined || isUser(slot) || isCalled(party, owner.value)) return null
  if (!reply.leaves.some(({ name, value }) => name === owner.name && value === owner.value)) return null
  const because = `the sign-in gives ${slot.name} to ${victim.name}, and its ${owner.name} is ${owner.value}`
  return { kind: 'object', confidence: 'firm', leaves: [owner], slot, because }
}

/** Why an object is the victim's and not the other's. `isInPart`: others of its kind are for both. */
export const saysWhose = (
  { asked, victim, misplaced }: Pick<Case, 'asked' | 'victim' | 'misplaced'>,
  party: Party,
  slot: Slot,
  { isNamed, isInPart }: { readonly isNamed: boolean; readonly isInPart: boolean },
): string => {
  if (misplaced) return misplaced.because
  if (asked.says) return `its ${asked.says}`
  const object = `${slot.name} ${asked.values.get(slot)}`
  return isNamed
    ? `the sign-in gives ${object} to ${victim.name}, and another to ${party.name}`
    : `${object} is named by answers to ${victim.name} alone${isInPart ? ', beside others of its kind that both are shown' : ''}`
}

const NAMES = ['sub', 'username', 'name', 'login', 'user', 'email']
const PEOPLE = ['user', 'customer', 'account', 'member', 'person', 'profile']
const PLACES = [...NAMES.map((name) => [name, null] as const), ...PEOPLE.map((of) => ['id', of] as const)]

/** By its sign-in. */
export const isCalled = (party: Party, value: string): boolean =>
  PLACES.some(([name, of]) =>
    party.named({ place: 'json', at: '', name, of, value: '' } satisfies Slot).includes(value),
  )
