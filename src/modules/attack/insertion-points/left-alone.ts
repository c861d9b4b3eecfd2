/** Checks that apply to requests which the crawl knows and nobody may send: such a check applies, and says nothing. */
import type { Unjudged } from '../../module.ts'
import type { CrawlFacts, RequestTemplate } from '../crawl/facts.ts'

export const takesFile = ({ fields }: RequestTemplate): boolean => fields.some(({ type }) => type === 'file')

export const takesObject = ({ encoding, body }: RequestTemplate): boolean =>
  encoding === 'json' && /^\s*\{\s*"/.test(body ?? '')

/** Of a check that has nothing to ask. `absent`: where the crawl knows no such request at all; `left`: where all that it knows are left alone. */
export const nothingToAsk = (
  { requests }: Pick<CrawlFacts, 'requests'>,
  applies: (request: RequestTemplate) => boolean,
  { absent, left }: Readonly<Record<'absent' | 'left', string>>,
): Unjudged =>
  requests.some((one) => one.harm !== null && applies(one))
    ? { state: 'not_tested', reason: left }
    : { state: 'not_applicable', reason: absent }

/** Of what takes files. */
export const noFormForFiles = (crawl: Pick<CrawlFacts, 'requests'>): Unjudged =>
  nothingToAsk(crawl, takesFile, {
    absent: 'no form that may be sent takes a file',
    left: 'what takes a file was found, and none of it may be sent',
  })
