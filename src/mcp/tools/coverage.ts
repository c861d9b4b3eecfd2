/** What was not looked at, how far the run came, and what it would send or has written. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { type Coverage, CoverageState } from '../../contract/finding.ts'
import { reachText } from '../../contract/reach.ts'
import { PlannedRequest, type Sending } from '../../contract/sending.ts'
import { visible } from '../answer.ts'
import { declare, type McpParts } from '../parts.ts'
import { Place, placeOf } from '../views.ts'
import { ScanId } from '../waiting.ts'

const Cause = z.object({ reason: z.string(), checks: z.int() })

/** Reasons that are told; the rest is a number. */
const MOST_CAUSES = 12
const MOST_CHECKS = 100
const MOST_PLANNED = 100

const Planned = PlannedRequest.pick({ places: true, most: true }).extend({
  decision: z.enum(PlannedRequest.shape.decision.options),
  reason: z.string().nullable(),
  from_target: Place,
})

export const coverageTool = (server: McpServer, parts: McpParts): void =>
  declare(
    server,
    parts,
    'read_coverage',
    {
      title: 'What a scan did not look at',
      description:
        'What became of the checks of a run, and of a dry run what would be sent. Only pass means clean: everything that the check applies to was asked in full. Say so when you report that something was not found.',
      input: z.strictObject({
        scan_id: ScanId,
        module: z.string().max(64).optional().describe('One area alone, check by check'),
      }),
      output: z.object({
        states: z.partialRecord(CoverageState, z.int()).describe('Checks by what became of them'),
        not_looked: z.array(Cause).describe('Why checks came to no full answer, the most frequent first'),
        checks: z
          .array(
            z.object({ check_id: z.string(), title: z.string(), state: CoverageState, reason: z.string().nullable() }),
          )
          .describe('Of the module that was named'),
        reach: z.array(z.string()).describe('Of an active run: how much of the site was asked'),
        would_send: z
          .object({ known: z.int(), requests: z.array(Planned) })
          .nullable()
          .describe('Of a dry run: each request that the crawl knows, what is left alone first'),
        may_have_written: z
          .object({ forms: z.int(), requests: z.int(), marker: z.string().nullable() })
          .nullable()
          .describe('For cleaning up; findings.json names them'),
      }),
      does: 'reads',
    },
    async ({ scan_id, module }, { signal }) => {
      const { items, reach, sending } = await parts.client.readCoverage({ params: { id: scan_id }, signal })
      const own = items.filter((row) => module === undefined || row.module === module)
      return {
        states: statesOf(own),
        not_looked: causesOf(own),
        checks: module === undefined ? [] : own.slice(0, MOST_CHECKS).map(checkOf),
        reach: (reach?.kinds ?? []).map(reachText),
        would_send: plannedOf(sending),
        may_have_written: writtenOf(sending),
      }
    },
  )

const checkOf = ({ check_id, title, state, reason }: Coverage) => ({
  ...{ check_id, title: visible(title), state, reason: reason === null ? null : visible(reason) },
})

const statesOf = (rows: readonly Coverage[]): Partial<Record<CoverageState, number>> =>
  Object.fromEntries([...Map.groupBy(rows, ({ state }) => state)].map(([state, group]) => [state, group.length]))

const causesOf = (rows: readonly Coverage[]): z.input<typeof Cause>[] => {
  const open = rows.filter(({ state }) => state === 'not_tested' || state === 'blocked' || state === 'inconclusive')
  return [...Map.groupBy(open, ({ reason }) => reason ?? 'no reason was given')]
    .map(([reason, group]) => ({ reason: visible(reason), checks: group.length }))
    .toSorted((a, b) => b.checks - a.checks)
    .slice(0, MOST_CAUSES)
}

const ORDER: readonly PlannedRequest['decision'][] = ['never', 'bounded', 'once', 'send']

const plannedOf = (sending: Sending | undefined) => {
  const planned = sending?.planned
  if (planned === undefined) return null
  const requests = planned
    .toSorted((a, b) => ORDER.indexOf(a.decision) - ORDER.indexOf(b.decision))
    .slice(0, MOST_PLANNED)
    .map(({ method, url, places, decision, most, reason }) => ({
      ...{ decision, places, most, reason: reason === null ? null : visible(reason) },
      from_target: placeOf({ method, url }),
    }))
  return { known: planned.length, requests }
}

const writtenOf = (sending: Sending | undefined) => {
  const { written = [], marker = null } = sending ?? {}
  if (written.length === 0) return null
  return { forms: written.length, requests: written.reduce((sum, { times }) => sum + times, 0), marker }
}
