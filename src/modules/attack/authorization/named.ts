/**
 * What is named for administrators and answered all the same, where nobody of a higher role shows what they alone are shown: to the only role
 * of the run, and to nobody. The name alone proves nothing, so that the answer has to show people's data, or forms that administer.
 */

import { readHtml } from '../../../page/html.ts'
import { jsonTreeOf } from '../../../page/json.ts'
import { plainName, singular } from '../../../page/names.ts'
import { isHtml, mediaTypeOf } from '../../../page/text.ts'
import type { CollectContext } from '../../module.ts'
import type { Answer, Leaf } from './answers.ts'
import type { Flaw } from './facts.ts'
import { type Case, flawOf, type World } from './judging.ts'
import { isFunctionWord, isUserWord } from './names.ts'
import type { Operation } from './operations.ts'
import { requestWith } from './operations.ts'
import { isAnswer, isGranted, type Party } from './parties.ts'
import { STAFF } from './ranks.ts'
import { isPersonal, stableLeaves } from './telling.ts'

/** What only administrators are meant by: `staff` or `manage` may lead to what people do themselves, `administration` to a town hall. */
const ADMINISTERS =
  /^(?:admins?|administrators?|superadmin|superuser|sysadmin|back-?office)$|^admin(?:panel|console|area|tool)$/

export const isForAdministrators = ({
  words,
  forAdministrators,
}: Pick<Operation, 'words' | 'forAdministrators'>): boolean =>
  forAdministrators === true || words.some((word) => ADMINISTERS.test(word))

/** One may be one's own. */
const FEWEST_PEOPLE = 2

/** Whether one of them may be shown what is for few, or nobody has said what they are. */
export const isOfFew = (identities: readonly Party[]): boolean =>
  identities.some(({ left, rank, role }) => left === null && ((rank ?? 0) >= STAFF || role === ''))

/** A lone role, as its owner has named it, is answered with data of others. */
export const loneRoleFlaws = (ctx: CollectContext, cases: readonly Case[], world: World): readonly Flaw[] => {
  const present = world.identities.filter(({ left }) => left === null)
  if (isOfFew(present)) return []
  return cases.flatMap((one) => {
    const { operation, victim, answers, stable } = one
    if (operation.slots.length > 0) return []
    const refused = isForAdministrators(operation) ? undefined : refusedBeside(one, present)
    if (!isForAdministrators(operation) && refused === undefined) return []
    if (isGranted(one.replies.get(world.nobody)) || isMost(operation, cases)) return []
    const personal = stable.filter(isPersonal)
    const unknown = personal.filter((leaf) => !victim.knows(leaf.value, operation))
    // Whom it names is known to be none of the few, whatever else shows them.
    const isOfOutsiders = refused !== undefined && isUserWord(singular(operation.area.toLowerCase()))
    const leaves = isOfOutsiders && unknown.length === 0 ? personal : unknown
    if (leaves.length < (isOfOutsiders ? 1 : FEWEST_PEOPLE)) return []
    const asked = { ...one, replies: new Map([...one.replies, [victim, answers[0]]]) }
    const because =
      refused === undefined
        ? `its ${operation.forAdministrators ? 'description' : 'name'} says that it is for administrators`
        : `its name says that it is for few, and ${refused.name} beside it is refused to ${victim.name}`
    const found = { kind: 'function', confidence: 'firm', leaves, slot: null, because } as const
    const flaw = flawOf(ctx, asked, found, victim)
    return [{ ...flaw, detail: `${victim.name} (${victim.role}) is answered with ${shown(leaves)}: ${because}.` }]
  })
}

/**
 * In a folder for few, another operation that this one was refused for who they are (403: RFC 9110, 15.5.4). A folder that is called after people,
 * as `staff`, may hold a list of them for everybody: there the answer has to name one who is refused as well, and to say that they are none of these.
 */
const refusedBeside = (one: Case, present: readonly Party[]): Operation | undefined => {
  const { operation, victim } = one
  const area = operation.area.toLowerCase()
  if (operation.words.length < 2 || !isFunctionWord(area)) return undefined
  const refused = [...victim.own.keys()].find(
    (other) => other.area === operation.area && other.slots.length === 0 && isForbidden(other, victim),
  )
  if (refused === undefined || !isUserWord(singular(area))) return refused
  const outsiders = present.filter((party) => party !== victim && isForbidden(refused, party))
  return recordsIn(jsonTreeOf(one.answers[0].text)).some((record) => isOutsider(record, operation, outsiders))
    ? refused
    : undefined
}

export const isForbidden = (operation: Operation, party: Party): boolean => {
  const first = party.own.get(operation)?.first
  return isAnswer(first) && first.exchange.status === 403
}

type Record = Readonly<{ [name: string]: unknown }>

const isOutsider = (record: Record, operation: Operation, outsiders: readonly Party[]): boolean => {
  const party = outsiders.find(({ knows }) =>
    Object.entries(record).some(
      ([name, value]) => typeof value === 'string' && isPersonal({ name, value }) && knows(value, operation),
    ),
  )
  if (party === undefined) return false
  const few = singular(operation.area.toLowerCase())
  const said = Object.entries(record).flatMap(([name, value]) => {
    const called = plainName(name).replace(/^is/, '')
    if (singular(called) === few) return [NONE.has(String(value))]
    return SAYS_WHAT.test(called) ? [FOR_ALL.test(String(value)) || String(value) === party.role] : []
  })
  // Where it says nothing of that, what its owner calls them tells whether they may be one of these.
  return said.length > 0 ? said.includes(true) : FOR_ALL.test(party.role)
}

const NONE: ReadonlySet<string> = new Set(['0', 'false', 'no', 'n'])
const SAYS_WHAT = /^(?:user|account)?(?:role|type|kind|group)$/
/** What an application calls those for whom it is there. */
const FOR_ALL = /^(?:customer|client|guest|visitor|buyer|subscriber|patient|student|reader|tenant)s?$/i
const DEEPEST = 6

/** Objects of JSON, wherever they stand. */
const recordsIn = (value: unknown, depth = 0): readonly Record[] => {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return []
  const within = Object.values(value).flatMap((one) => recordsIn(one, depth + 1))
  return Array.isArray(value) ? within : [value as Record, ...within]
}

/** All of an application may lie in a folder of that name. */
const isMost = ({ area, forAdministrators }: Operation, cases: readonly Case[]): boolean =>
  forAdministrators !== true && 2 * cases.filter(({ operation }) => operation.area === area).length >= cases.length

/** Nobody is asked who they are where an administration lies open. `found`: what other questions have found already. */
export const openAdministration = async (
  ctx: CollectContext,
  operations: readonly Operation[],
  nobody: Party,
  found: readonly Flaw[],
): Promise<readonly Flaw[]> => {
  const known = new Set(found.filter(({ kind }) => kind === 'authentication').map(({ name }) => name))
  const flaws: Flaw[] = []
  for (const operation of operations) {
    const first = nobody.own.get(operation)?.first
    if (known.has(operation.name) || !isForAdministrators(operation) || !isGranted(first)) continue
    const again = await nobody.ask(requestWith(operation, new Map()), operation.template)
    if (!isGranted(again)) continue
    const leaves = stableLeaves(first, again).filter(isPersonal)
    const forms = formsOf(first)
    const shows = leaves.length >= FEWEST_PEOPLE ? shown(leaves) : forms[0]
    if (shows === undefined) continue
    const victim = nobody
    const request = requestWith(operation, new Map())
    const one: Case = {
      ...{ operation, victim, stable: leaves, answers: [first, again], replies: new Map([[nobody, first]]) },
      asked: { request, values: new Map(), first },
    }
    const because = `its ${operation.forAdministrators ? 'description' : 'name'} says that it is for administrators, and nobody is asked who they are`
    const flaw = flawOf(ctx, one, { kind: 'open', confidence: 'firm', leaves, slot: null, because }, nobody)
    flaws.push({
      ...flaw,
      detail: `Nobody in particular is answered with ${shows}: ${because}.`,
      ...(leaves.length < FEWEST_PEOPLE ? { excerpt: `${flaw.excerpt}\n${shows}`.slice(0, 4_000), mark: shows } : {}),
    })
  }
  return flaws
}

/** Forms that change something there: no search, and no sign-in. */
const formsOf = ({ exchange, text }: Answer): readonly string[] => {
  if (!isHtml(mediaTypeOf(exchange), text)) return []
  const { forms } = readHtml(text, exchange.request.url)
  return forms.flatMap(({ method, action, inputs }) => {
    const names = inputs.filter(({ type, name }) => name !== '' && type !== 'submit').map(({ name }) => name)
    const asksWho = inputs.some(({ type }) => type === 'password') && names.length <= 4
    if (method.toLowerCase() !== 'post' || asksWho || names.length === 0) return []
    const path = URL.parse(action ?? '', exchange.request.url)?.pathname ?? ''
    if (!path.split(/[^a-z\d]+/i).some((word) => ADMINISTERS.test(word.toLowerCase()))) return []
    return [`a form to ${path} (${names.slice(0, 4).join(', ')})`]
  })
}

const shown = (leaves: readonly Leaf[]): string =>
  leaves
    .slice(0, 3)
    .map(({ name, value }) => `“${(name === '' ? value : `${name}: ${value}`).slice(0, 80)}”`)
    .join(', ')
