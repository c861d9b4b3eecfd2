/** Which feed a file or folder is, by what is in it. */
import { readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { FEED_IDS, FeedError, type FeedId, feedKind } from './feed.ts'
import { jsonOrNull, LARGEST_FILE, namesUnder } from './files.ts'

/** Looks at few files: what is in them is checked by the import. @throws FeedError when it is none that we know */
export const recogniseFeed = (path: string): FeedId => {
  const names = statSync(path).isDirectory() ? namesUnder(path) : ['']
  const candidates = names.length === 1 ? names : likely(names)
  for (const name of candidates) {
    const feed = byText(textOf(join(path, name)), name || basename(path))
    if (feed !== null) return feed
  }
  throw new FeedError(candidates[0] || basename(path), null, 'no feed looks like this; name it with --feed')
}

/** How many files are opened. */
const MOST = 20
const ENDINGS = [...new Set(FEED_IDS.flatMap((feed) => [...feedKind(feed).files]))].filter((end) => end !== '')

/** What a kind of feed prefers comes first; of a folder of notes and pictures only what could be a feed is opened. */
const likely = (names: readonly string[]): readonly string[] => {
  const preferred = FEED_IDS.flatMap((feed) => names.find((name) => feedKind(feed).only?.test(name)) ?? [])
  const endings = [...ENDINGS, '.yaml'].flatMap((end) => [end, `${end}.gz`])
  const rest = names.filter((name) => endings.some((end) => name.endsWith(end)))
  return [...new Set([...preferred, ...rest])].slice(0, MOST)
}

const textOf = (path: string): string => {
  const raw = readFileSync(path)
  return (path.endsWith('.gz') ? gunzipSync(raw, { maxOutputLength: LARGEST_FILE }) : raw).toString('utf8')
}

const byText = (text: string, name: string): FeedId | null => {
  const head = text.slice(0, 2_000)
  if (/^#model_version|^cve,epss,percentile/m.test(head)) return 'epss'
  if (/^---[\s\S]*\nreleases:/.test(text)) return 'endoflife'
  if (/<fingerprints\b/.test(head)) return 'recog'
  if (/^\[Adblock/i.test(head) || (/^!\s*Title:/im.test(head) && name.endsWith('.txt'))) return 'filters'
  if (/"(?:pinsets|entries)"\s*:/.test(text.slice(0, 200_000)) && /"force-https"/.test(text)) return 'hsts-preload'
  if (/"blocklist_sha256"\s*:/.test(head)) return 'known-keys'
  if (/^(?:#.*\n|\s*\n)*(?:[\da-f]{64}|[\da-f]{20})\s*$/im.test(head)) return 'known-keys'
  if (/^id:/m.test(text) && /^info:/m.test(text)) return 'templates'
  return byShape(jsonOrNull(text))
}

const byShape = (value: unknown): FeedId | null => {
  const one: unknown = Array.isArray(value) ? value[0] : value
  if (typeof one !== 'object' || one === null) return null
  if ('dataType' in one && one.dataType === 'CVE_RECORD') return 'cve5'
  if ('operators' in one && Array.isArray(one.operators)) return 'ct-logs'
  if ('document' in one && isObject(one.document) && 'csaf_version' in one.document) return 'redhat'
  if ('vulnerabilities' in one && Array.isArray(one.vulnerabilities)) {
    const entry: unknown = one.vulnerabilities[0]
    if (typeof entry !== 'object' || entry === null) return null
    if ('cveID' in entry) return 'kev'
    return 'cve' in entry ? 'nvd' : null
  }
  if ('id' in one && ('affected' in one || 'withdrawn' in one)) return isUbuntu(one) ? 'ubuntu' : 'osv'
  const members: readonly unknown[] = Object.values(one)
  if (members.some((member) => Array.isArray(member) && isObject(member[0]) && 'wildcardMatch' in member[0]))
    return 'cookies'
  if (members.some((member) => isObject(member) && Object.keys(member).some((key) => /^CVE-\d{4}-/.test(key))))
    return 'debian'
  return members.some((member) => isObject(member) && 'vulnerabilities' in member) ? 'retire' : null
}

/** Ubuntu's records are OSV; what they say of packages is the distributor's word, not that of an ecosystem. */
const isUbuntu = (one: object): boolean =>
  'affected' in one && /^\[\{"package":\{[^}]*"ecosystem":"Ubuntu:/.test(JSON.stringify(one.affected).slice(0, 2_000))

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
