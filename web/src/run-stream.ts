/** A run as it happens: events folded into what the page shows, in bounded memory however long it goes on. */
import type { AuditLine, RunEvent } from '../../src/contract/event.ts'
import type { Counts, Phase, RunState, RunStatus } from '../../src/contract/run.ts'

/** Lines of the audit log that are kept; the whole log is a file of the run. */
export const KEPT_LINES = 500

export interface LiveModule {
  readonly module: string
  readonly requests: number
  /** Its last line's time. */
  readonly at: string
  /** Null while it goes on. */
  readonly state: string | null
}

export interface LiveRun {
  readonly after: number
  readonly progress: {
    readonly phase: Phase
    readonly detail: string
    readonly percent: number
    readonly counts: Counts
    readonly status: RunStatus
  } | null
  readonly modules: ReadonlyMap<string, LiveModule>
  /** Requests sent to the target. */
  readonly requests: number
  /** The newest last. */
  readonly lines: readonly AuditLine[]
  /** All that came, kept or not. */
  readonly lineCount: number
  readonly done: RunState | null
}

export const NOTHING_YET: LiveRun = {
  after: 0,
  progress: null,
  modules: new Map(),
  requests: 0,
  lines: [],
  lineCount: 0,
  done: null,
}

/** Pure; a batch at a time, so that a burst costs one drawing. */
export const fold = (before: LiveRun, events: readonly RunEvent[]): LiveRun => {
  if (events.length === 0) return before
  const modules = new Map(before.modules)
  let { progress, requests, lineCount, done, after } = before
  const fresh: AuditLine[] = []
  for (const event of events) {
    after = event.seq
    if (event.type === 'progress') {
      const { phase, phase_detail: detail, progress: percent, counts, status } = event.data
      progress = { phase, detail, percent, counts, status }
    } else if (event.type === 'done') {
      done = event.data
    } else {
      const line = event.data
      fresh.push(line)
      lineCount += 1
      const sent = line.event === 'request' ? 1 : 0
      requests += sent
      note(modules, line, sent)
    }
  }
  return { after, progress, modules, requests, lines: [...before.lines, ...fresh].slice(-KEPT_LINES), lineCount, done }
}

const note = (modules: Map<string, LiveModule>, line: AuditLine, sent: number): void => {
  if (line.module === 'worker' || line.module === 'engine' || line.module === 'egress') return
  const known = modules.get(line.module) ?? { module: line.module, requests: 0, at: line.ts, state: null }
  const state =
    line.event === 'module_ended' ? (line.state ?? 'completed') : line.event === 'module_started' ? null : known.state
  modules.set(line.module, { ...known, requests: known.requests + sent, at: line.ts, state })
}
