/** How many files and sockets this process may have open at once, and who gets how many of them. */
import { readFileSync } from 'node:fs'

/** What a small service needs; with fewer, scans and people get into each other's way. */
export const FEWEST_DESCRIPTORS = 1_024
/** Outside of Linux, where /proc says nothing. */
const ASSUMED = FEWEST_DESCRIPTORS
const MOST = 1_048_576

/** The soft limit as it holds for this process now: Node has raised it to the hard one at its start. */
export const descriptorLimit = (limits: () => string = () => readFileSync('/proc/self/limits', 'utf8')): number => {
  let text: string
  try {
    text = limits()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ASSUMED
    throw error
  }
  const [, soft = String(ASSUMED)] = /^Max open files\s+(\d+|unlimited)/m.exec(text) ?? []
  return soft === 'unlimited' ? MOST : Math.min(MOST, Number(soft))
}

export interface DescriptorShares {
  /** Connections of the interface. */
  readonly connections: number
  /** Files that are being sent. */
  readonly downloads: number
}

/** A quarter is kept back for scan children, the database, the storage and the log. */
export const sharesOf = (limit: number): DescriptorShares => ({
  connections: Math.max(16, Math.floor((limit * 5) / 8)),
  downloads: Math.max(4, Math.floor(limit / 8)),
})
