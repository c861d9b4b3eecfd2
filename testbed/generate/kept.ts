/** Scanned places as they are kept in a file, a line for each application: hundreds take hours, and are told as they come. */
import { appendFileSync, readFileSync } from 'node:fs'
import type { ScannedApplication } from './scanned.ts'
import { type CountedPlace, valuesOf } from './tally.ts'

export interface KeptPlace extends CountedPlace {
  readonly id: string
  readonly reason: string
}

export interface KeptApplication {
  readonly seed: number
  readonly seconds: number
  readonly places: readonly KeptPlace[]
}

export const keptOf = ({ application, places, run }: ScannedApplication): KeptApplication => ({
  seed: application.seed,
  seconds: Math.round(run.seconds),
  places: places.map(({ case: { id }, place, verdict, reason, passed }) => ({
    ...{ id, values: valuesOf(place), vulnerable: place.vulnerable, verdict, reason, passed },
  })),
})

export const keep = (file: string, application: KeptApplication): void =>
  appendFileSync(file, `${JSON.stringify(application)}\n`)

export const readKept = (file: string): readonly KeptApplication[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
