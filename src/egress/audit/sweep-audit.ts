/** The audit lines of a sweep: one for each group of ports in place of one a port, and still every port is named. */

import type { Swept } from '../door/sweep.ts'
import type { Audit } from './audit.ts'

const GROUP = 1_024

export interface SweepAudit {
  readonly ended: (swept: Swept) => void
  readonly failed: (error: string) => void
}

export const auditSweep = (audit: Audit, host: string, address: string, ports: readonly number[]): SweepAudit => {
  const began = performance.now()
  const groups = Array.from({ length: Math.ceil(ports.length / GROUP) }, (_, index) =>
    ports.slice(index * GROUP, (index + 1) * GROUP),
  )
  const lines = (line: (group: readonly number[]) => { readonly detail: string; readonly error?: string }): void => {
    const duration_ms = performance.now() - began
    for (const group of groups) audit({ event: 'sweep', url: host, address, duration_ms, ...line(group) })
  }
  return {
    ended: (swept) => {
      const open = new Set(swept.open)
      const filtered = new Set(swept.filtered)
      lines((group) => {
        const opened = group.filter((port) => open.has(port))
        const silent = group.filter((port) => filtered.has(port)).length
        const counts = `${opened.length} open, ${group.length - opened.length - silent} closed, ${silent} filtered`
        const named = opened.length > 0 ? `; open: ${portRanges(opened)}` : ''
        return { detail: `TCP ports ${portRanges(group)}: ${counts}${named}` }
      })
    },
    failed: (error) => lines((group) => ({ detail: `TCP ports ${portRanges(group)}: not finished`, error })),
  }
}

/** `22,80,8000-8100`, in ascending order. */
export const portRanges = (ports: readonly number[]): string => {
  const ranges: [number, number][] = []
  for (const port of ports.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last && port === last[1] + 1) last[1] = port
    else ranges.push([port, port])
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',')
}
