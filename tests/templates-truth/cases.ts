/** Every product there is. */
import { APPLIANCES } from './appliances.ts'
import { COMMANDS } from './commands.ts'
import { EXPOSURES } from './exposures.ts'
import { FILES } from './files.ts'
import { INTERFACES } from './interfaces.ts'
import type { Truth } from './products.ts'

export const TRUTHS: readonly Truth[] = [...FILES, ...COMMANDS, ...INTERFACES, ...APPLIANCES, ...EXPOSURES]
