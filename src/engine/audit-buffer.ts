/** Audit entries travel in small groups: a port scan writes thousands. */
import type { AuditEntry } from '../contract/event.ts'

const GROUP = 100
/** Milliseconds an entry may wait. */
const WAIT = 100

export interface AuditBuffer {
  readonly add: (entry: AuditEntry) => void
  readonly flush: () => void
}

export const createAuditBuffer = (send: (entries: readonly AuditEntry[]) => void): AuditBuffer => {
  let entries: AuditEntry[] = []
  let timer: NodeJS.Timeout | null = null
  const flush = (): void => {
    if (timer) clearTimeout(timer)
    timer = null
    if (entries.length === 0) return
    const group = entries
    entries = []
    send(group)
  }
  return {
    add: (entry) => {
      entries.push(entry)
      if (entries.length >= GROUP) flush()
      else timer ??= setTimeout(flush, WAIT)
    },
    flush,
  }
}
