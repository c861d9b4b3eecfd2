/**
 * What the modules that probe one inventory have in common within a run: ordinary answers, the line for timed probes,
 * and how often something in front has refused. Not part of any module's facts.
 */
import type { ScopeKey } from '../../run-scope.ts'
import { createLastReads, type LastReads } from '../effects/pages.ts'
import { createFirstValues, type FirstValues } from './first-values.ts'
import { createFreshness, type Freshness } from './freshness.ts'
import { createGuards, type Guards } from './guarded.ts'
import type { StandIns } from './likes.ts'
import { createLimits, type Limits } from './limits.ts'
import type { Reply } from './prober.ts'
import type { Remembered } from './remembered.ts'
import type { Sign } from './screening.ts'
import { createTurns, type Turns } from './turns.ts'
import { createWrites, type Writes } from './writes.ts'
import { createWrittenValues, type WrittenValues } from './written-values.ts'

export interface Shared {
  /** The request as it is, twice; by request, and by place where that is no part of it. */
  readonly baselines: Memory<readonly [Reply, Reply]>
  /** Answers to what several modules want to know of a place; by place and question. */
  readonly replies: Memory<Reply>
  /** What is asked in the stead of what; one for the run. */
  readonly standIns: Memory<StandIns>
  /** Places by which it is proven what reads their values. */
  readonly interpreted: Set<string>
  /** What a first look at places has shown, where they are many; by place. */
  readonly signs: Memory<Sign>
  /** How many modules have begun to ask. */
  readonly asking: { modules: number }
  /** Milliseconds of ordinary answers, by request. */
  readonly timings: Map<string, number[]>
  /** Timed probes of a host, whichever module asks. */
  readonly turns: Turns
  /** Places refused one after another, by all modules; null sets it back. */
  readonly refusals: { inARow: number }
  /** How often what may write was sent by all modules. */
  readonly writes: Writes
  /** What was put into forms and may be stored. */
  readonly written: WrittenValues
  /** What forms held before the run wrote into them. */
  readonly firstValues: FirstValues
  /** What pages said when it was learned what requests do. */
  readonly lastReads: LastReads
  /** Forms that refuse for a time. */
  readonly limits: Limits
  /** Sign-ins that have shut the scanner out. */
  readonly guards: Guards
  /** Tokens of forms that are good now. */
  readonly freshness: Freshness
  /** By place: whether any answer there was other than a refusal; without an answer nothing. */
  readonly reached: Map<string, boolean>
  /** Forms whose values the application keeps. */
  readonly remembered: Remembered
  /** Sign-ins whose form nobody gets who is not signed in; by request. */
  readonly hidden: Memory<boolean>
  /** By baseline. */
  readonly doubts: Map<string, Doubted>
  /** By baseline: how much the run had written when the page was last seen as it says. */
  readonly seenAt: Map<string, number>
}

export interface Doubted {
  /** How often it was doubted. */
  readonly times: number
  /** What came of the last time. */
  readonly last: Promise<boolean>
  /** Whether it was another at any of these times. */
  changed: boolean
  /** How much the run had written at the last time. */
  readonly written: number
}

/** The first who asks pays; who waits for one that was called off asks again. */
export interface Memory<Value> {
  (key: string, ask: () => Promise<Value>): Promise<Value>
  readonly known: (key: string) => Promise<Value> | undefined
  /** What was asked for now; kept where nothing is known yet. */
  readonly anew: (key: string, asked: Promise<Value>) => Promise<Value>
  /** All that is kept of a request. */
  readonly forget: (request: string) => void
}

/** Characters of answers of each kind. */
const MOST_KEPT = 24_000_000

/** Most places do not wait, so a few may be asked at once; where one does, that holds a connection of its database a second or so. */
const FIRST_TRIES = 3

/** One inventory a run, so one of these. */
export const SHARED: ScopeKey<Shared> = {
  make: () => ({
    baselines: memory(([first, second]) => first.text.length + second.text.length),
    replies: memory(({ text }) => text.length),
    standIns: memory(() => 1),
    interpreted: new Set(),
    signs: memory(() => 1),
    asking: { modules: 0 },
    timings: new Map(),
    turns: createTurns(FIRST_TRIES),
    refusals: { inARow: 0 },
    writes: createWrites(),
    written: createWrittenValues(),
    firstValues: createFirstValues(),
    lastReads: createLastReads(),
    limits: createLimits(),
    guards: createGuards(),
    freshness: createFreshness(memory(() => 1)),
    reached: new Map(),
    remembered: { forms: new Set(), places: memory(() => 1) },
    hidden: memory(() => 1),
    doubts: new Map(),
    seenAt: new Map(),
  }),
}

/**
 * Modules go through the inventory in the same order and at a like pace, so what was kept longest is needed least; who comes
 * late asks again.
 */
export const memory = <Value>(sizeOf: (value: Value) => number, most = MOST_KEPT): Memory<Value> => {
  const kept = new Map<string, { readonly answer: Promise<Value>; size: number }>()
  let total = 0
  const forget = (key: string): void => {
    total -= kept.get(key)?.size ?? 0
    kept.delete(key)
  }
  const recall = async (key: string, ask: () => Promise<Value>): Promise<Value> => {
    const known = kept.get(key)
    if (known) {
      try {
        return await known.answer
      } catch (error) {
        if (!calledOff(error)) throw error
        if (kept.get(key) === known) forget(key)
        return recall(key, ask)
      }
    }
    const entry = { answer: ask(), size: 0 }
    kept.set(key, entry)
    const value = await entry.answer
    if (kept.get(key) !== entry) return value
    entry.size = sizeOf(value)
    total += entry.size
    for (const [oldest] of kept) {
      if (total <= most || oldest === key) break
      forget(oldest)
    }
    return value
  }
  return Object.assign(recall, {
    known: (key: string) => kept.get(key)?.answer,
    anew: async (key: string, asked: Promise<Value>) => {
      const value = await asked
      if (!kept.has(key)) await recall(key, async () => value)
      return value
    },
    forget: (request: string) => {
      for (const key of kept.keys()) if (key === request || key.startsWith(`${request} `)) forget(key)
    },
  })
}

/** The module that asked has ended, or spent its budget or its part of a form's writes; that says nothing about the place, nor of what others may ask. */
const calledOff = (error: unknown): boolean => error instanceof Error && 'code' in error && CALLED_OFF.has(error.code)
const CALLED_OFF: ReadonlySet<unknown> = new Set(['aborted', 'budget', 'bounded'])
