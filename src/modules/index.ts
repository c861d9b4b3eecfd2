/** Every module of the product. A new module adds one import and one line; the plan finds the order. */
import type { AnyModule } from './any-module.ts'
import { site } from './site/module.ts'

export const MODULES: readonly AnyModule[] = [
  site,
  // one line a module
]
