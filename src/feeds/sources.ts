/** Where each feed is published by who makes it, and what is fetched of it. */
import type { FeedId } from '../knowledge/feeds/feed.ts'

export interface Source {
  readonly url: string
  /** What it is called beside the others of its feed, here and on a mirror. */
  readonly file: string
  /** Bytes that it may have at most, as it comes. */
  readonly largest: number
  /** A second address of the same publisher, which says what this one has to be. */
  readonly checksum?: Checksum
}

export interface Checksum {
  readonly url: string
  /** SHA-256 as hex in its first group, of the file as it is unpacked from gzip. */
  readonly unpackedSha256: RegExp
}

/** From the addresses of the product, or from a mirror: `BASE/FEED/FILE`, checksums beside the files. */
export type Origin = 'official' | URL

const MIB = 1024 * 1024
const GIB = 1024 * MIB

const file = (url: string, largest: number, name?: string): Source => ({
  ...{ url, largest },
  file: name ?? new URL(url).pathname.split('/').at(-1) ?? '',
})

/** The first year of which NVD has a file; it holds everything before, too. */
const FIRST_YEAR = 2002

const nvdYear = (year: number): Source => {
  const base = `https://nvd.nist.gov/feeds/json/cve/2.0/nvdcve-2.0-${year}`
  return {
    ...file(`${base}.json.gz`, 256 * MIB),
    checksum: { url: `${base}.meta`, unpackedSha256: /^sha256:([\dA-F]{64})\s*$/im },
  }
}

/** Ecosystems whose packages the product tells apart on a website. */
const ECOSYSTEMS = ['npm', 'PyPI', 'Packagist', 'RubyGems', 'Maven', 'Go', 'NuGet']

const OSV = 'https://osv-vulnerabilities.storage.googleapis.com'

/**
 * Official addresses, read on 2026-11-23 in the publishers' own documentation. The small ones come first, so that a fresh
 * installation soon has what weighs most. Null: too large to come by itself, for the operator to import (`redhat`: a VEX
 * document for every CVE, some tens of GiB unpacked).
 */
const OFFICIAL: Readonly<Record<FeedId, ((now: Date) => readonly Source[]) | null>> = {
  kev: () => [file('https://www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json', 64 * MIB)],
  epss: () => [file('https://epss.empiricalsecurity.com/epss_scores-current.csv.gz', 64 * MIB)],
  retire: () => [
    file('https://raw.githubusercontent.com/RetireJS/retire.js/master/repository/jsrepository-v5.json', 32 * MIB),
  ],
  'ct-logs': () => [
    file('https://www.gstatic.com/ct/log_list/v3/log_list.json', 8 * MIB),
    file('https://valid.apple.com/ct/log_list/current_log_list.json', 8 * MIB),
  ],
  'hsts-preload': () => [
    file(
      'https://raw.githubusercontent.com/chromium/chromium/main/net/http/transport_security_state_static.json',
      128 * MIB,
    ),
  ],
  cookies: () => [
    file('https://raw.githubusercontent.com/jkwakman/Open-Cookie-Database/master/open-cookie-database.json', 32 * MIB),
  ],
  // Its description names the checksum of the list, which the import compares.
  'known-keys': () => [
    file('https://update.badkeys.info/v0/badkeysdata.json', MIB),
    file('https://update.badkeys.info/v0/blocklist.dat.xz', 512 * MIB),
  ],
  filters: () => [file('https://easylist.to/easylist/easyprivacy.txt', 32 * MIB)],
  endoflife: () => [
    file(
      'https://codeload.github.com/endoflife-date/endoflife.date/tar.gz/refs/heads/master',
      256 * MIB,
      'endoflife.tar.gz',
    ),
  ],
  recog: () => [file('https://codeload.github.com/rapid7/recog/tar.gz/refs/heads/main', 128 * MIB, 'recog.tar.gz')],
  templates: () => [
    file(
      'https://codeload.github.com/projectdiscovery/nuclei-templates/tar.gz/refs/heads/main',
      512 * MIB,
      'nuclei-templates.tar.gz',
    ),
  ],
  debian: () => [file('https://security-tracker.debian.org/tracker/data/json', 512 * MIB, 'debian.json')],
  osv: () => ECOSYSTEMS.map((name) => file(`${OSV}/${name}/all.zip`, GIB, `${name}.zip`)),
  nvd: (now) =>
    Array.from({ length: now.getUTCFullYear() - FIRST_YEAR + 1 }, (_, years) => nvdYear(FIRST_YEAR + years)),
  cve5: () => [file('https://codeload.github.com/CVEProject/cvelistV5/zip/refs/heads/main', 2 * GIB, 'cvelistV5.zip')],
  ubuntu: () => [file('https://security-metadata.canonical.com/osv/osv-all.tar.xz', GIB, 'osv-all.tar.xz')],
  redhat: null,
}

/** In the order in which they are fetched. */
export const FETCHED = (Object.keys(OFFICIAL) as FeedId[]).filter((feed) => OFFICIAL[feed] !== null)

/** Empty: it does not come by itself. `now` decides which years there are. */
export const sourcesOf = (feed: FeedId, origin: Origin, now: Date): readonly Source[] => {
  const sources = OFFICIAL[feed]?.(now) ?? []
  if (origin === 'official') return sources
  const onMirror = (name: string): string => new URL(`${feed}/${name}`, withSlash(origin)).href
  return sources.map((source) => ({
    ...source,
    url: onMirror(source.file),
    ...(source.checksum
      ? {
          checksum: {
            ...source.checksum,
            url: onMirror(new URL(source.checksum.url).pathname.split('/').at(-1) ?? ''),
          },
        }
      : {}),
  }))
}

/** A base without it would lose its last folder. */
const withSlash = (base: URL): URL => (base.pathname.endsWith('/') ? base : new URL(`${base.pathname}/`, base))
