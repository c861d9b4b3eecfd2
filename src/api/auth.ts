/** Authentication and rate limits: the first two checks of every request. */
import type { FastifyRequest } from 'fastify'
import { type ApiKey, type Organisation, SCOPES_OF_ROLE } from '../contract/organisation.ts'
import { ProblemError } from '../contract/problem.ts'
import { authenticateAgent } from '../store/agents.ts'
import { findSession, type StoredSession } from '../store/sessions.ts'
import { demandOwnOrigin, isSafe } from './csrf.ts'
import type { KnownKey } from './known-callers.ts'
import { type Counted, type LimitState, subjectOf } from './limiter.ts'
import type { Caller, Services } from './services.ts'
import { sessionToken } from './session-cookie.ts'

/** Longer credentials are none of ours and are not even hashed. */
const MAX_CREDENTIAL = 200

/**
 * Finds out who asks, or 401, and counts the request, or 429; 429 in place of 401 once an address has had too many credentials
 * refused. Of a key both is one statement. With `early` it may leave that to `request.admission` where the key let somebody in
 * before: see `whileAdmitted`.
 */
export const admit = async (
  request: FastifyRequest,
  services: Services,
  counted: readonly Counted[],
  early = false,
): Promise<void> => {
  const header = request.headers.authorization
  // A key wins: a program that sends one means it, whatever cookies travel along.
  if (header === undefined) {
    return takeLimits(request, services, meet(request, services, await identifyBrowser(request, services)), counted)
  }
  const [, secret] = /^bearer +(\S+) *$/i.exec(header.slice(0, MAX_CREDENTIAL)) ?? []
  if (secret === undefined) {
    await countRefusal(request, services)
    throw unauthenticated('The Authorization header has to read Bearer <key>.')
  }
  const known = services.known.of(secret)
  const admission = admitKey(request, services, { secret, known }, counted)
  if (!early || known.caller === null) {
    await admission
    return
  }
  request.caller = known.caller
  request.admission = admission
  // Asked for by `whileAdmitted`, which may come to it late.
  admission.catch(() => undefined)
}

/** True where the key is of whom it was known to be of. */
const admitKey = async (
  request: FastifyRequest,
  services: Services,
  { secret, known }: { readonly secret: string; readonly known: KnownKey },
  counted: readonly Counted[],
): Promise<boolean> => {
  const admitted = await services.limiter.admit(secret, counted)
  if (admitted === null) {
    known.remember(null)
    request.caller = null
    await countRefusal(request, services)
    throw unauthenticated('The API key is mistyped, unknown, expired or revoked.')
  }
  const caller = meet(request, services, callerOfKey(admitted.owner))
  // Of whom too much was asked already nothing more is read before it is known that they may.
  const same = known.remember(admitted.states.every(({ ok }) => ok) ? caller : null)
  // One for all that wait, streams above all.
  if (same && known.caller !== null) request.caller = known.caller
  applyLimits(request, admitted.states)
  return same
}

/**
 * Does the work, which only reads, and gives what came of it once the caller is known to be let in; does it again where the key is
 * of somebody else by then, or may do something else. What is refused is refused before anything that the work would say.
 */
export const whileAdmitted = async <T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> => {
  const { admission } = request
  if (admission === null) return work()
  const begun = work()
  begun.catch(() => undefined)
  return (await admission) ? begun : work()
}

const meet = (request: FastifyRequest, services: Services, caller: Caller): Caller => {
  request.caller = caller
  services.connections.trust(request.raw.socket)
  return caller
}

const identifyBrowser = async (request: FastifyRequest, services: Services): Promise<Caller> => {
  const token = sessionToken(request, services)
  if (token === null) throw unauthenticated('Send your API key as Authorization: Bearer <key>.')
  const session = await findSession(services.db, token)
  if (session === null) {
    await countRefusal(request, services)
    throw unauthenticated('The session is over. Sign in again.')
  }
  if (!isSafe(request.method)) demandOwnOrigin(request, session.id, services)
  return callerOfSession(session)
}

export const callerOfKey = ({ key, organisation }: { key: ApiKey; organisation: Organisation }): Caller => ({
  actor: { kind: 'key', id: key.id, name: key.name, role: null },
  scopes: key.scopes,
  organisation,
  session: null,
})

export const callerOfSession = ({ id, expiresAt, organisation, key, member }: StoredSession): Caller => {
  const session = { id, expiresAt }
  if (key !== null) {
    return {
      actor: { kind: 'key', id: key.id, name: key.name, role: null },
      ...{ scopes: key.scopes, organisation, session },
    }
  }
  if (member === null) throw new Error('A session of nobody')
  return {
    actor: { kind: 'member', id: member.id, name: member.name, role: member.role },
    ...{ scopes: SCOPES_OF_ROLE[member.role], organisation, session },
  }
}

/** As `admit`, of the agent behind its token. No key and no session will do. */
export const admitAgent = async (
  request: FastifyRequest,
  services: Services,
  counted: readonly Counted[],
): Promise<void> =>
  takeLimits(request, services, meet(request, services, await identifyAgent(request, services)), counted)

const identifyAgent = async (request: FastifyRequest, services: Services): Promise<Caller> => {
  const [, token] = /^bearer +(\S+) *$/i.exec((request.headers.authorization ?? '').slice(0, MAX_CREDENTIAL)) ?? []
  const found = token === undefined ? null : await authenticateAgent(services.db, token)
  if (found === null) {
    await countRefusal(request, services)
    throw unauthenticated(
      'This takes the token of an agent as Authorization: Bearer <token>; it is mistyped, unknown or revoked.',
    )
  }
  const { id, name } = found.agent
  return {
    actor: { kind: 'key', id, name: `agent ${name}`, role: null },
    ...{ scopes: [], organisation: found.organisation, session: null },
  }
}

/** Counts against the caller's address. */
export const countRefusal = (request: FastifyRequest, services: Services): Promise<void> =>
  services.limiter
    .take([{ limit: 'refused-credentials', subject: request.ip }])
    .then((states) => applyLimits(request, states))

/** Takes one of each limit that applies; the first that is used up refuses. */
export const takeLimits = async (
  request: FastifyRequest,
  { limiter }: Services,
  { actor }: Caller,
  counted: readonly Counted[],
): Promise<void> => {
  const demands = counted.map(({ limit, of }) => ({ limit, subject: subjectOf(actor.id, of) }))
  applyLimits(request, await limiter.take(demands))
}

const applyLimits = (request: FastifyRequest, states: readonly LimitState[]): void => {
  request.applied = states
  const refused = states.find((state) => !state.ok)
  if (refused !== undefined) throw limited(refused)
}

export const unauthenticated = (detail: string): ProblemError =>
  new ProblemError('unauthenticated', detail, { headers: { 'WWW-Authenticate': 'Bearer realm="sonde"' } })

const limited = ({ policy, retryAfter }: LimitState): ProblemError =>
  new ProblemError('rate_limited', `${WORDS[policy.name] ?? 'Too many requests.'} Try again in ${retryAfter} s.`, {
    headers: { 'Retry-After': String(retryAfter) },
  })

const WORDS: Readonly<Record<string, string>> = {
  key: 'This key has used its requests of this minute.',
  agent: 'This agent has used its requests of this minute.',
  starts: 'This key has used its starts of this minute.',
  run: 'This run is being read too often; ask every 5 seconds, or open its stream.',
  'refused-credentials': 'Too many credentials from this address were refused.',
}
