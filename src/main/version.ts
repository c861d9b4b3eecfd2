import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** Root of the installed product: where `package.json`, `migrations/` and `testbed/` lie. */
export const HOME = new URL('../../', import.meta.url)

export const VERSION = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('package.json', HOME), 'utf8'))).version
