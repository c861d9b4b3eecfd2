/**
 * The ledger's promise on applications that nobody wrote: no planted flaw is missed under a `pass`, no safe place is accused, and a
 * class without a flaw gets its `pass` where everything was asked in full. Two in every `./test`; 500 with SONDE_LONG=1, over all
 * modules. Repeat one with SONDE_SEED.
 */
import { afterAll, describe, expect, test } from 'vitest'
import { CLASSES, claimsOf } from '../bench/beds/classes.ts'
import type { ProbingFacts } from '../src/modules/attack/insertion-points/facts.ts'
import { planApplication, type Wanted } from '../testbed/generate/plan.ts'
import { type ScannedApplication, type ScannedPlace, scanApplication } from '../testbed/generate/scanned.ts'

const LONG = process.env.SONDE_LONG === '1'
const FIRST = Number(process.env.SONDE_SEED ?? 7)
const SEEDS = Array.from({ length: 500 }, (_, at) => FIRST + at)

/** In the usual run those whose modules open no browser of their own. */
const WANTED: Wanted = LONG
  ? { places: 8, truth: 'split' }
  : { places: 3, truth: 'split', classes: ['sqli', 'template', 'command', 'traversal'] }
/** What may write is never asked in full, so that one such place keeps its module from any pass: of these each place reads. */
const READING: Wanted = { ...WANTED, ways: ['link', 'redirect', 'form-get', 'numbered', 'paged'] }
const APPLICATIONS = LONG
  ? SEEDS.map((seed) => ({ seed, reads: seed % 5 === 0 }))
  : [
      { seed: FIRST, reads: false },
      { seed: FIRST + 2, reads: true },
    ]
const MODULES = LONG ? ['sqli', 'injection', 'xss'] : ['sqli', 'injection']

interface Claim {
  readonly check: string
  readonly state: string
}

/** What the checks say that deny a safe class, where their module asked every insertion point of the run in full. */
const claimsIn = ({ places, run }: ScannedApplication): readonly Claim[] =>
  [...Map.groupBy(places, ({ place }) => place.sink.class)].flatMap(([name, of]) => {
    const flaw = CLASSES[name]
    const end = run.ends.get(flaw?.module ?? '')
    const coverage = end?.coverage ?? []
    if (!flaw || of.some(({ place }) => place.vulnerable) || !isWhole(end?.facts)) return []
    return claimsOf(flaw).map((check) => ({
      check,
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

describe('made applications', () => {
  const claims: Claim[] = []
  afterAll(() => {
    const refused = claims.filter(({ state }) => state !== 'pass')
    if (process.env.SONDE_SEED === undefined) expect(claims.length).toBeGreaterThan(0)
    expect(refused.length, JSON.stringify(refused)).toBeLessThanOrEqual(0.05 * claims.length)
  })

  test.each(APPLICATIONS)(
    'seed $seed, reads alone: $reads',
    async ({ seed, reads }) => {
      const application = planApplication(seed, reads ? READING : WANTED)
      const scanned = await scanApplication(application, { modules: MODULES, log: () => undefined })
      claims.push(...claimsIn(scanned))
      const { places } = scanned
      expect(places).toHaveLength(WANTED.places)
      expect(places.filter(({ place, passed }) => place.vulnerable && passed).map(idOf)).toEqual([])
      const accused = places.filter(({ place, verdict }) => !place.vulnerable && /confirmed$/.test(verdict))
      expect(accused.map(idOf)).toEqual([])
    },
    LONG ? 600_000 : 120_000,
  )
})
