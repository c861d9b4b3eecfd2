/** Findings of a module that still goes on, for people who watch the run: modules that probe take half an hour. */
import type { AnyModule } from '../modules/any-module.ts'
import { judgeModule } from './judge.ts'
import { plainJson } from './plain-json.ts'
import { redactedFindings } from './redaction.ts'
import { type Known, type Run, tellFault } from './run.ts'
import { throttled } from './throttled.ts'

/** Milliseconds between two judgements. */
const EVERY = 5_000

export interface SoFar {
  /** `facts`: as the module would return them now. Judged soon, by the checks that judge its end; what these find is told where it has changed. */
  readonly offer: (facts: () => unknown) => void
  /** What was offered last, as it is now; null where nothing was, or a fault keeps it back. */
  readonly last: () => unknown
  /** The module has ended: its result says it all. */
  readonly close: () => void
}

/**
 * A fault in it costs what would have been shown early, and no more: it is told, and nothing is judged before the module's end.
 * `known`: as at its end.
 */
export const createSoFar = (run: Run, module: AnyModule, known: Known, every = EVERY): SoFar => {
  let latest: (() => unknown) | null = null
  let told = ''
  const broken = (error: unknown): void => {
    latest = null
    tellFault(run, module.id, 'what it has found so far', error)
  }
  const judging = throttled(every, () => {
    if (latest === null || run.signal.aborted) return
    try {
      const { redact } = run.egress
      const facts = redact.value(plainJson(latest()))
      const { findings } = judgeModule(module, facts, known, run.spec)
      const names = JSON.stringify(
        findings.map(({ fingerprint, severity, places = [] }) => [fingerprint, severity, places.length]),
      )
      if (names === told || findings.length === 0) return
      told = names
      run.post({ type: 'found', module: module.id, findings: redactedFindings(redact, module, findings) })
      run.post({ type: 'offered', module: module.id, facts })
    } catch (error) {
      broken(error)
    }
  })
  return {
    offer: (facts) => {
      latest = facts
      judging.soon()
    },
    last: () => {
      try {
        return latest === null ? null : plainJson(latest())
      } catch (error) {
        broken(error)
        return null
      }
    },
    close: () => {
      latest = null
      judging.stop()
    },
  }
}
