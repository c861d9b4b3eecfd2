/** What is wrong with what was given, field by field, in words for whoever gave it. */
import type { z } from 'zod'
import type { Problem } from './problem.ts'

export type FieldErrors = NonNullable<Problem['errors']>

/** Of the issues of a schema with `value`; `place` names the whole where no field does. */
export const fieldErrors = (issues: readonly z.core.$ZodIssue[], value: unknown, place: string): FieldErrors =>
  issues.flatMap((issue) => describe(issue, value, place)).slice(0, MAX_ERRORS)

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
