/** Release lines of the versions that were found, and when their makers end the care for them. */
import { CYCLES_VERSION, cycleOf, embeddedCycles } from '../../../knowledge/endoflife/cycles.ts'
import { openFeed } from '../../../knowledge/feeds/items.ts'
import { importedCycles } from '../../../knowledge/feeds/parse/endoflife.ts'
import type { Detected, Evidence } from '../../../knowledge/fingerprints/match.ts'
import { distributionOf } from '../../../knowledge/versions/distribution.ts'
import type { EndOfLife } from './facts.ts'

type Cycles = NonNullable<ReturnType<typeof embeddedCycles>>

export interface KnownCycles {
  /** Null where nothing is known of the product. */
  readonly cycles: (product: string) => Cycles | null
  readonly version: string
  readonly close: () => void
}

/** The operator's feed where it was imported, our own table otherwise. */
export const openCycles = (folder: string | undefined): KnownCycles => {
  const feed = folder === undefined ? null : openFeed(folder, 'endoflife')
  if (feed === null) return { cycles: embeddedCycles, version: `built-in ${CYCLES_VERSION}`, close: () => undefined }
  const cycles = (product: string): Cycles | null => merged(importedCycles(feed, product), embeddedCycles(product))
  return { cycles, version: feed.version, close: feed.close }
}

/** The feed says of some lines that they have ended but not when; our own table may know the day. */
const merged = (imported: Cycles | null, ours: Cycles | null): Cycles | null =>
  imported?.map((one) => (one.end === null ? (ours?.find(({ cycle }) => cycle === one.cycle) ?? one) : one)) ?? ours

/** Pure but for the feed. */
export const linesOf = (technologies: readonly Detected[], known: KnownCycles): readonly EndOfLife[] =>
  technologies.flatMap((one) => {
    const { name: product, version } = one
    const line = version === null ? null : lineOf({ product, version }, known)
    return version === null || line === null
      ? []
      : [{ product, version, ...line, distribution: distributionFor(one, technologies) }]
  })

/** Null where its end is not known. */
export const lineOf = (
  { product, version }: Pick<EndOfLife, 'product' | 'version'>,
  { cycles }: KnownCycles,
): Pick<EndOfLife, 'cycle' | 'end'> | null => {
  const known = cycles(product)
  const cycle = known === null ? null : cycleOf(version, known)
  return cycle === null || cycle.end === null ? null : { cycle: cycle.cycle, end: cycle.end }
}

/** What one banner says of the machine holds for everything that runs there; files for browsers come from elsewhere. */
const distributionFor = ({ kind, evidence }: Detected, all: readonly Detected[]): EndOfLife['distribution'] => {
  const said = [...evidence, ...(kind === 'library' ? [] : all.flatMap((one) => one.evidence.filter(isBanner)))]
  return said.map(({ text }) => distributionOf(text)).find((one) => one !== null)?.family ?? null
}

const isBanner = ({ source }: Evidence): boolean => source === 'header' || source === 'banner' || source === 'error'
