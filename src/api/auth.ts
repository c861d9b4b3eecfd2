/** Authentication and rate limits: the first two checks of every request. */
import type { FastifyRequest } from 'fastify'
import { ProblemError } from '../contract/problem.ts'
import { authenticate } from '../store/api-keys.ts'
import type { LimitState } from './limiter.ts'
import type { Caller, Services } from './services.ts'

/** Longer credentials are none of ours and are not even hashed. */
const MAX_CREDENTIAL = 200

/** The caller, or 401; 429 instead once an address has had too many credentials refused. */
export const identify = async (request: FastifyRequest, services: Services): Promise<Caller> => {
  const header = request.headers.authorization
  if (header === undefined) throw unauthenticated('Send your API key as Authorization: Bearer <key>.')
  const [, secret] = /^bearer +(\S+) *$/i.exec(header.slice(0, MAX_CREDENTIAL)) ?? []
  const caller = secret === undefined ? null : await authenticate(services.db, secret)
  if (caller !== null) return caller
  const state = services.limiters.refusals.take(request.ip)
  request.applied = [state]
  if (!state.ok) throw limited(state)
  throw unauthenticated(
    secret === undefined
      ? 'The Authorization header has to read Bearer <key>.'
      : 'The API key is mistyped, unknown, expired or revoked.',
  )
}

/** Takes one of each limit that applies; the first that is used up refuses. */
export const takeLimits = (request: FastifyRequest, states: readonly LimitState[]): void => {
  request.applied = states
  const refused = states.find((state) => !state.ok)
  if (refused !== undefined) throw limited(refused)
}

const unauthenticated = (detail: string): ProblemError =>
  new ProblemError('unauthenticated', detail, { headers: { 'WWW-Authenticate': 'Bearer realm="sonde"' } })

const limited = ({ policy, retryAfter }: LimitState): ProblemError =>
  new ProblemError('rate_limited', `${WORDS[policy.name] ?? 'Too many requests.'} Try again in ${retryAfter} s.`, {
    headers: { 'Retry-After': String(retryAfter) },
  })

const WORDS: Readonly<Record<string, string>> = {
  key: 'This key has used its requests of this minute.',
  starts: 'This key has used its starts of this minute.',
  run: 'This run is being read too often; ask every 5 seconds, or open its stream.',
  'refused-credentials': 'Too many credentials from this address were refused.',
}
