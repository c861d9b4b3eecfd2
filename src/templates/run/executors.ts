/** Which function runs which protocol. A new one adds its line. */
import type { Protocol, Step } from '../language/template.ts'
import { runDns } from './dns.ts'
import type { StepRun } from './executor.ts'
import { runHeadless } from './headless.ts'
import { createHttpExecutor, type HttpParts } from './http/http.ts'
import { runJavascript } from './javascript/javascript.ts'
import { runSsl } from './ssl.ts'
import { runTcp } from './tcp.ts'

export type Executors = {
  readonly [P in Protocol]: (step: Extract<Step, { protocol: P }>, run: StepRun) => Promise<boolean>
}

export const executorsOf = (http: HttpParts): Executors => ({
  http: createHttpExecutor(http),
  dns: runDns,
  ssl: runSsl,
  tcp: runTcp,
  headless: runHeadless,
  javascript: runJavascript,
})
