/** Every page of the injection testbed. */
import type { WebCase } from './case.ts'
import { INJECTION_CASES } from './injection-cases.ts'
import { SQLI_CASES } from './sqli-cases.ts'
import { XSS_CASES } from './xss-cases.ts'
import { XSS_DOM_CASES } from './xss-dom-cases.ts'
import { XSS_STORED_CASES } from './xss-stored-cases.ts'

export const WEB_CASES: readonly WebCase[] = [
  ...SQLI_CASES,
  ...INJECTION_CASES,
  ...XSS_CASES,
  ...XSS_DOM_CASES,
  ...XSS_STORED_CASES,
]
