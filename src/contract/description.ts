/** Descriptions of a domain's interfaces, as people bring them: what its active runs then ask. */
import { z } from 'zod'
import { Uuid } from './run.ts'
import { Timestamp } from './time.ts'

/** Descriptions that a domain keeps. */
export const MOST_DESCRIPTIONS = 20
/** Refusals of one description that are listed; beyond them they are counted. */
export const MOST_REFUSALS = 1_000

export const DescriptionRefusal = z.strictObject({
  where: z.string().describe('`GET /orders/{id}`, the name of a request or of a file'),
  line: z.int().min(1).nullable().describe('In its file; null where the format has no lines'),
  reason: z.string(),
})
export type DescriptionRefusal = z.infer<typeof DescriptionRefusal>

export const DescriptionLeftOut = z.strictObject({ where: z.string(), reason: z.string() })
export type DescriptionLeftOut = z.infer<typeof DescriptionLeftOut>

const Count = z.int().min(0)

export const Description = z.strictObject({
  id: Uuid,
  name: z.string().describe('Of the files that were brought'),
  kind: z.string().describe('Format and version, e.g. "OpenAPI 3.0.3"; several are separated by commas'),
  title: z.string(),
  described: Count.describe('Operations in it, those refused included'),
  operations: Count.describe('Those that were taken: active runs ask them'),
  refused: z.array(DescriptionRefusal).max(MOST_REFUSALS).describe('What cannot be asked, and why; the first 1,000'),
  left_out: z.array(DescriptionLeftOut).max(MOST_REFUSALS).describe('What is neither kept nor sent: credentials'),
  created_at: Timestamp,
  created_by: z.string().describe('Name of the key or member'),
})
export type Description = z.infer<typeof Description>

export const TakenOperation = z.strictObject({
  method: z.string(),
  path: z.string().describe('With the names of its parameters in braces'),
  name: z.string().describe('Where several share method and path: the field of a schema, the operation of a service'),
})
export type TakenOperation = z.infer<typeof TakenOperation>

export const DescriptionDetail = Description.extend({ taken: z.array(TakenOperation) })
export type DescriptionDetail = z.infer<typeof DescriptionDetail>

export const DescriptionList = z.strictObject({ items: z.array(Description) })

export const DescribeQuery = z.strictObject({
  name: z.string().min(1).max(200).optional().describe('What it is called; without it, after its files'),
  path: z
    .string()
    .max(500)
    .regex(/^\/[!-"$->@-~]*$/, 'must be a path such as /graphql')
    .optional()
    .describe('Where the interface is served, for formats that do not say so'),
})
