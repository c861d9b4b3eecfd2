/** Timed probes: a few side by side, and each proof's end with nothing beside it, against what the same request usually takes. */
import { randomInt } from 'node:crypto'
import {
  BASELINE_SAMPLES,
  type DelayTimes,
  type DelayTrial,
  fastestOf,
  followsDelays,
  KEPT,
  meanOf,
  medianOf,
  slowest,
  spreadOf,
} from './delay-times.ts'
import type { Language, Probe, Reply } from './prober.ts'
import { keyOf } from './reached.ts'

export interface Delays extends DelayTimes {
  readonly payload: string
  readonly replay: string
}

/**
 * Seconds of the first probe: long enough to stand out, short enough for the many places that do not wait; and so many times
 * what a page's own answers lie apart.
 */
const FIRST = 1.4
const APART = 4
/** Seconds of the first probe where the answer to the other never came: the wait is kept for each of many rows. */
const LEAST = 0.1
/** Seconds that a place is made to wait at most, however often it keeps each wait. */
const LONGEST = 3
/** Seconds of the shortest wait of a series, and what the others lie above it at least: even pages need no more. */
const SHORTEST = 0.5
const SPAN = 1.2
/** So many times what hides a wait do the waits of a series lie apart. */
const CLEAR = 6
/** So many waits of a series where few may be sent: with those of nothing as many trials as a proof needs. */
const OF_FEW = 4
/** A term stands in the statement so often, or is worked out for so many rows, at most. */
const MOST_OFTEN = 100

/** One bad moment of the target or of the machine breaks a series; two of them in a row are its habit. */
const MOST_SERIES = 2

/** The answers fit neither a place that waits nor one that does not: others may have held it up. */
const UNCLEAR = 'unclear'
const LATE = 'late'
/** Controls that are asked where a page's usual time says nothing. */
const CONTROLS = 3

/** Why no wait was told from a page's own times: its check is inconclusive there. */
export const HIDDEN = 'with a page whose own times hide a wait'

/**
 * Where few may be sent: what a place has answered so far, in its order, and the waits that are still to come. Asked again, with what was kept of its
 * form's few requests, the series goes on where it stopped.
 */
interface Begun {
  readonly asked: { readonly seconds: number; readonly reply: Reply }[]
  waits: readonly number[] | null
  zeroFirst: boolean | null
}
const byRun = new WeakMap<Probe['turns'], Map<string, Begun>>()

const begunAt = ({ request, turns, point }: Probe, payload: string): Begun => {
  const known = byRun.get(turns) ?? new Map<string, Begun>()
  byRun.set(turns, known)
  const begun = known.get(`${keyOf(point)} ${payload}`) ?? { asked: [], waits: null, zeroFirst: null }
  if (request.bound !== undefined) known.set(`${keyOf(point)} ${payload}`, begun)
  return begun
}

/** Answers as long as it is asked the same as before. */
const continuing = ({ asked }: Begun, ask: Ask): Ask => {
  let at = 0
  return async (seconds, often) => {
    const before = asked[at]
    at += 1
    if (before?.seconds === seconds) return before.reply
    asked.splice(at - 1)
    const reply = await ask(seconds, often)
    asked.push({ seconds, reply })
    return reply
  }
}

/** What a series is asked with: a wait in seconds, kept so many times. */
type Ask = (seconds: number, often?: number) => Promise<Reply>

/**
 * One request where nothing waits: late is what takes longer than the page's own time by the wait. What was taken while
 * many asked at once is no page's own time, so an answer that is late beside the fastest alone is held against one with no
 * wait. Where the answer is late, one with no wait has to be fast, four random waits follow beside those of other places,
 * and then one more and none with everything else that waits kept away: what others' waits have held up is fast by then.
 * Where the answers are unclear, the whole series is asked with nothing beside it. Waits are so short that a place which
 * keeps each several times waits no longer. Null when the answers do not follow what was asked for. Where they may, and
 * the page's own times are so uneven that nobody can tell, `way` is left at the place.
 */
export const askDelays = async (
  probe: Probe,
  payload: (seconds: string) => string,
  language: Language,
  way: string,
): Promise<Delays | null> => {
  const { turns } = probe
  const before = begunAt(probe, payload('0'))
  const ask = continuing(before, (seconds, often = 1) => {
    const timeout = 10_000 + seconds * 1_000
    return probe.send(payload(seconds.toFixed(3)), { language, timeout, waits: seconds * often * 1_000 })
  })
  const spread = Math.min(LONGEST, Math.max(FIRST, (APART * spreadOf(probe.timings())) / 1_000))
  const longer = before.asked[0]?.seconds ?? spread
  const begun = await turns.few(() => ask(longer))
  if (!exceeds(begun, longer, fastestOf(probe.timings()))) return null
  probe.pursue()
  const isLate = exceeds(begun, longer, medianOf(probe.timings()))
  if (isLate && isLead(probe)) return leadOf(begun, longer, await turns.few(() => ask(0)))
  const apart = isLate ? LATE : await turns.alone(() => holdAgainst(ask, begun, longer))
  if (apart === null) return null
  const beside = begun.status === 0 || apart !== LATE ? UNCLEAR : await askBeside({ probe, before }, ask, begun, longer)
  if (beside !== UNCLEAR) return beside
  const delays = await turns.alone(() => askAlone(probe, ask, begun.status === 0 ? LEAST : longer))
  if (delays === UNCLEAR) probe.leave(way, HIDDEN)
  if (delays === UNCLEAR || delays === null) return null
  // It waits as told once nothing else does: here, those that wait hold each other up.
  if (begun.status !== 0) turns.narrow()
  return delays
}

/** Of several places as one, where few may be sent, a wait only says that one of them is asked alone: a series of them all proves nothing of any. */
const isLead = ({ point, request }: Probe): boolean => point.members !== undefined && request.bound !== undefined

const leadOf = (late: Reply, wait: number, none: Reply): Delays | null =>
  none.status === 0 || !exceeds(late, wait, none.ms)
    ? null
    : {
        ...{ payload: late.value, baseline: [none.ms], replay: late.replay },
        trials: [
          { delay: wait, ms: late.ms },
          { delay: 0, ms: none.ms },
        ],
      }

/** `usual` milliseconds are the page's own. */
const exceeds = ({ ms }: Reply, wait: number, usual: number): boolean => ms >= usual + wait * KEPT * 1_000

/** Late where an answer with no wait comes sooner by the wait; null where the longest wait of all is not kept. */
const holdAgainst = async (ask: Ask, late: Reply, wait: number): Promise<typeof LATE | null | typeof UNCLEAR> => {
  const longest = LONGEST / Math.max(1, Math.floor(late.ms / (wait * 1_000)))
  for (let control = 0; control < CONTROLS; control += 1) {
    const none = await ask(0)
    if (none.status !== 0 && exceeds(late, wait, none.ms)) return LATE
    if (control > 0) continue
    const most = await ask(longest)
    if (most.status !== 0 && !exceeds(most, longest, 0)) return null
  }
  return UNCLEAR
}

/** Other places may wait meanwhile, but at its end. */
const askBeside = async (
  { probe, before }: { readonly probe: Probe; readonly before: Begun },
  ask: Ask,
  begun: Reply,
  wait: number,
): Promise<Delays | null | typeof UNCLEAR> => {
  const { turns } = probe
  const known = await ordinaryTimes(probe)
  // A few more ordinary answers take less time than waits that stand out from a few slow ones.
  const isUneven = hiddenBy(known) > SHORTEST && probe.request.bound === undefined
  const baseline = isUneven ? await freshTimes(probe) : known
  const often = oftenOf(begun, baseline, wait)
  if (begun.ms <= slowest(baseline) || often > MOST_OFTEN) return UNCLEAR
  before.waits ??= randomWaits(baseline, often).slice(0, probe.request.bound === undefined ? undefined : OF_FEW)
  const [last = LONGEST, ...waits] = before.waits
  const trials = await seriesOf((delay) => turns.few(() => ask(delay, often), probe.sleepers), baseline, [0, ...waits])
  if (trials === null) return null
  if (trials.length <= waits.length) return UNCLEAR
  return turns.alone(async () => {
    before.zeroFirst ??= randomInt(2) === 0
    const inTurn = before.zeroFirst ? [0, last] : [last, 0]
    const end = await seriesOf((delay) => ask(delay, often), baseline, inTurn)
    if (end === null) return null
    const all = [...trials, ...end]
    if (!followsDelays({ baseline, trials: all })) return UNCLEAR
    return { payload: begun.value, baseline, trials: all, replay: begun.replay }
  })
}

const oftenOf = ({ ms }: Reply, baseline: readonly number[], wait: number): number =>
  Math.max(1, Math.round((ms - meanOf(baseline)) / (wait * 1_000)))

/** With nothing else that waits beside it, in two series at most. */
const askAlone = async (probe: Probe, ask: Ask, wait: number): Promise<Delays | null | typeof UNCLEAR> => {
  const first = await ask(wait)
  if (first.status === 0) return UNCLEAR
  if (!exceeds(first, wait, 0)) return null
  let baseline = await ordinaryTimes(probe)
  // Ordinary answers were taken while much else was asked: slow ones hide every wait. Now only one thing is timed, unless
  // the page is late without a wait, too.
  if (!exceeds(first, wait, medianOf(baseline)) || first.ms <= slowest(baseline)) {
    const apart = await holdAgainst(ask, first, wait)
    if (apart !== LATE) return apart
    baseline = await freshTimes(probe)
  }
  if (first.ms <= slowest(baseline)) return UNCLEAR
  for (let series = 0; series < MOST_SERIES; series += 1) {
    const often = oftenOf(first, baseline, wait)
    if (often > MOST_OFTEN) return UNCLEAR
    const waits = shuffled([0, ...randomWaits(baseline, often)])
    const asked = await seriesOf((delay) => ask(delay, often), baseline, [0, ...waits])
    if (asked === null) return null
    const trials = series === 0 ? [{ delay: wait, ms: first.ms }, ...asked] : asked
    if (followsDelays({ baseline, trials })) return { payload: first.value, baseline, trials, replay: first.replay }
    // Perhaps the payload is slow by itself.
    const apart = asked.length === 0 ? await holdAgainst(ask, first, wait) : LATE
    if (apart !== LATE) return apart
    baseline = await freshTimes(probe)
  }
  return UNCLEAR
}

/**
 * What came until an answer without a wait was slow, or none came; null where a wait was not kept, which no bad moment
 * explains.
 */
const seriesOf = async (
  ask: (seconds: number) => Promise<Reply>,
  baseline: readonly number[],
  waits: readonly number[],
): Promise<readonly DelayTrial[] | null> => {
  const trials: DelayTrial[] = []
  for (const delay of waits) {
    const { ms, status } = await ask(delay)
    if (status !== 0 && delay > 0 && ms < delay * KEPT * 1_000) return null
    if (status === 0 || (delay === 0 && ms > slowest(baseline))) return trials
    trials.push({ delay, ms })
  }
  return trials
}

const ordinaryTimes = async (probe: Probe): Promise<readonly number[]> => {
  while (probe.timings().length < BASELINE_SAMPLES) {
    const before = probe.timings().length
    await probe.send(probe.point.value)
    if (probe.timings().length === before) break
  }
  return [...probe.timings()]
}

const freshTimes = async (probe: Probe): Promise<readonly number[]> => {
  const times: number[] = []
  for (let sample = 0; sample < BASELINE_SAMPLES; sample += 1) {
    const { ms, status } = await probe.send(probe.point.value)
    if (status !== 0) times.push(ms)
  }
  return times
}

/**
 * Five waits, each of its own fifth between what stands out from the page's own spread and the longest, in random order:
 * those of two places have nothing in common. `often`: how many times the place keeps each wait.
 */
const randomWaits = (baseline: readonly number[], often: number): readonly number[] => {
  const hidden = hiddenBy(baseline)
  const least = Math.min(LONGEST - SPAN, Math.max(SHORTEST, hidden + 0.2))
  const step = (Math.min(LONGEST, least + Math.max(SPAN, CLEAR * hidden)) - least) / 5
  const waits = [0, 1, 2, 3, 4].map((fifth) => least + (fifth + randomInt(1_000) / 1_000) * step)
  return shuffled(waits.map((wait) => Math.round((wait / often) * 1_000) / 1_000))
}

/** Seconds that an answer may take longer than usual and tell nothing. */
const hiddenBy = (baseline: readonly number[]): number => (slowest(baseline) - meanOf(baseline)) / 1_000

const shuffled = (values: readonly number[]): readonly number[] =>
  values
    .map((value) => ({ value, order: randomInt(1_000_000) }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ value }) => value)
