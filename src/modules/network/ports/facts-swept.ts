/** What a sweep of ports bears of a pass: what nobody has knocked at may be open. */
import { commonPorts } from '../../../knowledge/ports/common.ts'
import { parsePorts } from '../../../knowledge/ports/range.ts'
import type { PortsFacts } from './facts.ts'

export const NARROWED = 'fewer ports than the usual thousand were tried, as the installation is set'

/** Why ports that may well be open were not tried; null where all of the usual ones were. */
export const shortOf = ({ tried, left }: PortsFacts): string | null => {
  if (left !== '') return `the time did not suffice for ports ${left.slice(0, 200)}`
  const known = new Set(parsePorts(tried))
  return commonPorts().every((port) => known.has(port)) ? null : NARROWED
}
