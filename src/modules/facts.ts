/** The facts of each module by its id. A new module adds its line here and in index.ts. */
import type { SiteFacts } from './site/facts.ts'

export interface Facts {
  site: SiteFacts
}

export type ModuleId = keyof Facts & string
