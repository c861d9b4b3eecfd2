/** What a template matched. Plain JSON. */

import type { EvidenceRef } from '../../contract/evidence.ts'
import type { Confidence, Location, Severity } from '../../contract/finding.ts'

/** What a template found, as it was weighed. */
export interface TemplateResult {
  readonly template: {
    readonly id: string
    readonly name: string
    readonly file: string
    readonly hash: string
    readonly severity: Severity | 'unknown'
    readonly description: string
    readonly remediation: string
    readonly references: readonly string[]
    readonly tags: readonly string[]
    readonly cvss: string | null
  }
  readonly kind: ResultKind
  /** Names of the matchers that held, '' where the template names none. */
  readonly matcher: string
  readonly at: Location
  readonly confidence: Confidence
  /** Why it is no more than that. */
  readonly because: string
  readonly extracted: readonly string[]
  /** What made it match, and the text around it. */
  readonly mark: string | null
  readonly excerpt: string
  readonly replay: string | null
  readonly cve: readonly TemplateCve[]
  readonly evidence: EvidenceRef | null
}

export type ResultKind = 'vulnerability' | 'misconfiguration' | 'exposure' | 'detection'

export interface TemplateCve {
  readonly id: string
  readonly epss: { readonly score: number; readonly percentile: number } | null
  readonly kev: { readonly date_added: string; readonly ransomware: boolean } | null
}
