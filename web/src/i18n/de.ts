import { ACCOUNT } from './de/account.ts'
import { DOING } from './de/doing.ts'
import { FINDINGS } from './de/findings.ts'
import { FRAME } from './de/frame.ts'
import { REFUSALS } from './de/refusals.ts'
import { RUNS } from './de/runs.ts'
import type { Words } from './words.ts'

/** Every word of the interface in German. The types hold it whole. */
export const DE: Words = { ...FRAME, ...RUNS, ...FINDINGS, ...ACCOUNT }

/** What the service says in English: what is refused, and what a run does. */
export const PHRASES_DE = [...REFUSALS, ...DOING] as const
