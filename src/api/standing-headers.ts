import type { FastifyRequest } from 'fastify'
import { limitHeaders } from './limiter.ts'
import type { Limiters } from './services.ts'

/**
 * What every answer carries. Where no limit was counted (public pages, unknown paths), the one on refused credentials
 * of the caller's address is shown: it is the one that applies.
 */
export const standingHeaders = (request: FastifyRequest, limiters: Limiters): Record<string, string> => ({
  'X-Request-Id': request.id,
  ...limitHeaders(request.applied?.length ? request.applied : [limiters.refusals.peek(request.ip)]),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
})
