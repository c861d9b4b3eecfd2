/** The facts of each module by its id. A new module adds its line here and in index.ts. */
import type { CookiesFacts } from './cookies/facts.ts'
import type { CrawlFacts } from './crawl/facts.ts'
import type { CveFacts } from './cve/facts.ts'
import type { DisclosureFacts } from './disclosure/facts.ts'
import type { DnsFacts } from './dns/facts.ts'
import type { ExposureFacts } from './exposure/facts.ts'
import type { HeadersFacts } from './headers/facts.ts'
import type { InjectionFacts } from './injection/facts.ts'
import type { MailFacts } from './mail/facts.ts'
import type { MarkupFacts } from './markup/facts.ts'
import type { MxFacts } from './mx/facts.ts'
import type { NamesFacts } from './names/facts.ts'
import type { NameserversFacts } from './nameservers/facts.ts'
import type { PortsFacts } from './ports/facts.ts'
import type { PrivacyFacts } from './privacy/facts.ts'
import type { RateLimitFacts } from './rate-limit/facts.ts'
import type { ServicesFacts } from './services/facts.ts'
import type { SiteFacts } from './site/facts.ts'
import type { SqliFacts } from './sqli/facts.ts'
import type { TechnologyFacts } from './technology/facts.ts'
import type { TemplatesFacts } from './templates/facts.ts'
import type { TlsFacts } from './tls/facts.ts'
import type { TlsDeepFacts } from './tls-deep/facts.ts'
import type { WafFacts } from './waf/facts.ts'
import type { XssFacts } from './xss/facts.ts'

export interface Facts {
  site: SiteFacts
  dns: DnsFacts
  mail: MailFacts
  mx: MxFacts
  names: NamesFacts
  nameservers: NameserversFacts
  tls: TlsFacts
  'tls-deep': TlsDeepFacts
  headers: HeadersFacts
  cookies: CookiesFacts
  markup: MarkupFacts
  disclosure: DisclosureFacts
  ports: PortsFacts
  services: ServicesFacts
  crawl: CrawlFacts
  exposure: ExposureFacts
  waf: WafFacts
  'rate-limit': RateLimitFacts
  sqli: SqliFacts
  injection: InjectionFacts
  xss: XssFacts
  privacy: PrivacyFacts
  technology: TechnologyFacts
  cve: CveFacts
  templates: TemplatesFacts
}

export type ModuleId = keyof Facts & string
