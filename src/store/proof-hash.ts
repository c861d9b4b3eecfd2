import { createHash } from 'node:crypto'
import type { Finding } from '../contract/finding.ts'
import { basisInWords } from './proof-readings.ts'

/**
 * Raised when the hash of an unchanged finding changes, together with a reading of the rule before: without one, every
 * decision that such findings rest on would be open again after the upgrade (store/adoption.ts).
 *
 * 1: the mark of the proof, with what looks like dates, long numbers and tokens taken out.
 * 2: the basis that the check names, where it was kept, which no scan did; else what its words say; else the mark.
 * 3: the basis is kept.
 */
export const PROOF_RULE = 3

/**
 * What a decision about a finding rests on, as a SHA-256 in hex: how grave and how sure it is, which CVEs, and the
 * decisive part of the proof. What changes from run to run by itself (payloads, nonces, times, ids, the number of pages)
 * is left out: a decision that reopened every night would soon be made without looking.
 */
export const proofHash = (finding: HashedParts): string => {
  const { severity, confidence, cve } = finding
  const cves = cve.map(({ id, match, kev }) => `${id} ${match} ${kev !== null}`).sort()
  return createHash('sha256')
    .update(JSON.stringify([severity, confidence, cves, decisive(finding)]))
    .digest('hex')
}

export type HashedParts = Pick<Finding, 'check_id' | 'severity' | 'confidence' | 'cve' | 'proof' | 'detail'>

const decisive = (finding: HashedParts): string =>
  finding.proof?.basis ?? basisInWords(finding) ?? steady(finding.proof?.mark ?? '')

/** Dates and times, long numbers, and runs of eight or more letters with digits among them: made anew each time. */
const steady = (mark: string): string =>
  mark
    .replace(/\d{4}-\d\d-\d\d(?:[T ][\d:.]+Z?)?|\d{1,2} \w{3} \d{4} [\d:]{8}/g, '#')
    .replace(/(?=[\w+=-]*\d)[\w+=-]{8,}|\d{5,}/g, '#')
