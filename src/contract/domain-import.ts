/** Domains registered in bulk. */
import { z } from 'zod'
import { MAX_DOMAINS } from './domain-table.ts'
import { Environment, SiteContext, Uuid } from './run.ts'

/** A name of any text: one that cannot be registered is answered as its row, and costs no other. */
const ImportRow = z.strictObject({
  domain: z.string().max(1_000),
  context: SiteContext.nullable().optional(),
  environment: Environment.optional(),
})

export const ImportDomains = z.strictObject({
  domains: z.array(ImportRow).min(1).max(MAX_DOMAINS),
})
export type ImportDomains = z.infer<typeof ImportDomains>

export const ImportOutcome = z.enum(['added', 'exists', 'refused'])
export type ImportOutcome = z.infer<typeof ImportOutcome>

export const ImportedRow = z.strictObject({
  domain: z.string().describe('As it is registered; as it was given where it was refused'),
  id: Uuid.nullable(),
  outcome: ImportOutcome,
  reason: z.string().nullable().describe('Why it was refused'),
})
export type ImportedRow = z.infer<typeof ImportedRow>

export const ImportAnswer = z.strictObject({
  counts: z.strictObject({ added: z.int().min(0), exists: z.int().min(0), refused: z.int().min(0) }),
  items: z.array(ImportedRow).describe('One for each row, in their order'),
})
export type ImportAnswer = z.infer<typeof ImportAnswer>
