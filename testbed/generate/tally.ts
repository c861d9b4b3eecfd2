/** Places of scanned applications counted by each value of each dimension. */
import type { Verdict } from '../../bench/beds/score.ts'
import { drawLines } from '../../bench/beds/table.ts'
import type { Planted } from './plan.ts'

export interface DimensionRow {
  readonly dimension: string
  readonly value: string
  readonly flaws: number
  readonly found: number
  /** The crawl did not see the page or its place. */
  readonly unknown: number
  /** Known, and not asked to the end. */
  readonly left: number
  /** Asked in full and not confirmed. */
  readonly asked: number
  /** Not asked in full under a `pass`. */
  readonly passed: number
  readonly safe: number
  readonly alarms: number
}

const DIMENSIONS: Readonly<Record<string, (place: Planted) => string>> = {
  all: () => 'all',
  class: ({ sink }) => sink.class,
  way: ({ way }) => way,
  request: ({ spot }) => spot,
  filter: ({ filter }) => filter,
  sink: ({ sink }) => sink.name,
  answers: ({ answers }) => answers,
  speaks: ({ speaksJson }) => (speaksJson ? 'json' : 'html'),
  access: ({ signedIn }) => (signedIn ? 'signed in' : 'open'),
}

/** What a place is in each dimension. */
export const valuesOf = (place: Planted): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(DIMENSIONS).map(([dimension, valueIn]) => [dimension, valueIn(place)]))

export interface CountedPlace {
  /** By dimension. */
  readonly values: Readonly<Record<string, string>>
  readonly vulnerable: boolean
  readonly verdict: Verdict
  readonly passed: boolean
}

/** As text; within a dimension the weakest first. */
export const dimensionTable = (places: readonly CountedPlace[]): string =>
  drawLines([
    [
      'dimension',
      'value',
      'flaws',
      'recall',
      'place unknown',
      'not asked',
      'asked in full',
      'pass unasked',
      'safe',
      'false',
    ],
    ...dimensionRows(places).map(lineOf),
  ])

const share = (part: number, whole: number): string => (whole === 0 ? '' : (part / whole).toFixed(2))

const lineOf = (row: DimensionRow): readonly string[] =>
  [
    row.dimension,
    row.value,
    row.flaws,
    share(row.found, row.flaws),
    row.unknown,
    row.left,
    row.asked,
    row.passed,
    row.safe,
    row.alarms,
  ].map(String)

/** Within a dimension the weakest first. */
export const dimensionRows = (places: readonly CountedPlace[]): readonly DimensionRow[] =>
  Object.keys(DIMENSIONS).flatMap((dimension) =>
    [...Map.groupBy(places, ({ values }) => values[dimension] ?? '')]
      .map(([value, of]) => rowOf(dimension, value, of))
      .toSorted((a, b) => a.found / a.flaws - b.found / b.flaws),
  )

const rowOf = (dimension: string, value: string, of: readonly CountedPlace[]): DimensionRow => {
  const flaws = of.filter(({ vulnerable }) => vulnerable)
  const safe = of.filter(({ vulnerable }) => !vulnerable)
  const count = (list: readonly CountedPlace[], ...verdicts: readonly Verdict[]): number =>
    list.filter(({ verdict }) => verdicts.includes(verdict)).length
  return {
    ...{ dimension, value, flaws: flaws.length, safe: safe.length },
    found: count(flaws, 'confirmed'),
    unknown: count(flaws, 'never crawled', 'no place'),
    left: count(flaws, 'left alone'),
    asked: count(flaws, 'asked', 'other', 'unconfirmed'),
    passed: flaws.filter(({ passed }) => passed).length,
    alarms: count(safe, 'confirmed', 'unconfirmed'),
  }
}
