/** What fails a job: problems at or above a severity, against a baseline that has a name. */
import { InvalidArgumentError } from 'commander'
import type { Client } from '../contract/client.ts'
import { compareSeverity, type Finding, type Severity } from '../contract/finding.ts'
import { Uuid } from '../contract/run.ts'
import { findingsOf } from './client.ts'
import { UsageError } from './exit.ts'

/**
 * `accepted`: open ones, whatever run saw them first: a job that is repeated is as red as before. `none`: all, what was
 * accepted too. The id of a run: open ones that it had not, or had less grave.
 */
export type Baseline = 'accepted' | 'none' | { readonly run: string }

/** @throws InvalidArgumentError for any other word */
export const baselineOf = (text: string): Baseline => {
  if (text === 'accepted' || text === 'none') return text
  if (Uuid.safeParse(text).success) return { run: text }
  throw new InvalidArgumentError('It is accepted, none, or the id of a run.')
}

export const baselineText = (baseline: Baseline): string => (typeof baseline === 'string' ? baseline : baseline.run)

export interface Gate {
  readonly severity: Severity
  readonly baseline: Baseline
}

/**
 * @param known what the run of the baseline found; needed where it is one
 * @returns the findings that fail the job
 */
export const gateHits = (
  findings: readonly Finding[],
  { severity, baseline }: Gate,
  known: readonly Finding[] = [],
): readonly Finding[] => {
  const before = new Map(known.map((finding) => [finding.fingerprint, finding.severity]))
  return findings.filter((finding) => {
    if (compareSeverity(finding.severity, severity) > 0) return false
    if (baseline === 'none') return true
    if (finding.triage.state !== 'open') return false
    const then = [finding.fingerprint, ...(finding.formerly ?? [])]
      .flatMap((fingerprint) => before.get(fingerprint) ?? [])
      .toSorted(compareSeverity)[0]
    return then === undefined || compareSeverity(finding.severity, then) < 0
  })
}

/**
 * What the run of the baseline found; asked before anything is started, so that a wrong id costs no run.
 * @throws UsageError where it is of another domain, saw one module only, or has not come to its end
 */
export const knownTo = async (client: Client, baseline: Baseline, domainId: string): Promise<readonly Finding[]> => {
  if (typeof baseline === 'string') return []
  const run = await client.readScan({ params: { id: baseline.run } })
  const { domain } = await client.readDomain({ params: { id: domainId } })
  if (run.retest_of !== null) throw new UsageError(`The baseline ${run.id} is a retest: it looked for one finding only`)
  // A service of an earlier version does not say it.
  if (run.hypothesis) throw new UsageError(`The baseline ${run.id} is a hypothesis: it asked one place only`)
  if (run.domain !== domain) throw new UsageError(`The baseline is a run of ${run.domain}, not of ${domain}`)
  if (run.status !== 'done')
    throw new UsageError(`The baseline ${run.id} is ${run.status}: it takes a run that is done`)
  return findingsOf(client, run.id)
}
