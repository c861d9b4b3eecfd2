/** All states of one site, side by side where memory allows; each ends by its own deadline and takes no other along. */
import { freemem } from 'node:os'
import type { ModuleBrowser } from '../../browser.ts'
import { isGone, openTab } from '../../browser.ts'
import type { StateName } from '../facts.ts'
import { openProfile, type Profile, reasonOf } from './profile.ts'
import {
  newState,
  type RawState,
  type StateParts,
  visitAccepting,
  visitRejecting,
  visitRevoking,
  visitUntouched,
} from './states.ts'
import { StepTimeout, type Times, within } from './times.ts'

export interface Round {
  readonly states: ReadonlyMap<StateName, RawState>
  /** A load with Sec-GPC: 1, or null when there was no time for it. */
  readonly gpc: RawState | null
}

/** Free memory below which states follow one another. */
const ROOMY = 2.5 * 1024 ** 3
/** Milliseconds that a state needs to show anything. */
const LEAST = 6_000
const NO_TIME = 'there was no time left for it'
const NO_DIALOG = 'no consent dialog was found, so there was nothing to press'
const GPC =
  "Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true, configurable: true })"

export interface RoundParts extends Omit<StateParts, 'profile'> {
  readonly browser: ModuleBrowser
  readonly binding: string
  readonly times: Times
  readonly signal: AbortSignal
  readonly until: number
}

export const visitAll = async (given: Omit<RoundParts, 'until'>): Promise<Round> => {
  const parts = { ...given, until: performance.now() + given.times.whole }
  const states = new Map<StateName, RawState>()
  /** For a dialog to come up: longer where it came late. */
  let wait = parts.times.dialog
  const visit = async (name: StateName, work: (state: RawState, with_: StateParts) => Promise<void>): Promise<void> => {
    if (performance.now() > parts.until - LEAST) return
    const profile = await openProfile(parts.browser, { ...parts, times: { ...parts.times, dialog: wait } })
    const state = newState(name, profile)
    states.set(name, state)
    await guarded(state, parts, () => work(state, { ...parts, profile }))
  }
  const dialog = Promise.withResolvers<boolean>()
  const untouched = visit('untouched', (state, own) =>
    visitUntouched(state, own, (seen, late) => {
      if (late) wait = parts.times.late
      dialog.resolve(seen !== null)
    }),
  ).finally(() => dialog.resolve(false))
  const rest = async (): Promise<void> => {
    if (!(await dialog.promise)) return
    const works = [
      () => visit('reject', visitRejecting),
      () => visit('accept', visitAccepting),
      () => visit('revoke', visitRevoking),
    ]
    if (freemem() > ROOMY) await Promise.all(works.map((work) => work()))
    else for (const work of works) await work()
  }
  const [, , gpc] = await Promise.all([untouched, rest(), dialog.promise.then(() => visitGpc(parts, states))])
  for (const name of ['reject', 'accept', 'revoke'] as const) {
    const first = states.get('untouched')
    if (states.has(name) || !first) continue
    const missed = first.missed ?? (first.dialog === null ? NO_DIALOG : NO_TIME)
    states.set(name, { ...newState(name, first.profile), missed })
  }
  return { states, gpc }
}

/** Whatever a page does ends at the state's deadline and is a fact about that state. */
const guarded = async (state: RawState, parts: RoundParts, work: () => Promise<void>): Promise<void> => {
  const { profile } = state
  try {
    await within(`the ${state.name} state`, work(), profile.left() + 1_500)
  } catch (error) {
    parts.signal.throwIfAborted()
    if (!isPagesFault(error)) throw error
    state.missed ??= `the page did not let itself be looked at: ${reasonOf(error)}`
  } finally {
    await state.dialog?.rules.close()
    await profile.close()
    profile.log.finish()
  }
}

const isPagesFault = (error: unknown): boolean =>
  error instanceof StepTimeout ||
  isGone(error) ||
  (error instanceof Error &&
    /^(?:page|frame|context|browserContext|cdpSession|mouse|keyboard)\.|Protocol error|Timeout/i.test(error.message))

const visitGpc = async (parts: RoundParts, states: ReadonlyMap<StateName, RawState>): Promise<RawState | null> => {
  if (states.get('untouched')?.missed !== null || performance.now() > parts.until - LEAST) return null
  const profile: Profile = await openProfile(parts.browser, { ...parts, headers: { 'Sec-GPC': '1' }, script: GPC })
  const state = newState('untouched', profile)
  await guarded(state, parts, async () => {
    const page = await openTab(profile)
    const error = await profile.open(page, parts.url)
    if (error !== null) state.missed = error
    await profile.settle()
  })
  return state.missed === null ? state : null
}
