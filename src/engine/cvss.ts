/** CVSS base scores of vectors; wraps the calculator so that a bad vector is an error and never a number. */
import calculator from 'ae-cvss-calculator'
import type { Cvss, Severity } from '../contract/finding.ts'

const { Cvss3P1, Cvss4P0 } = calculator

/** @throws when the vector is not complete and valid CVSS 3.1 or 4.0 */
export const cvssOf = (vector: string): Cvss => {
  if (vector.startsWith('CVSS:4.0/')) return { v4_0: { vector, score: score40(vector) }, v3_1: null }
  if (vector.startsWith('CVSS:3.1/')) return { v4_0: null, v3_1: { vector, score: score31(vector) } }
  throw new Error(`not a CVSS 3.1 or 4.0 vector: ${vector}`)
}

/** The qualitative bands of the specification, null for 0 ("None"). */
export const bandOf = (score: number): Severity | null => {
  if (score >= 9) return 'critical'
  if (score >= 7) return 'high'
  if (score >= 4) return 'medium'
  return score > 0 ? 'low' : null
}

/** The calculator takes an absent metric of a 4.0 vector for "none"; the specification makes these mandatory. */
const MANDATORY_4_0 = ['AV', 'AC', 'AT', 'PR', 'UI', 'VC', 'VI', 'VA', 'SC', 'SI', 'SA']

const score31 = (vector: string): number => valid(vector, () => new Cvss3P1(vector).calculateScores().base)
const score40 = (vector: string): number =>
  valid(vector, () =>
    MANDATORY_4_0.every((metric) => vector.includes(`/${metric}:`))
      ? new Cvss4P0(vector).calculateScores().overall
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
