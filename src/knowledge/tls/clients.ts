/** How clients say hello, each with where its profile comes from. */
import published from './clients-published.json' with { type: 'json' }

export interface ClientProfile {
  readonly name: string
  /** In use today, so that a server has to serve it. */
  readonly current: boolean
  /**
   * captured: taken by ourselves from the program of that version · published: read out of a recorded hello that others
   * publish (named in the file) · unverified: put together from what its makers say, compared with no recording, so it
   * is never more than a hint
   */
  readonly source: 'captured' | 'published' | 'unverified'
  /** Of the hello; `versions` is the list of TLS 1.3 clients. */
  readonly version: number
  readonly versions: readonly number[]
  readonly suites: readonly number[]
  readonly groups: readonly number[] | null
  readonly schemes: readonly number[] | null
  readonly shares: readonly number[]
  readonly alpn: readonly string[]
  /** It names the host; those from before server name indication do not. Default true. */
  readonly servername?: boolean
  /** Further extensions by number, of those that need no content of their own; absent where nobody wrote them down. */
  readonly extensions?: readonly number[]
}

const OWN: readonly ClientProfile[] = [
  {
    name: 'Chromium 156',
    current: true,
    source: 'captured',
    version: 771,
    versions: [772, 771],
    suites: [4865, 4866, 4867, 49195, 49199, 49196, 49200, 52393, 52392, 49171, 49172, 156, 157, 47, 53],
    groups: [4588, 29, 23, 24],
    schemes: [27242, 2308, 2309, 2310, 1027, 2052, 1025, 1283, 2053, 1281, 2054, 1537],
    shares: [4588, 29],
    alpn: ['h2', 'http/1.1'],
  },
  {
    name: 'Firefox 140',
    current: true,
    source: 'unverified',
    version: 771,
    versions: [772, 771],
    suites: [4865, 4867, 4866, 49195, 49199, 52393, 52392, 49196, 49200, 49162, 49161, 49171, 49172, 156, 157, 47, 53],
    groups: [4588, 29, 23, 24, 25, 256, 257],
    schemes: [1027, 1283, 1539, 2052, 2053, 2054, 1025, 1281, 1537, 515, 513],
    shares: [4588, 29, 23],
    alpn: ['h2', 'http/1.1'],
  },
  {
    name: 'Safari 26',
    current: true,
    source: 'unverified',
    version: 771,
    versions: [772, 771],
    suites: [4866, 4867, 4865, 49196, 49195, 52393, 49200, 49199, 52392, 49162, 49161, 49172, 49171],
    groups: [4588, 29, 23, 24, 25],
    schemes: [1027, 2052, 1025, 1283, 2053, 1281, 2054, 1537, 513],
    shares: [4588, 29],
    alpn: ['h2', 'http/1.1'],
  },
  {
    name: 'Node.js 24 (fetch)',
    current: true,
    source: 'captured',
    version: 771,
    versions: [772, 771],
    suites: [
      4866, 4867, 4865, 49199, 49195, 49200, 49196, 158, 49191, 103, 49192, 107, 163, 159, 52393, 52392, 52394, 49325,
      49311, 49245, 49249, 49239, 49235, 162, 49324, 49310, 49244, 49248, 49238, 49234, 49188, 106, 49187, 64, 49162,
      49172, 57, 56, 49161, 49171, 51, 50, 157, 49309, 49233, 156, 49308, 49232, 61, 60, 53, 47,
    ],
    groups: [4588, 29, 23, 30, 24, 25, 256, 257],
    schemes: [
      2309, 2310, 2308, 1027, 1283, 1539, 2055, 2056, 2074, 2075, 2076, 2057, 2058, 2059, 2052, 2053, 2054, 1025, 1281,
      1537, 771, 769, 770, 1026, 1282, 1538,
    ],
    shares: [4588, 29],
    alpn: ['http/1.1'],
  },
  {
    name: 'curl 7.88, OpenSSL 3.0',
    current: true,
    source: 'captured',
    version: 771,
    versions: [772, 771, 770, 769],
    suites: [
      4866, 4867, 4865, 49196, 49200, 159, 52393, 52392, 52394, 49195, 49199, 158, 49188, 49192, 107, 49187, 49191, 103,
      49162, 49172, 57, 49161, 49171, 51, 157, 156, 61, 60, 53, 47, 255,
    ],
    groups: [29, 23, 30, 25, 24, 256, 257, 258, 259, 260],
    schemes: [
      1027, 1283, 1539, 2055, 2056, 2057, 2058, 2059, 2052, 2053, 2054, 1025, 1281, 1537, 771, 769, 770, 1026, 1282,
      1538,
    ],
    shares: [29],
    alpn: ['h2', 'http/1.1'],
  },
  {
    name: 'OpenSSL 3.0 (s_client)',
    current: true,
    source: 'captured',
    version: 771,
    versions: [772, 771, 770, 769],
    suites: [
      4866, 4867, 4865, 49196, 49200, 159, 52393, 52392, 52394, 49195, 49199, 158, 49188, 49192, 107, 49187, 49191, 103,
      49162, 49172, 57, 49161, 49171, 51, 157, 156, 61, 60, 53, 47, 255,
    ],
    groups: [29, 23, 30, 25, 24, 256, 257, 258, 259, 260],
    schemes: [
      1027, 1283, 1539, 2055, 2056, 2057, 2058, 2059, 2052, 2053, 2054, 1025, 1281, 1537, 771, 769, 770, 1026, 1282,
      1538,
    ],
    shares: [29],
    alpn: [],
  },
  {
    name: 'Python 3.11 (urllib)',
    current: true,
    source: 'captured',
    version: 771,
    versions: [772, 771],
    suites: [
      4866, 4867, 4865, 49196, 49200, 49195, 49199, 52393, 52392, 49188, 49192, 49187, 49191, 159, 158, 107, 103, 255,
    ],
    groups: [29, 23, 30, 25, 24, 256, 257, 258, 259, 260],
    schemes: [
      1027, 1283, 1539, 2055, 2056, 2057, 2058, 2059, 2052, 2053, 2054, 1025, 1281, 1537, 771, 769, 770, 1026, 1282,
      1538,
    ],
    shares: [29],
    alpn: ['http/1.1'],
  },
  {
    name: 'Wget 1.21, GnuTLS 3.7',
    current: true,
    source: 'captured',
    version: 771,
    versions: [772, 771, 770, 769],
    suites: [
      4866, 4867, 4865, 4868, 49196, 52393, 49325, 49162, 49195, 49324, 49161, 49200, 52392, 49172, 49199, 49171, 157,
      49309, 53, 156, 49308, 47, 159, 52394, 49311, 57, 158, 49310, 51,
    ],
    groups: [23, 24, 25, 29, 30, 256, 257, 258, 259, 260],
    schemes: [1025, 2057, 2052, 1027, 2055, 1281, 2058, 2053, 1283, 2056, 1537, 2059, 2054, 1539, 513, 515],
    shares: [23, 29],
    alpn: [],
  },
]

export const CLIENTS: readonly ClientProfile[] = [
  ...OWN,
  ...published.profiles.map((one): ClientProfile => ({ ...one, source: 'published' })),
]

/** The browsers of today: whom a site has to serve, and so the measure of whether it can be reached. */
export const BROWSERS: ReadonlySet<string> = new Set(['Chromium 156', 'Firefox 140', 'Safari 26'])
