/**
 * The border between a scan and people: what a run tells, without the secrets of its credentials and as the database
 * will give it back. Only what came from the target is looked through; ids, states and our own sentences stay.
 */
import type { AuditEntry } from '../contract/event.ts'
import type { Coverage, Location } from '../contract/finding.ts'
import { cleanEntry } from '../egress/audit/audit.ts'
import type { AnyModule } from '../modules/any-module.ts'
import type { JudgedFinding } from './judge.ts'
import { plainJson } from './plain-json.ts'

interface TextRedactor {
  readonly text: (text: string) => string
}

/** A sentence of ours with words of the target, such as a reason or an error. */
export const redactedText = <Text extends string | null>(redact: TextRedactor, text: Text): Text =>
  plainJson(text === null ? text : (redact.text(text) as Text))

export const redactedEntry = (redact: TextRedactor, entry: AuditEntry): AuditEntry =>
  plainJson(cleanEntry(redact, entry))

/** Findings of one module. Its own titles are no words of the target; a title that a check made up may hold some. */
export const redactedFindings = (
  redact: TextRedactor,
  module: AnyModule,
  findings: readonly JudgedFinding[],
): JudgedFinding[] => {
  const titles = new Set(module.checks.flatMap((check) => check.findings.map(({ title }) => title)))
  const place = (location: Location): Location => ({
    ...location,
    ...(location.url === undefined ? {} : { url: redact.text(location.url) }),
    ...(location.parameter === undefined ? {} : { parameter: redact.text(location.parameter) }),
  })
  return plainJson(
    findings.map((finding) => ({
      ...finding,
      title: titles.has(finding.title) ? finding.title : redact.text(finding.title),
      detail: redact.text(finding.detail),
      location: place(finding.location),
      places: finding.places.map(place),
      proof: finding.proof && {
        excerpt: redact.text(finding.proof.excerpt),
        mark: finding.proof.mark === null ? null : redact.text(finding.proof.mark),
        replay: finding.proof.replay === null ? null : redact.text(finding.proof.replay),
        // It may be a name of the target's; a decision rests on it.
        ...(finding.proof.basis === undefined ? {} : { basis: redact.text(finding.proof.basis) }),
      },
    })),
  )
}

export const redactedCoverage = (redact: TextRedactor, coverage: readonly Coverage[]): Coverage[] =>
  coverage.map((line) => ({
    ...line,
    reason: redactedText(redact, line.reason),
    ...(line.reasons && { reasons: line.reasons.map((one) => ({ ...one, reason: redactedText(redact, one.reason) })) }),
  }))
