/** Shared by the tables of this module. */
import type { HeaderPairs } from '../../../../egress/door/egress.ts'
import type { PageKind } from '../../../../page/page.ts'
import { type CasePage, caseSite } from '../../../testing/site-facts.ts'
import type { SiteFacts } from '../../site/facts.ts'
import type { HeadersFacts } from '../facts.ts'

export const NO_FACTS: HeadersFacts = { cors: [], anonymous: [], response: null }

export const page = (
  change: CasePage,
): { readonly facts: HeadersFacts; readonly known: { readonly site: SiteFacts } } => ({
  facts: NO_FACTS,
  known: { site: caseSite({ page: change }) },
})

/** A start page with these header lines. */
export const sends = (headers: HeaderPairs | Record<string, string>, kind: PageKind = 'plain') =>
  page({ headers, kind })

export const csp = (...values: readonly string[]) =>
  sends(values.map((value) => ['Content-Security-Policy', value] as const))

/** What every table about documents has to hold: nothing fetched, nothing to judge, and errors alone. */
export const unjudgedCases = [
  {
    name: 'no page was fetched',
    facts: NO_FACTS,
    known: { site: caseSite({ pages: [] }) },
    expect: [],
    unjudged: 'not_tested',
  },
  {
    name: 'answers are not HTML',
    ...page({ contentType: 'application/json', headers: { 'Content-Type': 'application/json' }, body: '{}' }),
    expect: [],
    unjudged: 'not_applicable',
  },
  { name: 'only error pages', ...page({ status: 503 }), expect: [], unjudged: 'not_tested' },
] as const
