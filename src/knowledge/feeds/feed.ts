/** The feeds that can be imported, and what each is for. */
export const FEEDS = {
  nvd: { title: 'NVD CVE records, JSON 2.0', files: ['.json'], shape: 'cve' },
  cve5: { title: 'CVE records, JSON 5.x', files: ['.json'], shape: 'cve' },
  osv: { title: 'OSV advisories', files: ['.json'], shape: 'cve' },
  kev: { title: 'CISA known exploited vulnerabilities', files: ['.json'], shape: 'items' },
  epss: { title: 'EPSS scores, CSV', files: ['.csv'], shape: 'items' },
  debian: { title: 'Debian security tracker, JSON', files: ['.json', ''], shape: 'items' },
  retire: { title: 'retire.js repository', files: ['.json'], shape: 'items' },
  endoflife: { title: 'endoflife.date products', files: ['.md'], shape: 'items' },
  cookies: { title: 'Open Cookie Database, JSON', files: ['.json'], shape: 'items' },
} as const satisfies Readonly<
  Record<string, { readonly title: string; readonly files: readonly string[]; readonly shape: 'cve' | 'items' }>
>

export type FeedId = keyof typeof FEEDS
export const FEED_IDS = Object.keys(FEEDS) as readonly FeedId[]

/** A record that is not as the feed's format says. The whole import is refused then, and the old version stays. */
export class FeedError extends Error {
  constructor(file: string, record: string | null, reason: string, options?: { cause?: unknown }) {
    super(`${file}${record === null ? '' : `, ${record}`}: ${reason}`, options)
    this.name = 'FeedError'
  }
}
