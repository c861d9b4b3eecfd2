/** Ports that no software is known to use: a host that accepts connections there accepts them everywhere. */
import { randomInt } from 'node:crypto'

export const DECOYS = 12
/** So many of the decoys have to be open before a host is said to accept everything. */
export const DECOYS_OPEN = 9

/** Distinct, between 33,000 and 46,000: above what servers take by habit, below what systems hand out last. */
export const decoyPorts = (known: ReadonlySet<number>): number[] => {
  const ports = new Set<number>()
  while (ports.size < DECOYS) {
    const port = randomInt(33_000, 46_000)
    if (!known.has(port)) ports.add(port)
  }
  return [...ports]
}
