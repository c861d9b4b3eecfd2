/** The facts of each module by its id. A new module adds its line here and in index.ts. */
import type { CookiesFacts } from './cookies/facts.ts'
import type { CrawlFacts } from './crawl/facts.ts'
import type { DisclosureFacts } from './disclosure/facts.ts'
import type { HeadersFacts } from './headers/facts.ts'
import type { InjectionFacts } from './injection/facts.ts'
import type { MarkupFacts } from './markup/facts.ts'
import type { SiteFacts } from './site/facts.ts'
import type { SqliFacts } from './sqli/facts.ts'
import type { TlsFacts } from './tls/facts.ts'
import type { XssFacts } from './xss/facts.ts'

export interface Facts {
  site: SiteFacts
  tls: TlsFacts
  headers: HeadersFacts
  cookies: CookiesFacts
  markup: MarkupFacts
  disclosure: DisclosureFacts
  crawl: CrawlFacts
  sqli: SqliFacts
  injection: InjectionFacts
  xss: XssFacts
}

export type ModuleId = keyof Facts & string
