import type { FastifyRequest } from 'fastify'
import { type Limiter, limitHeaders } from './limiter.ts'

/**
 * What every answer carries. Where no limit was counted (public pages, unknown paths), the one on refused credentials
 * of the caller's address is shown: it is the one that applies.
 */
export const defaultHeaders = (
  request: FastifyRequest,
  { limiter, baseUrl }: { readonly limiter: Limiter; readonly baseUrl: () => string },
): Record<string, string> => ({
  // Two years, what browsers' preload lists ask for: RFC 6797.
  ...(baseUrl().startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=63072000; includeSubDomains' } : {}),
  'X-Request-Id': request.id,
  ...limitHeaders(request.applied?.length ? request.applied : [limiter.refusals(request.ip)]),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
})
