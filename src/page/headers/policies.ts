/** The Content Security Policies in force on a page, from its headers and its meta elements. */
import { type Policy, parsePolicyHeader, parsePolicyMeta } from '../csp/policy.ts'
import type { Page } from '../page.ts'
import { markupOf, valuesOf } from '../pages.ts'

const HEADER = 'content-security-policy'
const REPORT_HEADER = 'content-security-policy-report-only'
export const POLICY_HEADERS = [HEADER, REPORT_HEADER]

/** Every enforced policy; a meta element counts in the head alone, as in the browser. */
export const policiesOf = (page: Page): readonly Policy[] => [
  ...parsePolicyHeader(valuesOf(page.headers, HEADER)),
  ...markupOf(page)
    .metas.filter((meta) => meta.httpEquiv === HEADER && meta.inHead)
    .map((meta) => parsePolicyMeta(meta.content)),
]

/** Policies with at least one directive: one that lost all of them binds nothing. */
export const enforcedOf = (page: Page): readonly Policy[] =>
  policiesOf(page).filter(({ directives }) => directives.size > 0)

export const reportedOf = (page: Page): readonly Policy[] =>
  parsePolicyHeader(valuesOf(page.headers, REPORT_HEADER), 'report')
