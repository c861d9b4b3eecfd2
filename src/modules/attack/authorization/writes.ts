/**
 * Whether others may change what is somebody's: a marker is written into the object as them, and its owner looks whether it is there.
 * On test systems alone, within what a form may be sent there, and taken back where the object showed what stood there before. The owner
 * writes first: where not even that is seen, a refusal to others is none.
 */
import type { HttpRequest } from '../../../egress/door/egress.ts'
import { pageRequest } from '../../../page/exchange.ts'
import { plainName, singular } from '../../../page/names.ts'
import { doneSurely } from '../../doubtful.ts'
import type { CollectContext } from '../../module.ts'
import { formWith, jsonWith } from '../insertion-points/body.ts'
import { requestOf } from '../insertion-points/inventory.ts'
import { leavesOf } from '../insertion-points/points.ts'
import { SHARED } from '../insertion-points/shared.ts'
import type { Answer } from './answers.ts'
import { type Field, fieldsOf, isShown, markerFor, namesThing } from './carriers.ts'
import type { Cell, Flaw, Row } from './facts.ts'
import { aloneSlot, type Case, isFunctionWord, isNamedForFew, isPublic, sharedWith, type World } from './judging.ts'
import { nameOf, type Operation, parameterOf, requestWith, type Slot } from './operations.ts'
import { cellOf, isGranted, type Party, type Reply } from './parties.ts'
import { replayOf } from './replay.ts'

export interface Written {
  readonly flaws: readonly Flaw[]
  readonly rows: readonly Row[]
  /** By operation: null where everybody was asked, else why not. */
  readonly objects: readonly (string | null)[]
  readonly functions: readonly (string | null)[]
}

/** What is asked: an operation that writes, the object it writes to, and how its owner sees it. */
interface Target {
  readonly operation: Operation
  readonly values: ReadonlyMap<Slot, string>
  readonly seen: Case
  readonly fields: readonly Field[]
}

const SENT = 'it was sent as often as it may be'
/** Of an object: that nobody in particular is refused says nothing of whose it is. */
const NOBODY_ELSE = 'the run has nobody else for whom it would not be'

/** What one operation came to. */
interface Outcome {
  readonly flaws: readonly Flaw[]
  readonly row: Row | null
  readonly isFunction: boolean
  /** Why not everybody was asked, null where they were. */
  readonly kept: string | null
}

export const askWrites = async (
  ctx: CollectContext,
  operations: readonly Operation[],
  world: World,
  cases: readonly Case[],
): Promise<Written> => {
  const writing = operations.filter(
    (one) => !one.reads && (one.slots.length > 0 || one.words.some(isFunctionWord) || isNamedForFew(one, world, cases)),
  )
  const outcomes = new Map<Operation, Outcome>()
  await doneSurely<Operation>(
    world.identities.map(({ session }) => session),
    writing,
    async (some, begin) => {
      for (const [index, operation] of some.entries()) {
        ctx.progress(`${index} of ${some.length} operations that write`, 0.9 + (0.1 * index) / some.length)
        const done = begin(operation)
        outcomes.set(operation, await askOne(ctx, operation, world, cases))
        done()
      }
    },
  )
  const all = writing.flatMap((operation) => outcomes.get(operation) ?? [])
  const keptOf = (of: boolean) => all.filter(({ isFunction }) => isFunction === of).map(({ kept }) => kept)
  return {
    flaws: all.flatMap(({ flaws }) => flaws),
    rows: all.flatMap(({ row }) => row ?? []),
    ...{ objects: keptOf(false), functions: keptOf(true) },
  }
}

const askOne = async (
  ctx: CollectContext,
  operation: Operation,
  world: World,
  cases: readonly Case[],
): Promise<Outcome> => {
  const isFunction = isNamedForFew(operation, world, cases)
  const target =
    ctx.target.environment === 'test' ? targetOf(operation, cases, world) : 'nothing is written to a production system'
  if (typeof target === 'string') return { flaws: [], row: null, isFunction, kept: target }
  const { victim } = target.seen
  const before = await ownerSees(target)
  const control = await tryAs(ctx, victim, target, before)
  // What is refused to its owner for its token, its form or its values says nothing of others.
  const unable =
    control === null ? SENT : control.seen === null ? `what ${victim.name} writes with it is not seen` : null
  const replies = new Map<Party, Reply>(control === null ? [] : [[victim, control.reply]])
  const flaws: Flaw[] = []
  let kept = unable
  for (const party of unable === null ? [world.nobody, ...world.identities] : []) {
    if (!isFor(party, target, isFunction)) continue
    const tried = await tryAs(ctx, party, target, before, control?.seen ?? before)
    if (tried === null) {
      kept ??= SENT
      break
    }
    replies.set(party, tried.reply)
    if (tried.seen !== null && control !== null && isAddition(target.seen, world, control.marker, tried.seen)) continue
    // A number may stand there by chance: another one is written.
    const again = tried.seen !== null && isNumber(target) ? await tryAs(ctx, party, target, before, tried.seen) : tried
    if (again?.seen) flaws.push(flawOf(ctx, target, party, isFunction, again.reply, again.seen, again.marker))
    // That nobody has a token to be asked with says nothing of what is whose.
    else if (!party.isNobody) kept ??= unansweredBy(tried.reply)
  }
  if (!isFunction && [...replies.keys()].every((party) => party === victim || party.isNobody)) kept ??= NOBODY_ELSE
  const stood = control?.seen ? standing(target, before) : null
  if (stood !== null)
    await bounded(ctx, operation, () => victim.ask(written(target, stood, before), operation.template))
  return { flaws, row: rowOf(target, world, replies, flaws, kept), isFunction, kept }
}

/**
 * What was written before stands beside it still, in something that nobody in particular is shown: a review, a comment of a public thing.
 * Whoever may add to that changes nothing of anybody's.
 */
export const isAddition = (
  seen: Case,
  world: Pick<World, 'nobody'>,
  before: string,
  after: Pick<Answer, 'text'>,
): boolean => after.text.includes(before) && isPublic(seen, world)

/** Why a reply is no answer to whether one may; null where it is. */
const unansweredBy = (reply: Reply): string | null =>
  reply.state === 'failed' || reply.state === 'left'
    ? reply.why === ''
      ? 'its answers say nothing of who may'
      : reply.why
    : null

const ownerSees = ({ seen }: Target): Promise<Reply> => seen.victim.ask(seen.asked.request, seen.operation.template)

/** Those to whom it does not belong. */
const isFor = (party: Party, { seen, values }: Target, isFunction: boolean): boolean => {
  if (party === seen.victim || party.left !== null) return false
  if (party.isNobody) return true
  if (isFunction) return (party.rank ?? 0) < (seen.victim.rank ?? 0)
  if ((party.rank ?? 0) > (seen.victim.rank ?? 0)) return false
  const asked = { ...seen.asked, values }
  return aloneSlot({ asked }, party) !== null && sharedWith(seen, party) === null
}

/**
 * How its owner sees what it writes, or why it is not asked. Of several objects one first that is not for somebody else: of a superior's, where
 * the other is of the administration.
 */
export const targetOf = (operation: Operation, cases: readonly Case[], world: World): Target | string => {
  const fields = fieldsOf(operation)
  if (fields.length === 0) return 'nothing in it can carry a marker'
  const isFunction = cases.length > 0 && isNamedForFew(operation, world, cases)
  const others = ({ seen, values }: { readonly seen: Case; readonly values: ReadonlyMap<Slot, string> }): number =>
    Number(world.identities.some((party) => isFor(party, { operation, values, seen, fields }, isFunction)))
  const found = cases
    .flatMap((seen) => {
      const values = filledFrom(operation, seen, world)
      return values !== null && isAbout(operation, seen) ? [{ seen, values }] : []
    })
    .toSorted((a, b) => others(b) - others(a) || nearness(operation, b.seen) - nearness(operation, a.seen))[0]
  if (found === undefined) return 'nothing that its owner sees would show the change'
  // What the object shows is written; what it does not name may be shown under another name.
  const shown = found.seen.answers[0].leaves.map(({ name }) => name)
  const named = fields.filter(({ name }) => shown.includes(name.toLowerCase())).slice(0, 1)
  const isObject = found.seen.operation.slots.length > 0 && named.length > 0
  return { operation, fields: isObject ? named : fields, seen: found.seen, values: found.values }
}

const pathOf = ({ template }: Operation): string => new URL(template.url).pathname
const shapeOf = ({ name }: Operation): string => name.split(' ')[1]?.split('?')[0] ?? ''

/** At the same address, or at the one that it hangs below; of what it names; of GraphQL about the same thing. */
const isAbout = (operation: Operation, { operation: seen, asked }: Case): boolean =>
  operation.slots.some((slot) => [...asked.values.keys()].some((known) => namesThing(slot, known))) ||
  (operation.area === '' && seen.area === ''
    ? operation.template.url === seen.template.url &&
      operation.words.some((word) => word.length > 3 && singular(seen.thing).includes(singular(word)))
    : `${shapeOf(operation)}/`.startsWith(`${shapeOf(seen)}/`) && pathOf(seen) !== '/')

const nearness = (operation: Operation, { operation: seen }: Case): number =>
  shapeOf(seen).length + (shapeOf(seen) === shapeOf(operation) ? 100 : 0) + (seen.slots.length > 0 ? 10 : 0)

/**
 * Each place of it with the object of the same name; null where one is not known. What has no page of its own stands in a list: of its objects one that
 * nobody else is shown.
 */
const filledFrom = (
  operation: Operation,
  { asked, victim }: Case,
  { identities }: Pick<World, 'identities'>,
): ReadonlyMap<Slot, string> | null => {
  const alone = (slot: Slot): string | undefined =>
    victim.objects(slot).find((id) => identities.every((one) => one === victim || !one.objects(slot).includes(id)))
  const filled = operation.slots.map((slot): [Slot, string | undefined] => [
    slot,
    [...asked.values].find(([known]) => isSamePlace(slot, known) || namesThing(slot, known))?.[1] ??
      (slot.place === 'path' ? alone(slot) : (victim.objects(slot)[0] ?? slot.value)),
  ])
  return filled.every((pair): pair is [Slot, string] => pair[1] !== undefined) ? new Map(filled) : null
}

const isSamePlace = (a: Slot, b: Slot): boolean =>
  a.place === 'path' && b.place === 'path'
    ? a.at === b.at && a.of === b.of
    : plainName(a.name) === plainName(b.name) && singular(plainName(a.of ?? '')) === singular(plainName(b.of ?? ''))

interface Tried {
  readonly reply: Reply
  readonly marker: string
  /** What its owner sees, where the marker is there. */
  readonly seen: Answer | null
}

/** Null where it may not be sent any more. `latest`: what its owner was last shown. */
const tryAs = async (
  ctx: CollectContext,
  party: Party,
  target: Target,
  before: Reply,
  latest = before,
): Promise<Tried | null> => {
  const { operation, fields } = target
  const [field] = fields
  const shown = isGranted(latest) ? latest.text : ''
  const marker = markerFor(field, shown)
  const send = () => party.ask(written(target, marker, before), operation.template)
  const reply = await bounded(ctx, operation, send)
  if (reply === null) return null
  const after = await ownerSees(target)
  return {
    reply,
    marker,
    seen: isGranted(after) && fields.some((one) => isShown(one, marker, after.text)) ? after : null,
  }
}

/** The request with a text in its field, and all else as the object has it. */
const written = ({ operation, values, fields }: Target, text: string, before: Reply): HttpRequest => {
  const request = requestWith(operation, values)
  const body = typeof request.body === 'string' ? request.body : ''
  if (operation.template.encoding === 'urlencoded')
    return { ...request, body: fields.reduce((whole, { at }) => formWith(whole, at, text), body) }
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

/** Or a day, which may stand there by chance as well. */
const isNumber = ({ fields }: Target): boolean => fields.some(({ isCount, isDay }) => isCount || isDay)

/** What stood there, of an object; what was made anew stays, on a test system. */
const standing = ({ fields, seen }: Target, before: Reply): string | null => {
  const [field] = fields
  if (field === undefined || seen.operation.slots.length === 0 || !isGranted(before)) return null
  return before.leaves.find(({ name }) => name === field.name.toLowerCase())?.value ?? null
}

const bounded = async (
  ctx: CollectContext,
  { template }: Operation,
  send: () => Promise<Reply>,
): Promise<Reply | null> => {
  const asker = {
    ...{ kept: () => 0, used: new Map<string, number>(), careful: false },
    get: async (url: string) => ctx.egress.http(pageRequest(url)),
  }
  const work = async () => {
    const reply = await send()
    return { reply, status: 'exchange' in reply ? reply.exchange.status : 0 }
  }
  const sent = await ctx.scope.of(SHARED).writes.send(asker, {
    ...{ request: requestOf(template), changes: false, pursues: true, work },
    another: async () => void (await send()),
  })
  return sent === null ? null : sent.reply
}

const rowOf = (
  { operation, seen, values }: Target,
  world: World,
  replies: ReadonlyMap<Party, Reply>,
  flaws: readonly Flaw[],
  kept: string | null,
): Row => {
  const own = flaws.filter(({ name, writes }) => writes && name === operation.name)
  const unasked: Cell = { state: 'left', status: null, why: 'it was not tried' }
  return {
    ...{ name: operation.name, method: operation.template.method, url: requestWith(operation, values).url },
    owner: seen.victim.name,
    cells: Object.fromEntries(
      [...world.identities, world.nobody].map((party): [string, Cell] => {
        const reply = replies.get(party)
        return [party.name, reply === undefined ? unasked : cellOf(reply)]
      }),
    ),
    verdict: own.length > 0 ? 'flaw' : kept === null ? 'restricted' : 'unclear',
    note:
      own.length > 0
        ? `not for ${own.map(({ by }) => by ?? 'nobody').join(', ')}`
        : (kept ?? `${seen.victim.name} saw no change`),
  }
}

const flawOf = (
  ctx: CollectContext,
  target: Target,
  by: Party,
  isFunction: boolean,
  reply: Reply,
  seen: Answer,
  marker: string,
): Flaw => {
  const { operation, values, seen: shown } = target
  const request = requestWith(operation, values)
  const { victim, asked } = shown
  const who = by.isNobody ? 'Nobody in particular' : `${by.name}${by.role === '' ? '' : ` (${by.role})`}`
  const evidence = [
    ctx.evidence({
      filename: `written-as-${by.name || 'nobody'}.txt`,
      contentType: 'text/plain',
      body: seen.text.slice(0, 16_384),
    }),
  ]
  const at = seen.text.indexOf(marker)
  return {
    ...{
      kind: by.isNobody ? 'authentication' : isFunction ? 'function' : 'object',
      writes: true,
      ...nameOf(operation),
    },
    ...{
      method: operation.template.method,
      url: request.url,
      parameter: parameterOf(operation, [...values.keys()].at(-1) ?? null),
    },
    ...{
      owner: victim.name,
      by: by.isNobody ? null : by.name,
      byRole: by.role,
      confidence: 'confirmed',
      values: [marker],
      evidence,
    },
    detail: `${who} wrote “${marker}” with it, and ${victim.name} then saw it at ${new URL(asked.request.url).pathname}.`,
    excerpt: `${request.method} ${request.url}\nas ${by.name || 'nobody'}: HTTP ${cellOf(reply).status}\n\n${asked.request.method ?? 'GET'} ${asked.request.url}\nas ${victim.name}: … ${seen.text.slice(Math.max(0, at - 100), at + 100)}`,
    mark: marker,
    replay: replayOf({ ...request, body: written(target, marker, seen).body ?? '' }, by),
  }
}
