/** Pages whose markup is judged. */

import { enforcedOf } from '../../../page/headers/policies.ts'
import type { HtmlPage } from '../../../page/html.ts'
import type { Page } from '../../../page/page.ts'
import { markupOf } from '../../../page/pages.ts'
import { documentsSeen, type FurtherPages, openUnless } from '../../documents.ts'
import type { Check } from '../../module.ts'
import type { SiteFacts } from '../site/facts.ts'

export interface ReadPage {
  readonly page: Page
  readonly html: HtmlPage
  readonly secure: boolean
  /** True with upgrade-insecure-requests in a policy: the browser asks https for every http address. */
  readonly upgrades: boolean
}

export const readPages = (site: SiteFacts, facts: FurtherPages): readonly ReadPage[] =>
  documentsSeen(site, facts).map((page) => ({
    page,
    html: markupOf(page),
    secure: page.url.startsWith('https:'),
    upgrades: enforcedOf(page).some(({ directives }) => directives.has('upgrade-insecure-requests')),
  }))

/** Of a page that was cut, what was found is true and what was not found proves nothing: then no definition passes. */
export const overWhole = <Need extends 'site' | 'cookies'>(
  check: Check<'markup', Need | 'site'>,
): Check<'markup', Need | 'site'> => ({
  findings: check.findings,
  judge: (facts, known, about) => {
    const judgement = check.judge(facts, known, about)
    const cut = readPages(known.site, facts).find(({ page, html }) => page.truncated || html.truncated)
    return cut === undefined
      ? judgement
      : openUnless(
          check,
          judgement,
          `${cut.page.url} is longer than what is read of a page, so the rest of it is not judged.`,
        )
  },
})
