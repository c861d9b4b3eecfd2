import type { FactTable } from '../../../contract/findings-file.ts'
import { isSameSite } from '../../../page/same-site.ts'
import { overAll, watchDocuments } from '../../documents.ts'
import { clip } from '../../evidence/pages.ts'
import { defineModule } from '../../module.ts'
import type { SiteFacts } from '../site/facts.ts'
import { withoutWebsite } from '../site/facts-absent.ts'
import { autocomplete } from './autocomplete.ts'
import { charset } from './charset.ts'
import type { ExternalResource, MarkupFacts } from './facts.ts'
import { formForgery } from './forgery.ts'
import { formTransport } from './forms.ts'
import { linkOpener } from './links.ts'
import { markupMarks } from './marks.ts'
import { mixedContent } from './mixed-content.ts'
import { type ReadPage, readPages } from './pages.ts'
import { sri } from './sri.ts'

const MAX_EXTERNAL = 200

export const takeInventory = (site: SiteFacts): MarkupFacts => {
  const pages = readPages(site, {})
  const external = new Map<string, ExternalResource>()
  for (const one of pages.flatMap(externalOf)) {
    const key = `${one.element} ${one.url}`
    if (!external.has(key) && external.size < MAX_EXTERNAL) external.set(key, one)
  }
  const truncated = pages.filter(({ html, page }) => html.truncated || page.truncated).length
  return { documents: pages.length, truncated, external: [...external.values()] }
}

const externalOf = ({ page, html }: ReadPage): readonly ExternalResource[] => {
  const resource = (element: ExternalResource['element'], url: string | null, integrity: string | null) =>
    url === null || !/^https?:/.test(url) || isSameSite(url, page.url)
      ? []
      : [{ page: page.url, element, url, integrity: (integrity ?? '').trim() !== '' }]
  return [
    ...html.scripts.flatMap(({ src, integrity }) => resource('script', src?.url ?? null, integrity)),
    ...html.stylesheets.flatMap(({ url, integrity }) => resource('stylesheet', url, integrity)),
  ]
}

/** The inventory of scripts that PCI DSS 6.4.3 asks for begins with such a list. */
const tables = ({ external }: MarkupFacts): readonly FactTable[] =>
  external.length === 0
    ? []
    : [
        {
          id: 'external-resources',
          module: 'markup',
          title: 'Scripts and styles of other sites',
          columns: ['Kind', 'Address', 'Integrity hash', 'First seen on'],
          rows: external.map(({ element, url, integrity, page }) => [
            element,
            clip(url, 300),
            integrity ? 'yes' : 'no',
            page,
          ]),
        },
      ]

export const markup = defineModule<'markup', 'site' | 'cookies'>({
  id: 'markup',
  title: 'Page markup',
  conduct: 'passive',
  needs: ['site', 'cookies'],
  unless: withoutWebsite,
  budget: { requests: 0, seconds: 60 },
  collect: async (_ctx, { site }) => takeInventory(site),
  watch: (watching) => watchDocuments(watching, { marksOf: markupMarks, each: 1 }),
  checks: [...[mixedContent, sri, formTransport, linkOpener, autocomplete, charset].map(overAll), overAll(formForgery)],
  tables,
})
