/** Every page of the injection testbed. */
import type { WebCase } from './case.ts'
import { INJECTION_CASES } from './injection-cases.ts'
import { SQLI_CASES } from './sqli-cases.ts'
import { XSS_CASES } from './xss-cases.ts'

export const WEB_CASES: readonly WebCase[] = [...SQLI_CASES, ...INJECTION_CASES, ...XSS_CASES]
