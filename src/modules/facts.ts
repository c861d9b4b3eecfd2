/** The facts of each module by its id. A new module adds its line here and in index.ts. */
import type { DisclosureFacts } from './disclosure/facts.ts'
import type { SiteFacts } from './site/facts.ts'
import type { TlsFacts } from './tls/facts.ts'

export interface Facts {
  disclosure: DisclosureFacts
  site: SiteFacts
  tls: TlsFacts
}

export type ModuleId = keyof Facts & string
