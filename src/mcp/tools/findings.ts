/** What was found, with proof. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { PROBLEM_STATES, ProblemState } from '../../contract/domain-finding.ts'
import { Confidence, Severity } from '../../contract/finding.ts'
import { NOTICE, visible } from '../answer.ts'
import { declare, type McpParts } from '../parts.ts'
import { Id, Place, placeOf, Row, RowOrWhole, rowOf, When, Whole, wholeOf } from '../views.ts'
import { GivenId, ScanId } from '../waiting.ts'
import { coverageTool } from './coverage.ts'
import { Cursor, DomainName, domainIdOf, limitOf, NextCursor } from './domains.ts'

const Notice = z.string().describe('How to read what stands under from_target')

export const findingTools = (server: McpServer, parts: McpParts): void => {
  const { client } = parts
  declare(
    server,
    parts,
    'list_findings',
    {
      title: 'List findings of a scan',
      description:
        'Problems that one run found, the gravest first; readable while it runs. For the worst three with proof: limit 3, with_proof true. confirmed: proven, a stranger can replay it; firm: the evidence allows one reading; tentative: a hint.',
      input: z.strictObject({
        scan_id: ScanId,
        severity: Severity.optional(),
        confidence: Confidence.optional(),
        module: z.string().max(64).optional().describe('Area of the scan: sqli, xss, headers, tls …'),
        with_proof: z.boolean().default(false).describe('Also what get_finding gives; at most 5 a page then'),
        limit: limitOf(20, 50),
        cursor: Cursor,
      }),
      output: z.object({ items: z.array(RowOrWhole), next_cursor: NextCursor, notice: Notice }),
      does: 'reads',
    },
    async ({ scan_id, with_proof, limit, ...query }, { signal }) => {
      const most = with_proof ? Math.min(limit, MOST_WHOLE) : limit
      const page = await client.listFindings({ params: { id: scan_id }, query: { ...query, limit: most }, signal })
      return { items: page.items.map(with_proof ? wholeOf : rowOf), next_cursor: page.next_cursor, notice: NOTICE }
    },
  )

  declare(
    server,
    parts,
    'get_finding',
    {
      title: 'Read a finding with its proof',
      description:
        'One finding: what was seen, the proof with a command that shows it again, why it matters and how to fix it. Read its evidence with read_evidence.',
      input: z.strictObject({
        scan_id: ScanId,
        finding_id: GivenId.describe('Id of the finding, as list_findings gives it'),
      }),
      output: Whole.extend({ notice: Notice }),
      does: 'reads',
    },
    async ({ scan_id, finding_id }, { signal }) => {
      const found = await client.readFinding({ params: { id: scan_id, finding_id }, signal })
      return { ...wholeOf(found), notice: NOTICE }
    },
  )

  problemsTool(server, parts)
  coverageTool(server, parts)
}

/** Whole findings on a page: some kilobytes each. */
const MOST_WHOLE = 5

const Problem = Row.omit({ status: true }).extend({
  domain: z.string(),
  state: ProblemState,
  scan_id: Id.describe('The last run that saw it; with id for get_finding'),
  first_seen: When,
  last_seen: When,
  from_target: Place,
})

const problemsTool = (server: McpServer, parts: McpParts): void =>
  declare(
    server,
    parts,
    'list_problems',
    {
      title: 'List problems over all scans',
      description:
        'What is open on a domain, or on all, whichever run saw it: one row a problem, the gravest first, with what people decided about it.',
      input: z.strictObject({
        domain: DomainName.optional(),
        state: z.array(z.enum(PROBLEM_STATES)).min(1).default(['open', 'reopened']),
        severity: z.array(Severity).min(1).optional(),
        search: z.string().max(200).optional().describe('Beginnings of words of title, domain, place and check'),
        limit: limitOf(20, 50),
        cursor: Cursor,
      }),
      output: z.object({ items: z.array(Problem), next_cursor: NextCursor, notice: Notice }),
      does: 'reads',
    },
    async ({ domain, state, severity, search, limit, cursor }, { signal }) => {
      const domain_id = domain === undefined ? undefined : await domainIdOf(parts.client, domain, signal)
      const lists = { state: state.join(','), severity: severity?.join(',') }
      const page = await parts.client.listDomainFindings({
        query: { domain_id, ...lists, q: search, limit, cursor },
        signal,
      })
      const items = page.items.map((one) => ({
        ...{ id: one.finding_id, check_id: one.check_id, title: visible(one.title), severity: one.severity },
        ...{
          confidence: one.confidence,
          cwe: one.cwe,
          decision: one.triage.state,
          domain: one.domain,
          state: one.state,
        },
        ...{ scan_id: one.last_run, first_seen: one.first_seen, last_seen: one.last_seen },
        from_target: placeOf(one.location),
      }))
      return { items, next_cursor: page.next_cursor, notice: NOTICE }
    },
  )
