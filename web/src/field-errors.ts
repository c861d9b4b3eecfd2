/** What a problem document says of single fields, sorted by whether the form has them. Pure. */
import type { Problem } from '../../src/contract/problem.ts'

type FieldError = NonNullable<Problem['errors']>[number]

interface SortedErrors {
  /** A sentence or more, by the path of the field. */
  readonly at: Readonly<Record<string, string>>
  /** Those of what the form does not show. */
  readonly rest: readonly FieldError[]
}

/**
 * `shows`: whether the form has a field of this path. What is said of a part of a field is said at the field. `said`: a sentence
 * of the service in the reader's language.
 */
export const sortErrors = (
  errors: readonly FieldError[],
  shows: (path: string) => boolean,
  said: (english: string) => string = (english) => english,
): SortedErrors => {
  const at: Record<string, string> = {}
  const rest: FieldError[] = []
  for (const error of errors) {
    const parts = error.path.split('.')
    const length = parts.findLastIndex((_, index) => shows(parts.slice(0, index + 1).join('.'))) + 1
    const field = parts.slice(0, length).join('.')
    if (length === 0) rest.push(error)
    else
      at[field] = [
        ...(at[field] === undefined ? [] : [at[field]]),
        sentence(error.message, parts.slice(length), said),
      ].join(' ')
  }
  return { at, rest }
}

/** `must be a path` of the third of a list: `3: Must be a path.`; of a part of it: `3 url: Must be a path.` */
const sentence = (message: string, within: readonly string[], said: (english: string) => string): string => {
  const text = `${said(`${message.slice(0, 1).toUpperCase()}${message.slice(1).replace(/\.$/, '')}`)}.`
  if (within.length === 0) return text
  return `${within.map((part) => (/^\d+$/.test(part) ? Number(part) + 1 : part)).join(' ')}: ${text}`
}
