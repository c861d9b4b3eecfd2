import type { Coverage } from '../contract/finding.ts'
import type { FactTable, FindingsFile, Grade } from '../contract/findings-file.ts'
import type { RunOptions } from '../contract/run.ts'
import type { ModuleEnd } from '../store/modules.ts'

/** What the report needs beside the findings file. */
export interface ReportExtras {
  readonly organisation: string
  /** PNG or PDF. */
  readonly logo: Buffer | null
  readonly watermark: boolean
}

export interface Report {
  readonly tex: string
  readonly pdf: Buffer
  readonly pages: number
}

/** Reports as functions of the findings file. An error's message is shown to the person: a plain sentence. */
export interface ReportWriter {
  readonly findingsJson: (file: FindingsFile) => string
  /** Aborting ends every program it started. */
  readonly write: (file: FindingsFile, extras: ReportExtras, signal: AbortSignal) => Promise<Report>
}

/** The target as the engine knows it. */
export interface JudgeTarget {
  readonly host: string
  readonly port: number | null
  readonly context: FindingsFile['run']['context']
  readonly tier: FindingsFile['run']['tier']
}

/** Judges the stored facts of a whole run: what no single module can say. */
export type RunJudge = (
  modules: readonly {
    readonly module: string
    readonly facts: unknown
    readonly outcome: ModuleEnd
    /** As the scan judged it. */
    readonly coverage?: readonly Coverage[]
  }[],
  about: { readonly target: JudgeTarget; readonly options: RunOptions; readonly now: number },
  signal: AbortSignal,
) => Promise<{
  readonly coverage: readonly Coverage[]
  readonly grade: Grade
  readonly tables: readonly FactTable[]
  /** Version of each knowledge feed that the facts rest on. */
  readonly knowledge: Readonly<Record<string, string>>
}>
