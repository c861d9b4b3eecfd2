/** Answers to the attempts of a series, for tables of cases. */
import type { Answer } from '../facts.ts'

export const answer = (change: Partial<Answer> = {}): Answer => ({
  status: 200,
  ms: 20,
  likeness: 1,
  retryAfter: null,
  ...change,
})
export const answers = (count: number, change: Partial<Answer> = {}) =>
  Array.from({ length: count }, () => answer(change))
