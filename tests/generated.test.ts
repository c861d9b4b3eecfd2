/**
 * The ledger's promise on applications that nobody wrote: no planted flaw is missed under a `pass`, no safe place is accused, a class without a
 * flaw gets its `pass` where everything was asked in full, and so many flaws are found. Twenty small ones in every `./test`, which
 * together have each value of each dimension; 500 with SONDE_LONG=1. Repeat one with SONDE_SEED.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { CLASSES, claimsOf } from '../bench/beds/classes.ts'
import type { ProbingFacts } from '../src/modules/attack/insertion-points/facts.ts'
import { FILTERS } from '../testbed/generate/filters.ts'
import { keptOf } from '../testbed/generate/kept.ts'
import { ANSWERS, planApplication, SINKS, SPOTS, WAYS, type Wanted } from '../testbed/generate/plan.ts'
import { type ScannedApplication, type ScannedPlace, scanApplication } from '../testbed/generate/scanned.ts'
import { type DimensionRow, dimensionRows, valuesOf } from '../testbed/generate/tally.ts'

const LONG = process.env.SONDE_LONG === '1'
const SEED = process.env.SONDE_SEED
/** Most of a scan is waiting: so many at once fill one processor. */
const AT_ONCE = 4

const SERVER = ['sqli', 'traversal', 'template', 'command', 'code']
const BROWSERS = ['redirect', 'header', 'xss']
const split = { truth: 'split' } as const

const KINDS = {
  /** What may write is never asked in full, so that one such place keeps its module from any pass: of these each place reads. */
  reading: { ...split, places: 3, classes: SERVER, ways: ['link', 'redirect', 'form-get', 'numbered', 'paged'] },
  forms: {
    ...{ ...split, places: 3, classes: SERVER },
    ways: ['form-post', 'front', 'option', 'token', 'token-once', 'posted', 'kept', 'replaced'],
  },
  scripts: { ...split, places: 3, classes: SERVER, ways: ['fetch', 'route', 'shell'] },
  /** What a browser has to prove. */
  pages: {
    ...{ ...split, places: 4, classes: BROWSERS },
    ways: [
      ...(['link', 'redirect', 'form-get', 'numbered', 'paged', 'form-post'] as const),
      ...(['front', 'posted', 'kept', 'option', 'fetch'] as const),
    ],
  },
  large: { ...split, places: 8 },
  largeReading: { ...split, places: 8, ways: ['link', 'redirect', 'form-get', 'numbered', 'paged'] },
} satisfies Readonly<Record<string, Wanted>>
type Kind = keyof typeof KINDS

interface Row {
  readonly seed: number
  readonly kind: Kind
}

/** Chosen so that each value of each dimension stands at a flaw. */
const TWENTY: Readonly<Partial<Record<Kind, readonly number[]>>> = {
  scripts: [49, 3904, 285, 1],
  pages: [3, 70, 176, 778, 149, 1],
  forms: [111, 10, 204, 206],
  reading: [840, 1712, 2993, 5818, 319, 827],
}

const APPLICATIONS: readonly Row[] = LONG
  ? Array.from({ length: 500 }, (_, at) => 1 + at).map((seed) => ({
      seed,
      kind: seed % 5 === 0 ? 'largeReading' : 'large',
    }))
  : Object.entries(TWENTY).flatMap(([kind, seeds]) => seeds.map((seed) => ({ seed, kind: kind as Kind })))
const CHOSEN = APPLICATIONS.filter(({ seed }) => SEED === undefined || seed === Number(SEED))

/**
 * Least recall of each value of a dimension that has so many flaws. Of 24 large applications (`testbed/generate/report.ts --seeds 24 --from 9001
 * --places 8 --split`) it was 100 of 105; the weakest values with so many were what speaks JSON and SQL 0.80, errors that look like success 0.82,
 * values that are cut 0.83, requests of scripts 0.85. Of the twenty all 44 were found.
 */
const FLAWS = 10
const FLOORS: Readonly<Record<string, number>> = {
  ...{ all: 0.9, access: 0.85, answers: 0.75, speaks: 0.65 },
  ...{ class: 0.65, way: 0.7, filter: 0.7, request: 0.5, sink: 0.5 },
}

const planned = ({ seed, kind }: Row) => planApplication(seed, KINDS[kind])

const scanned = (row: Row): Promise<ScannedApplication> => {
  const application = planned(row)
  const modules = [...new Set(application.places.flatMap(({ sink }) => CLASSES[sink.class]?.module ?? []))]
  return scanApplication(application, { modules, log: () => undefined })
}

interface Claim {
  readonly seed: number
  readonly check: string
  readonly state: string
}

/** What the checks say that deny a safe class, where their module asked every insertion point of the run in full. */
const claimsIn = ({ application: { seed }, places, run }: ScannedApplication): readonly Claim[] =>
  [...Map.groupBy(places, ({ place }) => place.sink.class)].flatMap(([name, of]) => {
    const flaw = CLASSES[name]
    const end = run.ends.get(flaw?.module ?? '')
    const coverage = end?.coverage ?? []
    if (!flaw || of.some(({ place }) => place.vulnerable) || !isWhole(end?.facts)) return []
    return claimsOf(flaw).map((check) => ({
      ...{ seed, check },
      state: coverage.find((one) => one.check_id === check)?.state ?? 'absent',
    }))
  })

/** Nothing was left, cut, or asked in a part. */
const isWhole = (facts: unknown): boolean => {
  const { points, left, leftAlone = {}, unread = [] } = facts as ProbingFacts<unknown>
  const whole = points.every(({ end, leftWays = [] }) => end === 'tested' && leftWays.length === 0)
  return whole && left === 0 && Object.keys(leftAlone).length === 0 && unread.length === 0
}

const idOf = ({ case: { id }, verdict, reason }: ScannedPlace): string => `${id}: ${verdict}, ${reason}`

/** In their order, some at once; each test waits for its own. */
const startAll = (rows: readonly Row[]): ReadonlyMap<Row, Promise<ScannedApplication>> => {
  const lanes = Array.from({ length: AT_ONCE }, () => Promise.resolve() as Promise<unknown>)
  return new Map(
    rows.map((row, at) => {
      const before = lanes[at % AT_ONCE] ?? Promise.resolve()
      const scan = before.then(() => scanned(row))
      // Whoever waits for it is told.
      lanes[at % AT_ONCE] = scan.catch(() => undefined)
      return [row, scan]
    }),
  )
}

describe('made applications', () => {
  const ended: ScannedApplication[] = []
  let scans: ReadonlyMap<Row, Promise<ScannedApplication>> = new Map()
  beforeAll(() => {
    scans = startAll(CHOSEN)
  })

  test.each(CHOSEN)(
    'seed $seed, $kind',
    async (row) => {
      const scan = await scans.get(row)
      if (scan === undefined) throw new Error('it was not scanned')
      ended.push(scan)
      const { places } = scan
      expect(places).toHaveLength(KINDS[row.kind].places)
      expect(places.filter(({ place, passed }) => place.vulnerable && passed).map(idOf)).toEqual([])
      const accused = places.filter(({ place, verdict }) => !place.vulnerable && /confirmed$/.test(verdict))
      expect(accused.map(idOf)).toEqual([])
    },
    LONG ? 1_200_000 : 600_000,
  )

  if (SEED === undefined) {
    test('together have each value of each dimension', () => {
      const flaws = CHOSEN.flatMap((row) => planned(row).places).filter(({ vulnerable }) => vulnerable)
      const had = new Set(flaws.flatMap((place) => Object.entries(valuesOf(place)).map((pair) => pair.join(' '))))
      const all = [
        ...WAYS.map((one) => `way ${one}`),
        ...SPOTS.map((one) => `request ${one}`),
        ...ANSWERS.map((one) => `answers ${one}`),
        ...FILTERS.map((one) => `filter ${one}`),
        ...SINKS.map(({ name }) => `sink ${name}`),
        ...['speaks json', 'speaks html', 'access open', 'access signed in'],
      ]
      expect(all.filter((one) => !had.has(one))).toEqual([])
    })

    test('get their pass where they were asked in full', () => {
      const claims = ended.flatMap(claimsIn)
      const refused = claims.filter(({ state }) => state !== 'pass')
      expect(claims.length).toBeGreaterThan(0)
      expect(refused.length, JSON.stringify(refused)).toBeLessThanOrEqual(0.05 * claims.length)
    })

    test('have so many of their flaws found', () => {
      const places = ended.flatMap((one) => keptOf(one).places)
      const low = dimensionRows(places).filter((row) => row.flaws >= FLAWS && row.found < floorOf(row) * row.flaws)
      const missed = places.filter(({ vulnerable, verdict }) => vulnerable && verdict !== 'confirmed')
      expect(low.map(saidOf), missed.map(({ id, verdict }) => `${id}: ${verdict}`).join('\n')).toEqual([])
    })
  }
})

const floorOf = ({ dimension }: DimensionRow): number => FLOORS[dimension] ?? 1
const saidOf = ({ dimension, value, found, flaws }: DimensionRow): string =>
  `${dimension} ${value}: ${found} of ${flaws}`
