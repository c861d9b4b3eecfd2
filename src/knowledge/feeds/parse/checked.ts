import type { z } from 'zod'
import { FeedError } from '../feed.ts'

/** @throws FeedError that names the first thing wrong */
export const checked = <Shape extends z.ZodType>(
  shape: Shape,
  value: unknown,
  file: string,
  record: string | null,
): z.infer<Shape> => {
  const parsed = shape.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new FeedError(file, record, `${issue?.path.join('.') || 'the record'}: ${issue?.message ?? 'is wrong'}`)
}

export const clipped = (text: string, most: number): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`
}

export const httpsOnly = (urls: readonly string[]): readonly string[] =>
  urls.filter((url) => url.length <= 300 && URL.parse(url)?.protocol === 'https:').slice(0, 3)
