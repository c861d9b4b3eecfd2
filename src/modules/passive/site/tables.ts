/** What the report's appendix shows of the site: how it is entered, and which pages were looked at. */
import type { FactTable } from '../../../contract/findings-file.ts'
import type { Entry, SiteFacts } from './facts.ts'

export const siteTables = (facts: SiteFacts): readonly FactTable[] => [
  {
    id: 'site/entries',
    module: 'site',
    title: 'Ways into the site',
    columns: ['Address', 'Answer', 'Leads to'],
    rows: [facts.http, facts.https].flatMap(entryRows),
  },
  {
    id: 'site/pages',
    module: 'site',
    title: 'Pages looked at',
    columns: ['Address', 'Status', 'Kind', 'Bytes'],
    rows: facts.pages.map((page) => [page.url, String(page.status), page.kind, String(page.size)]),
  },
]

const entryRows = (entry: Entry): string[][] => {
  const hops = entry.hops.map((hop) => [hop.url, String(hop.status), hop.location ?? ''])
  return entry.error ? [...hops, [entry.hops.at(-1)?.location ?? entry.url, entry.error.message, '']] : hops
}
