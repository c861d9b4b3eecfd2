import { z } from 'zod'
import { Counts, ErrorKind, Phase, RunState, RunStatus } from './run.ts'
import { Timestamp } from './time.ts'

export const ProgressEvent = z.strictObject({
  phase: Phase,
  phase_detail: z.string(),
  progress: z.int().min(0).max(100),
  counts: Counts,
  status: RunStatus,
})
export type ProgressEvent = z.infer<typeof ProgressEvent>

/** One line of audit-log.jsonl. `prev` is the SHA-256 of the line before, so an altered log shows. */
export const AuditLine = z.looseObject({
  ts: Timestamp,
  seq: z.int().min(1).describe('Counts the lines of the run without a gap'),
  module: z.string(),
  event: z.string().describe('request, connect, resolve, module_started, module_ended, …'),
  prev: z.string().regex(/^[0-9a-f]{64}$/),
  method: z.string().optional(),
  url: z.string().optional(),
  address: z.string().optional().describe('The address dialled'),
  status: z.int().nullable().optional(),
  bytes: z.int().min(0).optional(),
  duration_ms: z.number().min(0).optional(),
  error: z.string().optional(),
  port: z.int().optional(),
  detail: z.string().optional().describe('More about it, for a person'),
  state: z.string().optional().describe('How a module ended'),
  reason: z.string().nullable().optional().describe('Why a module ended so'),
  attempt: z.int().min(1).optional().describe('Which attempt of the run this is'),
  result: z.string().optional().describe('How a run ended, or what a check of the domain showed'),
  error_kind: ErrorKind.optional(),
  grade: z.string().optional(),
})
export type AuditLine = z.infer<typeof AuditLine>

/** A line with exactly the fields that this version writes: a stored one may be of a newer version. */
const StrictAuditLine = z.strictObject(AuditLine.shape)
/** What a module or egress hands over; the worker adds seq and prev. */
export type AuditEntry = Omit<z.infer<typeof StrictAuditLine>, 'seq' | 'prev'>

/** Interface part 6: the data of each event by its type. */
export const EVENT_DATA = { progress: ProgressEvent, audit: AuditLine, done: RunState } as const
export type EventType = keyof typeof EVENT_DATA
export type RunEvent =
  | { seq: number; type: 'progress'; data: ProgressEvent }
  | { seq: number; type: 'audit'; data: AuditLine }
  | { seq: number; type: 'done'; data: RunState }
