/** Numbers in a query, where everything is text. */
import { z } from 'zod'

/** RFC 3986 knows no numbers: ours are decimal digits alone, so that one number has one spelling. */
const DIGITS = /^(?:0|[1-9]\d{0,15})$/

const fromDigits = (given: unknown): unknown =>
  typeof given === 'string' && DIGITS.test(given) ? Number(given) : given

const between = (min: number, max: number) =>
  z
    .int({ error: ({ code }) => (code === 'invalid_type' ? 'must be a whole number in decimal digits' : undefined) })
    .min(min)
    .max(max)

/**
 * A whole number from `min` to `max`, both inclusive, written in decimal digits: no sign, no fraction, no exponent, no
 * other base, no leading zero, no space.
 */
export const queryInteger = (min: number, max: number) => z.preprocess(fromDigits, between(min, max))

/** The same, `absent` where the query has none. */
export const queryIntegerOr = (absent: number, min: number, max: number) =>
  z.preprocess(fromDigits, between(min, max).default(absent))

/** Of a list that comes in pages: how many items one has, and where the next begins. */
export const pageSize = (absent: number, most: number) => queryIntegerOr(absent, 1, most).describe('Items on a page')
export const Cursor = z
  .string()
  .max(1024)
  .optional()
  .describe('`next_cursor` of the page before; absent: the first page')
