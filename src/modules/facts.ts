/** The facts of each module by its id. A new module adds its line here and in index.ts. */
import type { CookiesFacts } from './cookies/facts.ts'
import type { CveFacts } from './cve/facts.ts'
import type { DisclosureFacts } from './disclosure/facts.ts'
import type { HeadersFacts } from './headers/facts.ts'
import type { MarkupFacts } from './markup/facts.ts'
import type { SiteFacts } from './site/facts.ts'
import type { TechnologyFacts } from './technology/facts.ts'
import type { TlsFacts } from './tls/facts.ts'

export interface Facts {
  site: SiteFacts
  tls: TlsFacts
  headers: HeadersFacts
  cookies: CookiesFacts
  markup: MarkupFacts
  disclosure: DisclosureFacts
  technology: TechnologyFacts
  cve: CveFacts
}

export type ModuleId = keyof Facts & string
