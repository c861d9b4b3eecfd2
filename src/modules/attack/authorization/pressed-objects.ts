/**
 * Whether others may do to somebody's object what carries no text, where an interface shows each by itself: `DELETE /tasks/3`,
 * `POST /orders/3/approve`. Somebody sends it for one that is named to its owner and not to them, and the owner looks whether it is gone or says
 * something else than before; then for a second one, which has to change alike. The owner sends last. On test systems alone.
 */
import type { CollectContext } from '../../module.ts'
import type { Answer } from './answers.ts'
import type { Flaw } from './facts.ts'
import { type Case, isHigher, type World } from './judging.ts'
import { nameOf, type Operation, parameterOf, requestWith, type Slot } from './operations.ts'
import { isAnswer, isGranted, type Party, type Reply } from './parties.ts'
import { FEW, type Pressed, RESTLESS } from './pressed.ts'
import { replayOf } from './replay.ts'
import { alone, bounded, type Used } from './sending.ts'
import { shapeOf } from './write-target.ts'

/** That many are sent for. */
const LEAST = 2
const SHOWN = 'what is shown to others as well, they may do something to'
/** What is not there, or not any more (RFC 9110, 15.5.5 and 15.5.11). */
const GONE: ReadonlySet<number> = new Set([404, 410])

export const pressedObject = async (
  ctx: CollectContext,
  operation: Operation,
  world: World,
  cases: readonly Case[],
): Promise<Pressed> => {
  const slot = operation.slots.at(-1)
  if (slot?.place !== 'path') return { flaw: null, kept: FEW }
  const used: Used = new Map()
  for (const seen of cases.filter((one) => isItsObject(operation, one))) {
    for (const by of world.identities) {
      if (by === seen.victim || by.left !== null || isHigher(by, seen.victim)) continue
      const things = ownThings(seen, slot, by)
      if (things.length < LEAST) continue
      const [first = '', second = ''] = things.toReversed()
      return alone(ctx, operation, used, () => sendAll(ctx, { operation, slot, seen, by, first, second, used }))
    }
  }
  return { flaw: null, kept: FEW }
}

interface Sending {
  readonly operation: Operation
  readonly slot: Slot
  readonly seen: Case
  readonly by: Party
  readonly first: string
  readonly second: string
  readonly used: Used
}

/** What shows it by itself: at its address, or at the one that the deed hangs below. */
const isItsObject = (operation: Operation, { operation: seen, asked, replies }: Case): boolean =>
  seen.slots.length === operation.slots.length &&
  seen.slots.every(({ place }) => place === 'path') &&
  `${shapeOf(operation)}/`.startsWith(`${shapeOf(seen)}/`) &&
  isGranted(asked.first) &&
  replies.size > 0

/** Named to the owner and not to the other, to whom that object of the owner is refused. */
const ownThings = ({ victim, replies, asked }: Case, slot: Slot, by: Party): readonly string[] => {
  if (!isAnswer(replies.get(by)) || asked.says !== undefined) return []
  // What all else is asked about stays.
  const theirs = new Set([...by.objects(slot), ...asked.values.values(), slot.value])
  return victim.objects(slot).filter((thing) => !theirs.has(thing) && /^[\w-]{1,64}$/.test(thing))
}

/** The request of an operation for an object that lies where the one lies that the owner was shown. */
const requestFor = (operation: Operation, { asked }: Case, thing: string): ReturnType<typeof requestWith> => {
  const known = [...asked.values]
  const values = operation.slots.map((slot, index): [Slot, string] => [
    slot,
    index === operation.slots.length - 1 ? thing : (known.find(([{ at }]) => at === slot.at)?.[1] ?? slot.value),
  ])
  return requestWith(operation, new Map(values))
}

const sendAll = async (ctx: CollectContext, sending: Sending): Promise<Pressed> => {
  const { by, seen, first, second } = sending
  const one = await send(ctx, sending, by, first)
  if (typeof one === 'string') return { flaw: null, kept: one }
  if (one.changes.size === 0) {
    // What nobody is seen to do refuses nobody.
    const control = await send(ctx, sending, seen.victim, first)
    const isSeen = typeof control !== 'string' && control.changes.size > 0
    return { flaw: null, kept: isSeen ? null : `what ${seen.victim.name} does with it is not seen` }
  }
  // A thing that is shown to others may be liked, counted or answered by them: what is gone was nobody's to take but the owner's.
  if (isGranted(seen.replies.get(by)) && ![...one.changes].every(isGone)) return { flaw: null, kept: SHOWN }
  const other = await send(ctx, sending, by, second)
  if (typeof other === 'string') return { flaw: null, kept: other }
  const alike = [...one.changes.intersection(other.changes)]
  return alike.length === 0 ? { flaw: null, kept: RESTLESS } : { flaw: flawOf(ctx, sending, one, alike), kept: null }
}

interface Sent {
  readonly reply: Reply
  /** What the owner is shown then. */
  readonly after: Answer
  /** That it is gone, or what it says that it did not say before. */
  readonly changes: ReadonlySet<string>
}

/** In words why it says nothing. */
const send = async (
  ctx: CollectContext,
  { operation, seen, used }: Sending,
  party: Party,
  thing: string,
): Promise<Sent | string> => {
  const look = () => seen.victim.ask(requestFor(seen.operation, seen, thing), seen.operation.template)
  const [before, again] = [await look(), await look()]
  if (!isGranted(before) || !isGranted(again)) return 'its owner is not shown what it is for'
  if (changesOf(before, again).size > 0) return RESTLESS
  const request = requestFor(operation, seen, thing)
  const reply = await bounded(ctx, operation, request, () => party.ask(request, operation.template), used)
  if (reply === null) return 'it was sent as often as it may be'
  if (!isAnswer(reply)) return reply.why === '' ? 'its answers say nothing of who may' : reply.why
  const after = await look()
  if (!isAnswer(after) || after.state === 'failed') return 'its owner is not shown what it is for'
  return { reply, after, changes: changesOf(before, after) }
}

const IS_GONE = 'status '
const isGone = (change: string): boolean => change.startsWith(IS_GONE)

const changesOf = (before: Answer, after: Answer): ReadonlySet<string> => {
  if (GONE.has(after.exchange.status)) return new Set([`${IS_GONE}${after.exchange.status}`])
  if (!isGranted(after)) return new Set()
  const said = new Set(before.leaves.map(({ name, value }) => `${name}: ${value}`))
  return new Set(after.leaves.map(({ name, value }) => `${name}: ${value}`).filter((one) => !said.has(one)))
}

const flawOf = (
  ctx: CollectContext,
  { operation, slot, seen, by, first, second }: Sending,
  { reply, after }: Sent,
  alike: readonly string[],
): Flaw => {
  const { victim } = seen
  const [request, shown] = [requestFor(operation, seen, first), requestFor(seen.operation, seen, first)]
  const status = isAnswer(reply) ? reply.exchange.status : null
  const said = alike
    .slice(0, 3)
    .map((one) => `“${one}”`)
    .join(' and ')
  return {
    ...{ kind: 'object', writes: true, ...nameOf(operation) },
    ...{ method: operation.template.method, url: request.url, parameter: parameterOf(operation, slot) },
    ...{ owner: victim.name, by: by.name, byRole: by.role, confidence: 'confirmed', values: alike.slice(0, 6) },
    evidence: [
      ctx.evidence({
        filename: `sent-as-${by.name}.txt`,
        contentType: 'text/plain',
        body: after.text.slice(0, 16_384),
      }),
    ],
    detail: `${by.name}${by.role === '' ? '' : ` (${by.role})`} sent it for ${slot.name} ${first} and ${second}, which are named to ${victim.name} and not to ${by.name}, and ${victim.name} was then answered with ${said} for both.`,
    excerpt: `${request.method} ${request.url}\nas ${by.name}: HTTP ${status}\n\n${shown.method ?? 'GET'} ${shown.url}\nas ${victim.name}: HTTP ${after.exchange.status} ${after.text.slice(0, 400)}`,
    mark: `HTTP ${status}`,
    replay: replayOf(request, by, operation.template),
  }
}
