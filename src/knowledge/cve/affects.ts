import { compareVersions, inRange } from '../versions/version.ts'
import type { Affected } from './record.ts'

export const affects = ({ scheme, range, anyUpdate }: Affected, version: string): boolean => {
  if (anyUpdate && range.start !== null) {
    const rest = version.startsWith(range.start) ? version.slice(range.start.length) : null
    // `8.5p1` and `8.5-2` are updates of `8.5`; `8.5.1` and `8.50` are not.
    if (rest !== null && !/^[.\d]/.test(rest)) return true
    return compareVersions(scheme, version, range.start) === 0
  }
  return inRange(scheme, version, range)
}

/** A range that says where it ends: without an end, "every version" is most often a gap in the record. */
export const isBounded = ({ range }: Affected): boolean => range.end !== null
