import { ACCOUNT } from './en/account.ts'
import { FINDINGS } from './en/findings.ts'
import { FRAME } from './en/frame.ts'
import { RUNS } from './en/runs.ts'

/** Every word of the interface in English. */
export const EN = { ...FRAME, ...RUNS, ...FINDINGS, ...ACCOUNT } as const
