/** The driver of browsers as the build has it: its own files begin everything that the package can do, of which a scan asks for one. */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { escaped, FOREIGN } from './one-byte.ts'

export const DRIVER_FILES = ['coreBundle.js', 'utilsBundle.js'] as const
export const DRIVER_FOLDER = join(
  dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')),
  'lib',
)

/** What its last line begins, its command line, recorder and tools of agents among it; and the part that speaks to a browser. */
const ALL = '\ninit_coreBundle();\n'
const BROWSERS = '\ninit_inprocess();\n'

/**
 * Begins browsers alone, in ASCII (`inAscii`): what else is asked of it begins when it is asked for, or never. A text that ends otherwise
 * stays as it is but for its characters, which stand in its comments.
 */
export const driverText = (text: string): string => text.replace(ALL, BROWSERS).replace(FOREIGN, escaped)
