/** The matrix, and how much of it was asked. */
import { MOST_OPERATIONS } from '../../../contract/matrix.ts'
import { isHtml, mediaTypeOf } from '../../../page/text.ts'
import type { OpenRecord } from './alike.ts'
import type { Answer } from './answers.ts'
import type { Asked, AuthorizationFacts, Cell, Flaw, Person, Row } from './facts.ts'
import { samenessBeyond } from './frame.ts'
import { aloneSlot, type Case, HALF, verdictOf, type World } from './judging.ts'
import { isForAdministrators } from './named.ts'
import type { Operation } from './operations.ts'
import { cellOf, isGranted, type Party } from './parties.ts'
import { STAFF } from './ranks.ts'
import { isPersonal } from './telling.ts'
import type { Written } from './writes.ts'

interface Found {
  readonly world: World
  readonly cases: readonly Case[]
  readonly flaws: readonly Flaw[]
  /** Operations that are left alone, by reason. */
  readonly left: Readonly<Record<string, number>>
  readonly written: Written
  /** Asked as nobody alone, see alike.ts. */
  readonly open: readonly OpenRecord[]
  /** Not all of it was asked. */
  readonly isCut: boolean
}

export const factsOf = (found: Found): AuthorizationFacts => {
  const { world, cases, flaws, written } = found
  const rows = [...cases.map((one) => rowOf(one, found)), ...written.rows, ...unasked(found), ...openRows(found)]
  return {
    people: [...world.identities, world.nobody].map(personOf),
    rows: rows
      .toSorted((a, b) => Number(b.verdict === 'flaw') - Number(a.verdict === 'flaw'))
      .slice(0, MOST_OPERATIONS),
    left: Math.max(0, rows.length - MOST_OPERATIONS),
    flaws,
    ...{ objects: objectsOf(found), functions: functionsOf(found), authentication: authenticationOf(found) },
    open: openOf(found),
    requests: Object.fromEntries([...world.identities, world.nobody].map(({ name, requests }) => [name, requests])),
  }
}

const personOf = ({ name, role, rank, left }: Party): Person => ({ name, role, rank, left })

const rowOf = (one: Case, { world, flaws }: Found): Row => {
  const { operation, victim, asked, answers } = one
  const cells = Object.fromEntries(
    [...world.identities, world.nobody].map((party): [string, Cell] => [
      party.name,
      cellOf(party === victim ? answers[0] : one.replies.get(party)),
    ]),
  )
  const own = flaws.filter((flaw) => flaw.name === operation.name && flaw.url === asked.request.url && !flaw.writes)
  const said =
    own.length > 0
      ? { verdict: 'flaw' as const, note: `not for ${own.map(({ by }) => by ?? 'nobody').join(', ')}` }
      : verdictOf(one, world)
  const slot = [...asked.values.keys()].at(-1)
  return {
    ...{ name: operation.name, method: operation.template.method, url: asked.request.url, cells, ...said },
    owner: victim.name,
    ...(slot === undefined ? {} : { parameter: slot.name }),
  }
}

/** What reads and was granted to none of the identities. */
const ungranted = ({ world, cases }: Found): readonly Operation[] => {
  const asked = new Set(cases.map(({ operation }) => operation))
  return world.operations.filter((operation) => !asked.has(operation))
}

const unasked = (found: Found): readonly Row[] =>
  ungranted(found).map((operation) => ({
    ...{ name: operation.name, method: operation.template.method, url: operation.template.url },
    cells: Object.fromEntries(
      [...found.world.identities, found.world.nobody].map((party): [string, Cell] => [
        party.name,
        cellOf(party.own.get(operation)?.first),
      ]),
    ),
    verdict: 'unclear',
    note: whyUngranted(operation, found),
  }))

const openRows = ({ world, open }: Found): readonly Row[] =>
  open.map(({ operation, program, reply }) => ({
    ...{ name: operation.name, method: operation.template.method, url: operation.template.url },
    cells: { ...Object.fromEntries(world.identities.map(({ name }) => [name, MERGED])), '': cellOf(reply) },
    verdict: 'public',
    note: `nobody is shown it, as others of ${program}`,
  }))
const MERGED: Cell = { state: 'left', status: null, why: 'others of the same program were asked' }

const whyUngranted = (operation: Operation, { world: { identities }, isCut }: Found): string => {
  const states = identities.map((party) => party.own.get(operation)?.first.state)
  if (isCut && states.some((state) => state === undefined || state === 'granted')) return OUT_OF_TIME
  if (states.every((state) => state === undefined)) return NO_OBJECT
  if (states.some((state) => state === 'failed')) return 'its answers say nothing of who may'
  return 'no identity is shown anything by it'
}
export const OUT_OF_TIME = 'the time for it was over'
const NO_OBJECT = 'no object for it was seen'

const counted = (reasons: readonly (string | null)[], left: Readonly<Record<string, number>>): Asked => {
  const counts = new Map(Object.entries(left))
  for (const reason of reasons) if (reason !== null) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  const known = reasons.length + Object.values(left).reduce((sum, count) => sum + count, 0)
  return {
    ...{ asked: reasons.filter((reason) => reason === null).length, known },
    reasons: [...counts].map(([reason, count]) => ({ reason, count })).toSorted((a, b) => b.count - a.count),
  }
}

const unanswered = (one: Case, parties: readonly Party[]): string | null => {
  for (const party of parties) {
    const reply = one.replies.get(party)
    if (reply === undefined || reply.state === 'left')
      return reply === undefined ? 'not asked' : 'why' in reply ? reply.why : ''
    if (reply.state === 'failed') return 'its answers say nothing of who may'
  }
  return null
}

const lower = ({ identities }: World, than: Party): readonly Party[] =>
  identities.filter((party) => party !== than && (party.rank ?? 0) <= (than.rank ?? 0))

/** By operation, as its best case says. */
const perOperation = (cases: readonly Case[], why: (one: Case) => string | null): readonly (string | null)[] =>
  [...Map.groupBy(cases, ({ operation }) => operation).values()].map((group) => {
    const reasons = group.map(why)
    return reasons.includes(null) ? null : (reasons[0] ?? null)
  })

/** Exported for its test. */
export const objectsOf = (found: Found): Asked => {
  const { world, cases, left, written, isCut } = found
  const asked = perOperation(
    cases.filter(({ operation }) => operation.slots.length > 0),
    (one) => {
      // What is nested is asked below another's object behind all else.
      if (isCut && one.operation.slots.length > 1) return OUT_OF_TIME
      const others = lower(world, one.victim)
      // Theirs by right, or everybody's: there is nothing to take.
      if (isGranted(one.replies.get(world.nobody)) || others.every((party) => aloneSlot(one, party) === null))
        return unanswered(one, [world.nobody])
      return others.length === 0 ? 'only an identity that may do more was given' : unanswered(one, others)
    },
  )
  const missing = ungranted(found).flatMap((operation) =>
    operation.slots.length > 0 ? [whyUngranted(operation, found)] : [],
  )
  const open = found.open.flatMap(({ operation }) => (operation.slots.length > 0 ? [null] : []))
  return counted([...asked, ...missing, ...written.objects, ...open], left)
}

/** Of so many people something private stands in a list that is about people, and no sender of one message to another. */
const FEWEST_PEOPLE = 3
export const OF_PEOPLE =
  'shown alike to a lower role: a list of people with what is private of them, in which nothing tells who may see it'

/** Whether colleagues may see it, or customers, its owner alone knows. */
const isUntoldList = (one: Case, party: Party, { world, flaws }: Found): boolean => {
  const { operation, victim, answers, replies } = one
  const reply = replies.get(party)
  if (operation.slots.length > 0 || (victim.rank ?? 0) < STAFF || (party.rank ?? 0) >= STAFF) return false
  if (!isGranted(reply) || isGranted(replies.get(world.nobody))) return false
  if (flaws.some(({ name, kind }) => kind === 'function' && name === operation.name)) return false
  const people = Map.groupBy(reply.leaves.filter(isPersonal), ({ name }) => name)
  const most = Math.max(0, ...[...people.values()].map((leaves) => new Set(leaves.map(({ value }) => value)).size))
  return most >= FEWEST_PEOPLE && samenessBeyond(reply, answers, victim) >= HALF
}

/** Exported for its test. */
export const functionsOf = (found: Found): Asked => {
  const { world, cases, left, written, open } = found
  const below = ({ victim }: Case): readonly Party[] =>
    world.identities.filter((party) => (party.rank ?? 0) < (victim.rank ?? 0))
  const untold = cases.filter((one) => below(one).some((party) => isUntoldList(one, party, found)))
  const lists = new Set(untold.map(({ operation }) => operation))
  const asked = perOperation(cases, (one) => (lists.has(one.operation) ? OF_PEOPLE : unanswered(one, below(one))))
  return counted([...asked, ...written.functions, ...open.map(() => null), ...cutOf(found)], left)
}

/** Of an answer in JSON: a state and a message are said to everybody. */
const FEWEST_VALUES = 3
export const UNTOLD = 'shown to nobody in particular as data, in which nothing tells whether everybody may see them'

/** Figures and settings are of no person, and who may see them their owner alone knows. */
const isUntold = ({ exchange, leaves, text }: Answer): boolean =>
  !isHtml(mediaTypeOf(exchange), text) && leaves.length >= FEWEST_VALUES

/** What is named for administrators, asked as nobody. */
const openOf = ({ world, flaws }: Found): Asked =>
  counted(
    world.operations
      .filter((one) => isForAdministrators(one) && one.slots.length === 0)
      .map((one) => {
        const reply = world.nobody.own.get(one)?.first
        if (reply === undefined || reply.state === 'left')
          return reply !== undefined && 'why' in reply ? reply.why : 'not asked'
        if (reply.state === 'failed') return 'its answers say nothing of who may'
        const isFlaw = flaws.some(({ name, by }) => name === one.name && by === null)
        return !isFlaw && isGranted(reply) && isUntold(reply) ? UNTOLD : null
      }),
    {},
  )

const authenticationOf = (found: Found): Asked => {
  const { world, cases, left, open } = found
  const asked = perOperation(cases, (one) => unanswered(one, [world.nobody]))
  return counted([...asked, ...open.map(() => null), ...cutOf(found)], left)
}

/** What had no turn before the time was over. */
const cutOf = (found: Found): readonly string[] =>
  ungranted(found).flatMap((operation) => (whyUngranted(operation, found) === OUT_OF_TIME ? [OUT_OF_TIME] : []))
