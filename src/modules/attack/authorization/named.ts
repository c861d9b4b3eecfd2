/**
 * What is named for administrators and answered all the same, where nobody of a higher role shows what they alone are shown: to the only role
 * of the run, and to nobody. The name alone proves nothing, so that the answer has to show people's data, or forms that administer.
 */
import { readHtml } from '../../../page/html.ts'
import { singular } from '../../../page/names.ts'
import { isHtml, mediaTypeOf } from '../../../page/text.ts'
import type { CollectContext } from '../../module.ts'
import type { Answer, Leaf } from './answers.ts'
import type { Flaw } from './facts.ts'
import { type Case, flawOf, type World } from './judging.ts'
import { isFunctionWord, isUserWord } from './names.ts'
import type { Operation } from './operations.ts'
import { requestWith } from './operations.ts'
import { isAnswer, isGranted, type Party } from './parties.ts'
import { isPersonal, stableLeaves } from './telling.ts'

/** What only administrators are meant by: `staff` or `manage` may lead to what people do themselves, `administration` to a town hall. */
const ADMINISTERS =
  /^(?:admins?|administrators?|superadmin|superuser|sysadmin|back-?office)$|^admin(?:panel|console|area|tool)$/

export const isForAdministrators = ({
  words,
  forAdministrators,
}: Pick<Operation, 'words' | 'forAdministrators'>): boolean =>
  forAdministrators === true || words.some((word) => ADMINISTERS.test(word))

/** From this rank on somebody may be shown what is for few. */
const STAFF = 2
/** One may be one's own. */
const FEWEST_PEOPLE = 2

/** A lone role, as its owner has named it, is answered with data of others. */
export const loneRoleFlaws = (ctx: CollectContext, cases: readonly Case[], world: World): readonly Flaw[] => {
  const present = world.identities.filter(({ left }) => left === null)
  if (present.some(({ rank, role }) => (rank ?? 0) >= STAFF || role === '')) return []
  return cases.flatMap((one) => {
    const { operation, victim, answers, stable } = one
    if (operation.slots.length > 0) return []
    const refused = isForAdministrators(operation) ? undefined : refusedBeside(operation, victim)
    if (!isForAdministrators(operation) && refused === undefined) return []
    if (isGranted(one.replies.get(world.nobody)) || isMost(operation, cases)) return []
    const leaves = stable.filter((leaf) => isPersonal(leaf) && !victim.knows(leaf.value, operation))
    if (leaves.length < FEWEST_PEOPLE) return []
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
 * as `staff`, may hold a list of them for everybody.
 */
const refusedBeside = ({ area, words }: Operation, victim: Party): Operation | undefined =>
  words.length < 2 || !isFunctionWord(area.toLowerCase()) || isUserWord(singular(area.toLowerCase()))
    ? undefined
    : [...victim.own].find(
        ([other, { first }]) =>
          other.area === area && other.slots.length === 0 && isAnswer(first) && first.exchange.status === 403,
      )?.[0]

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
