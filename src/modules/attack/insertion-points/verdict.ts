/** From places probed to a judgement: what was not reached or kept out is said, never called clean. */

import type { Proof } from '../../../contract/finding.ts'
import { SESSION_LOST } from '../../../contract/reach.ts'
import { segmentsOf } from '../../../page/segments.ts'
import { kindOf, segmentShape } from '../../../page/shape.ts'
import { faultReason } from '../../faults.ts'
import type { Finding, FindingDefinition, Judgement, Reached, Unjudged } from '../../module.ts'
import type { CrawlFacts } from '../crawl/facts.ts'
import {
  BOUND,
  DELETED,
  EVERY_WAY,
  GUARDED,
  KEPT,
  LIMITED,
  type ProbedPlace,
  type ProbedPoint,
  type ProbingFacts,
  type Shortfall,
} from './facts.ts'
import { ANY_COOKIE } from './points.ts'
import { preferencesOf } from './preferences.ts'
import { isAction } from './procedure.ts'

/**
 * A pass only where every place was asked in full and the crawl left nothing unread. `ways`: those of the module's ways that
 * the check rests on; a place where one of them was left is not asked in full.
 */
export const judgeProbed = <Hit>(
  facts: ProbingFacts<Hit>,
  findingsOf: (point: ProbedPoint<Hit>) => readonly Finding[],
  ways: readonly string[] = [],
): Judgement => {
  const findings = ofEachAddress(
    facts.points.flatMap((point) => findingsOf(point).map((finding) => ({ finding, at: point.at }))),
  )
  const unjudged = shortfall(facts, ways)
  return unjudged ? { ...unjudged, findings } : findings
}

interface Told {
  readonly finding: Finding
  readonly at: ProbedPlace
}

/** A file of a program, or the start, which one answers. */
const OF_PROGRAM = /\.\w{2,5}$|\/$/

/**
 * What stands in the address of a program is read by it whichever method asks: a parameter there that shows the same flaw asked with GET and with
 * another one is one finding, the other its place. A path without a file may lead each method to a function of its own.
 */
const ofEachAddress = (told: readonly Told[]): readonly Finding[] => {
  const groups = Map.groupBy(told, addressKeyOf)
  return told.flatMap(({ finding, at }) => {
    const same = groups.get(addressKeyOf({ finding, at })) ?? []
    const first = same.find((one) => one.at.method === 'GET')
    if (first === undefined || !isOfAddress({ finding, at })) return [finding]
    if (first.finding !== finding) return at.method === 'GET' ? [finding] : []
    const others = same
      .filter((one) => one.at.method !== 'GET')
      .flatMap((one) => [one.finding.at, ...(one.finding.places ?? [])])
    return [others.length === 0 ? finding : { ...finding, places: [...(finding.places ?? []), ...others] }]
  })
}

const isOfAddress = ({ finding, at }: Told): boolean =>
  at.place === 'query' && finding.cause === undefined && OF_PROGRAM.test(URL.parse(at.url)?.pathname ?? '')

const addressKeyOf = ({ finding: { definition, confidence, route, procedure, subject }, at }: Told): string => {
  const { host, pathname } = new URL(at.url)
  return JSON.stringify([
    definition.id,
    confidence,
    host,
    pathname,
    at.place,
    parameterOf(at),
    route,
    procedure,
    subject,
  ])
}

/** The judgement of a check that left something out on purpose, and says what. */
export const withShortfall = (judgement: Judgement, reason: string): Judgement => {
  if (!('state' in judgement)) return { state: 'inconclusive', reason, findings: judgement }
  // What was left out is what it applies to.
  if (judgement.state === 'not_applicable') return { ...judgement, state: 'inconclusive', reason }
  return judgement.state === 'inconclusive' ? { ...judgement, reason: `${judgement.reason}; ${reason}` } : judgement
}

/** Counted over everything that the crawl knows of, what was left alone or unread included. */
const shortfall = (facts: ProbingFacts<unknown>, ways: readonly string[]): Unjudged | null => {
  const { points, left, leftAlone = {}, unread = [], sessionLost } = facts
  const all = points.length + left + sum(Object.values(leftAlone))
  const known = all + sum(unread.map(({ count }) => count))
  if (known === 0) return { state: 'not_applicable', reason: 'the crawl found no place that takes such input' }
  if (sessionLost)
    return { state: 'not_tested', reason: `${SESSION_LOST}, as the crawl saw, so nothing was tested signed in` }
  const count = (end: ProbedPoint<unknown>['end']): number => points.filter((point) => point.end === end).length
  const [blocked, lost] = [count('blocked'), count('session-lost')]
  if (lost > 0)
    return { state: 'not_tested', reason: `${SESSION_LOST}; ${lost} of ${all} places were not tested signed in` }
  if (blocked > 0 && blocked === known) return { state: 'blocked', reason: `probes were blocked at all ${all} places` }
  const fault = points.find((point) => point.fault !== undefined)?.fault ?? facts.fault
  const ours = fault === undefined ? {} : { fault }
  const reasons = reasonsOf(facts, ways)
  const after = facts.fault === undefined ? [] : [`what follows the places: ${faultReason(facts.fault)}`]
  const short = shortOf('places', known, reasons)
  if (reasons.length === 0)
    return fault === undefined
      ? null
      : { state: 'inconclusive', reason: after.join(''), reached: short.reached, ...ours }
  return {
    state: all === 0 ? 'not_tested' : 'inconclusive',
    reason: [short.reason, ...after].join('; '),
    reached: short.reached,
    ...ours,
  }
}

/** What was not asked of all that is known, in a sentence and in counts. `reasons`: the largest first. */
export const shortOf = (
  unit: string,
  known: number,
  reasons: readonly Shortfall[],
): { readonly reason: string; readonly reached: Reached } => {
  const largest = reasons.slice(0, MOST_REASONS)
  return {
    reason: `of ${known} ${unit}: ${largestOf(reasons)}`,
    // Facts of earlier versions count one page under each of its reasons.
    reached: { asked: Math.max(0, known - sum(reasons.map(({ count }) => count))), known, reasons: largest },
  }
}

/** In words, the three largest one by one. */
export const largestOf = (reasons: readonly Shortfall[]): string => {
  const others = reasons.slice(MOST_REASONS).map(({ count }) => count)
  return [
    ...reasons.slice(0, MOST_REASONS).map(({ reason, count }) => `${count} ${reason}`),
    ...(others.length > 1 ? [`${sum(others)} for ${others.length} other reasons`] : []),
    ...(others.length === 1 ? [`${sum(others)} for another reason`] : []),
  ].join(', ')
}

const MOST_REASONS = 3

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

/** What kept places from being asked in full, the largest first. Each place counts once. */
const reasonsOf = (
  { points, left, cut, leftAlone = {}, unread = [] }: ProbingFacts<unknown>,
  ways: readonly string[],
): readonly Shortfall[] => {
  const counts = new Map<string, number>()
  const add = (reason: string, count: number): void => void counts.set(reason, (counts.get(reason) ?? 0) + count)
  for (const point of points) {
    const way = point.leftWays?.find((one) => ways.includes(one.way) || one.way === EVERY_WAY)
    if (point.end !== 'tested') add(wordsOf(point), 1)
    else if (way) add(way.reason, 1)
  }
  if (left > 0) add(`not reached, as ${cut ?? 'the budget was spent'}`, left)
  for (const [reason, count] of Object.entries(leftAlone)) add(`left alone: ${reason}`, count)
  for (const { reason, count } of unread) add(reason, count)
  return [...counts]
    .map(([reason, count]) => ({ reason, count }))
    .toSorted((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1))
}

/** Why a place was not asked in full, in words that follow its number. */
export const wordsOf = ({ end, fault, reason }: Pick<ProbedPoint<unknown>, 'end' | 'fault' | 'reason'>): string => {
  if (end === 'fault' && fault !== undefined) return `left by ${faultReason(fault)}`
  return end === 'cut' && reason !== null && OF_FORMS.has(reason) ? reason : ENDS[end]
}
const OF_FORMS: ReadonlySet<string> = new Set([BOUND, DELETED, GUARDED, KEPT, LIMITED])

const ENDS: Readonly<Record<ProbedPoint<unknown>['end'], string>> = {
  tested: 'asked',
  cut: 'not asked to the end',
  blocked: 'blocked by a firewall or limit',
  unstable: 'with a page that changes by itself',
  unreachable: 'without an answer',
  failed: 'that cannot hold a probe',
  'session-lost': SESSION_LOST,
  fault: 'left by a fault of the scanner',
}

/** Where a finding of a place is, its parameter as a person names it. */
export const locationOf = (at: ProbedPlace): Finding['at'] => ({
  url: at.url,
  method: at.method,
  parameter: parameterOf(at),
})

export const parameterOf = ({ within, ...whole }: ProbedPlace): string =>
  within === undefined ? nameOf(whole) : `${nameOf(whole)} (${within})`

const nameOf = ({ place, name }: ProbedPlace): string => {
  if (place === 'path') return `path segment ${Number(name) + 1}`
  if (place === 'cookie' && name === ANY_COOKIE) return 'header Cookie'
  if (place === 'header' || place === 'cookie') return `${place} ${name}`
  if (place === 'name') return 'name of a parameter'
  if (place === 'body') return `body (${name})`
  if (place === 'json-name') return `name of the member ${name}`
  if (place === 'own-name') return `name of the parameter ${name}`
  if (place === 'file-name') return `file name of ${name}`
  return name
}

/** Payloads are made anew in each run, so a proof by probing says itself what it rests on. */
export type ProbedProof = Proof & { readonly basis: string }
export type ProbedFinding = Partial<Omit<Finding, 'proof'>> & { readonly proof?: ProbedProof }

/** For one definition at a place with its proof. */
export const findingAt = (
  point: ProbedPoint<unknown>,
  definition: FindingDefinition,
  rest: Pick<Finding, 'confidence' | 'detail'> & ProbedFinding,
): Finding => ({
  definition,
  at: locationOf(point.at),
  ...codeOf(point.at),
  ...(point.at.guessed === undefined ? {} : { guessed: point.at.guessed }),
  ...rest,
  detail: `${rest.detail}${everywhere(point.at)}`,
})

/** Of many addresses of one program the few are named that were asked. */
const everywhere = ({ program, place }: ProbedPlace): string =>
  program === undefined || place === 'path' ? '' : ` One program answers at all of ${program}: it is flawed at each.`

/** What of a place tells which code has it. */
export const codeOf = (at: ProbedPlace): Pick<Finding, 'route' | 'procedure' | 'cause'> => ({
  ...(at.route === undefined ? {} : { route: at.route }),
  ...(at.procedure === undefined ? {} : { procedure: at.procedure }),
  ...ofProgram(at),
  ...inArgument(at),
  ...inBody(at),
  ...inAction(at),
})

/**
 * The program that takes a part of its path as a value is one, whatever stands there, and so is one that is known to answer at many
 * addresses.
 */
const ofProgram = ({ place, name, url, method, program, ...at }: ProbedPlace): Pick<Finding, 'cause'> => {
  const parsed = URL.parse(url)
  if (place === 'path' && parsed !== null) {
    const segments = program === undefined ? segmentsOf(parsed.href).map(segmentShape) : program.split('/').slice(1)
    return { cause: [method, ...segments.map((segment, n) => (n === Number(name) ? '*' : segment))].join('/') }
  }
  if (program === undefined) return {}
  const parameter = parameterOf({ ...at, place, name, url, method })
  return { cause: [`${method} ${program}`, parameter, at.route ?? '', at.procedure ?? ''].join(' ').trim() }
}

/** The argument of a field is one, however those who ask call the variable that they give to it. */
const inArgument = ({ argument, procedure, url, method }: ProbedPlace): Pick<Finding, 'cause'> =>
  argument === undefined || procedure === undefined
    ? {}
    : { cause: [method, URL.parse(url)?.pathname ?? '', procedure, argument].join(' ') }

/** A function of the server is one, at whichever page it is called, and so is its field, which scripts send behind a number. */
const inAction = (at: ProbedPlace): Pick<Finding, 'cause'> =>
  at.procedure !== undefined && isAction(at.procedure)
    ? { cause: `${at.procedure} ${parameterOf(at).replace(/^_\d+_/, '')}` }
    : {}

/** A document that is the whole body is read by one piece of code, under whichever media types it is taken. */
const inBody = ({ place, within, route, procedure, url, method }: ProbedPlace): Pick<Finding, 'cause'> =>
  place === 'body' && within === undefined
    ? { cause: ['body', method, kindOf(url), route ?? '', procedure ?? ''].join(' ').trim() }
    : {}

/**
 * A header or cookie is read by one piece of code for many pages, and so is a preference of the whole site: what was proven there in the same
 * way is one finding, its pages the places. `how`: what tells this way from others.
 */
export const readOnce = (
  { at }: Pick<ProbedPoint<unknown>, 'at'>,
  how: string,
  crawl: Pick<CrawlFacts, 'requests'>,
): Pick<Finding, 'cause'> => (isReadOnce(at, crawl) ? { cause: [at.place, parameterOf(at), how].join(' ') } : {})

/** By one piece of code for all pages of the site. */
export const isReadOnce = ({ place, name }: ProbedPlace, crawl: Pick<CrawlFacts, 'requests'>): boolean =>
  place === 'header' || place === 'cookie' || (place === 'query' && preferencesOf(crawl).has(name))

/** Around the mark, so that a reader sees it in its place. The mark is part of what is returned. */
export const around = (text: string, mark: string, room = 300): string => {
  const at = text.indexOf(mark)
  if (at < 0) return text.slice(0, 2 * room)
  return text.slice(Math.max(0, at - room), at + mark.length + room)
}
