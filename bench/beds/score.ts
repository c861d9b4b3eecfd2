/** What a run says of each case of a bed: found, or at which step it was lost. */
import type { JudgedFinding } from '../../src/engine/judge.ts'
import type { CrawlFacts, RequestTemplate } from '../../src/modules/attack/crawl/facts.ts'
import type { ProbedPoint, ProbingFacts } from '../../src/modules/attack/insertion-points/facts.ts'
import { parameterOf } from '../../src/modules/attack/insertion-points/verdict.ts'
import type { Bed, BedCase } from './bed.ts'
import { CLASSES, claimsOf } from './classes.ts'
import type { BedScan } from './scan.ts'

export type Verdict =
  | 'confirmed'
  /** Its class was said, but not confirmed. */
  | 'unconfirmed'
  /** Another finding at the same place. */
  | 'other'
  | 'never crawled'
  /** The page is known, the place is not. */
  | 'no place'
  | 'left alone'
  | 'asked'

export interface Scored {
  readonly case: BedCase
  /** Of a safe case: `asked` where nothing was found. */
  readonly verdict: Verdict
  /** Why it was lost, or what was found. */
  readonly reason: string
  /** Nobody asked it in full, and yet a check of its class says `pass`. */
  readonly passed: boolean
}

export const scoreBed = (bed: Bed, run: BedScan): readonly Scored[] => {
  const crawl = run.ends.get('crawl')?.facts as CrawlFacts | null | undefined
  if (!crawl) throw new Error('the crawl brought no facts')
  return bed.cases.filter((one) => one.void === undefined).map((one) => scoreCase(one, crawl, run))
}

const scoreCase = (one: BedCase, crawl: CrawlFacts, run: BedScan): Scored => {
  const flaw = CLASSES[one.class] ?? { module: null, finds: [] }
  const { module, finds } = flaw
  const claims = claimsOf(flaw)
  const here = run.findings.filter((finding) => finding.places.some((place) => isAt(one, place)))
  const right = here.filter(({ check_id }) => finds.includes(check_id))
  const said = (verdict: Verdict, findings: readonly JudgedFinding[]): Scored => ({
    ...{ case: one, verdict, passed: false },
    reason: [...new Set(findings.map(({ check_id, confidence }) => `${check_id} ${confidence}`))].join(', '),
  })
  if (right.some(({ confidence }) => confidence === 'confirmed')) return said('confirmed', right)
  const lost = lostAt(
    one,
    crawl,
    module === null ? null : (run.ends.get(module)?.facts as ProbingFacts<unknown> | null),
  )
  if (module === null)
    return { case: one, ...lost, verdict: reached(one, crawl) ? 'confirmed' : lost.verdict, passed: false }
  if (right.some(({ confidence }) => confidence === 'firm')) return said('unconfirmed', right)
  const states = run.ends.get(module)?.coverage.filter(({ check_id }) => claims.includes(check_id)) ?? []
  const passed = lost.verdict !== 'asked' && states.some(({ state }) => state === 'pass')
  const others = here.filter(({ check_id }) => PROBING.test(check_id))
  if (others.length > 0 && lost.verdict === 'asked') return said('other', others)
  return { case: one, ...lost, passed }
}

const PROBING = /^(?:sqli|xss|injection)\//

const reached = (one: BedCase, { urls, requests }: CrawlFacts): boolean =>
  urls.some(({ url, status }) => status < 400 && isAt(one, { url })) ||
  requests.some(({ url, sent }) => sent && isAt(one, { url }))

/** `facts` null: the module that should have asked brought none. */
const lostAt = (
  one: BedCase,
  crawl: CrawlFacts,
  facts: ProbingFacts<unknown> | null | undefined,
): Pick<Scored, 'verdict' | 'reason'> => {
  const requests = crawl.requests.filter((request) => isRequestOf(one, request))
  const elsewhere = crawl.requests.filter(({ url }) => isAt(one, { url }))
  const known = elsewhere.length > 0 || crawl.urls.some(({ url }) => isAt(one, { url }))
  if (!known) return { verdict: 'never crawled', reason: crawl.cut ?? 'not among the known addresses' }
  if (requests.length === 0)
    return {
      verdict: 'no place',
      reason:
        elsewhere.length === 0
          ? 'no request in the inventory'
          : `only ${elsewhere.map(({ method }) => method).join(', ')}`,
    }
  const ids = new Set(requests.map(({ id }) => id))
  const points = crawl.points.filter(({ request }) => ids.has(request))
  const mine = points.filter(
    (point) =>
      one.parameter === undefined ||
      same(parameterOf({ place: point.place, name: point.name, url: '', method: '' }), one.parameter),
  )
  if (mine.length === 0)
    return { verdict: 'no place', reason: points.length === 0 ? 'the request has no place' : 'not this one' }
  const harm = requests.find((request) => request.harm !== null)?.harm
  const probed = (facts?.points ?? []).filter(({ at }) => isAt(one, at) && isParameter(one, parameterOf(at)))
  if (probed.length === 0)
    return { verdict: 'left alone', reason: harm ?? 'not asked: left over, left alone or merged' }
  const short = probed.filter(({ end, leftWays = [] }) => end !== 'tested' || leftWays.length > 0)
  return short.length === 0
    ? { verdict: 'asked', reason: `${probed.length} places, ${requestsOf(probed)} requests` }
    : { verdict: 'left alone', reason: short.map(shortfallOf).join('; ') }
}

const shortfallOf = ({ end, reason, leftWays = [] }: ProbedPoint<unknown>): string =>
  end === 'tested' ? leftWays.map((way) => `${way.way}: ${way.reason}`).join(', ') : `${end}: ${reason ?? ''}`

const requestsOf = (points: readonly ProbedPoint<unknown>[]): number =>
  points.reduce((sum, { requests }) => sum + requests, 0)

const isRequestOf = (one: BedCase, { url, method }: RequestTemplate): boolean => isAt(one, { url, method })

/** Same path, every parameter of the case's query present, same method and parameter where both name one. */
const isAt = (
  one: BedCase,
  at: {
    readonly url?: string | undefined
    readonly method?: string | undefined
    readonly parameter?: string | undefined
  },
): boolean => {
  const url = at.url === undefined ? null : URL.parse(at.url)
  if (url === null) return false
  const wanted = new URL(one.path, url)
  const routed = [...wanted.searchParams].every(([name, value]) => url.searchParams.get(name) === value)
  return (
    tidy(url.pathname) === tidy(wanted.pathname) &&
    routed &&
    (at.method === undefined || at.method === one.method) &&
    (at.parameter === undefined || isParameter(one, at.parameter))
  )
}

/** What is packed in a parameter is named behind it. */
const isParameter = ({ parameter }: BedCase, name: string): boolean =>
  parameter === undefined || same(name, parameter) || name.startsWith(`${parameter} (`)

/** Names of headers have no case (RFC 9110, 5.1). */
const same = (a: string, b: string): boolean => withoutCase(a) === withoutCase(b)
const withoutCase = (name: string): string => (name.startsWith('header ') ? name.toLowerCase() : name)

const tidy = (path: string): string => path.replace(/\/+/g, '/').replace(/%20/g, ' ')
