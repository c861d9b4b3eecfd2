/** The facts of each module by its id. A new module adds its line here and in index.ts. */

import type { ApiFacts } from './attack/api/facts.ts'
import type { AuthorizationFacts } from './attack/authorization/facts.ts'
import type { CrawlFacts } from './attack/crawl/facts.ts'
import type { ExposureFacts } from './attack/exposure/facts.ts'
import type { InjectionFacts } from './attack/injection/facts.ts'
import type { PrototypesFacts } from './attack/prototypes/facts.ts'
import type { RateLimitFacts } from './attack/rate-limit/facts.ts'
import type { SessionsFacts } from './attack/sessions/facts.ts'
import type { SqliFacts } from './attack/sqli/facts.ts'
import type { TemplatesFacts } from './attack/templates/facts.ts'
import type { WafFacts } from './attack/waf/facts.ts'
import type { XssFacts } from './attack/xss/facts.ts'
import type { MxFacts } from './network/mx/facts.ts'
import type { NameserversFacts } from './network/nameservers/facts.ts'
import type { PortsFacts } from './network/ports/facts.ts'
import type { ServicesFacts } from './network/services/facts.ts'
import type { TlsDeepFacts } from './network/tls-deep/facts.ts'
import type { CookiesFacts } from './passive/cookies/facts.ts'
import type { CveFacts } from './passive/cve/facts.ts'
import type { DisclosureFacts } from './passive/disclosure/facts.ts'
import type { DnsFacts } from './passive/dns/facts.ts'
import type { HeadersFacts } from './passive/headers/facts.ts'
import type { MailFacts } from './passive/mail/facts.ts'
import type { MarkupFacts } from './passive/markup/facts.ts'
import type { NamesFacts } from './passive/names/facts.ts'
import type { SiteFacts } from './passive/site/facts.ts'
import type { TechnologyFacts } from './passive/technology/facts.ts'
import type { TlsFacts } from './passive/tls/facts.ts'
import type { PrivacyFacts } from './privacy/facts.ts'

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
  authorization: AuthorizationFacts
  exposure: ExposureFacts
  waf: WafFacts
  'rate-limit': RateLimitFacts
  prototypes: PrototypesFacts
  sqli: SqliFacts
  injection: InjectionFacts
  xss: XssFacts
  api: ApiFacts
  sessions: SessionsFacts
  privacy: PrivacyFacts
  technology: TechnologyFacts
  cve: CveFacts
  templates: TemplatesFacts
}

export type ModuleId = keyof Facts & string
