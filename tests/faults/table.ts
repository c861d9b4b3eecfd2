/** Which faults are put where. */
import { BOUNDARIES, type Boundary, type Fault, type Kind, kindsOf } from './boundary.ts'

/** What each module is handed and uses, beside facts and checks, which all have. */
const USED: Readonly<Record<string, readonly Boundary[]>> = {
  site: ['http', 'resolve', 'dns', 'evidence', 'progress'],
  dns: ['dns', 'progress'],
  mail: ['dns', 'http', 'progress'],
  names: ['http', 'dns', 'progress'],
  nameservers: ['dns', 'connect', 'progress'],
  mx: ['connect', 'progress'],
  tls: ['tls', 'resolve', 'progress'],
  'tls-deep': ['connect', 'http', 'progress'],
  headers: ['http', 'evidence', 'progress'],
  cookies: [],
  markup: [],
  disclosure: ['http', 'progress'],
  ports: ['sweep', 'resolve', 'datagram', 'progress'],
  services: ['connect', 'http', 'evidence', 'progress'],
  technology: ['http', 'progress'],
  cve: [],
  waf: ['http', 'evidence', 'progress'],
  api: ['http', 'issue', 'hits', 'progress'],
  // Asks where somebody is signed in, and nobody is in this run.
  authorization: [],
  sessions: ['http', 'progress'],
  'rate-limit': ['http', 'progress'],
  // Asks test systems alone, and this run is of none.
  prototypes: [],
  crawl: ['http', 'browser', 'context', 'page', 'progress'],
  exposure: ['http', 'evidence', 'progress'],
  templates: ['http', 'connect', 'resolve', 'dns', 'evidence', 'progress'],
  sqli: ['http', 'progress'],
  injection: ['http', 'issue', 'hits', 'progress'],
  xss: ['http', 'browser', 'context', 'page', 'issue', 'hits', 'evidence', 'progress'],
  privacy: ['browser', 'context', 'page', 'http', 'dns', 'evidence', 'progress'],
}
const ALL: readonly Boundary[] = ['facts', 'judge', 'finding', 'tables', 'grade']
/** Where faults are put into a module. */
export const boundariesOf = (module: string): readonly Boundary[] => [...(USED[module] ?? []), ...ALL]

/** The whole table: every kind at every boundary of every module, in one order. */
export const everyFault = (): readonly Fault[] =>
  Object.keys(USED).flatMap((module) =>
    BOUNDARIES.filter((boundary) => boundariesOf(module).includes(boundary)).flatMap((boundary) =>
      kindsOf(boundary).map((kind) => ({
        module,
        boundary,
        kind,
        at: 1 + (['http', 'dns', 'connect'].includes(boundary) ? (SECOND[kind] ?? 0) : 0),
      })),
    ),
  )

/** Some begin only after the module has had its first answers. */
const SECOND: Partial<Record<Kind, number>> = { reject: 2, garbage: 2, memory: 3, ENETUNREACH: 1 }

const of = (module: string, boundary: Boundary, ...kinds: readonly Kind[]): readonly Fault[] =>
  kinds.map((kind) => ({ module, boundary, kind, at: 1 }))

/** Of every kind but those of browsers, at boundaries of modules that cost little. */
export const FEW: readonly Fault[] = [
  ...of(
    'disclosure',
    'http',
    'throw',
    'reject',
    'stray',
    'forgotten',
    'hang',
    'garbage',
    'nothing',
    'half',
    'EMFILE',
    'ENETUNREACH',
    'ENOSPC',
    'memory',
  ),
  ...of('site', 'resolve', 'EMFILE', 'ENETUNREACH'),
  ...of('site', 'http', 'EMFILE', 'ENOSPC'),
  ...of('exposure', 'evidence', 'throw', 'nothing', 'ENOSPC'),
  ...of('headers', 'facts', 'reject', 'stray', 'hang', 'garbage', 'nothing', 'half'),
  ...of('headers', 'judge', 'throw', 'garbage', 'nothing'),
  ...of('headers', 'finding', 'garbage', 'nothing', 'half'),
  ...of('headers', 'grade', 'throw', 'garbage'),
  ...of('headers', 'tables', 'throw', 'garbage'),
  ...of('cookies', 'facts', 'memory', 'garbage'),
  ...of('tls', 'tls', 'reject', 'stray', 'garbage', 'half', 'EMFILE'),
  ...of('waf', 'progress', 'throw', 'forgotten'),
]
