/** Erasure: all that is stored of a domain, or of an organisation, deleted for good. */
import { z } from 'zod'
import { Cursor, pageSize } from './query.ts'
import { Uuid } from './run.ts'
import { Timestamp } from './time.ts'

export const EraseDomain = z.strictObject({
  domain: z
    .string()
    .min(1)
    .max(260)
    .describe('As registered, `shop.example.com`; one that was removed may be named too'),
  confirm: z.string().max(260).describe('The name once more: what is erased does not come back'),
})

const Count = z.int().min(0)
/** Rows of the database, and files of the storage. */
export const ErasedCounts = z.strictObject({
  domains: Count,
  runs: Count,
  findings: Count,
  problems: Count,
  files: Count,
  bytes: Count,
})
export type ErasedCounts = z.infer<typeof ErasedCounts>

export const Erasure = z.strictObject({
  id: Uuid,
  organisation_id: Uuid,
  organisation: z.string(),
  domain: z.string().nullable().describe('Null: the whole organisation'),
  asked_by: z.string(),
  asked_at: Timestamp,
  counts: ErasedCounts,
  ended_at: Timestamp.nullable().describe(
    'When the last file was gone; null: files are still being deleted, and the rows are gone',
  ),
  receipt: z
    .string()
    .nullable()
    .describe('The signed receipt, a file as it is; `sonde verify` checks it. Null until the last file is gone'),
})
export type Erasure = z.infer<typeof Erasure>

export const ListErasures = z.strictObject({
  limit: pageSize(25, 100),
  cursor: Cursor,
})
export const ErasurePage = z.strictObject({ items: z.array(Erasure), next_cursor: z.string().nullable() })
