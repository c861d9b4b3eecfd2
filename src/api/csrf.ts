/**
 * A cookie travels with requests that another site makes. SameSite=Strict keeps it at home in today's browsers; this is
 * the second lock: a change needs a token that only a page of ours can read.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { ProblemError } from '../contract/problem.ts'
import { CSRF_HEADER } from '../contract/session.ts'
import type { Services } from './services.ts'

export const isSafe = (method: string): boolean => method === 'GET' || method === 'HEAD' || method === 'OPTIONS'

/** Bound to the session, so that a token of one's own session is of no use against another's. */
export const csrfToken = (sessionId: string, { keys }: Pick<Services, 'keys'>): string =>
  tokenOf(sessionId, keys.current)

const tokenOf = (sessionId: string, key: Buffer): string =>
  createHmac('sha256', key).update(`sonde csrf v1 ${sessionId}`).digest('base64url')

/** Throws csrf_token_invalid. */
export const demandOwnOrigin = (request: FastifyRequest, sessionId: string, services: Pick<Services, 'keys'>): void => {
  const site = request.headers['sec-fetch-site']
  const given = request.headers[CSRF_HEADER.toLowerCase()]
  const token = Buffer.from(typeof given === 'string' ? given : '')
  const sameSite = site === undefined || site === 'same-origin'
  const genuine = services.keys.accepted.some((key) => {
    const wanted = Buffer.from(tokenOf(sessionId, key))
    return token.length === wanted.length && timingSafeEqual(token, wanted)
  })
  if (sameSite && genuine) return
  throw new ProblemError(
    'csrf_token_invalid',
    `A change with a session cookie needs the session's token as ${CSRF_HEADER}. Load the page again.`,
  )
}
