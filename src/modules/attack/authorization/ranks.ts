/**
 * Who stands above whom where no word of their roles tells: a clerk is shown the people of the site by what the others are refused, and
 * refused nothing that these are granted. Words of roles go before (ADR 391): an order that its owner wrote down stays.
 */
import { singular } from '../../../page/names.ts'
import { isUserWord } from './names.ts'
import type { Operation } from './operations.ts'
import { isGranted, type Party } from './parties.ts'
import { isPersonal } from './telling.ts'

/** From this rank on somebody may be shown what is for few. */
export const STAFF = 2

/** Above those of the same word, and below those of the next. */
const ABOVE = 0.5

/** Once everybody has asked what takes no object. */
export const rankBySight = (identities: readonly Party[], nobody: Party): void => {
  const above = identities.filter((party) =>
    identities.some((other) => other !== party && party.rank === other.rank && isShownPeople(party, other, nobody)),
  )
  for (const party of above) party.rank = (party.rank ?? 0) + ABOVE
}

/** Both say what they are, and it is not the same. */
const isShownPeople = (party: Party, other: Party, nobody: Party): boolean => {
  const [mine, theirs] = [party, other].map(({ role }) => role.trim().toLowerCase())
  if (!mine || !theirs || mine === theirs || party.left !== null || other.left !== null) return false
  return (
    aheadOf(other, party, nobody).length === 0 && aheadOf(party, other, nobody).some((one) => shows(one, party, other))
  )
}

/** What the one is granted and the other refused, and nobody is granted. */
const aheadOf = (party: Party, other: Party, nobody: Party): readonly Operation[] =>
  [...party.own].flatMap(([operation, { first }]) =>
    operation.slots.length === 0 &&
    isGranted(first) &&
    other.own.get(operation)?.first.state === 'refused' &&
    !isGranted(nobody.own.get(operation)?.first)
      ? [operation]
      : [],
  )

/** It is about people, and has among them what is private of the other. */
const shows = (operation: Operation, party: Party, other: Party): boolean => {
  const first = party.own.get(operation)?.first
  return (
    isGranted(first) &&
    operation.words.some((word) => isUserWord(singular(word))) &&
    first.leaves.some((leaf) => isPersonal(leaf) && other.knows(leaf.value, operation))
  )
}
