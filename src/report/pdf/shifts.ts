/** Why severities are others here than in general: what the kind of site says of most of them stands once. Pure. */
import { MAX_DETAILED, type ReportModel } from '../model.ts'

/** Findings for which it pays to say it once, before them. */
const OFTEN = 3

/** The reason that most findings share, as it is said before them; null where each says its own. */
export const commonShift = ({ groups }: Pick<ReportModel, 'groups'>): string | null => {
  const reasons = groups
    .flatMap(({ findings }) => findings)
    .filter(({ number }) => number <= MAX_DETAILED)
    .flatMap(({ finding }) => finding.shift?.reason ?? [])
  const [most] = [...Map.groupBy(reasons, (reason) => reason)].toSorted(([, a], [, b]) => b.length - a.length)
  return most === undefined || most[1].length < OFTEN ? null : most[0]
}
