/** Paging cursors: opaque to the caller, signed, and of use only with the filters they came from. */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import { ProblemError } from '../contract/problem.ts'
import type { SecretKeys } from '../contract/secret-keys.ts'

export interface Cursors {
  /** `scope` is what the cursor is bound to: endpoint, organisation, filters. */
  readonly seal: (scope: unknown, position: unknown) => string
  /** Throws validation_failed for a cursor that was altered or came from elsewhere. */
  readonly open: (scope: unknown, cursor: string) => unknown
}

/** 128 bits: forging one gains nothing but another page of the caller's own list. */
const SIGNATURE_BYTES = 16

export const createCursors = (keys: SecretKeys): Cursors => {
  const derived = new Map<Buffer, KeyObject>()
  const keyOf = (secret: Buffer): KeyObject => {
    const key = derived.get(secret) ?? createSecretKey(createHmac('sha256', secret).update('sonde cursor v1').digest())
    derived.set(secret, key)
    return key
  }
  const sign = (secret: Buffer, scope: unknown, payload: string): Buffer =>
    createHmac('sha256', keyOf(secret))
      .update(`${canonical(scope)}\n${payload}`)
      .digest()
      .subarray(0, SIGNATURE_BYTES)
  return {
    seal: (scope, position) => {
      const payload = Buffer.from(JSON.stringify(position)).toString('base64url')
      return `${payload}.${sign(keys.current, scope, payload).toString('base64url')}`
    },
    open: (scope, cursor) => {
      const [payload = '', signature = ''] = cursor.split('.')
      const given = Buffer.from(signature, 'base64url')
      const genuine = keys.accepted.some((key) => {
        const wanted = sign(key, scope, payload)
        return given.length === wanted.length && timingSafeEqual(given, wanted)
      })
      if (!genuine) {
        throw new ProblemError('validation_failed', 'The cursor is not one of this list.', {
          errors: [{ path: 'cursor', message: 'was altered, or belongs to another list or other filters' }],
        })
      }
      return JSON.parse(Buffer.from(payload, 'base64url').toString())
    },
  }
}

/** JSON with sorted keys and without undefined: equal values give equal texts. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
