/**
 * Groups of headers and cookies that stand out on one page after the other, though none of their members does anything: servers refuse some values
 * of headers by themselves, whatever program is asked.
 */
import type { ProbePoint } from './inventory.ts'

/** Groups of which the members were asked alone, in vain, before others like them are not. */
const IN_VAIN = 2

export interface Deviating {
  /** A group has stood out, and its members are asked alone. */
  readonly note: (group: ProbePoint) => void
  /** Such of these very members have stood out before, and nothing came of it. */
  readonly isUsual: (group: ProbePoint) => boolean
}

/** `isBarren`: nothing was found there. */
export const createDeviating = (isBarren: (point: ProbePoint) => boolean): Deviating => {
  const before = new Map<string, (readonly ProbePoint[])[]>()
  return {
    note: ({ name, members = [] }) => void before.set(name, [...(before.get(name) ?? []), members]),
    isUsual: ({ name }) => (before.get(name) ?? []).filter((members) => members.every(isBarren)).length >= IN_VAIN,
  }
}
