/** Starting runs, watching and ending them. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { WeaknessName } from '../../contract/place.ts'
import {
  Counts,
  ErrorKind,
  hasEnded,
  IdentityName,
  type RunState,
  RunStatus,
  StartFields,
  Tier,
} from '../../contract/run.ts'
import { visible } from '../answer.ts'
import { declare, type McpParts } from '../parts.ts'
import { Id, When } from '../views.ts'
import { ScanId, WaitSeconds, waitForEnd } from '../waiting.ts'
import { Cursor, DomainName, domainIdOf, limitOf, NextCursor } from './domains.ts'

const Scan = z.object({
  scan_id: Id,
  domain: z.string(),
  tier: Tier,
  status: RunStatus,
  progress: z.int().describe('Percent'),
  counts: Counts.describe('Findings by severity; provisional until the run is done'),
  grade: z.string().nullable(),
  hypothesis: WeaknessName.nullable().describe('What it asks one place for; null: a whole run'),
  doing: z.string().describe('What it is doing'),
  error: z.object({ kind: ErrorKind.nullable(), detail: z.string() }).nullable(),
  created_at: When,
  finished_at: When.nullable(),
  next: z.string().describe('What to do now'),
})

const scanOf = (run: RunState): z.input<typeof Scan> => ({
  ...{ scan_id: run.id, domain: run.domain, tier: run.tier, status: run.status, progress: run.progress },
  ...{ counts: run.counts, grade: run.grade, hypothesis: run.hypothesis },
  doing: visible(`${run.phase}: ${run.phase_detail}`, 200),
  error: run.error_kind === null ? null : { kind: run.error_kind, detail: visible(run.error_detail ?? '', 500) },
  ...{ created_at: run.created_at, finished_at: run.finished_at, next: nextOf(run) },
})

const nextOf = ({ status, hypothesis }: RunState): string => {
  if (!hasEnded(status)) return 'Call watch_scan again; findings so far can be read already.'
  if (status !== 'done') return 'It has no result; error says why.'
  return hypothesis === null
    ? 'Call list_findings for the problems and read_coverage for what was not looked at.'
    : 'Call read_hypothesis for the verdict.'
}

export const scanTools = (server: McpServer, parts: McpParts): void => {
  const { client } = parts
  startTool(server, parts)

  declare(
    server,
    parts,
    'watch_scan',
    {
      title: 'Watch a scan',
      description:
        'State of a run. Waits for its end and reports progress meanwhile; call it again until status is done, failed or canceled. Passive runs take two to four minutes, active ones ten to sixty.',
      input: z.strictObject({ scan_id: ScanId, wait_seconds: WaitSeconds }),
      output: Scan,
      does: 'reads',
    },
    async ({ scan_id, wait_seconds }, calling) => scanOf(await waitForEnd(client, scan_id, wait_seconds, calling)),
  )

  declare(
    server,
    parts,
    'cancel_scan',
    {
      title: 'Cancel a scan',
      description: 'Asks a run to end. It keeps what it has found so far.',
      input: z.strictObject({ scan_id: ScanId }),
      output: Scan,
      does: 'ends',
    },
    async ({ scan_id }, { signal }) => scanOf(await client.cancelScan({ params: { id: scan_id }, signal })),
  )

  listTool(server, parts)
}

const startTool = (server: McpServer, parts: McpParts): void =>
  declare(
    server,
    parts,
    'start_scan',
    {
      title: 'Start a scan',
      description:
        'Starts a scan of a registered domain and answers at once; then call watch_scan. Passive: what a browser would ask. Active: also probes for flaws, within the policy of the domain; needs a verified domain. Each start takes one run of the month, a dry run none.',
      input: z.strictObject({
        domain: DomainName,
        active: z.boolean().default(false).describe('Probe for flaws as well; verified domains only'),
        dry_run: z.boolean().default(false).describe('With active: crawl, send no probe, list what would be sent'),
        survey: z.boolean().default(false).describe('Of a passive scan: the cheapest checks alone, in seconds'),
        privacy: z.boolean().default(false).describe('Add the privacy check in a browser; some minutes more'),
        report: z.boolean().default(false).describe('Also make the PDF report'),
        writes_per_form: StartFields.shape.writes_per_form,
        identities: z
          .array(IdentityName)
          .max(10)
          .optional()
          .describe(
            'As whom it looks: names of identities stored with the domain; without it as "default" where there is one',
          ),
      }),
      output: Scan,
      does: 'asks',
    },
    async ({ domain, report, identities, ...options }, { signal }) => {
      const domain_id = await domainIdOf(parts.client, domain, signal)
      const named = identities === undefined ? {} : { identities }
      const { id } = await parts.client.startScan({
        body: { ...options, ...named, domain_id, make_pdf: report },
        signal,
      })
      return scanOf(await parts.client.readScan({ params: { id }, signal }))
    },
  )

const Listed = Scan.pick({
  scan_id: true,
  domain: true,
  tier: true,
  status: true,
  counts: true,
  hypothesis: true,
  created_at: true,
})

const listTool = (server: McpServer, parts: McpParts): void =>
  declare(
    server,
    parts,
    'list_scans',
    {
      title: 'List scans',
      description: 'Runs of all domains or of one, newest first.',
      input: z.strictObject({
        domain: DomainName.optional(),
        status: z.array(RunStatus).min(1).max(6).optional(),
        limit: limitOf(10, 50),
        cursor: Cursor,
      }),
      output: z.object({ items: z.array(Listed), next_cursor: NextCursor }),
      does: 'reads',
    },
    async ({ domain, status, limit, cursor }, { signal }) => {
      const domain_id = domain === undefined ? undefined : await domainIdOf(parts.client, domain, signal)
      const query = { domain_id, status: status?.join(','), limit, cursor }
      const page = await parts.client.listScans({ query, signal })
      const items = page.items.map(({ id, domain: name, tier, status: state, counts, hypothesis, created_at }) => ({
        ...{ scan_id: id, domain: name, tier, status: state, counts, hypothesis, created_at },
      }))
      return { items, next_cursor: page.next_cursor }
    },
  )
