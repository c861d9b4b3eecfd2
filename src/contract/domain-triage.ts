import { z } from 'zod'
import { ResolvedFinding } from './finding.ts'
import { Cursor, pageSize } from './query.ts'
import { Triage } from './triage.ts'

/** A decision in the list of a domain: what it is about, as it was when it was made. */
export const DomainTriage = Triage.extend({ finding: ResolvedFinding })
export type DomainTriage = z.infer<typeof DomainTriage>

export const ListTriage = z.strictObject({
  limit: pageSize(25, 100),
  cursor: Cursor,
})
