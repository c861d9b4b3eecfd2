/** What the answers of everybody to one question come to. See docs/decisions/0391. */

import type { MatrixVerdict } from '../../../contract/matrix.ts'
import { exchangeText } from '../../../page/exchange.ts'
import { plainName, singular } from '../../../page/names.ts'
import { isHtml, mediaTypeOf } from '../../../page/text.ts'
import type { CollectContext } from '../../module.ts'
import { MADE_UP } from '../crawl/facts.ts'
import type { Answer, Leaf } from './answers.ts'
import type { Flaw } from './facts.ts'
import { isAround, samenessBeyond, shownOfItsOwn } from './frame.ts'
import { isFunctionWord, isOfMoney, isOneself, isUser } from './names.ts'
import { isForEverybody, isOffered, isProofOf, isProvenIn, shownToAll } from './offered.ts'
import { nameOf, type Operation, parameterOf, type Slot, wordsOf } from './operations.ts'
import { namedOwnerFlaw, ownedFlaw, saysWhose } from './owned.ts'
import { type Asked, isGranted, type Party, type Reply } from './parties.ts'
import { isShownAnyway, isWorkedOut } from './regardless.ts'
import { replayOf } from './replay.ts'
import {
  isCapability,
  isListOf,
  isPartOfShared,
  isPool,
  isSecretAddress,
  listAsBoth,
  POOL,
  parentOf,
} from './shared-address.ts'
import { byWeight, carriedOf, isOfRun, isPersonal, isSaid } from './telling.ts'

export interface World {
  /** In the order of the run. */
  readonly identities: readonly Party[]
  readonly nobody: Party
  readonly operations: readonly Operation[]
}

/** One operation as one person asks it, and what all others are answered to the same. */
export interface Case {
  readonly operation: Operation
  readonly victim: Party
  readonly asked: Asked
  /** Twice the same by the victim. */
  readonly answers: readonly [Answer, Answer]
  /** Telling values of both. */
  readonly stable: readonly Leaf[]
  readonly replies: ReadonlyMap<Party, Reply>
  /** What the victim is answered for an object that nobody has; absent where that was not asked. */
  readonly control?: Reply
  /** The answer to one of the others for an object of nobody. */
  readonly anyway?: Reply
  /** An object that was asked for below one of the other's own, and says of itself that it lies in the owner's, where the other is refused. */
  readonly misplaced?: { readonly slot: Slot; readonly because: string }
}

/** Of what its owner is shown, another is shown at least so much: masked fields and parts are a right of their own. */
export const HALF = 0.5
/** The same answer, but for what changes by itself. */
const SAME = 0.9

export const judgeCase = (ctx: CollectContext, one: Case, world: World, cases: readonly Case[]): readonly Flaw[] => {
  const open = authenticationFlaw(one, world, cases)
  if (open !== null) return [flawOf(ctx, one, open, world.nobody)]
  if (isPublic(one, world)) return []
  return world.identities.flatMap((party) => {
    if (party === one.victim || isHigher(party, one.victim)) return []
    const found = functionFlaw(one, party, world, cases) ?? objectFlaw(one, party)
    return found === null ? [] : [flawOf(ctx, one, found, party)]
  })
}

export const isHigher = (party: Party, than: Party): boolean => (party.rank ?? 0) > (than.rank ?? 0)

export interface Found {
  readonly kind: Flaw['kind']
  readonly confidence: Flaw['confidence']
  readonly leaves: readonly Leaf[]
  readonly slot: Slot | null
  readonly because: string
}

/** Values of the victim that the other was shown by nothing else. What names the object says nothing: it was asked for. */
export const ownOf = ({ operation, victim, asked, stable, answers: [first] }: Case, other: Party): readonly Leaf[] => {
  const named = [...asked.values.values()]
  const around = isAround(first, victim)
  const alike = shownOfItsOwn(operation, asked, other)
  return stable.filter(
    ({ value }) =>
      !other.knows(value, operation) &&
      !alike.has(value) &&
      !named.some((id) => value === id || (id.length > 3 && value.includes(id))) &&
      !around(value),
  )
}

const objectFlaw = (one: Case, party: Party): Found | null => {
  const reply = one.replies.get(party)
  // What a directory names to all is for those of its place all the same.
  const slot = one.misplaced?.slot ?? aloneSlot(one, party)
  if (isGranted(reply) && slot === null) return ownedFlaw(one, party, reply, ownOf(one, party))
  if (!isGranted(reply) || slot === null || sharedWith(one, party) !== null) return null
  const isNamed = isNamedByBoth(one, party, slot)
  const own = (isNamed ? theirOf(one) : ownOf(one, party)).filter((leaf) => !isShownAnyway(one, leaf))
  const { share, leaves } = carriedOf(own, reply)
  if (isNamed && !leaves.some(isPersonal)) return namedOwnerFlaw(one, party, reply, slot)
  if (leaves.length === 0 || share < HALF || isWorkedOut(one, leaves)) return null
  const personal = leaves.some(isPersonal)
  // Who shows a person without what is private of it shows a profile; what lies in a common place is for those who are there.
  const isMeant = one.asked.says || own.some(isPersonal) || isOfSomebody(one, slot) || isInCommon(one, party)
  if (!personal && isMeant && one.misplaced === undefined) return null
  const isInPart = !isNamed && isPartOfShared(slot, one, party)
  const told = one.asked.says ? 'firm' : 'confirmed'
  return {
    ...{ kind: 'object', confidence: isInPart || leaves.every(isSaid) ? 'tentative' : told, leaves, slot },
    because: saysWhose(one, party, slot, { isNamed, isInPart }),
  }
}

/** A profile, which has no balance: an account that has one is of money. */
const isOfSomebody = ({ answers: [first] }: Case, slot: Slot): boolean => isUser(slot) && !first.leaves.some(isOfMoney)

/** Each sign-in has given its own: what stands in one of them is not the other's, whatever else shows parts of it. */
const isNamedByBoth = ({ victim, asked }: Case, party: Party, slot: Slot): boolean => {
  const [mine, theirs] = [victim.named(slot), party.named(slot)]
  const value = asked.values.get(slot)
  return value !== undefined && mine.includes(value) && theirs.length > 0 && !theirs.includes(value)
}

/** Values of the victim, and not what names the object. */
const theirOf = ({ asked, stable, victim, answers: [first] }: Case): readonly Leaf[] => {
  const named = [...asked.values.values()]
  const around = isAround(first, victim)
  return stable.filter(({ value }) => !named.includes(value) && !around(value))
}

/** A place of the request that names what the other was never shown; null where there is none. What the crawl has made up is nobody's. */
export const aloneSlot = ({ asked }: Pick<Case, 'asked'>, party: Party): Slot | null =>
  [...asked.values].findLast(
    ([slot, value]) =>
      value !== MADE_UP && !party.objects(slot).includes(value) && !(saysNoThing(slot, value) && party.knowsId(value)),
  )?.[0] ?? null

/** What it is an id of is not told: by its name, or as one program shows the same in many ways (`?id=about&do=edit`), where no number counts. */
const saysNoThing = ({ name, place }: Slot, value: string): boolean =>
  REFERS.test(plainName(name)) || (place === 'query' && plainName(name) === 'id' && !/^\d+$/.test(value))

/** Names that say of no thing which one it is: a comment may be on anything that has a number. */
const REFERS = /^(?:row|record|item|object|entity|element|resource|target|parent|ref|source|subject)(?:id|key|uuid|pk)$/

/** Why an object is for the other, too, though its own answers do not name it; null where nothing says so. */
export const sharedWith = (one: Case, party: Party): string | null => {
  if (isSecretAddress(one.asked.request.url)) return 'its address is a secret by itself, for whoever has it'
  const slot = aloneSlot(one, party)
  if (slot !== null && isPool(slot, one.victim, party)) return POOL
  const parent = parentOf(one.asked.request.url)
  const [mine, theirs] = listAsBoth(parent, one.victim, party)
  return isGranted(mine) &&
    isGranted(theirs) &&
    isListOf(mine, one, slot) &&
    samenessBeyond(theirs, [mine, mine], one.victim) >= SAME
    ? 'its collection is one for both'
    : null
}

const COMMON =
  /^(?:project|team|group|channel|board|room|class|course|repo|repository|thread|conversation|topic|event|meeting|workspace|space|folder|album)$/
const COMMON_ID =
  /^(project|team|group|channel|board|room|class|course|repo|repository|thread|conversation|topic|event|meeting|workspace|space|folder|album)_?(?:id|uuid|key|slug)$/

/** It lies in something of which the other knows by right: a project, a channel. */
const isInCommon = ({ asked, answers: [first] }: Case, party: Party): boolean => {
  const behind = [...asked.values].slice(0, -1)
  if (
    behind.some(([slot, value]) => COMMON.test(singular(plainName(slot.name))) && party.objects(slot).includes(value))
  )
    return true
  return first.leaves.some(({ name, value }) => {
    const thing = COMMON_ID.exec(name)?.[1]
    return (
      thing !== undefined && party.objects({ place: 'path', at: '', name: thing, of: thing, value }).includes(value)
    )
  })
}

/** A function for the higher of the two, answered to the lower as to the higher. */
const functionFlaw = (one: Case, party: Party, world: World, cases: readonly Case[]): Found | null => {
  const { operation, victim, answers } = one
  const reply = one.replies.get(party)
  if (!isGranted(reply) || (victim.rank ?? 0) <= (party.rank ?? 0) || isGranted(one.replies.get(world.nobody)))
    return null
  const isNamed = isNamedForFew(operation, world, cases)
  const refused = siblingsOf(operation, cases).filter(({ replies }) => replies.get(party)?.state === 'refused')
  const others = siblingsOf(operation, cases).length
  // Where others are refused, a page for all leads the lower of the two there; pages for few that let them in by mistake lead to each other.
  const leads = ({ operation: by }: Case): boolean => !isNamedForFew(by, world, cases)
  if (isProofOf(party, one) || (refused.length > 0 && isOffered(one, cases, party, leads))) return null
  const { share, leaves } = carriedOf(ownOf(one, party), reply)
  const isSame = samenessBeyond(reply, answers, victim) >= HALF
  const isWhole = share >= HALF && isSame
  const names = refused
    .slice(0, 2)
    .map((each) => each.operation.name)
    .join(' and ')
  const because = `${isNamed ? 'its name says whom it is for' : 'it stands beside what is for few'}${refused.length > 0 ? `; ${names} ${refused.length > 1 ? 'are' : 'is'} refused to ${party.name}` : ''}`
  const found = { kind: 'function', leaves, slot: null, because } as const
  if (isNamed && isWhole && (leaves.some(isPersonal) || (refused.length > 0 && !leaves.every(isOfRun))))
    return { ...found, confidence: 'confirmed' }
  const isBeside = !isNamed && refused.length > 1 && refused.length === others && isWhole && leaves.some(isPersonal)
  // In the same form, with other values, everybody may be shown their own.
  if (isBeside || (isNamed && refused.length > 0 && isSame && isAlikeBuilt(answers[0], reply)))
    return { ...found, confidence: 'firm' }
  return null
}

/** Whether its name says that it is for few. Where all of an interface lies in a folder of such a name, that folder says nothing. */
export const isNamedForFew = (operation: Operation, world: World, cases: readonly Case[]): boolean => {
  const { words, area, forAdministrators } = operation
  if (forAdministrators || isOfRole(operation, world, cases)) return true
  return (isNamespace(area, world, cases) ? words.slice(wordsOf([area]).length) : words).some((word) =>
    isFunctionWord(word),
  )
}

/** `/office/…` of the role "office": the folder is called after a role, and most of it is refused to those below. */
const isOfRole = ({ area }: Operation, { identities }: World, cases: readonly Case[]): boolean =>
  identities.some((party) => {
    const folder = singular(area.toLowerCase())
    if (
      !wordsOf([party.role])
        .map(singular)
        .some((word) => word === folder || isShortFor(folder, word))
    )
      return false
    const below = identities.filter((other) => isHigher(party, other))
    const replies = cases
      .filter(({ operation }) => operation.area === area)
      .flatMap((one) => below.map((other) => one.replies.get(other)))
    return replies.filter((reply) => reply?.state === 'refused').length > replies.filter(isGranted).length
  })

/** `mod` of a moderator. */
const isShortFor = (folder: string, word: string): boolean => folder.length > 2 && word.startsWith(folder)

/** Somebody of a lower role has their own page there; or most is there, and more of it is answered to those of lower roles than is refused. */
const isNamespace = (area: string, { identities }: World, cases: readonly Case[]): boolean => {
  if (identities.some((party) => isProvenIn(party, area))) return true
  const own = apart(cases).filter(({ operation }) => operation.area === area)
  if (area === '' || 2 * own.length < apart(cases).length) return false
  const replies = own.flatMap(({ victim, replies }) =>
    identities.filter((party) => isHigher(victim, party)).map((party) => replies.get(party)),
  )
  return replies.filter(isGranted).length > replies.filter((reply) => reply?.state === 'refused').length
}

/** One of those that answer the same: an application in the browser is one page, at however many addresses it is shown. */
const apart = (cases: readonly Case[]): readonly Case[] => [
  ...new Map(cases.map((one) => [[...one.answers[0].values].join('\n'), one])).values(),
]

/** Other operations without objects in the same folder, of a function that is not at the root of the interface. */
const siblingsOf = (operation: Operation, cases: readonly Case[]): readonly Case[] =>
  operation.words.length < 2 || operation.area === ''
    ? []
    : cases.filter(
        ({ operation: other }) => other !== operation && other.area === operation.area && other.slots.length === 0,
      )

/** Of the same members. */
const isAlikeBuilt = (a: Answer, b: Answer): boolean => {
  const [one, other] = [a, b].map(({ leaves }) => new Set(leaves.map(({ name }) => name).filter((name) => name !== '')))
  if (one === undefined || other === undefined || one.size < 2) return false
  return one.intersection(other).size / one.union(other).size >= SAME
}

/** Whoever asks is answered, though what stands in the answer is for those who are signed in. */
const authenticationFlaw = (one: Case, { nobody }: World, cases: readonly Case[]): Found | null => {
  const reply = one.replies.get(nobody)
  if (!isGranted(reply) || isCapability(one)) return null
  const beside = cases.filter((other) => other.operation !== one.operation && isBeside(one.operation, other.operation))
  const guarded = beside.filter(({ replies }) => replies.get(nobody)?.state === 'refused')
  // A folder of which nobody is shown most is none that asks who is there.
  const isMeant =
    beside.filter(({ replies }) => isGranted(replies.get(nobody))).length < guarded.length ||
    guarded.some(({ operation }) => !isProgram(one.operation) && isOfThing(one.operation, operation))
  if (guarded.length === 0 || !isMeant || isForEverybody(one, cases, nobody)) return null
  // What is called "mine" asks who is there by its nature, and says little of what is there for all.
  const isOfOwn = guarded.every(({ operation }) => isOneself(operation.name))
  const { share, leaves } = carriedOf(ownOf(one, nobody), reply)
  // What the run itself has stored there is nobody's data, whoever else is shown it; nor is what everybody is led to.
  const isForAll = shownToAll(one, cases, nobody)
  const told = leaves.filter((leaf) => !isOfRun(leaf) && !isForAll(leaf.value))
  const hidden = told.filter(({ value }) => isGuarded(value, one, cases, nobody))
  if (share < HALF || (!told.some(isPersonal) && (isOfOwn || hidden.length < 2))) return null
  // What a page names may be meant for everybody, as long as it is nothing that others show to those who are signed in alone.
  const isKnownAlone = hidden.some(isPersonal) || hidden.length > 1 || !isPage(one)
  return {
    ...{ kind: 'authentication', confidence: isKnownAlone && !isOfOwn ? 'confirmed' : 'firm', slot: null },
    leaves: hidden.length > 0 ? hidden : told,
    because: `${guarded[0]?.operation.name} asks who is there`,
  }
}

const isPage = ({ answers: [first] }: Case): boolean => isHtml(mediaTypeOf(first.exchange), first.text)

/** In the same folder, or about the same thing. */
const isBeside = (a: Operation, b: Operation): boolean =>
  (a.area !== '' && a.area === b.area) ||
  (a.area === '' && b.area === '' && a.template.url === b.template.url) ||
  isOfThing(a, b)

/** One file may be a whole application, whatever it is called. */
const isProgram = ({ area }: Operation): boolean => /\.\w{1,5}$/.test(area)

const isOfThing = (a: Operation, b: Operation): boolean =>
  a.thing !== '' && singular(plainName(a.thing)) === singular(plainName(b.thing))

/** What another operation shows to who is signed in, and to nobody else. */
const isGuarded = (value: string, one: Case, cases: readonly Case[], nobody: Party): boolean =>
  cases.some(
    ({ operation, answers, replies }) =>
      operation !== one.operation && replies.get(nobody)?.state === 'refused' && answers[0].values.has(value),
  )

/** Nobody is asked who they are, and sees the same. */
export const isPublic = ({ victim, replies, answers }: Case, { nobody }: Pick<World, 'nobody'>): boolean => {
  const reply = replies.get(nobody)
  return isGranted(reply) && samenessBeyond(reply, answers, victim) >= HALF
}

/** What the row of a case comes to, where there is no flaw. */
export const verdictOf = (one: Case, world: World): { readonly verdict: MatrixVerdict; readonly note: string } => {
  if (isPublic(one, world)) return { verdict: 'public', note: 'nobody sees the same' }
  const others = world.identities.filter((party) => party !== one.victim && !isHigher(party, one.victim))
  const replies = others.map((party) => one.replies.get(party))
  if (others.length === 0) {
    const strange = one.replies.get(world.nobody)?.state
    return strange === 'refused' || strange === 'empty'
      ? { verdict: 'restricted', note: '' }
      : { verdict: 'unclear', note: 'nobody was not answered clearly' }
  }
  if (replies.some((reply) => reply === undefined || reply.state === 'failed' || reply.state === 'left'))
    return { verdict: 'unclear', note: 'not everybody was answered' }
  if (!replies.some(isGranted)) return { verdict: 'restricted', note: '' }
  const same = others.filter((party) => {
    const reply = one.replies.get(party)
    return isGranted(reply) && samenessBeyond(reply, one.answers, one.victim) >= HALF
  })
  if (same.length === 0) return { verdict: 'own', note: '' }
  const why = same.map((party) => sharedWith(one, party)).find((text) => text !== null)
  return { verdict: 'shared', note: why ?? '' }
}

const MOST_VALUES = 5

export const flawOf = (ctx: CollectContext, one: Case, found: Found, by: Party): Flaw => {
  const { operation, victim, asked, answers } = one
  const reply = one.replies.get(by)
  if (!isGranted(reply)) throw new Error('a flaw is an answer')
  const values = byWeight(found.leaves).slice(0, MOST_VALUES)
  const who = by.isNobody ? 'Nobody in particular' : `${by.name}${by.role === '' ? '' : ` (${by.role})`}`
  const evidence = [
    ...[
      { name: victim.name, exchange: answers[0] },
      { name: by.isNobody ? 'nobody' : by.name, exchange: reply },
    ],
  ].map(({ name, exchange }) =>
    ctx.evidence({
      filename: `${found.kind}-as-${name}.txt`,
      contentType: 'text/plain',
      body: exchangeText(exchange.exchange, exchange.text),
    }),
  )
  const shown = values.map(({ name, value }) => (name === '' ? value : `${name}: ${value}`))
  return {
    ...{ kind: found.kind, writes: false, method: operation.template.method, ...nameOf(operation) },
    ...{ url: asked.request.url, parameter: parameterOf(operation, found.slot), owner: victim.name, evidence },
    ...{ by: by.isNobody ? null : by.name, byRole: by.role, confidence: found.confidence },
    values: values.map(({ value }) => value),
    detail: `${who} is answered ${shown.length === 0 ? 'in the form in which' : 'as'} ${victim.name} is${shown.length === 0 ? '' : `, with ${listed(shown.slice(0, 3))}`}: ${found.because}.`,
    excerpt: excerptOf(reply, values, by),
    mark: values[0]?.value ?? null,
    replay: replayOf(asked.request, by),
  }
}

const listed = (texts: readonly string[]): string => texts.map((text) => `“${text.slice(0, 80)}”`).join(', ')

const excerptOf = ({ exchange, leaves }: Answer, values: readonly Leaf[], by: Party): string =>
  [
    `${exchange.request.method} ${exchange.request.url}`,
    `as ${by.isNobody ? 'nobody' : by.name}: HTTP ${exchange.status}`,
    ...(values.length === 0 ? leaves.slice(0, MOST_VALUES) : values).map(
      ({ name, value }) => `${name === '' ? '' : `${name}: `}${value}`,
    ),
  ]
    .join('\n')
    .slice(0, 4_000)
