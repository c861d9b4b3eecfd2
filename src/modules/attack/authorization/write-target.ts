/** What is written to: an object of somebody's, or a function for few, and where its owner sees what became of it. */
import type { HttpRequest } from '../../../egress/door/egress.ts'
import { readHtml } from '../../../page/html.ts'
import { plainName, singular } from '../../../page/names.ts'
import { isHtml, mediaTypeOf } from '../../../page/text.ts'
import { jsonWith } from '../insertion-points/body.ts'
import { leavesOf } from '../insertion-points/points.ts'
import { isHiddenToken, isToken } from '../insertion-points/tokens.ts'
import type { Answer } from './answers.ts'
import { type Field, fieldsOf, namesThing } from './carriers.ts'
import { fieldWith, isForm } from './form-fields.ts'
import { aloneSlot, type Case, isNamedForFew, sharedWith, type World } from './judging.ts'
import { type Operation, requestWith, type Slot } from './operations.ts'
import { isGranted, type Party, type Reply } from './parties.ts'

/** What is asked: an operation that writes, the object it writes to, and how its owner sees it. */
export interface Target {
  readonly operation: Operation
  readonly values: ReadonlyMap<Slot, string>
  readonly seen: Case
  readonly fields: readonly Field[]
  /** What else its owner is shown that may show it. */
  readonly also: readonly Case[]
  /** Whether it is for few, so that only those below are asked. */
  readonly isFunction: boolean
}

const MOST_ALSO = 6
export const NO_MARKER = 'nothing in it can carry a marker'

/** Those to whom it does not belong. */
export const isFor = (
  party: Party,
  { operation, seen, values, isFunction }: Pick<Target, 'operation' | 'seen' | 'values' | 'isFunction'>,
): boolean => {
  if (party === seen.victim || party.left !== null) return false
  if (party.isNobody) return true
  if (isFunction) return (party.rank ?? 0) < (seen.victim.rank ?? 0)
  if ((party.rank ?? 0) > (seen.victim.rank ?? 0)) return false
  // Its form is refused to them, though they may know that the thing is there.
  if (isItsPage(operation, seen) && seen.replies.get(party)?.state === 'refused') return true
  const asked = { ...seen.asked, values }
  return aloneSlot({ asked }, party) !== null && sharedWith(seen, party) === null
}

/**
 * Whether it is for few: by its name, or because the pages with its form are refused to those below who they are shown to. What only a page of
 * few sends is for few, whatever it is called.
 */
export const isForFew = (operation: Operation, world: World, cases: readonly Case[]): boolean =>
  isNamedForFew(operation, world, cases) ||
  cases.some((one) => isItsPage(operation, one) && one.operation.slots.length === 0 && isRefusedBelow(one, world))

const isRefusedBelow = ({ victim, replies }: Case, { identities, nobody }: World): boolean => {
  const below = identities.filter((party) => (party.rank ?? 0) < (victim.rank ?? 0))
  return (
    below.length > 0 &&
    !isGranted(replies.get(nobody)) &&
    below.every((party) => replies.get(party)?.state === 'refused')
  )
}

/**
 * How its owner sees what it writes, or why it is not asked. Of several objects one first that is not for somebody else: of a superior's, where
 * the other is of the administration.
 */
export const targetOf = (operation: Operation, cases: readonly Case[], world: World): Target | string => {
  const fields = fieldsOf(operation)
  if (fields.length === 0) return NO_MARKER
  const isFunction = cases.length > 0 && isForFew(operation, world, cases)
  const others = ({ seen, values }: { readonly seen: Case; readonly values: ReadonlyMap<Slot, string> }): number =>
    Number(world.identities.some((party) => isFor(party, { operation, values, seen, isFunction })))
  const candidates = cases
    .flatMap((seen) => {
      const values = filledFrom(operation, seen, world)
      return values !== null && isAbout(operation, seen) ? [{ seen, values }] : []
    })
    .toSorted((a, b) => others(b) - others(a) || nearness(operation, b.seen) - nearness(operation, a.seen))
  const [found] = candidates
  if (found === undefined) return 'nothing that its owner sees would show the change'
  // What the object shows is written; what it does not name may be shown under another name.
  const shown = [
    ...found.seen.answers[0].leaves.map(({ name }) => name),
    ...valuesOfForm(operation, found.seen.answers[0]).keys(),
  ]
  const named = fields.filter(({ name }) => shown.includes(name.toLowerCase())).slice(0, 1)
  const isObject = found.seen.operation.slots.length > 0 && named.length > 0
  const { seen, values } = found
  return { operation, fields: isObject ? named : fields, seen, values, isFunction, also: alsoOf(candidates, seen) }
}

/** Pages of the same owner about it, in their order, each once. */
const alsoOf = (candidates: readonly { readonly seen: Case }[], { victim, asked }: Case): readonly Case[] =>
  [
    ...new Map(
      candidates
        .filter(({ seen }) => seen.victim === victim && seen.asked.request.url !== asked.request.url)
        .map(({ seen }) => [seen.asked.request.url, seen]),
    ).values(),
  ].slice(0, MOST_ALSO)

/** What the form of an operation on a page of its owner holds, by the names of its fields in small letters. */
const valuesOfForm = ({ template }: Operation, answer: Answer): ReadonlyMap<string, string> => {
  if (!isForm(template) || !isHtml(mediaTypeOf(answer.exchange), answer.text)) return new Map()
  const names = new Set(template.fields.map(({ name }) => name))
  const { pathname } = new URL(template.url)
  const form = readHtml(answer.text, answer.exchange.request.url).forms.find(
    ({ action, inputs }) =>
      URL.parse(action ?? '')?.pathname === pathname &&
      new Set(inputs.map(({ name }) => name)).intersection(names).size === names.size,
  )
  return new Map(
    (form?.inputs ?? []).flatMap(({ name, value, type }) =>
      names.has(name) && type !== 'submit' ? [[name.toLowerCase(), value] as const] : [],
    ),
  )
}

const pathOf = ({ template }: Operation): string => new URL(template.url).pathname
export const shapeOf = ({ name }: Pick<Operation, 'name'>): string => name.split(' ')[1]?.split('?')[0] ?? ''

/** At the same address, or at the one that it hangs below; of what it names; of GraphQL about the same thing. */
const isAbout = (operation: Operation, one: Case): boolean => {
  const { operation: seen, asked } = one
  if (isItsPage(operation, one)) return true
  return isOfIt(operation, seen, asked)
}

const isOfIt = (operation: Operation, seen: Operation, asked: Case['asked']): boolean =>
  operation.slots.some((slot) => [...asked.values.keys()].some((known) => namesThing(slot, known))) ||
  (operation.area === '' && seen.area === ''
    ? operation.template.url === seen.template.url &&
      operation.words.some((word) => word.length > 3 && singular(seen.thing).includes(singular(word)))
    : `${shapeOf(operation)}/`.startsWith(`${shapeOf(seen)}/`) && pathOf(seen) !== '/')

const nearness = (operation: Operation, one: Case): number => {
  const { operation: seen } = one
  return (
    shapeOf(seen).length +
    (shapeOf(seen) === shapeOf(operation) ? 100 : 0) +
    (seen.slots.length > 0 ? 10 : 0) +
    (isItsPage(operation, one) ? 40 : 0) +
    // One program is many: what else it is chosen by tells.
    (seen.area !== '' && seen.area === operation.area ? 20 : 0)
  )
}

/** Its form stands there. What an interface of GraphQL tells of itself is seen at the one address of all that it does, which is no page. */
const isItsPage = ({ template, name }: Operation, { operation: seen }: Case): boolean =>
  (seen.field === null && template.seenOn.includes(seen.template.url)) ||
  name.slice(name.indexOf(' ')) === seen.name.slice(seen.name.indexOf(' '))

/**
 * Each place of it with the object of the same name; null where one is not known. What has no page of its own stands in a list: of its objects one that
 * nobody else is shown.
 */
const filledFrom = (
  operation: Operation,
  { asked, victim, operation: seen, answers }: Case,
  { identities }: Pick<World, 'identities'>,
): ReadonlyMap<Slot, string> | null => {
  /** What its list shows of them, so that what is written is seen there, such as somebody else is not shown before others. */
  const listed = (slot: Slot): string | undefined => {
    const shown = victim.objects(slot).filter((id) => answers[0].values.has(id))
    return shown.find((id) => identities.some((one) => one !== victim && !one.objects(slot).includes(id))) ?? shown[0]
  }
  const alone = (slot: Slot): string | undefined =>
    victim.objects(slot).find((id) => identities.every((one) => one === victim || !one.objects(slot).includes(id)))
  const filled = operation.slots.map((slot): [Slot, string | undefined] => [
    slot,
    [...asked.values].find(
      ([known]) => isSamePlace(slot, known) || namesThing(slot, known) || isMirrored(operation, slot, known, seen),
    )?.[1] ?? (slot.place === 'path' ? alone(slot) : (listed(slot) ?? victim.objects(slot)[0] ?? slot.value)),
  ])
  return filled.every((pair): pair is [Slot, string] => pair[1] !== undefined) ? new Map(filled) : null
}

/** A field of a form holds what names the page that it stands on. */
const isMirrored = ({ template }: Operation, slot: Slot, known: Slot, seen: Operation): boolean =>
  slot.place === 'form' && slot.value === known.value && template.seenOn.includes(seen.template.url)

const isSamePlace = (a: Slot, b: Slot): boolean =>
  a.place === 'path' && b.place === 'path'
    ? a.at === b.at && a.of === b.of
    : plainName(a.name) === plainName(b.name) && singular(plainName(a.of ?? '')) === singular(plainName(b.of ?? ''))

/** The request with a text in its field, and all else as the object has it. */
export const written = ({ operation, values, fields }: Target, text: string, before: Reply): HttpRequest => {
  const request = requestWith(operation, values)
  const body = typeof request.body === 'string' ? request.body : ''
  if (isForm(operation.template)) {
    const filled = isGranted(before) ? withStanding(operation, body, before) : body
    return {
      ...request,
      body: fields.reduce((whole, { at }) => fieldWith(operation.template, whole, at, text), filled),
    }
  }
  const slots = new Set(operation.slots.map(({ at }) => at))
  const kept = leavesOf(body).reduce((whole, [at, value]) => {
    const name = at.slice(at.lastIndexOf('/') + 1).toLowerCase()
    const own =
      isGranted(before) && !slots.has(at) ? before.leaves.find((leaf) => leaf.name === name)?.value : undefined
    return own === undefined || /^-?\d/.test(value) ? whole : (jsonWith(whole, at, own) ?? whole)
  }, body)
  return {
    ...request,
    body: fields.reduce((whole, { at, isCount }) => jsonWith(whole, at, isCount ? Number(text) : text) ?? whole, kept),
  }
}

/** A form with what its page shows in it, but for what names the object and for tokens. */
const withStanding = (operation: Operation, body: string, before: Answer): string => {
  const standing = valuesOfForm(operation, before)
  const slots = new Set(operation.slots.map(({ at }) => at))
  return operation.template.fields.reduce((whole, { name, value, type }) => {
    const own = standing.get(name.toLowerCase())
    const isKept = slots.has(name) || isToken(name, value) || isHiddenToken(name, value, type)
    return own === undefined || isKept ? whole : fieldWith(operation.template, whole, name, own)
  }, body)
}

/** Or a day, which may stand there by chance as well. */
export const isNumber = ({ fields }: Target): boolean => fields.some(({ isCount, isDay }) => isCount || isDay)

/**
 * What stood there: of an object, and of the form of somebody's own page, which holds what is kept and shows what was written since. What was made
 * anew stays, on a test system. `after`: what its owner saw behind their own writing.
 */
export const standing = ({ operation, fields, seen }: Target, before: Reply, after: Reply): string | null => {
  const [field] = fields
  if (field === undefined || !isGranted(before)) return null
  const name = field.name.toLowerCase()
  const held = valuesOfForm(operation, before).get(name) ?? null
  if (seen.operation.slots.length > 0) return before.leaves.find((leaf) => leaf.name === name)?.value ?? held
  const now = isGranted(after) ? valuesOfForm(operation, after).get(name) : undefined
  return held === '' || now === undefined || now === held ? null : held
}
