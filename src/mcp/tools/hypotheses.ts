/** What somebody supposes, proven or refuted by Sonde's own probes. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { type Hypothesis, Verdict } from '../../contract/hypothesis.ts'
import { PlaceOfRequest, SiteRequest, Supposed, WeaknessName } from '../../contract/place.ts'
import { hasEnded, IdentityName, RunStatus } from '../../contract/run.ts'
import { WEAKNESSES } from '../../contract/weaknesses.ts'
import { NOTICE, visible } from '../answer.ts'
import { declare, type McpParts } from '../parts.ts'
import { Id, RowOrWhole, wholeOf } from '../views.ts'
import { ScanId, WaitSeconds, waitForEnd } from '../waiting.ts'
import { DomainName, domainIdOf } from './domains.ts'

const Came = z.object({
  scan_id: Id,
  weakness: WeaknessName,
  status: RunStatus,
  verdict: Verdict.nullable().describe('Null until the run has ended: call read_hypothesis again'),
  requests: z.int().describe('Sent to the place'),
  left_out: z.array(z.string()).describe('Credentials of the request, which were replaced'),
  finding: RowOrWhole.nullable().describe('The proof, as get_finding gives it, or the sign where there is no proof'),
  from_target: z.object({ reason: z.string().nullable().describe('What the verdict rests on') }),
  notice: z.string(),
})

const cameOf = ({ id, weakness, status, verdict, requests, left_out, finding, reason }: Hypothesis) => ({
  ...{ scan_id: id, weakness, status, verdict, requests },
  left_out: left_out.slice(0, 50).map((one) => visible(one)),
  finding: finding === null ? null : wholeOf(finding),
  from_target: { reason: reason === null ? null : visible(reason, 1_000) },
  notice: NOTICE,
})

const KINDS = Object.entries(WEAKNESSES)
  .map(([name, { title }]) => `${name} (${title})`)
  .join(', ')

export const hypothesisTools = (server: McpServer, parts: McpParts): void => {
  const { client } = parts
  declare(
    server,
    parts,
    'test_hypothesis',
    {
      title: 'Prove or refute a suspected flaw',
      description:
        'Use this when you suspect that one value of one request is injectable. Sonde asks that place with its own probes and says confirmed with a proof, refuted when everything was asked and nothing proved it, inconclusive, or not_asked with the reason. Verified domains only; you send no payload, and nothing beyond the policy of the domain is sent. Takes one run of the month and a minute or two.',
      input: z.strictObject({
        domain: DomainName,
        weakness: WeaknessName.describe(`What the value is said to reach: ${KINDS}`),
        request: SiteRequest,
        point: PlaceOfRequest,
        seen_on: Supposed.shape.seen_on,
        identities: z
          .array(IdentityName)
          .max(10)
          .optional()
          .describe('As whom; without it as "default" where there is one'),
        wait_seconds: WaitSeconds,
      }),
      output: Came,
      does: 'asks',
    },
    async ({ domain, identities, wait_seconds, ...supposed }, calling) => {
      const params = { id: await domainIdOf(client, domain, calling.signal) }
      const body = { ...supposed, ...(identities === undefined ? {} : { identities }) }
      const { id } = await client.startHypothesis({ params, body, signal: calling.signal })
      await waitForEnd(client, id, wait_seconds, calling)
      return cameOf(await client.readHypothesis({ params: { id }, signal: calling.signal }))
    },
  )

  declare(
    server,
    parts,
    'read_hypothesis',
    {
      title: 'Read what a hypothesis came to',
      description: 'Waits for the verdict of a hypothesis that test_hypothesis began.',
      input: z.strictObject({ scan_id: ScanId, wait_seconds: WaitSeconds }),
      output: Came,
      does: 'reads',
    },
    async ({ scan_id, wait_seconds }, calling) => {
      const params = { id: scan_id }
      const now = await client.readHypothesis({ params, signal: calling.signal })
      if (hasEnded(now.status)) return cameOf(now)
      await waitForEnd(client, scan_id, wait_seconds, calling)
      return cameOf(await client.readHypothesis({ params, signal: calling.signal }))
    },
  )
}
