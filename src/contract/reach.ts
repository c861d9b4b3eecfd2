/** How much of a site an active run has reached: what it knows of, and what became of each. */
import { z } from 'zod'

export const REACH_KINDS = ['insertion_point', 'address', 'form', 'operation', 'browser_page'] as const
export const ReachKind = z
  .enum(REACH_KINDS)
  .describe('insertion_point: a place of a request that takes a value; browser_page: a page as its scripts build it')
export type ReachKind = z.infer<typeof ReachKind>

export const ReachFate = z
  .enum(['asked', 'merged', 'left_out', 'cut_off'])
  .describe(
    'asked; merged: another of the same method, route and parameters stands for it; left_out: on purpose or by a bound; cut_off: time, budget or session ended before',
  )
export type ReachFate = z.infer<typeof ReachFate>

/** How reasons begin that tell of a session which could not be begun anew. */
export const AUTH_LOST = 'auth_lost'
/** What was asked since its last proof, and what was to be asked signed in since it was lost. */
export const SESSION_LOST = `${AUTH_LOST}: the session could not be begun anew`

const Count = z.int().min(0)

export const ReachTally = z.strictObject({
  kind: ReachKind,
  known: Count,
  asked: Count,
  merged: Count,
  left_out: Count,
  cut_off: Count,
  in_part: Count.optional().describe(
    'Of insertion points left out or cut off: asked by some modules in full, or first questions alone',
  ),
  answered: Count.optional().describe('Of operations: answered with success (2xx)'),
})
export type ReachTally = z.infer<typeof ReachTally>

export const ReachReason = z.strictObject({ kind: ReachKind, reason: z.string(), count: z.int().min(1) })
export type ReachReason = z.infer<typeof ReachReason>

export const ReachSummary = z
  .strictObject({
    kinds: z.array(ReachTally).describe('Those of which the run knows any'),
    reasons: z.array(ReachReason).max(20).describe('Why things were not asked, the largest first'),
  })
  .describe('What an active run knows of the site, and how much of it was asked')
export type ReachSummary = z.infer<typeof ReachSummary>

export const ReachRow = z.strictObject({
  kind: ReachKind,
  method: z.string(),
  url: z.string(),
  parameter: z.string().optional().describe('Of an insertion point'),
  fate: ReachFate,
  with: z.string().optional().describe('The address that stands for it, of what was merged'),
  reason: z.string().nullable().describe('Why it was not asked'),
  status: z.int().optional().describe('Of an operation that was asked: the best status that it was answered'),
})
export type ReachRow = z.infer<typeof ReachRow>

/** Rows that findings.json holds; what is beyond them is in the counts. */
export const MOST_REACH_ROWS = 10_000

export const Reach = ReachSummary.extend({
  rows: z.array(ReachRow).max(MOST_REACH_ROWS).describe('What was not asked before what was; beyond them only counted'),
})
export type Reach = z.infer<typeof Reach>

export const REACH_NAMES: Readonly<Record<ReachKind, readonly [one: string, several: string]>> = {
  insertion_point: ['insertion point', 'insertion points'],
  address: ['address', 'addresses'],
  form: ['form', 'forms'],
  operation: ['operation', 'operations'],
  browser_page: ['page in a browser', 'pages in a browser'],
}

/** "412 insertion points known, 388 asked, 24 left out, 20 of them asked in part". What is cut off is left out, too. */
export const reachText = ({
  kind,
  known,
  asked,
  merged,
  left_out,
  cut_off,
  in_part = 0,
  answered,
}: ReachTally): string => {
  const number = (count: number): string => count.toLocaleString('en-GB')
  const left = left_out + cut_off
  return [
    `${number(known)} ${REACH_NAMES[kind][known === 1 ? 0 : 1]} known`,
    `${number(asked)} asked`,
    ...(answered === undefined ? [] : [`${number(answered)} answered with success`]),
    ...(merged > 0 ? [`${number(merged)} alike to one that was asked`] : []),
    ...(left > 0 ? [`${number(left)} left out`] : []),
    ...(in_part > 0 ? [`${number(in_part)} of them asked in part`] : []),
  ].join(', ')
}
