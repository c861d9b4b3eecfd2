/** What was known when the run looked, for the report: a verdict is as good as the data behind it. */
import type { FactTable } from '../../../contract/findings-file.ts'
import type { CveFacts, FeedAge } from './facts.ts'

/** Days after which a feed is old: the records of this age miss what is being attacked now. */
const OLD = 14

export const cveTables = ({ feeds }: CveFacts): readonly FactTable[] =>
  feeds === undefined
    ? []
    : [
        {
          id: 'knowledge-feeds',
          module: 'cve',
          title: 'Knowledge that the verdicts rest on',
          columns: ['Feed', 'What it is', 'Version', 'Records', 'Age', 'Warning'],
          rows: feeds.map((one) => [
            one.feed,
            one.title,
            one.version ?? 'none',
            String(one.records),
            one.days === null ? '-' : `${one.days} ${one.days === 1 ? 'day' : 'days'}`,
            warningOf(one),
          ]),
        },
      ]

const warningOf = ({ version, days }: FeedAge): string => {
  if (version === null) return 'never imported: what needs it was not tested'
  if (days === null) return 'never imported: a selection that comes with the product stands in for it'
  return days > OLD ? `older than ${OLD} days: update it and look again` : ''
}
