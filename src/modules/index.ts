/** Every module of the product. A new module adds one import and one line; the plan finds the order. */
import type { AnyModule } from './any-module.ts'
import { cookies } from './cookies/module.ts'
import { cve } from './cve/module.ts'
import { disclosure } from './disclosure/module.ts'
import { headers } from './headers/module.ts'
import { markup } from './markup/module.ts'
import { site } from './site/module.ts'
import { technology } from './technology/module.ts'
import { tls } from './tls/module.ts'

export const MODULES: readonly AnyModule[] = [
  site,
  tls,
  headers,
  cookies,
  markup,
  disclosure,
  technology,
  cve,
  // one line a module
]
