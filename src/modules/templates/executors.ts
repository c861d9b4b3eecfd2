/** Which function runs which protocol. A new one adds its line. */
import type { Protocol, Step } from '../../knowledge/templates/template.ts'
import { type Executor, type StepRun, StepSkipped } from './executor.ts'
import { createHttpExecutor, type HttpParts } from './http/http.ts'

export type Executors = {
  readonly [P in Protocol]: (step: Extract<Step, { protocol: P }>, run: StepRun) => Promise<boolean>
}

export const executorsOf = (http: HttpParts): Executors => ({
  http: createHttpExecutor(http),
  dns: absent('dns'),
  ssl: absent('ssl'),
  tcp: absent('tcp'),
  websocket: absent('websocket'),
  headless: absent('headless'),
  javascript: absent('javascript'),
})

const absent =
  (protocol: Protocol): Executor<Step> =>
  async () => {
    throw new StepSkipped(`steps of ${protocol} cannot be run yet`)
  }
