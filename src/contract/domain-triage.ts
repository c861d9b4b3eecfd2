import { z } from 'zod'
import { ResolvedFinding } from './finding.ts'
import { queryIntegerOr } from './query.ts'
import { Triage } from './triage.ts'

/** A decision in the list of a domain: what it is about, as it was when it was made. */
export const DomainTriage = Triage.extend({ finding: ResolvedFinding })
export type DomainTriage = z.infer<typeof DomainTriage>

export const ListTriage = z.strictObject({
  limit: queryIntegerOr(25, 1, 100),
  cursor: z.string().max(1024).optional(),
})
