/** Every module of the product. A new module adds one import and one line; the plan finds the order. */
import type { AnyModule } from './any-module.ts'
import { cookies } from './cookies/module.ts'
import { crawl } from './crawl/module.ts'
import { cve } from './cve/module.ts'
import { disclosure } from './disclosure/module.ts'
import { dns } from './dns/module.ts'
import { exposure } from './exposure/module.ts'
import { headers } from './headers/module.ts'
import { injection } from './injection/module.ts'
import { mail } from './mail/module.ts'
import { markup } from './markup/module.ts'
import { mx } from './mx/module.ts'
import { names } from './names/module.ts'
import { nameservers } from './nameservers/module.ts'
import { ports } from './ports/module.ts'
import { privacy } from './privacy/module.ts'
import { rateLimit } from './rate-limit/module.ts'
import { services } from './services/module.ts'
import { site } from './site/module.ts'
import { sqli } from './sqli/module.ts'
import { technology } from './technology/module.ts'
import { templates } from './templates/module.ts'
import { tls } from './tls/module.ts'
import { tlsDeep } from './tls-deep/module.ts'
import { waf } from './waf/module.ts'
import { xss } from './xss/module.ts'

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
  exposure,
  templates,
  sqli,
  injection,
  xss,
  rateLimit,
  privacy,
  // one line a module
]
