/**
 * The ledger's promise on applications that nobody wrote: no planted flaw is missed under a `pass`, no safe twin is accused, and
 * twins that were asked in full get their `pass`. A few in every `./test`; 500 with SONDE_LONG=1. Repeat one with SONDE_SEED.
 */
import { describe, expect, test } from 'vitest'
import { CLASSES, claimsOf } from '../bench/beds/classes.ts'
import { planApplication, type Wanted } from '../testbed/generate/plan.ts'
import { type ScannedApplication, scanApplication } from '../testbed/generate/scanned.ts'

const LONG = process.env.SONDE_LONG === '1'
const FIRST = Number(process.env.SONDE_SEED ?? 1)

/** Those whose modules open no browser, in the usual run. */
const SERVER = ['sqli', 'template', 'command', 'traversal']
const WANTED: Wanted = LONG ? { flaws: 5 } : { flaws: 2, classes: SERVER }
const MODULES = LONG ? ['sqli', 'injection', 'xss'] : ['sqli', 'injection']
const seedsOf = (most: number): readonly number[] => Array.from({ length: most }, (_, at) => FIRST + at)
const TIME = LONG ? 600_000 : 120_000

const scanned = (seed: number, careful: boolean): Promise<ScannedApplication> =>
  scanApplication(planApplication(seed, { ...WANTED, careful }), { modules: MODULES, log: () => undefined })

/** Checks that deny a class of the application although every place of it was asked in full, and what they say. */
const claimsAt = ({
  places,
  run,
}: ScannedApplication): readonly { readonly check: string; readonly state: string }[] => {
  const names = [...new Set(places.map(({ place }) => place.sink.class))]
  return names.flatMap((name) => {
    const flaw = CLASSES[name]
    const asked = places.filter(({ place }) => place.sink.class === name).every(({ verdict }) => verdict === 'asked')
    const coverage = run.ends.get(flaw?.module ?? '')?.coverage ?? []
    return asked && flaw
      ? claimsOf(flaw).map((check) => ({
          check,
          state: coverage.find((one) => one.check_id === check)?.state ?? 'absent',
        }))
      : []
  })
}

describe('made applications', () => {
  test.each(seedsOf(LONG ? 400 : 1))(
    'seed %i: no flaw is missed under a pass, no twin is accused',
    async (seed) => {
      const { places } = await scanned(seed, false)
      const idOf = ({ case: { id }, verdict }: (typeof places)[number]): string => `${id}: ${verdict}`
      expect(places.filter(({ place, passed }) => place.vulnerable && passed).map(idOf)).toEqual([])
      const accused = places.filter(({ place, verdict }) => !place.vulnerable && /confirmed/.test(verdict))
      expect(accused.map(idOf)).toEqual([])
    },
    TIME,
  )

  test(
    'twins that were asked in full get their pass',
    async () => {
      const claims: { readonly check: string; readonly state: string }[] = []
      for (const seed of seedsOf(LONG ? 100 : 1)) claims.push(...claimsAt(await scanned(seed, true)))
      const refused = claims.filter(({ state }) => state !== 'pass')
      expect(claims.length).toBeGreaterThan(0)
      expect(refused.length / claims.length, JSON.stringify(refused)).toBeLessThanOrEqual(0.05)
    },
    LONG ? 100 * TIME : TIME,
  )
})
