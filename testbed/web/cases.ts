/** Every page of the injection testbed. */
import type { WebCase } from './case.ts'
import { SQLI_CASES } from './sqli-cases.ts'

export const WEB_CASES: readonly WebCase[] = [...SQLI_CASES]
