import type { Finding as ReportedFinding } from '../contract/finding.ts'

/** A finding as the engine hands it over: all but its id and its status against the last run, which the store knows. */
export type JudgedFinding = Omit<ReportedFinding, 'id' | 'status'>
