import { within as inTime } from '../../../contract/within.ts'

/** Milliseconds. Tests over many pages take shorter ones. */
export interface Times {
  /** Until the document is there. */
  readonly load: number
  /** Without any request under way. */
  readonly quiet: number
  /** Longest wait for that. */
  readonly settle: number
  /** How long the start page stays open after it is quiet, while other things are done: what starts late counts, too. */
  readonly dwell: number
  /** The same once a choice was made. */
  readonly after: number
  /** After a button was pressed. */
  readonly press: number
  /** After the last key was typed: capture scripts wait for a pause. */
  readonly typed: number
  /** For a dialog to come up. */
  readonly dialog: number
  /** After the start page was opened, before it is said that none comes up: some wait until the visitor has read a little. */
  readonly late: number
  /** All of one state. */
  readonly state: number
  /** All states together. */
  readonly whole: number
}

export const TIMES: Times = {
  load: 15_000,
  quiet: 500,
  settle: 6_000,
  dwell: 4_500,
  after: 2_500,
  press: 1_200,
  typed: 1_200,
  dialog: 3_000,
  late: 9_000,
  state: 30_000,
  whole: 40_000,
}

/** Milliseconds that a browser takes to start where nothing else is going on, with room to spare. */
const PROMPT = 1_200
/** Waits are stretched no more than that. */
const MOST = 2.5

/**
 * Those of a machine on which the browser took `started` milliseconds to start: where others use the processor, pages are as
 * slow as that, and what they have not shown by the usual time is no absence. What counts as quiet stays.
 */
export const stretched = (times: Times, started: number): Times => {
  const by = Math.min(MOST, Math.max(1, started / PROMPT))
  const longer = Object.entries(times).map(([name, milliseconds]) => [name, Math.round(milliseconds * by)])
  return { ...(Object.fromEntries(longer) as typeof times), quiet: times.quiet }
}

export class StepTimeout extends Error {
  constructor(step: string, milliseconds: number) {
    super(`${step} took longer than ${milliseconds} ms`)
    this.name = 'StepTimeout'
  }
}

/** A page in an endless loop answers nothing: no step waits for it longer. @throws StepTimeout */
export const within = <Value>(step: string, work: Promise<Value>, milliseconds: number): Promise<Value> =>
  inTime(milliseconds, work, () => new StepTimeout(step, milliseconds))
