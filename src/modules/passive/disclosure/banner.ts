import { BANNER_HEADERS, readBanner } from '../../../knowledge/banners/banners.ts'
import { markupOf } from '../../../page/pages.ts'
import type { Check, Finding, FindingDefinition } from '../../module.ts'
import type { SiteFacts } from '../site/facts.ts'
import { places } from './texts.ts'

const version: FindingDefinition = {
  id: 'disclosure/banner-version',
  title: 'Version disclosure: the server names its software with the exact version',
  severity: 'low',
  cwe: 497,
  group: 'disclosure',
  why: 'Known flaws are looked up by product and version; an exact one spares the attacker every other attempt.',
  remediation:
    'Leave the version out: nginx `server_tokens off;`, Apache `ServerTokens Prod` and `ServerSignature Off`, PHP `expose_php = Off`; remove the generator tag from the page template.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/01-Information_Gathering/02-Fingerprint_Web_Server',
    'https://cwe.mitre.org/data/definitions/497.html',
  ],
}

const product: FindingDefinition = {
  ...version,
  id: 'disclosure/banner-product',
  title: 'Server banner: the server names its software',
  severity: 'info',
  why: 'The name alone tells little, and it can be found out in other ways; it is listed for the inventory.',
}

export const banner: Check<'disclosure', 'site'> = {
  findings: [version, product],
  judge: (_facts, { site }) =>
    [...bannersOf(site)].map(([key, { name, value, urls, says }]): Finding => {
      const line = `${name}: ${value}`
      return {
        definition: says === 'version' ? version : product,
        confidence: 'confirmed',
        at: { url: urls[0] ?? site.baseUrl },
        places: places(urls),
        detail: `${name === 'generator' ? 'The generator tag' : `The header ${name}`} says “${value}”.`,
        proof: { excerpt: line, mark: line, replay: `curl -si ${urls[0] ?? site.baseUrl}` },
        subject: key,
      }
    }),
}

interface Banner {
  readonly name: string
  readonly value: string
  readonly says: 'version' | 'product'
  readonly urls: string[]
}

/** What has written a page once, and runs on nobody's server: of books, handbooks and documents. */
const WRITTEN_BY =
  /^\s*(?:docutils|sphinx|doxygen|pandoc|asciidoc(?:tor)?|docbook|mkdocs|javadoc|texinfo|makeinfo|latex2html|hevea|libreoffice|openoffice|microsoft (?:word|excel|powerpoint|frontpage)|org[ -]mode|groff|rustdoc|jsdoc|typedoc)\b/i

/** One entry for each name and what it says; the first value stands for all. */
const bannersOf = (site: SiteFacts): ReadonlyMap<string, Banner> => {
  const banners = new Map<string, Banner>()
  for (const page of [...site.pages, ...site.missing]) {
    const generators = markupOf(page).metas.filter(
      (meta) => meta.name === 'generator' && !WRITTEN_BY.test(meta.content),
    )
    const said = [
      ...page.headers.map(([name, value]) => [name.toLowerCase(), value] as const),
      ...generators.map(({ content }) => ['generator', content] as const),
    ]
    for (const [name, value] of said) {
      if (name !== 'generator' && !BANNER_HEADERS.includes(name)) continue
      const says = readBanner(name, value)
      if (says === null) continue
      const key = `${name} ${says}`
      const known = banners.get(key)
      if (known === undefined) banners.set(key, { name, value: value.trim().slice(0, 200), says, urls: [page.url] })
      else if (!known.urls.includes(page.url)) known.urls.push(page.url)
    }
  }
  return banners
}
