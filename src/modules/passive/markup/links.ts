import { isSameSite } from '../../../page/same-site.ts'
import type { Check, FindingDefinition } from '../../module.ts'
import { withoutDocuments } from '../site/facts-pages.ts'
import { overWhole, readPages } from './pages.ts'
import { elementFindings } from './report.ts'

const opener: FindingDefinition = {
  id: 'markup/link-opener',
  title: 'Reverse tabnabbing: a link hands another site a way to navigate this page',
  severity: 'info',
  cwe: 1022,
  why: 'rel="opener" gives the opened site a handle on this window, by which it can show the visitor a look-alike in its place.',
  remediation:
    'Remove opener from rel, or write rel="noopener". Without either, present browsers take noopener by themselves.',
  references: [
    'https://html.spec.whatwg.org/multipage/links.html#link-type-opener',
    'https://developer.mozilla.org/en-US/docs/Web/HTML/Reference/Attributes/rel/noopener',
    'https://cwe.mitre.org/data/definitions/1022.html',
  ],
}

/** HTML takes noopener for target=_blank since 2021, so only a wish for the contrary is a problem. */
export const linkOpener: Check<'markup', 'site'> = overWhole({
  findings: [opener],
  judge: (facts, { site }) => {
    const none = withoutDocuments(site, facts)
    if (none) return none
    const hits = readPages(site, facts).flatMap(({ page, html }) =>
      html.links
        .filter(({ rel, target, url }) => {
          const ownWindow = target !== null && !['', '_self', '_parent', '_top'].includes(target.toLowerCase())
          const foreign = url !== null && /^https?:/.test(url) && !isSameSite(url, page.url)
          return (
            ownWindow && foreign && rel.includes('opener') && !rel.includes('noopener') && !rel.includes('noreferrer')
          )
        })
        .map((link) => ({ page, element: link, says: `opens ${link.url} with rel="opener"`, mark: 'opener' })),
    )
    return elementFindings(opener, hits)
  },
})
