/** The scores of a bed as tables for people and rows for machines. */
import type { ProbedPoint, ProbingFacts } from '../../src/modules/attack/insertion-points/facts.ts'
import { percentile } from '../table.ts'
import { CLASSES } from './classes.ts'
import type { BedScan } from './scan.ts'
import type { Scored, Verdict } from './score.ts'

export interface ClassRow {
  readonly class: string
  readonly cases: number
  readonly confirmed: number
  /** Firm or tentative findings of the class, and findings of other classes at the place. */
  readonly other: number
  readonly lost: Readonly<Record<Exclude<Verdict, 'confirmed' | 'unconfirmed' | 'other'>, number>>
  readonly safe: number
  /** Findings of the class on safe cases. */
  readonly false: number
  /** Flaws that were not asked about in full although a check of their class says `pass`. */
  readonly passed: number
  /** Of the class's module: requests for an insertion point of the site's own, asked to its end. Null where none was. */
  readonly median: number | null
  readonly seconds: number | null
}

export const rowsOf = (scored: readonly Scored[], run: BedScan): readonly ClassRow[] =>
  [...new Set(scored.map((one) => one.case.class))].toSorted().map((name) => {
    const of = scored.filter((one) => one.case.class === name)
    const flaws = of.filter((one) => one.case.vulnerable)
    const safe = of.filter((one) => !one.case.vulnerable)
    const count = (list: readonly Scored[], ...verdicts: readonly Verdict[]): number =>
      list.filter(({ verdict }) => verdicts.includes(verdict)).length
    const end = run.ends.get(CLASSES[name]?.module ?? 'crawl')
    const points = (end?.facts as ProbingFacts<unknown> | null | undefined)?.points ?? []
    const requests = points.flatMap((point) => ('end' in point && isOwn(point) ? [point.requests] : []))
    return {
      class: name,
      cases: flaws.length,
      confirmed: count(flaws, 'confirmed'),
      other: count(flaws, 'unconfirmed', 'other'),
      lost: {
        'never crawled': count(flaws, 'never crawled'),
        'no place': count(flaws, 'no place'),
        'left alone': count(flaws, 'left alone'),
        asked: count(flaws, 'asked'),
      },
      safe: safe.length,
      false: count(safe, 'confirmed', 'unconfirmed'),
      passed: flaws.filter(({ passed }) => passed).length,
      median: requests.length === 0 ? null : percentile(requests, 0.5),
      seconds: end === undefined ? null : Math.round(end.outcome.duration_ms / 1_000),
    }
  })

/** Headers, cookies and names that were guessed share requests by the dozen: with them the median would say nothing. */
const isOwn = ({ at: { place, guessed }, end, with: other }: ProbedPoint<unknown>): boolean =>
  end === 'tested' && other === undefined && guessed !== true && place !== 'header' && place !== 'cookie'

const HEAD = [
  ...['class', 'cases', 'confirmed', 'other', 'never crawled', 'no place', 'left alone', 'asked in full'],
  ...['safe', 'false', 'pass unasked', 'median requests', 'seconds'],
]

export const drawRows = (rows: readonly ClassRow[]): string =>
  drawLines([
    HEAD,
    ...rows.map((row) =>
      [
        ...[
          row.class,
          row.cases,
          row.confirmed,
          row.other,
          ...Object.values(row.lost),
          row.safe,
          row.false,
          row.passed,
        ],
        ...[row.median ?? '', row.seconds ?? ''],
      ].map(String),
    ),
  ])

/** Flaws that were not confirmed, and findings on safe cases. */
export const drawMisses = (scored: readonly Scored[]): string => {
  const flaws = scored.filter((one) => one.case.vulnerable && one.verdict !== 'confirmed')
  const alarms = scored.filter((one) => !one.case.vulnerable && ['confirmed', 'unconfirmed'].includes(one.verdict))
  return drawLines([
    ...flaws.map((one) => [one.case.class, one.case.id, one.verdict, one.reason]),
    ...alarms.map((one) => [one.case.class, one.case.id, 'FALSE', one.reason]),
  ])
}

/** Columns of even width. */
export const drawLines = (lines: readonly (readonly string[])[]): string => {
  const widths = lines.reduce<number[]>(
    (most, line) => line.map((cell, at) => Math.max(cell.length, most[at] ?? 0)),
    [],
  )
  return lines
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
