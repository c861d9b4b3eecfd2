/** What the report's appendix shows of a crawl: how far it came, and what takes values. */
import type { FactTable } from '../../../contract/findings-file.ts'
import { isElsewhere } from './elsewhere.ts'
import type { CrawlFacts, ReachRow } from './facts.ts'

const MAX_ROWS = 200

/** What descriptions name, those that were not answered with success first. */
const operations = ({ reach }: CrawlFacts): readonly FactTable[] => {
  const rows = (reach?.rows ?? []).filter(({ kind, reason }) => kind === 'operation' && !isElsewhere(reason))
  if (rows.length === 0) return []
  const isGood = ({ status = 0 }: ReachRow): boolean => status >= 200 && status < 300
  return [
    {
      id: 'crawl/operations',
      module: 'crawl',
      title: 'Operations of described interfaces',
      columns: ['Method', 'Address', 'Answered', 'Why not asked'],
      rows: [...rows.filter((row) => !isGood(row)), ...rows.filter(isGood)]
        .slice(0, MAX_ROWS)
        .map(({ method, url, status, reason }) => [
          method,
          url,
          status === undefined ? '' : String(status),
          reason ?? '',
        ]),
    },
  ]
}

const elsewhere = ({ reach }: CrawlFacts): readonly FactTable[] => {
  const rows = (reach?.rows ?? []).filter(({ kind, reason }) => kind === 'operation' && isElsewhere(reason))
  if (rows.length === 0) return []
  return [
    {
      id: 'crawl/elsewhere',
      module: 'crawl',
      title: 'Requests of pages to other hosts of the domain',
      columns: ['Method', 'Address'],
      rows: rows.slice(0, MAX_ROWS).map(({ method, url }) => [method, url]),
    },
  ]
}

export const crawlTables = (facts: CrawlFacts): readonly FactTable[] => [
  {
    id: 'crawl/reach',
    module: 'crawl',
    title: 'Reach of the crawl',
    columns: ['What', 'How much'],
    rows: [
      ['Addresses that answered', String(facts.urls.length)],
      ['Kinds of requests', String(facts.requests.length)],
      ['Places that take a value', String(facts.points.length)],
      ['Pages opened in a browser', facts.browser.reason ?? `${facts.browser.pages}, ${facts.browser.clicks} clicks`],
      ['Session', SESSION[facts.session.state]],
      ...Object.entries(facts.leftOut).map(([reason, count]) => [`Left out: ${reason}`, String(count)]),
      ...(facts.otherHosts.length > 0 ? [['Other hosts of the domain, not crawled', facts.otherHosts.join(', ')]] : []),
      ...(facts.cut === null ? [] : [['Ended early', facts.cut]]),
    ],
  },
  ...operations(facts),
  ...elsewhere(facts),
  {
    id: 'crawl/requests',
    module: 'crawl',
    title: 'Requests that the site takes',
    columns: ['Method', 'Address', 'Values', 'Sent'],
    rows: facts.requests
      .filter(({ id, method }) => method !== 'GET' || facts.points.some(({ request }) => request === id))
      .slice(0, MAX_ROWS)
      .map(({ id, method, shape, sent, harm }) => [
        method,
        shape,
        facts.points
          .filter(({ request, place }) => request === id && place !== 'header' && place !== 'cookie')
          .map(({ name, place }) => (place === 'path' ? `segment ${Number(name) + 1}` : name))
          .join(', '),
        sent ? 'yes' : (harm ?? 'no'),
      ]),
  },
]

const SESSION: Readonly<Record<CrawlFacts['session']['state'], string>> = {
  none: 'none',
  live: 'proven to the end',
  lost: 'lost on the way',
  unproven: 'credentials without effect',
}
