/** The reach of a run from what its modules say of it. Pure. */
import {
  MOST_REACH_ROWS,
  REACH_KINDS,
  type Reach,
  type ReachReason,
  type ReachRow,
  type ReachTally,
} from '../contract/reach.ts'
import type { ReachEntry, ReachPart } from '../modules/reach.ts'

const MOST_REASONS = 20
const LONGEST = 2_000

/** Null where no module spoke of it: a passive run has none. */
export const reachOf = (parts: readonly ReachPart[]): Reach | null => {
  if (parts.length === 0) return null
  const things = Map.groupBy(
    parts.flatMap(({ entries }) => entries),
    ({ id }) => id,
  )
  const rows = [...things.values()].map(together)
  const inPart = [...things.values()].filter(isInPart).map(([one]) => one?.kind)
  const counted = [
    ...rows.map(({ kind, fate, reason }) => ({ kind, fate, reason, count: 1 })),
    ...parts.flatMap(({ beyond }) => beyond),
  ]
  const unasked = rows.filter(({ fate }) => fate !== 'asked')
  return {
    kinds: REACH_KINDS.map((kind) => ({
      ...tallyOf(kind, counted),
      ...partOf(inPart.filter((one) => one === kind).length),
      ...answeredOf(kind, rows),
    })).filter(({ known }) => known > 0),
    reasons: reasonsOf(counted),
    rows: [...unasked, ...rows.filter(({ fate }) => fate === 'asked')].slice(0, MOST_REACH_ROWS),
  }
}

/** The first that did not ask it speaks for all. */
const together = (entries: readonly ReachEntry[]): ReachRow => {
  const told = entries.filter(({ listed }) => !listed)
  const one = told.find(({ fate }) => fate !== 'asked' && fate !== 'merged') ?? told[0] ?? entries[0]
  if (!one) throw new Error('a thing is spoken of by somebody')
  const { kind, method, url, parameter, fate, reason } = one
  return {
    ...{ kind, method: method.slice(0, 40), url: url.slice(0, LONGEST) },
    ...(parameter === undefined ? {} : { parameter: parameter.slice(0, LONGEST) }),
    fate,
    ...(one.with === undefined ? {} : { with: one.with.slice(0, LONGEST) }),
    reason,
    ...(one.status === undefined ? {} : { status: one.status }),
  }
}

/** Somebody asked it something, and not all that speak of it asked it all. */
const isInPart = (entries: readonly ReachEntry[]): boolean => {
  const told = entries.filter(({ listed }) => !listed)
  const isWhole = (one: ReachEntry): boolean => one.fate === 'asked' || one.fate === 'merged'
  return !told.every(isWhole) && told.some((one) => one.inPart === true || one.fate === 'asked')
}

const partOf = (count: number): Pick<ReachTally, 'in_part'> => (count > 0 ? { in_part: count } : {})

type Counted = ReachPart['beyond'][number]

const sum = (counts: readonly { readonly count: number }[]): number =>
  counts.reduce((total, { count }) => total + count, 0)

const tallyOf = (kind: ReachTally['kind'], counted: readonly Counted[]): ReachTally => {
  const own = counted.filter((one) => one.kind === kind)
  const of = (fate: Counted['fate']): number => sum(own.filter((one) => one.fate === fate))
  return {
    kind,
    known: sum(own),
    asked: of('asked'),
    merged: of('merged'),
    left_out: of('left_out'),
    cut_off: of('cut_off'),
  }
}

const answeredOf = (kind: ReachTally['kind'], rows: readonly ReachRow[]): Pick<ReachTally, 'answered'> =>
  kind === 'operation'
    ? { answered: rows.filter((row) => row.kind === kind && Math.floor((row.status ?? 0) / 100) === 2).length }
    : {}

const reasonsOf = (counted: readonly Counted[]): ReachReason[] =>
  Map.groupBy(
    counted.filter(({ fate, count }) => (fate === 'left_out' || fate === 'cut_off') && count > 0),
    ({ kind, reason }) => JSON.stringify([kind, reason]),
  )
    .values()
    .flatMap((group) => {
      const [first] = group
      return first ? [{ kind: first.kind, reason: first.reason ?? 'no reason was given', count: sum(group) }] : []
    })
    .toArray()
    .toSorted((a, b) => b.count - a.count || (`${a.kind} ${a.reason}` < `${b.kind} ${b.reason}` ? -1 : 1))
    .slice(0, MOST_REASONS)
