/** The techniques in the order of what they cost and prove; the first that proves a place is the last that is tried there. */

import type { CollectContext } from '../../module.ts'
import type { CrawlFacts } from '../crawl/facts.ts'
import { Unreachable } from '../insertion-points/ends.ts'
import { isWorked } from '../insertion-points/inventory.ts'
import { identical, noiseOf, readsBeginning, TOO_NOISY } from '../insertion-points/likeness.ts'
import { givesWay } from '../insertion-points/order.ts'
import type { Part } from '../insertion-points/plan.ts'
import type { Probe } from '../insertion-points/prober.ts'
import { probeAll } from '../insertion-points/run.ts'
import { firstOf, unlessRefused } from '../insertion-points/techniques.ts'
import { BESIDE_SCRIPTS, secondsForPlaces, untilWithin } from '../insertion-points/times.ts'
import type { WafFacts } from '../waf/facts.ts'
import { DISGUISES, disguised, inPath, ON_A_LINE } from './disguises.ts'
import type { SqliFacts, SqliHit } from './facts.ts'
import { askFinding, booleanWays } from './probes/boolean.ts'
import { commentedWays } from './probes/commented.ts'
import { type Broken, breakStatement, computedErrors, errorsBehind } from './probes/error.ts'
import { askFailing, failingWays } from './probes/failing.ts'
import { askLater, askLaterOfReading, type Later } from './probes/later.ts'
import { listedWays } from './probes/listed.ts'
import { orderWays } from './probes/order.ts'
import { askOwnSignIn } from './probes/own-sign-in.ts'
import { askOwnStatements, askUnfinished, type OwnStatements } from './probes/own-statement.ts'
import { type Databases, sameWaits, soonestWaits, timeWays } from './probes/time.ts'
import { askUnion } from './probes/union.ts'
import { askVisits, type Visit } from './probes/visits.ts'

export interface SqliKnown {
  readonly crawl: CrawlFacts
  /** Absent where it came to no end: what refuses probes is not told then by its page. */
  readonly waf?: Pick<WafFacts, 'blockPage'> | undefined
}

export const collect = (ctx: CollectContext, { crawl, waf }: SqliKnown): Promise<SqliFacts> => {
  const later: (Later | Visit)[] = []
  const shown = new Set<string>()
  const told = (found: (hit: SqliHit) => void) => (hit: SqliHit) => {
    if ('dbms' in hit) shown.add(hit.dbms)
    found(hit)
  }
  let own: OwnStatements = { proven: new Set(), unfinished: [] }
  return probeAll<SqliHit>(
    ctx,
    crawl,
    {
      what: 'SQL injection',
      wants: isWorked,
      probe: (probe, found, part) => probePoint(probe, told(found), part, shown),
      inParts: 'bounded',
      last: {
        ways: ['time'],
        unless: (hits) => hits.length > 0,
        probe: (probe, found) => probeTimes(probe, found, shown),
      },
      groups: true,
      again: async (probe, hit, found) => {
        const waits = hit.technique === 'time' || hit.technique === 'stacked' ? sameWaits(inPath(probe), hit) : []
        const alone = await firstOf(waits)
        if (alone) found(alone)
      },
      compares: true,
      interprets: true,
      kindOf: ({ technique }) => technique,
      after: READING - BESIDE_SCRIPTS,
      // First, as what is stored takes the few requests of its form, and others write over it later.
      beforehand: async (at, points, proven) => {
        ctx.progress('what is stored and put into a statement elsewhere', 0)
        const until = performance.now() + secondsForPlaces(ctx, READING) * OF_PLACES * 1_000
        // What its few requests have proven before needs no more of them.
        const found = (one: Later | Visit): void => {
          later.push(one)
          proven(one.point)
        }
        own = await askOwnStatements(points, at, { found, isOver: () => performance.now() > until })
        const others = points.filter((point) => !own.proven.has(point))
        await askLater(ctx, crawl, others, at, { found, until })
        ctx.progress('what is written down of visits', 0)
        await askVisits(points, at, found, until)
      },
      afterwards: async (at, points) => {
        ctx.progress('what ran out on the way to a proof', 0.99)
        later.push(...(await askUnfinished(own, at)))
        ctx.progress('what may be stored all the same', 0.99)
        const until = untilWithin(ctx, READING * ctx.timeFactor * 1_000)
        const found = (one: Later) => void later.push(one)
        await askLaterOfReading(ctx, crawl, points, at, { found, until })
        ctx.progress('the sign-in of the run', 0.99)
        return [...later, ...(await askOwnSignIn(ctx, points))]
      },
    },
    waf?.blockPage ?? null,
  )
}

/** Of the time for places, so much at most for what is stored and shows elsewhere. */
const OF_PLACES = 0.1
/** Seconds, times the run's factor, for what posts and was seen to read. */
const READING = 90

/** `part`: the first asks what tells soonest of a statement that breaks. */
export const probePoint = async (
  given: Probe,
  found: (hit: SqliHit) => void,
  part: Part = 'whole',
  shown: Databases = new Set(),
): Promise<'whole' | undefined> => {
  const probe = inPath(given)
  const noise = await noiseAt(probe)
  let broken: Broken | null = null

  const errors = async (): Promise<SqliHit | null> => {
    broken = await breakStatement(probe)
    if (!broken.message) return null
    const { comes, hit } = await errorsBehind(probe, broken.message, found)
    if (!comes) broken = { ...broken, message: null }
    return hit
  }
  const soon = (await firstOf([errors])) ?? (await firstOf(soonestWays(probe, broken)))
  if (part === 'first' && !soon && !showsError(broken)) return undefined
  /** Of a statement that shows nothing a wait alone tells: the one that is met most does not wait for all places. */
  const waiting = async (): Promise<SqliHit | null> =>
    (await isSilent(probe, broken, noise)) ? firstOf(soonestWaits(probe, shown).slice(0, soonestOf(probe))) : null
  // Where few may be sent it comes before conditions, which prove sooner wherever any may be.
  const isScarce = probe.request.bound !== undefined
  const hit =
    soon ??
    (isScarce ? await waiting() : null) ??
    (noise <= TOO_NOISY
      ? await firstOf(await answerWays(probe, broken, noise))
      : await firstOf(await failing(probe, broken))) ??
    (await firstOf(await messageWays(probe, broken, noise))) ??
    (noise <= TOO_NOISY ? await firstOf(await lineWays(probe, broken, noise)) : null) ??
    (isScarce ? null : await waiting())
  if (hit) found(hit)
  else if (noise > TOO_NOISY) for (const way of ['boolean', 'union']) probe.leave(way, UNSTEADY)
  return 'whole'
}

/** Behind the value, as where a statement is broken. */
const BREAKS = `'"\\)`

/**
 * Where whatever is no number is refused, a number with a statement on the next line may not be. One request where it is, none where few may be
 * sent.
 */
const lineWays = async (
  probe: Probe,
  broken: Broken | null,
  noise: number,
): Promise<readonly (() => Promise<SqliHit | null>)[]> => {
  const { point, request } = probe
  if (broken === null || request.bound !== undefined || point.value === '' || point.place === 'header') return []
  const [control, [usual]] = [await probe.control(), await probe.baseline()]
  if (!identical(broken.reply, control, noise) || identical(control, usual, noise)) return []
  const other = disguised(probe, ON_A_LINE)
  // What cannot be put there, or is refused, costs the place none of its other questions.
  const reply = await unlessRefused(() => other.send(`${point.value}${BREAKS}`, { language: 'sql' }))
  if (reply === null) return []
  const passes = reply.status !== 0 && !identical(reply, control, noise) && !identical(reply, usual, noise)
  return passes ? answerWays(other, { reply, message: null }, noise) : []
}

const showsError = (broken: Broken | null): boolean => broken !== null && broken.message !== null

/** Where few may be sent: conditions that were begun before the places are asked on. */
const soonestWays = (probe: Probe, broken: Broken | null) =>
  probe.request.bound === undefined || broken === null || broken.reply.status === 0
    ? []
    : [() => askFailing(probe, broken.reply), () => askFinding(probe, broken.reply)]

const failing = async (probe: Probe, broken: Broken | null) =>
  broken === null || broken.reply.status === 0 ? [] : failingWays(probe, broken.reply)

/** Of the ways to wait, those that are met most: two where few requests may be sent, and no others are asked last. */
const soonestOf = ({ request, point }: Probe): number => {
  if (request.bound !== undefined) return 2
  return givesWay(point) ? 0 : 1
}

const isSilent = async (probe: Probe, broken: Broken | null, noise: number): Promise<boolean> =>
  soonestOf(probe) > 0 && broken !== null && identical(broken.reply, await probe.control(), noise)

const UNSTEADY = 'with a page that changes by itself'

/** Once all places were asked by all else: nearly all of these wait for nothing. */
const probeTimes = async (probe: Probe, found: (hit: SqliHit) => void, shown: Databases): Promise<void> => {
  await noiseAt(probe)
  const hit = await firstOf(timeWays(inPath(probe), shown))
  if (hit) found(hit)
}

const noiseAt = async (probe: Probe): Promise<number> => {
  const baseline = await probe.baseline()
  const [usual, again] = baseline
  if (usual.status === 0 || again.status === 0) throw new Unreachable('the page did not answer')
  return noiseOf(baseline)
}

/** `broken`: null where it was refused. */
const answerWays = async (
  probe: Probe,
  broken: Broken | null,
  noise: number,
): Promise<readonly (() => Promise<SqliHit | null>)[]> => {
  const reply = broken?.reply ?? null
  // Where a broken statement looks like one that finds nothing, columns cannot be counted.
  const unions = async (): Promise<SqliHit | null> => {
    if (reply === null) return null
    const [control, baseline] = [await probe.control(), await probe.baseline()]
    const counts = !identical(reply, control, noise) && !readsBeginning(reply, control, baseline, probe.point.value)
    return counts ? askUnion(probe, reply) : null
  }
  return [
    ...(await booleanWays(probe, reply)),
    ...commentedWays(probe, reply),
    ...orderWays(probe),
    ...listedWays(probe),
    unions,
  ]
}

/**
 * Where a statement was broken and nothing else came through, it may wait, and something may take parts of what is sent out. At
 * all other places waits are asked for last.
 */
const messageWays = async (
  probe: Probe,
  broken: Broken | null,
  noise: number,
): Promise<readonly (() => Promise<SqliHit | null>)[]> => {
  const { message } = broken ?? {}
  if (!broken || !message) return []
  const ways = await Promise.all(
    DISGUISES.map(async (disguise) => {
      const other = disguised(probe, disguise)
      return [
        () => computedErrors(other, message.dbms),
        ...(noise <= TOO_NOISY ? await answerWays(other, broken, noise) : []),
      ]
    }),
  )
  return [...timeWays(probe), ...ways.flat()]
}
