/** Start paths: where a site begins beside "/", for what no page leads to, such as an application below a folder of its own. */
import { z } from 'zod'

export const MOST_START_PATHS = 10
const MAX_LENGTH = 500

export const StartPath = z
  .string()
  .min(2)
  .max(MAX_LENGTH)
  .regex(
    /^\/(?!\/)[\x21-\x5b\x5d-\x7e]+$/,
    'must begin with one "/", go on, and hold visible ASCII only (other characters percent-encoded)',
  )
  .refine((text) => !text.includes('#'), 'must not hold "#": what stands behind it is never sent')
  .refine((text) => URL.parse(text, 'http://a')?.pathname === text.replace(/\?.*/s, ''), 'must be written plainly')

export const StartPaths = z
  .array(StartPath)
  .max(MOST_START_PATHS)
  .describe(
    'Where the site begins beside "/", such as "/wiki/": for what no page leads to. Each is looked at as pages are that the ' +
      'start page links to, and crawled from.',
  )
