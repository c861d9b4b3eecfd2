/** The feeds that can be imported, and what each is for. */
export interface FeedKind {
  readonly title: string
  /** Endings of its files. */
  readonly files: readonly string[]
  /** cve: compiled to the index of products. items: looked up by a key. folder: kept as it is. */
  readonly shape: 'cve' | 'items' | 'folder'
  /** Where a checkout holds other files of the same ending: those that count, if there are any. */
  readonly only?: RegExp
  /** Records of one key belong together: later ones add to earlier ones. Otherwise the last one counts. */
  readonly joins?: boolean
}

export const FEEDS = {
  nvd: { title: 'NVD CVE records, JSON 2.0', files: ['.json'], shape: 'cve' },
  cve5: {
    ...{ title: 'CVE records, JSON 5.x', files: ['.json'], shape: 'cve' },
    only: /(?:^|\/)CVE-\d{4}-\d{4,}\.json(?:\.gz)?$/,
  },
  osv: { title: 'OSV advisories', files: ['.json'], shape: 'cve' },
  kev: { title: 'CISA known exploited vulnerabilities', files: ['.json'], shape: 'items' },
  epss: { title: 'EPSS scores, CSV', files: ['.csv'], shape: 'items' },
  debian: { title: 'Debian security tracker, JSON', files: ['.json', ''], shape: 'items' },
  ubuntu: { title: 'Ubuntu security data, OSV', files: ['.json'], shape: 'items', joins: true },
  redhat: {
    ...{ title: 'Red Hat security data, CSAF VEX', files: ['.json'], shape: 'items', joins: true },
    only: /(?:^|\/)cve-\d{4}-\d{4,}\.json(?:\.gz)?$/i,
  },
  retire: {
    ...{ title: 'retire.js repository', files: ['.json'], shape: 'items' },
    only: /(?:^|\/)jsrepository-v5\.json$/,
  },
  endoflife: {
    ...{ title: 'endoflife.date products', files: ['.md'], shape: 'items' },
    only: /(?:^|\/)products\/[^/]+\.md$/,
  },
  'ct-logs': { title: 'Certificate transparency logs, JSON version 3', files: ['.json'], shape: 'items' },
  'hsts-preload': { title: 'HSTS preload list of browsers, JSON with comments', files: ['.json'], shape: 'items' },
  'known-keys': {
    ...{
      title: 'keys whose private half is known, fingerprints',
      files: ['.dat', '.json', '.txt', ''],
      shape: 'folder',
    },
  },
  cookies: { title: 'Open Cookie Database, JSON', files: ['.json'], shape: 'items' },
  recog: {
    ...{ title: 'Recog fingerprints of services, XML', files: ['.xml'], shape: 'folder' },
    only: /(?:^|\/)xml\/[^/]+\.xml$/,
  },
  filters: { title: 'filter lists of trackers, text', files: ['.txt'], shape: 'folder' },
  templates: { title: 'template catalogue, YAML', files: [''], shape: 'folder' },
} as const satisfies Readonly<Record<string, FeedKind>>

export type FeedId = keyof typeof FEEDS
export const FEED_IDS = Object.keys(FEEDS) as readonly FeedId[]

/** With the fields that not every feed has. */
export const feedKind = (feed: FeedId): FeedKind => FEEDS[feed]

/** A record that is not as the feed's format says. The whole import is refused then, and the old version stays. */
export class FeedError extends Error {
  constructor(file: string, record: string | null, reason: string, options?: { cause?: unknown }) {
    super(`${file}${record === null ? '' : `, ${record}`}: ${reason}`, options)
    this.name = 'FeedError'
  }
}
