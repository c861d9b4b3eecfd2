/** Many domains, one set of options. */
import { z } from 'zod'
import { CreateDomain } from './domain.ts'
import { MAX_DOMAINS } from './domain-table.ts'
import { Cursor, pageSize } from './query.ts'
import { Counts, ErrorKind, RUN_STATUSES, SiteContext, StartFields, Uuid } from './run.ts'
import { misplacedSwitches, runSwitches } from './run-switches.ts'
import { Timestamp } from './time.ts'

/** Batches of an organisation that have not ended. */
export const MAX_BATCHES = 100

/** No login is given to many domains at once: identities are those that are stored with each. */
const OptionFields = StartFields.omit({
  ...{ domain_id: true, auth_cookie: true, auth_header: true, auth_stored: true, dry_run: true },
  // Of many sites no two begin in the same folder.
  start_paths: true,
})

export const BatchOptions = OptionFields.superRefine((given, context) => {
  for (const { name, message } of misplacedSwitches(given)) context.addIssue({ code: 'custom', path: [name], message })
})
export type BatchOptions = z.infer<typeof BatchOptions>

const Name = CreateDomain.shape.domain

export const CreateBatch = z
  .strictObject({
    domains: z
      .array(Name)
      .min(1)
      .max(MAX_DOMAINS)
      .optional()
      .describe('Names; one that is not registered yet is registered, unverified. A name given twice is scanned once'),
    domain_ids: z
      .array(Uuid)
      .min(1)
      .max(MAX_DOMAINS)
      .optional()
      .describe('Ids of registered domains, in place of names'),
    options: BatchOptions.prefault({}).describe('As for starting a run, for all of them'),
  })
  .refine(({ domains, domain_ids }) => (domains === undefined) !== (domain_ids === undefined), {
    path: ['domains'],
    message: 'is needed, or domain_ids in its place',
  })
export type CreateBatch = z.infer<typeof CreateBatch>

const Flag = z.enum(['true', 'false'])

/** The options of a batch whose body is a table. */
export const BatchQuery = z.strictObject({
  active: Flag.optional().describe('With a table as the body: as `options.active`'),
  context: SiteContext.optional().describe('With a table as the body: as `options.context`'),
  ...(Object.fromEntries(
    runSwitches
      .filter(([name]) => name in OptionFields.shape)
      .map(([name]) => [name, Flag.optional().describe(`With a table as the body: as \`options.${name}\``)]),
  ) as Readonly<Record<string, z.ZodOptional<typeof Flag>>>),
})

export const BatchCounts = z
  .strictObject({
    total: z.int().min(1),
    waiting: z.int().min(0).describe('Not drawn yet'),
    running: z.int().min(0).describe('A worker has it, or had it and it waits for the next'),
    done: z.int().min(0),
    failed: z.int().min(0),
    canceled: z.int().min(0),
    refused: z.int().min(0).describe('Became no run: the domain was removed, or may not be scanned so any more'),
  })
  .describe('Domains by what became of them; all but `total` together are `total`')
export type BatchCounts = z.infer<typeof BatchCounts>

export const BatchState = z
  .enum(['running', 'paused', 'canceled', 'done'])
  .describe('paused: no further run starts. canceled: those that go on are ending; `finished_at` says when they have')
export type BatchState = z.infer<typeof BatchState>

export const Batch = z.strictObject({
  id: Uuid,
  state: BatchState,
  counts: BatchCounts,
  options: OptionFields,
  created_at: Timestamp,
  finished_at: Timestamp.nullable(),
})
export type Batch = z.infer<typeof Batch>

export const ListBatches = z.strictObject({
  limit: pageSize(25, 100),
  cursor: Cursor,
})

export const RESULT_FORMATS = ['ndjson', 'csv'] as const
export const ResultFormat = z.enum(RESULT_FORMATS)
export type ResultFormat = z.infer<typeof ResultFormat>
export const RESULT_TYPES = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const satisfies Readonly<
  Record<ResultFormat, string>
>

export const ListResults = z.strictObject({
  format: ResultFormat.optional().describe('In place of the Accept header'),
})

/** A line of the results. */
export const BatchResult = z.strictObject({
  domain: z.string(),
  scan_id: Uuid.nullable().describe('Null: no run was made of it, or none yet'),
  status: z.enum([...RUN_STATUSES, 'refused']).describe('Of the run; `refused`: it became none, see error_detail'),
  grade: z.string().nullable(),
  counts: Counts.nullable(),
  error_kind: ErrorKind.nullable(),
  error_detail: z.string().nullable(),
  finished_at: Timestamp.nullable(),
})
export type BatchResult = z.infer<typeof BatchResult>

/** Of the results as a table. */
export const RESULT_COLUMNS = [
  ...['domain', 'scan_id', 'status', 'grade', 'critical', 'high', 'medium', 'low', 'info'],
  ...['error_kind', 'error_detail', 'finished_at'],
] as const

export const resultCells = ({ counts, ...of }: BatchResult): string[] => [
  ...[of.domain, of.scan_id, of.status, of.grade].map((cell) => cell ?? ''),
  ...(['critical', 'high', 'medium', 'low', 'info'] as const).map((name) => String(counts?.[name] ?? '')),
  ...[of.error_kind, of.error_detail, of.finished_at].map((cell) => cell ?? ''),
]
