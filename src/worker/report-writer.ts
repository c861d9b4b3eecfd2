import type { Coverage } from '../contract/finding.ts'
import type { FactTable, FindingsFile, Grade } from '../contract/findings-file.ts'
import type { Language } from '../contract/language.ts'
import type { Reach } from '../contract/reach.ts'
import type { OwnTexts, ReportColours, ReportSection } from '../contract/report.ts'
import type { Environment, RunOptions } from '../contract/run.ts'
import type { LeasedRun } from '../store/lease.ts'
import type { ModuleEnd } from '../store/modules.ts'

/** A picture of the run's evidence. */
export interface EvidencePicture {
  readonly id: string
  /** What it is called in evidence.zip. */
  readonly name: string
  readonly body: Buffer
}

/** What the report needs beside the findings file. */
export interface ReportExtras {
  readonly organisation: string
  /** PNG or PDF. */
  readonly logo: Buffer | null
  readonly watermark: boolean
  /** The owners' own words. */
  readonly texts: OwnTexts
  readonly colours: ReportColours
  readonly sections: readonly ReportSection[]
  readonly language: Language
  /** Fingerprint of the key that signs the version; null where nothing can sign. */
  readonly signer: string | null
  /** Of the findings, the gravest first. */
  readonly pictures: readonly EvidencePicture[]
}

export interface PdfReport {
  readonly pdf: Buffer
  readonly pages: number
  /** Its source; null where the browser printed it. */
  readonly tex: string | null
}

/** Why there is no PDF; the message is shown to the person: plain sentences. */
export class ReportUnavailable extends Error {
  override readonly name = 'ReportUnavailable'
  /** Nothing broke: what makes a PDF is not installed here, as the start has said and `doctor` says. */
  readonly notInstalled: boolean

  constructor(message: string, options: { readonly cause?: unknown; readonly notInstalled?: boolean } = {}) {
    super(message, options)
    this.notInstalled = options.notInstalled ?? false
  }
}

/** Sentences for the operator's log. */
export interface ReportLog {
  /** Of what is as it was set up. */
  readonly info: (sentence: string) => void
  /** Of what should have worked. */
  readonly warn: (sentence: string) => void
}

/** Reports as functions of the findings file. */
export interface ReportWriter {
  readonly findingsJson: (file: FindingsFile) => string
  /** One file of HTML that needs nothing beside it. */
  readonly html: (file: FindingsFile, extras: ReportExtras) => string
  readonly markdown: (file: FindingsFile, extras: ReportExtras) => string
  /**
   * Aborting ends every program it started. `log` is told why a better maker was passed over.
   * @throws {ReportUnavailable} where nothing on this machine can make a PDF.
   */
  readonly pdf: (
    file: FindingsFile,
    extras: ReportExtras,
    options: { readonly signal: AbortSignal; readonly log: ReportLog },
  ) => Promise<PdfReport>
}

/** The target as the engine knows it. */
export interface JudgeTarget {
  readonly host: string
  readonly port: number | null
  readonly context: FindingsFile['run']['context']
  readonly tier: FindingsFile['run']['tier']
  readonly environment: Environment
}

/** `shop.test:8081` is a name with the port that was registered with it. */
export const targetOf = ({
  domain,
  context,
  tier,
  environment,
}: Pick<LeasedRun, 'domain' | 'context' | 'tier' | 'environment'>): JudgeTarget => {
  const [host = '', port] = domain.split(':')
  return { host, port: port === undefined ? null : Number(port), context, tier, environment }
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
  /** Null or absent where no module speaks of it. */
  readonly reach?: Reach | null
  /** Version of each knowledge feed that the facts rest on. */
  readonly knowledge: Readonly<Record<string, string>>
}>
