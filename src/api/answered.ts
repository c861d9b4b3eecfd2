/** What is noted of each request once it is answered. */
import type { FastifyBaseLogger } from 'fastify'
import type { Metrics } from './metrics.ts'

export interface AnsweredRequest {
  readonly id: string
  readonly method: string
  /** Path as in the endpoint table; never the address, which may hold a signature. */
  readonly endpoint: string
  readonly status: number
  readonly milliseconds: number
  /** Absent where nobody was let in. */
  readonly organisation: string | undefined
}

export const noteAnswered = (figures: Metrics, log: FastifyBaseLogger, answered: AnsweredRequest): void => {
  const { id, method, endpoint, status, milliseconds, organisation } = answered
  figures.observe(endpoint, method, status, milliseconds / 1000)
  log.info({ request_id: id, method, endpoint, status, ms: Math.round(milliseconds), organisation }, 'request')
}
