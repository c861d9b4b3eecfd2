/**
 * Whether others may press what does something to somebody's thing and carries no text: cancel, release, close. They press it for one that is
 * named to its owner alone, and its owner looks whether its row of the page says something else than before; then for a second one, which has to
 * change alike. The owner presses last: where not even that shows, a refusal to others is none. On test systems alone.
 */
import { readHtml } from '../../../page/html.ts'
import { isHtml, mediaTypeOf } from '../../../page/text.ts'
import { visibleText } from '../../../page/visible.ts'
import type { CollectContext } from '../../module.ts'
import type { Answer } from './answers.ts'
import type { Flaw } from './facts.ts'
import { type Case, isHigher, type World } from './judging.ts'
import { nameOf, type Operation, parameterOf, requestWith, type Slot } from './operations.ts'
import { isGranted, type Party, type Reply } from './parties.ts'
import { replayOf } from './replay.ts'
import { alone, bounded, type Used } from './sending.ts'

export interface Pressed {
  readonly flaw: Flaw | null
  /** Why nothing can be said of it; null where others were kept from it, or were not. */
  readonly kept: string | null
}

export const FEW = 'too few things of one person alone are shown that it could be pressed for'
export const RESTLESS = 'the page that shows what it does changes by itself'

export const pressedCase = async (
  ctx: CollectContext,
  operation: Operation,
  world: World,
  cases: readonly Case[],
): Promise<Pressed> => {
  const slot = operation.slots.at(-1)
  if (slot === undefined || operation.slots.length > 1) return { flaw: null, kept: FEW }
  const used: Used = new Map()
  for (const seen of cases.filter((one) => isItsList(operation, one))) {
    const { victim } = seen
    const by = world.identities.find((party) => party !== victim && party.left === null && !isHigher(party, victim))
    const things = by === undefined ? [] : ownThings(operation, slot, seen, world)
    if (by === undefined || things.length < 2) continue
    // Above the first of a page new ones come in.
    const chosen = things.slice(things.length > 2 ? 1 : 0)
    return alone(ctx, operation, used, () => pressAll(ctx, { operation, slot, seen, by, things: chosen, used }))
  }
  return { flaw: null, kept: FEW }
}

interface Pressing {
  readonly operation: Operation
  readonly slot: Slot
  readonly seen: Case
  readonly by: Party
  /** Named to the owner alone. */
  readonly things: readonly string[]
  readonly used: Used
}

/** A page of the owner's that names things by itself, and the button beside each. */
const isItsList = ({ template }: Operation, { operation: seen, replies }: Case): boolean =>
  seen.slots.length === 0 && template.seenOn.includes(seen.template.url) && replies.size > 0

/** On that page, and on none that another is shown. */
const ownThings = (
  operation: Operation,
  slot: Slot,
  { victim, operation: page, answers }: Case,
  world: World,
): readonly string[] => {
  const theirs = new Set(
    world.identities
      .filter((party) => party !== victim)
      .flatMap((party) => {
        const shown = party.own.get(page)?.first
        return [...party.objects(slot), ...(isGranted(shown) ? thingsOn(shown, operation, slot) : [])]
      }),
  )
  const [first, second] = answers.map((answer) => thingsOn(answer, operation, slot))
  return (first ?? []).filter((thing) => second?.includes(thing) === true && !theirs.has(thing))
}

/** What the buttons of a page are for, in its order. */
const thingsOn = ({ exchange, text }: Answer, { template }: Operation, slot: Slot): readonly string[] => {
  if (!isHtml(mediaTypeOf(exchange), text)) return []
  const own = new URL(template.url)
  const segments = own.pathname.split('/').slice(1)
  const found = readHtml(text, exchange.request.url).forms.flatMap(({ action, inputs }) => {
    const url = URL.parse(action ?? exchange.request.url, exchange.request.url)
    if (url === null || url.host !== own.host) return []
    const parts = url.pathname.split('/').slice(1)
    const isSame =
      parts.length === segments.length &&
      parts.every((part, at) => part === segments[at] || (slot.place === 'path' && String(at) === slot.at))
    if (!isSame) return []
    if (slot.place === 'path') return parts[Number(slot.at)] ?? []
    if (slot.place === 'query') return url.searchParams.get(slot.at) ?? []
    return inputs.filter(({ name }) => name === slot.at).map(({ value }) => value)
  })
  return [...new Set(found)].filter((thing) => /^[\w-]{1,64}$/.test(thing))
}

/** Words of a thing's row that were not there before, and words that are not there any more. */
interface Change {
  readonly came: ReadonlySet<string>
  readonly went: ReadonlySet<string>
}

const pressAll = async (ctx: CollectContext, pressing: Pressing): Promise<Pressed> => {
  const { by, seen, things } = pressing
  const [one = '', other = ''] = things
  const first = await press(ctx, pressing, by, one)
  if (typeof first === 'string') return { flaw: null, kept: first }
  if (first.change === null) {
    // What nobody is seen to do refuses nobody.
    const control = await press(ctx, pressing, seen.victim, one)
    const isSeen = typeof control !== 'string' && control.change !== null
    return { flaw: null, kept: isSeen ? null : `what ${seen.victim.name} does with it is not seen` }
  }
  const second = await press(ctx, pressing, by, other)
  if (typeof second === 'string') return { flaw: null, kept: second }
  const came = second.change === null ? [] : [...first.change.came.intersection(second.change.came)]
  const went = second.change === null ? [] : [...first.change.went.intersection(second.change.went)]
  if (came.length + went.length === 0) return { flaw: null, kept: RESTLESS }
  return { flaw: flawOf(ctx, pressing, { reply: first.reply, after: first.after, came, went }), kept: null }
}

/** In words why it says nothing; else what changed in the row of the thing, null where nothing did. */
const press = async (
  ctx: CollectContext,
  { operation, slot, seen, used }: Pressing,
  party: Party,
  thing: string,
): Promise<{ readonly reply: Reply; readonly after: Answer; readonly change: Change | null } | string> => {
  const before = await twice(operation, slot, seen, thing)
  if (typeof before === 'string') return before
  const request = requestWith(operation, new Map([[slot, thing]]))
  const reply = await bounded(ctx, operation, request, () => party.ask(request, operation.template), used)
  if (reply === null) return 'it was sent as often as it may be'
  if (!('exchange' in reply)) return reply.why === '' ? 'its answers say nothing of who may' : reply.why
  const after = await twice(operation, slot, seen, thing)
  if (typeof after === 'string') return after
  return { reply, after: after.answer, change: changeOf(before.words, after.words) }
}

/** The words of its row, the same in two answers; others of the page may change meanwhile. */
const twice = async (
  operation: Operation,
  slot: Slot,
  { victim, asked, operation: page }: Case,
  thing: string,
): Promise<{ readonly answer: Answer; readonly words: Words } | string> => {
  const read = async () => {
    const answer = await victim.ask(asked.request, page.template)
    return isGranted(answer)
      ? { answer, words: wordsOf(rowOf(answer, thing, thingsOn(answer, operation, slot))) }
      : null
  }
  const [one, other] = [await read(), await read()]
  if (one === null || other === null) return 'its owner is not shown the page that names it'
  return changeOf(one.words, other.words) === null ? other : RESTLESS
}

/** From what names the thing before it to what names the one behind it; '' where the page names it no more. */
const rowOf = ({ text }: Answer, thing: string, things: readonly string[]): string => {
  const places = things.map((one) => ({
    one,
    at: [...text.matchAll(new RegExp(`(?<![\\w-])${one}(?![\\w-])`, 'g'))].map(({ index }) => index),
  }))
  const own = places.find(({ one }) => one === thing)?.at ?? []
  const [first, last] = [own[0], own.at(-1)]
  if (first === undefined || last === undefined) return ''
  const others = places.filter(({ one }) => one !== thing).flatMap(({ at }) => at)
  const from = Math.max(0, ...others.filter((at) => at < first))
  const to = Math.min(text.length, ...others.filter((at) => at > last))
  // A row begins and ends with an element.
  return text.slice(text.indexOf('>', from) + 1, to)
}

type Words = ReadonlyMap<string, number>

/** What the run itself has written is no word of the site's. */
const OWN = /^(?:sonde|qx|qz|qv|qf)/i

const wordsOf = (row: string): Words => {
  const words = new Map<string, number>()
  for (const [word] of visibleText(row)
    .toLowerCase()
    .matchAll(/[\p{L}\p{N}]{3,40}/gu))
    if (/\p{L}/u.test(word) && !OWN.test(word)) words.set(word, (words.get(word) ?? 0) + 1)
  return words
}

const changeOf = (before: Words, after: Words): Change | null => {
  const more = (a: Words, b: Words): ReadonlySet<string> =>
    new Set([...b].filter(([word, count]) => count > (a.get(word) ?? 0)).map(([word]) => word))
  const change = { came: more(before, after), went: more(after, before) }
  return change.came.size + change.went.size === 0 ? null : change
}

const flawOf = (
  ctx: CollectContext,
  { operation, slot, seen, by, things }: Pressing,
  {
    reply,
    after,
    came,
    went,
  }: {
    readonly reply: Reply
    readonly after: Answer
    readonly came: readonly string[]
    readonly went: readonly string[]
  },
): Flaw => {
  const { victim, asked } = seen
  const [one = '', other = ''] = things
  const request = requestWith(operation, new Map([[slot, one]]))
  const said = [
    ...(came.length > 0 ? [`said “${came.slice(0, 3).join(' ')}”`] : []),
    ...(went.length > 0 ? [`said “${went.slice(0, 3).join(' ')}” no more`] : []),
  ].join(' and ')
  const { pathname } = new URL(asked.request.url)
  const status = 'exchange' in reply ? reply.exchange.status : null
  const mark = came[0] ?? one
  return {
    ...{ kind: 'object', writes: true, ...nameOf(operation) },
    ...{ method: operation.template.method, url: request.url, parameter: parameterOf(operation, slot) },
    ...{
      owner: victim.name,
      by: by.name,
      byRole: by.role,
      confidence: 'confirmed',
      values: [...came, ...went].slice(0, 6),
    },
    evidence: [
      ctx.evidence({
        filename: `pressed-as-${by.name}.txt`,
        contentType: 'text/plain',
        body: after.text.slice(0, 16_384),
      }),
    ],
    detail: `${by.name}${by.role === '' ? '' : ` (${by.role})`} sent it for ${slot.name} ${one} and ${other}, which are named to ${victim.name} alone, and their rows at ${pathname} then ${said}.`,
    excerpt: `${request.method} ${request.url}\nas ${by.name}: HTTP ${status}\n\n${asked.request.method ?? 'GET'} ${asked.request.url}\nas ${victim.name}: … ${visibleText(rowOf(after, one, [one])).slice(0, 400)}`,
    mark,
    replay: replayOf(request, by, operation.template),
  }
}
