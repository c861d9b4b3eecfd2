/** What was asked and answered, as people are shown it: names and shapes, and of values only what is nobody's secret. */
import type { HttpRequest } from '../../../egress/door/egress.ts'
import { leavesOf } from './leaves.ts'

const MOST_LINES = 20

export const shownOf = (
  { method = 'GET', url }: Pick<HttpRequest, 'method' | 'url'>,
  line: string,
  document: unknown,
): string => {
  const seen = new Map<string, string>()
  for (const { pointer, value } of leavesOf(document)) if (!seen.has(pointer)) seen.set(pointer, shapeOf(value))
  const lines = [...seen].slice(0, MOST_LINES).map(([pointer, shape]) => `${pointer}: ${shape}`)
  return [`${method} ${url.split('?')[0]}`, line, ...lines].join('\n').slice(0, 4_000)
}

/** Numbers and words of a few letters are shown; of longer texts how long they are. */
const shapeOf = (value: string | number | boolean | null): string =>
  typeof value === 'string'
    ? value.length <= 3
      ? JSON.stringify(value)
      : `text of ${value.length} characters`
    : typeof value
