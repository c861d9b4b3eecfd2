/** Validation of what a request carries: every bad field is named, not only the first. */
import type { z } from 'zod'
import type { Problem } from '../contract/problem.ts'

export type FieldErrors = NonNullable<Problem['errors']>
export type Checked =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly errors: FieldErrors }

/** `place` names the whole where no field does: 'body' or 'query'. */
export const check = (schema: z.ZodType, value: unknown, place: string): Checked => {
  const nul = pathOfNul(value)
  if (nul !== null) return { ok: false, errors: [{ path: nul, message: 'must not contain the NUL character' }] }
  const parsed = schema.safeParse(value)
  if (parsed.success) return { ok: true, value: parsed.data }
  return {
    ok: false,
    errors: parsed.error.issues.flatMap((issue) => describe(issue, value, place)).slice(0, MAX_ERRORS),
  }
}

/** Fields named in one answer: a body of 64 KiB has room for thousands. */
const MAX_ERRORS = 100

const describe = (issue: z.core.$ZodIssue, value: unknown, place: string): FieldErrors => {
  const path = issue.path.join('.') || place
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: [...issue.path, key].join('.').slice(0, 200),
      message: 'is not known here',
    }))
  }
  if (issue.path.length > 0 && valueAt(value, issue.path) === undefined) return [{ path, message: 'is required' }]
  return [{ path, message: issue.message.replace(/^Invalid input: /, '') }]
}

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (of, key) => (typeof of === 'object' && of !== null ? (of as Record<PropertyKey, unknown>)[key] : undefined),
    value,
  )

/** PostgreSQL's text cannot hold U+0000, and nothing that we take has a use for it. */
const pathOfNul = (value: unknown, path = ''): string | null => {
  if (typeof value === 'string') return value.includes('\0') ? path || 'body' : null
  if (typeof value !== 'object' || value === null) return null
  for (const [key, inner] of Object.entries(value)) {
    const found = pathOfNul(inner, path === '' ? key : `${path}.${key}`)
    if (found !== null) return found.replaceAll('\0', '�')
  }
  return null
}
