/** A scan of a made application by the engine itself, and what it says of each place. */
import type { Bed, BedCase } from '../../bench/beds/bed.ts'
import { type BedScan, type ScanAsked, scanBed } from '../../bench/beds/scan.ts'
import { type Scored, scoreBed, type Verdict } from '../../bench/beds/score.ts'
import { addressOf } from './pages.ts'
import type { Application, Planted, Spot } from './plan.ts'
import { parameterOf, sentFor } from './sent.ts'
import { type Heard, serveApplication } from './serve.ts'

export interface ScannedPlace extends Scored {
  readonly place: Planted
}

export interface ScannedApplication {
  readonly application: Application
  readonly places: readonly ScannedPlace[]
  readonly run: BedScan
}

const ADDRESS = '127.0.0.1'

export const scanApplication = async (
  application: Application,
  asked: Pick<ScanAsked, 'modules' | 'log' | 'seconds' | 'audited'> & {
    readonly rate?: number
    readonly heard?: Heard
  },
): Promise<ScannedApplication> => {
  const serving = await serveApplication(application, ADDRESS, asked.heard)
  try {
    const bed = bedOf(application, serving.port)
    const run = await scanBed(bed, { rate: 500, ...asked, budget: 1 })
    const places = application.places.flatMap((place) => {
      const all = scoreBed({ ...bed, cases: casesOf(place, application) }, run)
      const one = all.toSorted((a, b) => BY_WORTH.indexOf(a.verdict) - BY_WORTH.indexOf(b.verdict))[0]
      return one ? [{ ...one, place }] : []
    })
    return { application, places, run }
  } finally {
    await serving.close()
  }
}

const bedOf = (application: Application, port: number): Bed => ({
  name: `application ${application.seed}`,
  start: `http://app.test:${port}/`,
  address: ADDRESS,
  environment: 'test',
  cookie: application.cookie,
  header: null,
  sign_in: null,
  exclude: [],
  cases: application.places.map(caseOf),
})

const BY_WORTH: readonly Verdict[] = [
  ...(['confirmed', 'unconfirmed', 'other', 'asked', 'left alone', 'no place', 'never crawled'] as const),
]

/**
 * The place, as it is named by any of its ordinary values where these stand in the path: it is asked by one of them. And without the part of a
 * front controller that it is of, where there is no other: nothing shows then that a parameter chooses it.
 */
const casesOf = (place: Planted, { places }: Application): BedCase[] => {
  const one = caseOf(place)
  if (place.spot === 'path')
    return [place.sink.value, ...place.sink.others].map((value) => ({ ...one, path: addressOf(place, value) }))
  const isAlone = place.way === 'front' && places.filter(({ way }) => way === 'front').length === 1
  return isAlone ? [one, { ...one, path: place.path }] : [one]
}

const caseOf = (place: Planted): BedCase => ({
  id: [
    `${place.at}`,
    place.way,
    place.spot,
    place.filter,
    place.sink.name,
    place.answers,
    ...(place.speaksJson ? ['json'] : []),
  ].join(' '),
  class: place.sink.class,
  method: sentFor(place, '').method,
  path: IN_ADDRESS.includes(place.spot) ? withoutInput(place) : addressOf(place),
  parameter: parameterOf(place),
  vulnerable: place.vulnerable,
})

const IN_ADDRESS: readonly Spot[] = ['query', 'array', 'packed']

const withoutInput = (place: Planted): string => addressOf({ ...place, spot: 'urlencoded' })
