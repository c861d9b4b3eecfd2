import { ACCOUNT } from './de/account.ts'
import { FINDINGS } from './de/findings.ts'
import { FRAME } from './de/frame.ts'
import { RUNS } from './de/runs.ts'
import type { Words } from './words.ts'

/** Every word of the interface in German. The types hold it whole. */
export const DE: Words = { ...FRAME, ...RUNS, ...FINDINGS, ...ACCOUNT }
