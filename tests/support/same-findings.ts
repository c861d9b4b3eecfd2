/** What is the same in every scan of a site that has not changed, and what the scanner makes anew in each. */
import type { JudgedFinding } from '../../src/engine/judge.ts'
import { proofHash } from '../../src/store/proof-hash.ts'

/** A line for each finding, of all that a decision about it holds on to: what, where, how sure, identity and proof. */
export const linesOf = (findings: readonly JudgedFinding[]): string[] =>
  findings
    .map((finding) => {
      const { check_id, severity, confidence, location, fingerprint } = finding
      const place = [location.url ?? location.host, location.parameter ?? '']
      const proof = proofHash({ ...finding, cve: [...finding.cve] })
      return [check_id, severity, confidence, ...place, fingerprint, proof].join(' ')
    })
    .toSorted()

/** What a module sends or gets back of it, made anew in each run. */
const MADE_UP =
  /^(?:payload|expected|excerpt|mark|replay|word|predicate|question|truePayload|falsePayload|trueExcerpt|falseExcerpt)$/

/** The same facts, had the scanner made up something else. */
export const otherwise = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(otherwise)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      MADE_UP.test(key) && typeof inner === 'string' ? `${inner} another` : otherwise(inner),
    ]),
  )
}
