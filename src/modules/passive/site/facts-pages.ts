/** Pages of the site that a check judges. */

import type { Page } from '../../../page/page.ts'
import { isHtml } from '../../../page/pages.ts'
import type { Unjudged } from '../../module.ts'
import type { SiteFacts } from './facts.ts'

/** Pages that a browser renders as a document: a successful answer of an HTML type. */
export const documentsOf = (site: SiteFacts): readonly Page[] =>
  site.pages.filter((page) => isHtml(page) && page.status >= 200 && page.status < 300)

/** Likewise, what only nobody is shown: the page on which a run signs in is seen by all others, too. */
export const documentsOfNobody = ({ asNobody = [] }: SiteFacts): readonly Page[] =>
  asNobody.filter((page) => isHtml(page) && page.status >= 200 && page.status < 300)

/** HTML answers of status 400 and above, those to made-up paths included. */
export const errorPagesOf = (site: SiteFacts): readonly Page[] =>
  [...site.pages, ...site.missing].filter((page) => isHtml(page) && page.status >= 400)

/**
 * What a check about documents says when there is none: nothing fetched and nothing to judge are two things. `further`: those that an active run has
 * met beyond the site's own, of which a server that shows nothing at its start may have many.
 */
export const withoutDocuments = (
  site: SiteFacts,
  { further = [] }: { readonly further?: readonly Page[] } = {},
): Unjudged | null => {
  if (documentsOf(site).length > 0 || further.length > 0) return null
  if (site.pages.length === 0) return { state: 'not_tested', reason: 'No page of the site could be fetched.' }
  if (!site.pages.some(isHtml)) return { state: 'not_applicable', reason: 'The site answers with no HTML page.' }
  const statuses = [...new Set(site.pages.map(({ status }) => status))].join(', ')
  return { state: 'not_tested', reason: `Every HTML page answered with an error or a redirect (status ${statuses}).` }
}
