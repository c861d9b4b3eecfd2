/**
 * Whether others may change what is somebody's: a marker is written into the object as them, and its owner looks whether it is there.
 * On test systems alone, within what a form may be sent there, and taken back where the object showed what stood there before. The owner
 * writes first: where not even that is seen, a refusal to others is none.
 */
import { headerOf } from '../../../page/exchange.ts'
import { doneSurely } from '../../doubtful.ts'
import type { CollectContext } from '../../module.ts'
import { untilWithin } from '../insertion-points/times.ts'
import type { Answer } from './answers.ts'
import { ownWayTo } from './below.ts'
import { isShown, markerFor } from './carriers.ts'
import type { Cell, Flaw, Row } from './facts.ts'
import { aloneSlot, type Case, isPublic, type World } from './judging.ts'
import { isFunctionWord } from './names.ts'
import { isObjectValue, nameOf, type Operation, parameterOf, requestWith, type Slot } from './operations.ts'
import { cellOf, isAnswer, isGranted, type Party, type Reply } from './parties.ts'
import { FEW, pressedCase } from './pressed.ts'
import { pressedObject } from './pressed-objects.ts'
import { replayOf } from './replay.ts'
import { OUT_OF_TIME } from './rows.ts'
import { bounded } from './sending.ts'
import { isPartOfShared } from './shared-address.ts'
import { isFor, isForFew, isNumber, NO_MARKER, standing, type Target, targetOf, written } from './write-target.ts'

export interface Written {
  readonly flaws: readonly Flaw[]
  readonly rows: readonly Row[]
  /** By operation: null where everybody was asked, else why not. */
  readonly objects: readonly (string | null)[]
  readonly functions: readonly (string | null)[]
}

/** Of the time that is left. */
const OF_WRITING = 0.6
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
    (one) => !one.reads && (one.slots.length > 0 || one.words.some(isFunctionWord) || isForFew(one, world, cases)),
  )
  const outcomes = new Map<Operation, Outcome>()
  const until = untilWithin(ctx, Number.POSITIVE_INFINITY, OF_WRITING)
  await doneSurely<Operation>(
    world.identities.map(({ session }) => session),
    writing,
    async (some, begin) => {
      for (const [index, operation] of some.entries()) {
        ctx.progress(`${index} of ${some.length} operations that write`, 0.9 + (0.1 * index) / some.length)
        if (performance.now() > until) {
          const isFunction = isForFew(operation, world, cases)
          outcomes.set(operation, { flaws: [], row: null, isFunction, kept: OUT_OF_TIME })
          continue
        }
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
  const isFunction = isForFew(operation, world, cases)
  const chosen =
    ctx.target.environment === 'test' ? targetOf(operation, cases, world) : 'nothing is written to a production system'
  if (chosen === NO_MARKER && !isFunction) return pressed(ctx, operation, world, cases)
  if (typeof chosen === 'string') return { flaws: [], row: null, isFunction, kept: chosen }
  const { victim } = chosen.seen
  const before = await ownerSees(chosen)
  const first = await tryAs(ctx, victim, chosen, before)
  const { target, control } = await shownSomewhere(chosen, first)
  // What is refused to its owner for its token, its form or its values says nothing of others.
  const unable =
    control === null ? SENT : control.seen === null ? `what ${victim.name} writes with it is not seen` : null
  const replies = new Map<Party, Reply>(control === null ? [] : [[victim, control.reply]])
  const flaws: Flaw[] = []
  let kept = unable
  for (const party of unable === null ? [world.nobody, ...world.identities] : []) {
    if (!isFor(party, target)) continue
    const tried = await tryAs(ctx, party, target, before, control?.seen ?? before)
    if (tried === null) {
      kept ??= SENT
      break
    }
    replies.set(party, tried.reply)
    const below = tried.seen === null && control !== null ? await tryBelow(ctx, party, target, before, control) : null
    if (below !== null) flaws.push(below)
    if (tried.seen !== null && control !== null && isAddition(target, world, control.marker, tried.seen)) continue
    // A page beside the object may tell of what was refused, as a log does.
    if (tried.seen !== null && target !== chosen && control !== null && !isAnsweredAlike(control.reply, tried.reply))
      continue
    // A number may stand there by chance: another one is written.
    const again = tried.seen !== null && isNumber(target) ? await tryAs(ctx, party, target, before, tried.seen) : tried
    if (again?.seen) flaws.push(flawOf(ctx, target, party, isFunction, again.reply, again.seen, again.marker))
    // That nobody has a token to be asked with says nothing of what is whose.
    else if (!party.isNobody) kept ??= unansweredBy(tried.reply)
  }
  if (!isFunction && [...replies.keys()].every((party) => party === victim || party.isNobody)) kept ??= NOBODY_ELSE
  const stood = control?.seen ? standing(target, before, control.seen) : null
  if (stood !== null) {
    const request = written(target, stood, before)
    await bounded(ctx, operation, request, () => victim.ask(request, operation.template))
  }
  return { flaws, row: rowOf(target, world, replies, flaws, kept), isFunction, kept }
}

/** Who is refused at the way of the owner, once more by their own way to the same object; null where that is none, or nothing comes of it. */
const tryBelow = async (
  ctx: CollectContext,
  party: Party,
  target: Target,
  before: Reply,
  control: Tried,
): Promise<Flaw | null> => {
  const values = party.isNobody ? null : ownWayTo(target.operation.slots, target.values, party, before)
  if (values === null) return null
  const by = { ...target, values }
  const tried = await tryAs(ctx, party, by, before, control.seen ?? before)
  return tried?.seen ? flawOf(ctx, by, party, false, tried.reply, tried.seen, tried.marker) : null
}

/** Of what carries no text: a button that does something to somebody's thing. */
const pressed = async (
  ctx: CollectContext,
  operation: Operation,
  world: World,
  cases: readonly Case[],
): Promise<Outcome> => {
  const onPages = await pressedCase(ctx, operation, world, cases)
  const found = onPages.kept === FEW ? await pressedObject(ctx, operation, world, cases) : onPages
  return { flaws: found.flaw === null ? [] : [found.flaw], row: null, isFunction: false, kept: found.kept }
}

/**
 * What was written before stands beside it still, in something that nobody in particular is shown: a review, a comment of a public thing.
 * Whoever may add to that changes nothing of anybody's. Nor does who writes what names no object, as everybody's own profile, which a list of all shows.
 */
export const isAddition = (
  { seen, values, isFunction }: Pick<Target, 'seen' | 'values' | 'isFunction'>,
  world: Pick<World, 'nobody'>,
  before: string,
  after: Pick<Answer, 'text'>,
): boolean => {
  const namesNone = [...values].every(([{ place }, value]) => !IN_ADDRESS.includes(place) && !isObjectValue(value))
  return after.text.includes(before) && (isPublic(seen, world) || (!isFunction && namesNone))
}
const IN_ADDRESS: readonly Slot['place'][] = ['path', 'query']

/** Why a reply is no answer to whether one may; null where it is. */
const unansweredBy = (reply: Reply): string | null =>
  reply.state === 'failed' || reply.state === 'left'
    ? reply.why === ''
      ? 'its answers say nothing of who may'
      : reply.why
    : null

/** The marker may show on another page that its owner is shown, as what is done to somebody shows in a log. */
const shownSomewhere = async (
  chosen: Target,
  first: Tried | null,
): Promise<{ readonly target: Target; readonly control: Tried | null }> => {
  for (const seen of first === null || first.seen !== null ? [] : chosen.also) {
    const target = { ...chosen, seen }
    const after = await ownerSees(target)
    if (first !== null && isShownIn(chosen, first.marker, after)) return { target, control: { ...first, seen: after } }
  }
  return { target: chosen, control: first }
}

const isShownIn = ({ fields }: Target, marker: string, reply: Reply): reply is Answer =>
  isGranted(reply) && fields.some((one) => isShown(one, marker, reply.text))

/** The same status, and led to the same page. */
const isAnsweredAlike = (one: Reply, other: Reply): boolean =>
  isAnswer(one) &&
  isAnswer(other) &&
  one.exchange.status === other.exchange.status &&
  (headerOf(one.exchange, 'location') ?? '') === (headerOf(other.exchange, 'location') ?? '') &&
  (one.state === other.state || one.state === 'empty')

const ownerSees = ({ seen }: Target): Promise<Reply> => seen.victim.ask(seen.asked.request, seen.operation.template)

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
  const request = written(target, marker, before)
  const reply = await bounded(ctx, operation, request, () => party.ask(request, operation.template))
  if (reply === null) return null
  const after = await ownerSees(target)
  return { reply, marker, seen: isShownIn(target, marker, after) ? after : null }
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
  const slot = by.isNobody || isFunction ? null : aloneSlot(shown, by)
  const isInPart = slot !== null && isPartOfShared(slot, shown, by)
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
      confidence: isInPart ? 'tentative' : 'confirmed',
      values: [marker],
      evidence,
    },
    detail: `${who} wrote “${marker}” with it, and ${victim.name} then saw it at ${placeOf(asked.request.url)}.`,
    excerpt: `${request.method} ${request.url}\nas ${by.name || 'nobody'}: HTTP ${cellOf(reply).status}\n\n${asked.request.method ?? 'GET'} ${asked.request.url}\nas ${victim.name}: … ${seen.text.slice(Math.max(0, at - 100), at + 100)}`,
    mark: marker,
    replay: replayOf({ ...request, body: written(target, marker, seen).body ?? '' }, by, target.operation.template),
  }
}

/** Without it one program that answers for all would be one place. */
const placeOf = (address: string): string => {
  const { pathname, search } = new URL(address)
  return `${pathname}${search}`.slice(0, 200)
}
