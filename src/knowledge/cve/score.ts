/** Base scores of vectors whose source gives no score of its own, such as OSV. */
import calculator from 'ae-cvss-calculator'

const { Cvss3P0, Cvss3P1, Cvss4P0 } = calculator

/** Metrics without which a vector of CVSS 4.0 is none; the calculator would take them for "none". */
const MANDATORY_4_0 = ['AV', 'AC', 'AT', 'PR', 'UI', 'VC', 'VI', 'VA', 'SC', 'SI', 'SA']

/** 0 to 10; null for what is no complete vector of CVSS 3.0, 3.1 or 4.0. */
export const scoreOf = (vector: string): number | null => {
  try {
    const score = calculated(vector)
    return score !== undefined && Number.isFinite(score) ? score : null
  } catch (error) {
    // The calculator throws for metrics that it does not know: then nobody can say how grave it is.
    if (error instanceof Error) return null
    throw error
  }
}

const calculated = (vector: string): number | undefined => {
  if (vector.startsWith('CVSS:3.0/')) return new Cvss3P0(vector).calculateScores().base
  if (vector.startsWith('CVSS:3.1/')) return new Cvss3P1(vector).calculateScores().base
  if (!vector.startsWith('CVSS:4.0/') || !MANDATORY_4_0.every((metric) => vector.includes(`/${metric}:`))) {
    return undefined
  }
  return new Cvss4P0(vector).calculateScores().overall
}
