/** CVSS base scores of vectors; wraps the calculator so that a bad vector is an error and never a number. */
import type { Cvss, Severity } from '../contract/finding.ts'
import type { Rating } from '../knowledge/ratings/ratings.ts'
import { cvssCalculator } from './cvss-calculator.ts'

/**
 * The base score under the version that the vector names; one without a name is of version 2.0.
 * @throws when the vector is not complete and valid CVSS 4.0, 3.1, 3.0 or 2.0
 */
export const cvssOf = (vector: string): Cvss => {
  const none = { v4_0: null, v3_1: null }
  if (vector.startsWith('CVSS:4.0/')) return { ...none, v4_0: { vector, score: score40(vector) } }
  if (vector.startsWith('CVSS:3.1/')) return { ...none, v3_1: { vector, score: score3(vector, 'Cvss3P1') } }
  if (vector.startsWith('CVSS:3.0/')) return { ...none, v3_0: { vector, score: score3(vector, 'Cvss3P0') } }
  // CVSS v2.0 guide, 2.4: metrics alone. Vulnerability databases put parentheses around them, catalogues the version before.
  const second = /^(?:CVSS:2\.0\/|\()?((?:AV|AC|Au):[^()]+)\)?$/.exec(vector)?.[1]
  if (second !== undefined) return { ...none, v2_0: { vector: second, score: score2(second) } }
  throw new Error(`not a CVSS 4.0, 3.1, 3.0 or 2.0 vector: ${vector}`)
}

/** Both scores of a rating: those that come with it, else worked out. @throws as `cvssOf` does */
export const cvssOfRating = ({ vectors, scores }: Rating): Cvss | null => {
  if (vectors === null) return null
  if (scores === undefined) return { v4_0: cvssOf(vectors.v4_0).v4_0, v3_1: cvssOf(vectors.v3_1).v3_1 }
  return {
    v4_0: { vector: vectors.v4_0, score: scores.v4_0 },
    v3_1: { vector: vectors.v3_1, score: scores.v3_1 },
  }
}

/** Ratings with their scores, by the id of the definition, as a build keeps them. */
export const scoredRatings = (ratings: ReadonlyMap<string, Rating>): Readonly<Record<string, Rating>> =>
  Object.fromEntries(
    [...ratings].map(([id, rating]) => {
      const cvss = cvssOfRating(rating)
      if (cvss?.v3_1 == null || cvss.v4_0 == null) return [id, rating]
      return [id, { ...rating, scores: { v3_1: cvss.v3_1.score, v4_0: cvss.v4_0.score } }]
    }),
  )

/** The qualitative bands of the specification, null for 0 ("None"). */
export const bandOf = (score: number): Severity | null => {
  if (score >= 9) return 'critical'
  if (score >= 7) return 'high'
  if (score >= 4) return 'medium'
  return score > 0 ? 'low' : null
}

/** The calculator takes an absent metric of a 4.0 vector for "none"; the specification makes these mandatory. */
const MANDATORY_4_0 = ['AV', 'AC', 'AT', 'PR', 'UI', 'VC', 'VI', 'VA', 'SC', 'SI', 'SA']

const score3 = (vector: string, version: 'Cvss3P1' | 'Cvss3P0'): number =>
  valid(vector, () => new (cvssCalculator()[version])(vector).calculateScores().base)
const score2 = (vector: string): number =>
  valid(vector, () => new (cvssCalculator().Cvss2)(vector).calculateScores().base)
const score40 = (vector: string): number =>
  valid(vector, () =>
    MANDATORY_4_0.every((metric) => vector.includes(`/${metric}:`))
      ? new (cvssCalculator().Cvss4P0)(vector).calculateScores().overall
      : undefined,
  )

const valid = (vector: string, calculate: () => number | undefined): number => {
  let score: number | undefined
  try {
    score = calculate()
  } catch (error) {
    throw new Error(`not a valid CVSS vector: ${vector}`, { cause: error })
  }
  if (score === undefined || !Number.isFinite(score)) throw new Error(`not a complete CVSS vector: ${vector}`)
  return score
}
