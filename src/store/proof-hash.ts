import { createHash } from 'node:crypto'
import type { Finding } from '../contract/finding.ts'

/**
 * What a decision about a finding rests on, as a SHA-256 in hex: how grave and how sure it is, which CVEs, and the
 * decisive part of the proof. What changes from run to run by itself (nonces, times, ids, the number of pages) is left
 * out: a decision that reopened every night would soon be made without looking.
 */
export const proofHash = ({ severity, confidence, cve, proof }: HashedParts): string => {
  const cves = cve.map(({ id, match, kev }) => `${id} ${match} ${kev !== null}`).sort()
  return createHash('sha256')
    .update(JSON.stringify([severity, confidence, cves, steady(proof?.mark ?? '')]))
    .digest('hex')
}

export type HashedParts = Pick<Finding, 'severity' | 'confidence' | 'cve' | 'proof'>

/** Dates and times, long numbers, and runs of eight or more letters with digits among them: made anew each time. */
const steady = (mark: string): string =>
  mark
    .replace(/\d{4}-\d\d-\d\d(?:[T ][\d:.]+Z?)?|\d{1,2} \w{3} \d{4} [\d:]{8}/g, '#')
    .replace(/(?=[\w+=-]*\d)[\w+=-]{8,}|\d{5,}/g, '#')
