/** What a start with an Idempotency-Key is told apart by. */
import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { ProblemError } from '../contract/problem.ts'
import type { SecretKeys } from '../contract/secret-keys.ts'
import type { Idempotency } from '../store/idempotency.ts'
import { canonical } from './cursor.ts'

/**
 * Null where the request has no key. Hashes are keyed, as the body may hold credentials that a plain hash would let a reader of
 * the database guess. Throws validation_failed for a header that is no key.
 */
export const idempotencyOf = (request: FastifyRequest, body: unknown, keys: SecretKeys): Idempotency | null => {
  const key = keyOf(request)
  if (key === null) return null
  const text = canonical(body)
  const [bodyHash = '', ...formerHashes] = keys.accepted.map((secret) =>
    createHash('sha256').update(secret).update(text).digest('hex'),
  )
  return { key, bodyHash, formerHashes }
}

const keyOf = ({ headers }: FastifyRequest): string | null => {
  const header = headers['idempotency-key']
  if (header === undefined) return null
  if (typeof header === 'string' && /^[\x21-\x7e]{1,255}$/.test(header)) return header
  throw new ProblemError('validation_failed', 'One field is not valid.', {
    errors: [{ path: 'Idempotency-Key', message: 'must be 1 to 255 visible ASCII characters' }],
  })
}
