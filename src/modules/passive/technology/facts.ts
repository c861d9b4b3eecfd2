import type { Detected } from '../../../knowledge/fingerprints/match.ts'

export interface EndOfLife {
  readonly product: string
  readonly version: string
  readonly cycle: string
  /** ISO date of the last day of care. */
  readonly end: string
  /** A distribution may go on caring for it: the banner names one. */
  readonly distribution: string | null
}

export interface TechnologyFacts {
  readonly technologies: readonly Detected[]
  /** Null where the site has none that could be fetched. */
  readonly favicon: { readonly url: string; readonly hash: number } | null
  /** Release lines of the versions found, ended or not, where their end is known. */
  readonly endOfLife: readonly EndOfLife[]
  /** Versions of what was known: by feed. */
  readonly knowledge: Readonly<Record<string, string>>
}

/** Facts of the first versions have no signs, by which a product is as sure as it is. */
export const holdsEvidence = ({ technologies }: TechnologyFacts): boolean =>
  Array.isArray(technologies) &&
  technologies.every(
    ({ name, cpe, otherVersions, evidence }: Partial<Detected>) =>
      typeof name === 'string' && [cpe, otherVersions, evidence].every((one) => Array.isArray(one)),
  )
