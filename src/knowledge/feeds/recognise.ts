/** Which feed a file or folder is, by what is in it. */
import { basename } from 'node:path'
import { FEED_IDS, FEEDS, FeedError, type FeedId } from './feed.ts'
import { feedFiles } from './files.ts'

const ENDINGS = [...new Set(FEED_IDS.flatMap((feed) => [...FEEDS[feed].files]))].filter((end) => end !== '')

/** Looks at the first file alone. @throws FeedError when it is none that we know */
export const recogniseFeed = (path: string): FeedId => {
  const [first] = feedFiles(path, ENDINGS)
  const text = first?.text() ?? ''
  if (/^#model_version|^cve,epss,percentile/m.test(text.slice(0, 500))) return 'epss'
  if (/^---[\s\S]*\nreleases:/.test(text)) return 'endoflife'
  const feed = byShape(jsonOf(text))
  if (feed === null)
    throw new FeedError(first?.name ?? basename(path), null, 'no feed looks like this; name it with --feed')
  return feed
}

/** Null for what is no JSON: then it is no JSON feed either. */
const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

const byShape = (value: unknown): FeedId | null => {
  const one: unknown = Array.isArray(value) ? value[0] : value
  if (typeof one !== 'object' || one === null) return null
  if ('dataType' in one && one.dataType === 'CVE_RECORD') return 'cve5'
  if ('vulnerabilities' in one && Array.isArray(one.vulnerabilities)) {
    const entry: unknown = one.vulnerabilities[0]
    if (typeof entry !== 'object' || entry === null) return null
    if ('cveID' in entry) return 'kev'
    return 'cve' in entry ? 'nvd' : null
  }
  if ('id' in one && ('affected' in one || 'withdrawn' in one)) return 'osv'
  const members: readonly unknown[] = Object.values(one)
  if (members.some((member) => Array.isArray(member) && isObject(member[0]) && 'wildcardMatch' in member[0]))
    return 'cookies'
  if (members.some((member) => isObject(member) && Object.keys(member).some((key) => /^CVE-\d{4}-/.test(key))))
    return 'debian'
  return members.some((member) => isObject(member) && 'vulnerabilities' in member) ? 'retire' : null
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
