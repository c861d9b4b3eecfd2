/** Every module of the product. A new module adds one import and one line; the plan finds the order. */
import type { AnyModule } from './any-module.ts'
import { api } from './attack/api/module.ts'
import { authorization } from './attack/authorization/module.ts'
import { crawl } from './attack/crawl/module.ts'
import { exposure } from './attack/exposure/module.ts'
import { injection } from './attack/injection/module.ts'
import { prototypes } from './attack/prototypes/module.ts'
import { rateLimit } from './attack/rate-limit/module.ts'
import { sessions } from './attack/sessions/module.ts'
import { sqli } from './attack/sqli/module.ts'
import { templates } from './attack/templates/module.ts'
import { waf } from './attack/waf/module.ts'
import { xss } from './attack/xss/module.ts'
import { mx } from './network/mx/module.ts'
import { nameservers } from './network/nameservers/module.ts'
import { ports } from './network/ports/module.ts'
import { services } from './network/services/module.ts'
import { tlsDeep } from './network/tls-deep/module.ts'
import { cookies } from './passive/cookies/module.ts'
import { cve } from './passive/cve/module.ts'
import { disclosure } from './passive/disclosure/module.ts'
import { dns } from './passive/dns/module.ts'
import { headers } from './passive/headers/module.ts'
import { mail } from './passive/mail/module.ts'
import { markup } from './passive/markup/module.ts'
import { names } from './passive/names/module.ts'
import { site } from './passive/site/module.ts'
import { technology } from './passive/technology/module.ts'
import { tls } from './passive/tls/module.ts'
import { privacy } from './privacy/module.ts'

export const MODULES: readonly AnyModule[] = [
  site,
  dns,
  mail,
  names,
  nameservers,
  mx,
  tls,
  tlsDeep,
  headers,
  cookies,
  markup,
  disclosure,
  ports,
  services,
  technology,
  cve,
  waf,
  crawl,
  authorization,
  exposure,
  templates,
  sqli,
  injection,
  xss,
  api,
  sessions,
  rateLimit,
  prototypes,
  privacy,
  // one line a module
]
