/** What the scans of all sites say together: by class, by way, in all. */
import type { Entry } from '../../testbed/web/site/plan.ts'
import { drawLines } from '../beds/table.ts'
import { type BenchRow, percentile, row } from '../table.ts'
import type { ScoredEntry, SiteScore } from './ours.ts'

/** What a scanner said about the cases, for comparisons. */
export interface Scores {
  /** Careless pages that were called vulnerable in the right way, by id. */
  readonly found: ReadonlyMap<string, readonly string[]>
  /** Everything it was sure of and that is not so. */
  readonly wrong: readonly string[]
  /** Requests by `twin/id`. */
  readonly counts: ReadonlyMap<string, number>
  readonly ms: number
}

export const scoresOf = (sites: readonly SiteScore[]): Scores => {
  const entries = sites.flatMap((site) => site.entries)
  const right = entries.filter(({ case: { vulnerable }, verdict }) => vulnerable && verdict === 'confirmed')
  return {
    found: new Map(right.map(({ case: { id }, reason }) => [id, [reason]])),
    wrong: entries.filter(isFalse).map(({ case: { id }, reason }) => `careful/${id}: ${reason}`),
    counts: new Map(
      entries.map((one) => [`${one.case.vulnerable ? 'careless' : 'careful'}/${one.case.id}`, one.requests]),
    ),
    ms: sites.reduce((sum, { run }) => sum + run.seconds * 1_000, 0),
  }
}

const isFalse = ({ case: { vulnerable }, verdict }: ScoredEntry): boolean =>
  !vulnerable && (verdict === 'confirmed' || verdict === 'unconfirmed')

/** What a page's own scripts read is no row of the ledger. */
const isUntrue = ({ passed, entry }: ScoredEntry): boolean => passed && entry.case.place !== 'page'

const shareOf = (flaws: readonly ScoredEntry[]): number =>
  flaws.length === 0 ? 1 : flaws.filter(({ verdict }) => verdict === 'confirmed').length / flaws.length

const wordsOf = (of: readonly ScoredEntry[]): string => {
  const flaws = of.filter((one) => one.case.vulnerable)
  const count = (...verdicts: readonly string[]): number =>
    flaws.filter(({ verdict }) => verdicts.includes(verdict)).length
  return (
    `of ${flaws.length}: ${count('unconfirmed', 'other')} otherwise, ${count('never crawled', 'no place')} not reached, ` +
    `${count('left alone')} not asked, ${count('asked')} missed; ${of.filter(isFalse).length} of ${of.length - flaws.length} twins called flaws, ` +
    `${of.filter(isUntrue).length} passes unasked`
  )
}

export const rowsOf = (sites: readonly SiteScore[]): readonly BenchRow[] => {
  const entries = sites.flatMap((site) => site.entries)
  const flaws = (of: readonly ScoredEntry[]): readonly ScoredEntry[] => of.filter((one) => one.case.vulnerable)
  const grouped = (name: string, by: (one: ScoredEntry) => string): readonly BenchRow[] =>
    [...Map.groupBy(entries, by)]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([of, list]) => row({ id: `${name} ${of}`, what: wordsOf(list), unit: 'share', ours: shareOf(flaws(list)) }))
  const requests = entries.map((one) => one.requests)
  const alarms = sites.flatMap((site) => site.alarms)
  return [
    ...grouped('class', ({ entry }) => entry.case.class),
    ...grouped('way', ({ entry }) => entry.way),
    ...grouped('signed in', ({ entry }) => (entry.member ? 'members alone' : 'everybody')),
    row({
      ...{ id: 'recall', what: wordsOf(entries), unit: 'share', ours: shareOf(flaws(entries)) },
      target: { text: '>= 0.97', met: (value) => value >= 0.97 },
    }),
    row({
      ...{ id: 'alarms', what: 'confirmed and wrong, on twins or elsewhere', unit: 'findings', ours: alarms.length },
      target: { text: '0', met: (value) => value === 0 },
    }),
    row({
      ...{ id: 'untrue', what: 'places that nobody asked in full, under a pass', unit: 'places' },
      ours: entries.filter(isUntrue).length,
      target: { text: '0', met: (value) => value === 0 },
    }),
    row({
      ...{ id: 'median', what: 'requests to an address, the crawl included', unit: 'requests' },
      ours: percentile(requests, 0.5),
    }),
    row({ id: 'requests', what: 'requests to them in all', unit: 'requests', ours: sumOf(requests) }),
    row({
      ...{ id: 'time', what: `${sites.length} scans`, unit: 's' },
      ours: sites.reduce((sum, { run }) => sum + run.seconds, 0),
    }),
  ]
}

/** What was lost, and what is wrong. */
export const drawLosses = (sites: readonly SiteScore[]): string =>
  drawLines(
    sites.flatMap(({ entries, alarms }) => [
      ...entries
        .filter((one) => (one.case.vulnerable ? one.verdict !== 'confirmed' : isFalse(one)) || isUntrue(one))
        .map((one) => [
          ...[
            one.case.vulnerable ? 'missed' : isFalse(one) ? 'FALSE' : 'safe',
            one.case.class,
            one.case.id,
            one.entry.way,
          ],
          ...[one.entry.member ? 'member' : '', one.verdict, isUntrue(one) ? 'PASSED' : '', one.reason],
        ]),
      ...alarms.map((one) => ['ALARM', one]),
    ]),
  )

export const recallOf = (entries: readonly Entry[], { found }: Scores): number =>
  entries.length === 0 ? 1 : entries.filter((one) => found.has(one.case.id)).length / entries.length

export const missedOf = (entries: readonly Entry[], { found }: Scores): readonly string[] =>
  entries.map((one) => one.case.id).filter((id) => !found.has(id))

/** Both twins of each, one number a place. */
export const requestsOf = (entries: readonly Entry[], { counts }: Scores): readonly number[] =>
  entries.flatMap((one) => ['careless', 'careful'].map((twin) => counts.get(`${twin}/${one.case.id}`) ?? 0))

export const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0)
