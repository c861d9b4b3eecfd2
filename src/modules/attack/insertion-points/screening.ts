/**
 * Where an application has more places than there is time for, all are asked the few questions first that every module begins with, and those whose
 * answers tell of something go before the others. Nothing is asked twice for it: modules take the answers from the memory of the run. It changes
 * the order alone, and what was not asked to the end says so as ever.
 */
import { heldBeside } from '../../faults.ts'
import type { CollectContext } from '../../module.ts'
import { endOf } from './ends.ts'
import { isGuess, isSmall } from './groups.ts'
import { isFormToken, type ProbePoint } from './inventory.ts'
import { identical, likeness, moves, noiseOf, readsBeginning, TOO_NOISY } from './likeness.ts'
import { levelOf } from './order.ts'
import { AT_ONCE, type PlanState, type Task } from './planner.ts'
import { OWN_NAMES } from './point.ts'
import type { Probe, Prober, Reply } from './prober.ts'
import { keyOf } from './reached.ts'
import type { ProbedSession } from './session.ts'
import type { Shared } from './shared.ts'

/** Of fewer places all have their turn in a run of the usual time; a shorter one has it for fewer. */
const FEWEST = 120
/** Of the time for places, so much at most. */
const SHARE = 0.25
/** Something in front refuses so many in a row: it would refuse the others. */
const MOST_REFUSED = 12

/** What the first questions have shown of a place. */
export interface Sign {
  /** The page, or a header of its answer, repeats the value. */
  readonly repeats: boolean
  /** What hardly any language survives is answered otherwise than a word is. */
  readonly breaks: boolean
  /** Nor is it answered as what a language makes the same of: a condition behind a quote that holds, a number less nothing. */
  readonly reads: boolean
  /** Of the value the beginning alone counts, as of what is made a number: what stands behind it comes to nobody. */
  readonly cuts: boolean
  /** A word is answered otherwise than the place's own value. */
  readonly moves: boolean
  /** Its own value is an expression, an address or the name of a file: it is worked out, followed or opened. */
  readonly speaks: boolean
}

/** What a module goes by, from 0, the first. */
export type Promising = (sign: Sign) => 0 | 1 | 2 | 3

/** What has shown nothing, and what nobody looks at. */
const LAST = 3
/** What was not looked at may be anything. */
const UNKNOWN = 2
/** Nobody spends one of its few requests on a look. */
const FILLED = 1

/** Where answers tell of what a program does with a value, more than that a page shows it. */
export const byWhatMoves: Promising = (sign) =>
  sign.reads ? 0 : sign.cuts ? LAST : sign.breaks ? 1 : sign.moves && !sign.repeats ? UNKNOWN : LAST
/** Where some of what may read a value shows what it made of it, as templates and shells do. */
export const byAnySign: Promising = (sign) =>
  sign.cuts
    ? LAST
    : (sign.breaks && !sign.reads) || (sign.moves && sign.speaks)
      ? 0
      : sign.repeats
        ? 1
        : sign.breaks || sign.moves
          ? UNKNOWN
          : LAST
/** Where a page shows it, or leads where it says. */
export const byWhatShows: Promising = ({ breaks, moves, repeats, speaks }) =>
  repeats || (moves && speaks) ? 0 : moves || breaks ? UNKNOWN : LAST

/** `3*12`, `/account`, `https://…`, `terms.txt`. */
const SPEAKS = /^(?:\d+(?: ?[-+*/%] ?\d+)+|(?:https?:)?\/{1,2}[\w.-].*|[\w./-]*\w\.[a-z][a-z\d]{1,4})$/i
const LONGEST = 300
const isTelling = (value: string): boolean => value.length <= LONGEST && SPEAKS.test(value)

export interface Screening {
  readonly ctx: Pick<CollectContext, 'signal' | 'fault' | 'progress' | 'timeFactor'>
  readonly plan: { readonly what: string; readonly promising?: Promising }
  readonly prober: Pick<Prober, 'at'>
  readonly shared: Shared
  readonly session: ProbedSession
  /** By performance.now(), as it stands: no place is begun after it. */
  readonly until: () => number
}

/** Whether there are more places than all may have their turn of. */
export const isMany = (state: PlanState, { timeFactor }: Pick<CollectContext, 'timeFactor'>): boolean =>
  asked(state).length >= FEWEST * Math.min(1, timeFactor)

/** The same units, the most telling first; in their order where they are few. @throws what ends the module */
export const screened = async (parts: Screening, state: PlanState): Promise<PlanState> => {
  if (!isMany(state, parts.ctx)) return state
  const signs = await signsOf(parts, asked(state))
  const { promising = byWhatMoves } = parts.plan
  const rankOf = (unit: Task): number => {
    const point = pointOf(unit)
    // What was guessed stands at the end, and stays there.
    if ((point.members ?? [point]).every(isGuess)) return LAST
    const sign = signs.get(point)
    if (sign !== undefined) return promising(sign)
    if (isFilled(point)) return FILLED
    // But for what is beside all requests, and words that are names of programs.
    return isUnlikely(point) ? LAST : UNKNOWN
  }
  const ranked = state.units.map((unit) => ({ unit, rank: rankOf(unit) }))
  return { ...state, units: ranked.toSorted((a, b) => a.rank - b.rank).map(({ unit }) => unit) }
}

const asked = ({ units }: PlanState): readonly ProbePoint[] => units.map(pointOf).filter(isScreened)

const pointOf = (task: Task): ProbePoint => (task.kind === 'place' ? task.point : task.group)

/**
 * Values that pages and scripts send: of a program that reads any, they are what it reads. What may be sent a few times only is not spent on
 * it; most headers and cookies are the same on all requests.
 */
const isScreened = ({ request, members, ...point }: ProbePoint): boolean =>
  request.bound === undefined &&
  !request.deletes &&
  !request.turnedAway &&
  (members ?? [{ ...point, request }]).every(
    (one) => (VALUES.has(one.place) || one.own) && !isGuess(one) && !isFormToken(one),
  )
const isUnlikely = ({ request, members, ...point }: ProbePoint): boolean =>
  request.turnedAway === true ||
  (members ?? [{ ...point, request }]).every(
    (one) =>
      (BESIDE.has(one.place) && one.own !== true) ||
      (one.place === 'path' && !RECORD.test(one.value)) ||
      isFormToken(one),
  )
const BESIDE: ReadonlySet<ProbePoint['place']> = new Set(['header', 'cookie', 'name', ...OWN_NAMES])
/** A number, or what only a machine makes. */
const RECORD = /^\d+$|^[\da-f]{8}-[\da-f-]{27}$|^[\da-f]{16,}$/i
/** What a person fills in a form that may be sent a few times only: what it stores is read by others, and all of them take no more than these few. */
const isFilled = (point: ProbePoint): boolean =>
  point.request.bound !== undefined &&
  !point.request.deletes &&
  (point.members ?? [point]).some((one) => levelOf({ ...one, request: point.request }) === 0)
const VALUES: ReadonlySet<ProbePoint['place']> = new Set(['query', 'form', 'json', 'multipart', 'xml'])

const signsOf = async (parts: Screening, points: readonly ProbePoint[]): Promise<ReadonlyMap<ProbePoint, Sign>> => {
  const { ctx, plan, shared, session, until } = parts
  const now = performance.now()
  const over = now + (until() - now) * SHARE
  const signs = new Map<ProbePoint, Sign>()
  const waiting = points.slice()
  let refused = 0
  let isOver = false
  /** Answers that no proof of the session has followed yet. */
  let doubtful: ProbePoint[] = []
  const checked = async (): Promise<boolean> => {
    const seen = await heldBeside(ctx, 'the session', () => session.check())
    const said = 'value' in seen ? seen.value : 'assumed'
    if (said === 'renewed' || said === 'lost') {
      for (const { request } of doubtful) for (const kept of [shared.baselines, shared.replies]) kept.forget(request.id)
    }
    if (said !== 'assumed') doubtful = []
    return said !== 'lost'
  }
  const worker = async (): Promise<void> => {
    for (let point = waiting.shift(); point && !isOver && performance.now() < over; point = waiting.shift()) {
      if (!(await checked())) return
      const one = point
      const ended = await endOf(ctx, async () => {
        signs.set(one, await signAt(parts, one))
      })
      doubtful.push(one)
      // Nothing more is sent: the places themselves say so.
      if (ended instanceof Error) isOver = true
      else refused = ended.end === 'blocked' ? refused + 1 : 0
      isOver ||= refused >= MOST_REFUSED
      ctx.progress(`${plan.what}: a first look at ${signs.size} of ${points.length} places`, 0)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  ctx.signal.throwIfAborted()
  return signs
}

/** The fields of a small form each by itself: it costs little more than to find out which of them it was. */
const signAt = async ({ prober, shared }: Screening, point: ProbePoint): Promise<Sign> => {
  const ask = (one: ProbePoint): Promise<Sign> => shared.signs(keyOf(one), () => signOf(prober.at(one)))
  if (!isSmall(point)) return ask(point)
  const each: Sign[] = []
  for (const one of point.members ?? []) each.push(await ask(one))
  const any = (which: keyof Sign): boolean => each.some((sign) => sign[which])
  return {
    ...{ repeats: any('repeats'), breaks: any('breaks'), reads: any('reads'), moves: any('moves') },
    speaks: each.some(({ speaks, moves: does }) => speaks && does),
    cuts: each.length > 0 && each.every(({ cuts }) => cuts),
  }
}

/** Of the fields of a small form that were looked at by themselves those that tell of their value; null where one was not. */
export const tellingMembers = async (
  { signs }: Pick<Shared, 'signs'>,
  group: ProbePoint,
): Promise<readonly ProbePoint[] | null> => {
  if (!isSmall(group)) return null
  const telling: ProbePoint[] = []
  for (const one of group.members ?? []) {
    const [sign] = await Promise.allSettled([signs.known(keyOf(one))])
    if (sign.status === 'rejected' || sign.value === undefined) return null
    const { repeats, breaks, moves: does } = sign.value
    if (repeats || breaks || does) telling.push(one)
  }
  return telling
}

const signOf = async (probe: Probe): Promise<Sign> => {
  const baseline = await probe.baseline()
  const control = await probe.control()
  const noise = noiseOf(baseline)
  const values = (probe.point.members ?? [probe.point]).map(({ value }) => value)
  const said = [control.text, control.location, ...control.headers.map(([, value]) => value)]
  const repeats = said.some((text) => text.toLowerCase().includes(control.value.toLowerCase()))
  const nothing = { repeats, breaks: false, reads: false, cuts: false, speaks: values.some(isTelling) }
  // A page that changes much by itself tells nothing by changing.
  if (noise > TOO_NOISY) return { ...nothing, moves: true }
  const isMoved = moves(control, baseline, values)
  const broken = await probe.broken()
  if (identical(broken, control, noise)) return { ...nothing, moves: isMoved }
  if (probe.point.members === undefined && readsBeginning(broken, control, baseline, probe.point.value))
    return { ...nothing, cuts: true, moves: isMoved }
  // Of a page that goes on changing, as by what the run stores meanwhile, each answer is another.
  const later = await probe.anew('control')
  const drift = Math.max(noise, 1 - likeness(later, control))
  const breaks = ![control, later].some((one) => identical(broken, one, drift))
  const isMovedStill = isMoved && (drift === noise || !identical(control, baseline[0], drift))
  return { ...nothing, breaks, reads: breaks && (await isRead(probe, broken, drift)), moves: isMovedStill }
}

/** Whether what a language makes the value or another of is answered as these are, and not as what breaks it. */
const isRead = async (probe: Probe, broken: Reply, drift: number): Promise<boolean> => {
  const { value, members } = probe.point
  if (members !== undefined) return false
  const same = /^\d{1,9}$/.test(value) ? await probe.send(`${value}-0`, { language: 'sql' }) : await probe.joined("'")
  if (same.status === 0 || identical(same, broken, drift)) return false
  return [(await probe.baseline())[0], await probe.control()].some((one) => identical(same, one, drift))
}
