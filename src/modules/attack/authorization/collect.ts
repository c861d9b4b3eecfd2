/**
 * Asks the operations of the inventory as everybody: first each of its own accord, which shows what belongs to whom; then what
 * belongs to one as all the others and as nobody. What writes is asked on test systems alone, see writes.ts.
 */
import { headerOf } from '../../../page/exchange.ts'
import { doneSurely } from '../../doubtful.ts'
import type { CollectContext } from '../../module.ts'
import type { CrawlFacts } from '../crawl/facts.ts'
import { withQuery, withSegment } from '../insertion-points/compose.ts'
import { inventoryFor } from '../insertion-points/for-strangers.ts'
import type { Routed } from '../insertion-points/routed.ts'
import { SHARED } from '../insertion-points/shared.ts'
import { standIns } from '../insertion-points/stand-ins.ts'
import { untilWithin } from '../insertion-points/times.ts'
import { type OpenRecord, openRecords } from './alike.ts'
import type { Answer } from './answers.ts'
import { askBelow } from './below.ts'
import { askBypasses } from './bypass/ask.ts'
import { countOwn } from './counted.ts'
import type { AuthorizationFacts, ShownToOthers } from './facts.ts'
import { aloneSlot, type Case, isHigher, judgeCase, type World } from './judging.ts'
import { ledAloneFlaws } from './led-alone.ts'
import { withoutLedBoth } from './led-both.ts'
import { linkedOperations } from './linked.ts'
import { linkedForms } from './linked-forms.ts'
import { listFlaws } from './lists.ts'
import { isForAdministrators, loneRoleFlaws, openAdministration } from './named.ts'
import { loneRoleWrites } from './named-writes.ts'
import { nobodysLike } from './object-values.ts'
import { type Operation, operationsOf, requestWith, type Slot } from './operations.ts'
import { type Asked, isAnswer, isGranted, type Party, partiesOf, type Reply } from './parties.ts'
import { rankBySight } from './ranks.ts'
import { factsOf } from './rows.ts'
import { stableLeaves } from './telling.ts'
import { askWrites } from './writes.ts'

/** Requests under way at once. */
const SIDE_BY_SIDE = 4
/** Objects that are tried until one is shown to its owner. */
const MOST_TRIES = 3
/** Links that are followed, one behind the other, from what the others are shown. */
const STEPS = 3
/** What is nested is found in so many rounds. */
const ROUNDS = 3
/** Of the time that the module has, so much for what is asked of each operation; the rest for what is made of the answers, and for writing. */
const OF_ASKING = 0.7

interface Timed extends CollectContext {
  /** Nothing more is begun of what is asked of each operation. */
  readonly isOver: () => boolean
}

/** `compared`: called when all is read that is compared, and what it has written read back. */
export const collectAuthorization = async (
  given: CollectContext,
  crawl: CrawlFacts,
  compared: () => void = () => undefined,
): Promise<AuthorizationFacts> => {
  const until = untilWithin(given, Number.POSITIVE_INFINITY, OF_ASKING)
  const ctx: Timed = { ...given, isOver: () => performance.now() > until }
  const { operations, left, routed } = operationsOf(crawl, ctx.target.environment)
  const { identities, nobody } = partiesOf(ctx, routed)
  // As nobody alone there is nobody whose data could be taken: what is for few is all there is to ask.
  const reading = operations.filter((one) => one.reads && (identities.length > 0 || isForAdministrators(one)))
  await begin(ctx, identities)
  const everybody = [...identities, nobody]
  const open = await askAlike(ctx, crawl, reading, everybody)
  const others = reading.filter((one) => !open.some(({ operation }) => operation === one))
  await askPlain(ctx, others, everybody)
  const linked = await askLinked(ctx, operations, everybody, routed)
  await leaveStrangers(identities, nobody)
  rankBySight(identities, nobody)
  const known = [...others, ...linked]
  const world: World = { identities, nobody, operations: known }
  const plain = await crossAll(ctx, world, ({ slots }) => slots.length === 0)
  unlearnFlaws(ctx, plain, world)
  await askOwn(ctx, known, identities)
  await countOwn(ctx, known, identities, ctx.isOver)
  const crossed = [...plain, ...(await crossAll(ctx, world, ({ slots }) => slots.length > 0))]
  const cases = [...crossed, ...(await crossBelow(ctx, crossed, world))]
  const isCut = ctx.isOver()
  const told = [...cases.flatMap((one) => judgeCase(ctx, one, world, cases)), ...listFlaws(ctx, cases, world)]
  const judged = await withoutLedBoth(told, cases, identities)
  const named = [...loneRoleFlaws(ctx, cases, world), ...(await openAdministration(ctx, known, nobody, judged))]
  const flaws = [...judged, ...named, ...(await ledAloneFlaws(ctx, cases, world, judged))]
  const forms = linkedForms(ctx, identities, operations, routed)
  const written = await askWrites(ctx, [...operations, ...forms], world, cases)
  flaws.push(...(await loneRoleWrites(ctx, operations, world)))
  compared()
  const bypasses = await askBypasses(ctx, crawl, cases, world)
  const facts = {
    ...factsOf({ world, cases, flaws: [...flaws, ...written.flaws], left, written, open, isCut }),
    bypasses,
  }
  const shownToOthers = [...linked, ...forms].map((one) => shownTo(one, identities))
  return shownToOthers.length === 0 ? facts : { ...facts, shownToOthers }
}

/** What is open to all needs nobody else's question; what it shows is known to everybody by right. Nothing as nobody alone. */
const askAlike = async (
  ctx: Timed,
  crawl: CrawlFacts,
  reading: readonly Operation[],
  everybody: readonly Party[],
): Promise<readonly OpenRecord[]> => {
  const nobody = everybody.find(({ isNobody }) => isNobody)
  if (nobody === undefined || everybody.length === 1) return []
  ctx.progress('records of one program', 0)
  const shared = ctx.scope.of(SHARED)
  const alike = await standIns(ctx, shared, await inventoryFor(ctx, shared, crawl))
  const open = await openRecords(reading, alike, nobody, (some, work) => sideBySide(ctx, [nobody], some, work))
  for (const { operation, reply } of open)
    for (const party of everybody) if (isGranted(reply)) party.learn(operation, reply)
  return open
}

const shownTo = ({ template: { method, url, seenOn } }: Operation, identities: readonly Party[]): ShownToOthers => {
  const to = identities
    .slice(1)
    .find(({ own }) => [...own.values()].some(({ request, first }) => isGranted(first) && seenOn.includes(request.url)))
  return { method, url, to: to?.name ?? '' }
}

/** A start page for few leads to a list, and that to what is in it. */
const askLinked = async (
  ctx: Timed,
  operations: readonly Operation[],
  everybody: readonly Party[],
  routed: Routed,
): Promise<readonly Operation[]> => {
  const identities = everybody.filter(({ isNobody }) => !isNobody)
  const linked: Operation[] = []
  for (let step = 0; step < STEPS; step += 1) {
    const found = linkedOperations(identities, [...operations, ...linked], ctx.target.environment, routed)
    if (found.length === 0) break
    await askPlain(ctx, found, everybody)
    linked.push(...found)
  }
  return linked
}

/** What everybody is answered to the same. */
const crossAll = async (
  ctx: Timed,
  world: World,
  wanted: (operation: Operation) => boolean,
): Promise<readonly Case[]> => {
  const operations = world.operations.filter(wanted)
  const cases = new Map<Operation, readonly Case[]>()
  await sideBySide(ctx, world.identities, operations, async (operation, index) => {
    ctx.progress(`${index} of ${operations.length} operations as everybody`, 0.5 + (0.4 * index) / operations.length)
    const own: Case[] = []
    for (const victim of victimsOf(operation, world)) own.push(await crossCase(operation, victim, world))
    cases.set(operation, own)
  })
  return operations.flatMap((operation) => cases.get(operation) ?? [])
}

/** Only what comes to a flaw is a case of its own: all others were asked by the way of the owner. */
const crossBelow = async (ctx: Timed, crossed: readonly Case[], world: World): Promise<readonly Case[]> => {
  const found = new Map<Case, readonly Case[]>()
  const nested = crossed.filter(({ operation }) => operation.slots.length > 1)
  await sideBySide(ctx, world.identities, nested, async (one) => {
    const others = world.identities.filter((party) => party !== one.victim && !isHigher(party, one.victim))
    const own: Case[] = []
    for (const party of others) own.push(...[await askBelow(one, party)].filter((below) => below !== null))
    found.set(
      one,
      own.filter((below) => judgeCase(quietly(ctx), below, world, crossed).length > 0),
    )
  })
  return nested.flatMap((one) => found.get(one) ?? [])
}

const quietly = (ctx: CollectContext): CollectContext => ({ ...ctx, evidence: () => ({ id: '', filename: '' }) })

/** What a list shows that should not have been shown makes nothing in it theirs. Exported for its test. */
export const unlearnFlaws = (ctx: CollectContext, plain: readonly Case[], world: World): void => {
  const found = plain.flatMap((one) => judgeCase(quietly(ctx), one, world, plain).map(({ by }) => ({ one, by })))
  // What is for administrators, and shown to a run that has none, is nobody's by right.
  const names = new Set(loneRoleFlaws(quietly(ctx), plain, world).map(({ name }) => name))
  const open = plain.map(({ operation }) => operation).filter(({ name }) => names.has(name))
  for (const party of [...world.identities, world.nobody]) {
    const wrong = found.filter(({ by }) => by === null || by === party.name).map(({ one }) => one)
    const theirs = wrong.filter(({ victim }) => victim !== party).map(({ operation }) => operation)
    if (theirs.length + open.length > 0) party.unlearn(new Set([...theirs, ...open]))
  }
}

/** Those whose sign-in fails are left out, and said to be. */
const begin = async (ctx: CollectContext, identities: readonly Party[]): Promise<void> => {
  for (const [index, party] of identities.entries()) {
    ctx.progress(`signing in as ${party.name}`, 0)
    const begun = await ctx.identities?.[index]?.begin()
    if (begun?.failed) party.left = `signing in failed: ${begun.failed}`
    party.session = begun?.session ?? null
    party.learnOwn(party.session?.answers?.() ?? [])
  }
}

const askPlain = async (ctx: Timed, reading: readonly Operation[], parties: readonly Party[]) => {
  const plain = reading.filter(({ slots }) => slots.length === 0)
  await sideBySide(ctx, parties, plain, async (operation, index) => {
    ctx.progress(`${index} of ${plain.length} operations without objects`, (0.3 * index) / plain.length)
    const request = requestWith(operation, new Map())
    for (const party of parties)
      keep(party, operation, { request, values: new Map(), first: await party.ask(request, operation.template) })
  })
}

const keep = (party: Party, operation: Operation, asked: Asked): void => {
  party.own.set(operation, asked)
  if (isGranted(asked.first)) party.learn(operation, asked.first)
}

/** Who sees nothing that nobody sees is not known to be signed in. Where it was proven, there may be nothing to see. */
const leaveStrangers = async (identities: readonly Party[], nobody: Party): Promise<void> => {
  for (const party of identities) {
    const differs = [...party.own].some(([operation, { first }]) => {
      const stranger = nobody.own.get(operation)?.first
      if (!isAnswer(first) || !isAnswer(stranger)) return false
      return (
        first.exchange.status !== stranger.exchange.status ||
        first.state !== stranger.state ||
        first.text !== stranger.text
      )
    })
    if (!differs && party.own.size > 0) party.left ??= 'nothing differs between its answers and those to nobody'
  }
}

/** Everybody with objects of their own, if possible such as nobody else knows of. */
const askOwn = async (ctx: Timed, reading: readonly Operation[], identities: readonly Party[]) => {
  const open = new Set(reading.filter(({ slots }) => slots.length > 0))
  for (let round = 0; round < ROUNDS; round += 1) {
    ctx.progress(`objects, round ${round + 1}`, 0.3 + 0.07 * round)
    await sideBySide(ctx, identities, [...open], async (operation, _index, again) => {
      if (again) for (const party of identities) party.own.delete(operation)
      for (const party of identities) {
        if (isGranted(party.own.get(operation)?.first)) continue
        const asked = await askOne(operation, party, identities)
        if (asked !== null) keep(party, operation, asked)
      }
    })
  }
}

const askOne = async (operation: Operation, party: Party, identities: readonly Party[]): Promise<Asked | null> => {
  const before = party.own.get(operation)
  let last: Asked | null = null
  for (const values of fillings(operation, party, identities)) {
    const request = requestWith(operation, values)
    if (before && isSame(before.request, request)) continue
    last = { request, values, first: await party.ask(request, operation.template) }
    if (isGranted(last.first)) return last
  }
  return last
}

const isSame = (a: Asked['request'], b: Asked['request']): boolean => a.url === b.url && a.body === b.body

/** The objects of one filling are the surest of each place; only the last place varies. Exported for its test. */
export const fillings = (
  operation: Operation,
  party: Party,
  identities: readonly Party[],
): readonly ReadonlyMap<Slot, string>[] => {
  const others = identities.filter((one) => one !== party)
  const choices = operation.slots.map((slot) => {
    const known = party.objects(slot)
    const alone = known.filter((value) => !others.some((one) => one.objects(slot).includes(value)))
    const all = [...new Set([...alone, ...known])]
    // What the crawl has found was found as the first. Lists may name their things by another property than the path does.
    return party === identities[0] ? [...new Set([...all.slice(0, 1), slot.value, ...all.slice(1)])] : all
  })
  if (choices.some((one) => one.length === 0)) return []
  const tries = Math.min(MOST_TRIES, choices.at(-1)?.length ?? 0)
  return Array.from({ length: tries }, (_, index) => {
    const picked = operation.slots.map((slot, place): [Slot, string] => {
      const choice = choices[place] ?? []
      return [slot, (place === choices.length - 1 ? choice[index] : choice[0]) ?? slot.value]
    })
    return new Map(picked)
  })
}

/**
 * Whose answer is tried as others: the highest, who shows what is for few, the first who has something alone, and the first of a lower
 * role: that nobody gets at what the highest has says nothing of what those of one role have from each other.
 */
export const victimsOf = (operation: Operation, { identities }: Pick<World, 'identities'>): readonly Party[] => {
  const granted = identities.filter((one) => isGranted(one.own.get(operation)?.first))
  const [highest] = granted.toSorted((a, b) => (b.rank ?? 0) - (a.rank ?? 0))
  if (operation.slots.length === 0) return highest === undefined ? [] : [highest]
  const alone = granted.find((one) => isAlone(operation, one, identities))
  const peer = granted.find((one) => {
    const others = identities.filter((other) => !isHigher(other, one))
    return highest !== undefined && isHigher(highest, one) && isAlone(operation, one, others)
  })
  return [...new Set([alone, highest, peer])].filter((one) => one !== undefined)
}

const isAlone = (operation: Operation, party: Party, identities: readonly Party[]): boolean => {
  const values = party.own.get(operation)?.values ?? new Map<Slot, string>()
  return [...values].some(([slot, value]) =>
    identities.some((other) => other !== party && other.left === null && !other.objects(slot).includes(value)),
  )
}

/** Exported for its test. */
export const crossCase = async (operation: Operation, victim: Party, world: World): Promise<Case> => {
  const own = victim.own.get(operation)
  if (own === undefined || !isAnswer(own.first)) throw new Error('a victim has an answer of its own')
  const again = await victim.ask(own.request, operation.template)
  const replies = new Map<Party, Reply>()
  for (const other of [world.nobody, ...world.identities]) {
    if (other === victim) continue
    const known = operation.slots.length === 0 ? other.own.get(operation)?.first : undefined
    replies.set(other, known ?? (await other.ask(own.request, operation.template)))
  }
  const answers = await steadyOf(operation, victim, own.first, again)
  const stable = isGranted(again) ? stableLeaves(...answers) : []
  const controls = stable.length === 0 ? {} : await controlsOf(operation, victim, own, replies)
  return { operation, victim, asked: own, answers, stable, replies, ...controls }
}

/** The same for an object of nobody, where another was answered for one that is not theirs: as the owner, and as that other. */
const controlsOf = async (
  operation: Operation,
  victim: Party,
  asked: Asked,
  replies: ReadonlyMap<Party, Reply>,
): Promise<Pick<Case, 'control' | 'anyway'>> => {
  const other = [...replies].find(([party, reply]) => !party.isNobody && isGranted(reply))?.[0]
  const slot = other && aloneSlot({ asked }, other)
  if (!slot) return {}
  const made = nobodysLike(asked.values.get(slot) ?? slot.value)
  const request = requestWith(operation, new Map([...asked.values, [slot, made]]))
  const control = await victim.ask(request, operation.template)
  const anyway = await other.ask(request, operation.template)
  const given = ledTo(anyway, request.url, slot)
  if (given === null) return { control, anyway }
  const led = requestWith(operation, new Map([...asked.values, [slot, given]]))
  return { control, anyway: await other.ask(led, operation.template) }
}

/** The value that the program itself puts in the place, as of a page beyond the last of a list; null where it does not. */
const ledTo = (reply: Reply, url: string, { place, at }: Slot): string | null => {
  if (!isAnswer(reply) || reply.exchange.status < 300 || reply.exchange.status > 399) return null
  const to = URL.parse(headerOf(reply.exchange, 'location') ?? '', url)
  if (to === null) return null
  const value = place === 'query' ? to.searchParams.get(at) : (to.pathname.split('/')[Number(at) + 1] ?? null)
  if (value === null || value === '') return null
  const same = new URL(place === 'query' ? withQuery(url, at, value) : withSegment(url, Number(at), value))
  return same.origin === to.origin && same.pathname === to.pathname && same.href !== url ? value : null
}

/**
 * Twice what the owner is shown, around what the others were. Other questions of the run write into the same object meanwhile: where it shows something
 * else than when it was first asked, it is asked once more at once.
 */
const steadyOf = async (
  operation: Operation,
  victim: Party,
  first: Answer,
  again: Reply,
): Promise<readonly [Answer, Answer]> => {
  if (!isGranted(again)) return [first, isAnswer(again) ? again : first]
  if (stableLeaves(first, again).length === stableLeaves(first, first).length) return [first, again]
  const request = victim.own.get(operation)?.request
  const after = request === undefined ? again : await victim.ask(request, operation.template)
  return isGranted(after) ? [again, after] : [first, again]
}

/** What was asked as somebody whose session was lost since its last proof is asked again. */
const sideBySide = <One>(
  { isOver }: Pick<Timed, 'isOver'>,
  parties: readonly Party[],
  all: readonly One[],
  work: (one: One, index: number, again: boolean) => Promise<void>,
): Promise<readonly One[]> =>
  doneSurely<One>(
    parties.map(({ session }) => session),
    all,
    async (some, begin, again) => {
      let next = 0
      const worker = async (): Promise<void> => {
        // What is in doubt is asked again however late it is: its answers may have been given to nobody.
        for (let index = next++; index < some.length && (again || !isOver()); index = next++) {
          const one = some[index]
          if (one === undefined) continue
          const done = begin(one)
          await work(one, index, again)
          done()
        }
      }
      await Promise.all(Array.from({ length: Math.min(SIDE_BY_SIDE, some.length) }, worker))
    },
  )
