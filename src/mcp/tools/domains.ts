/** Which sites there are to scan. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import type { Client } from '../../contract/client-core.ts'
import type { Domain } from '../../contract/domain.ts'
import { pastedName } from '../../contract/pasted-name.ts'
import { Environment, SiteContext, Uuid } from '../../contract/run.ts'
import { ToolError } from '../answer.ts'
import { declare, type McpParts } from '../parts.ts'
import { Id, When } from '../views.ts'

export const Cursor = z.string().max(1024).optional().describe('next_cursor of the page before')
export const limitOf = (usual: number, most: number) => z.int().min(1).max(most).default(usual)
export const NextCursor = z.string().nullable().describe('Null on the last page')

/** Of a registered domain. */
export const DomainName = z.string().min(1).max(260).describe('Name or id of a registered domain: shop.example.com')

const Row = z.object({
  id: Id,
  domain: z.string(),
  environment: Environment,
  context: SiteContext.nullable(),
  verified: z.boolean().describe('Active scans and hypotheses need it'),
  verified_until: When.nullable(),
})

const rowOf = ({ id, domain, environment, context, verified_until }: Domain): z.input<typeof Row> => ({
  ...{ id, domain, environment, context, verified_until },
  verified: verified_until !== null && Date.parse(verified_until) > Date.now(),
})

export const domainTools = (server: McpServer, parts: McpParts): void => {
  declare(
    server,
    parts,
    'list_domains',
    {
      title: 'List domains',
      description:
        'The domains that may be scanned. Only people register and verify them; production domains are never sent anything that stores or changes.',
      input: z.strictObject({ limit: limitOf(25, 100), cursor: Cursor }),
      output: z.object({ items: z.array(Row), next_cursor: NextCursor }),
      does: 'reads',
    },
    async ({ limit, cursor }, { signal }) => {
      const page = await parts.client.listDomains({ query: { limit, cursor }, signal })
      return { items: page.items.map(rowOf), next_cursor: page.next_cursor }
    },
  )
}

/** @throws ToolError where nobody has registered it */
export const domainIdOf = async (client: Client, text: string, signal: AbortSignal): Promise<string> => {
  if (Uuid.safeParse(text).success) return text
  const domain = pastedName(text)
  const { items } = await client.listDomains({ query: { domain }, signal })
  const [found] = items
  if (found === undefined) {
    throw new ToolError(
      `The domain ${domain.slice(0, 100)} is not registered here; a person registers and verifies it first.`,
    )
  }
  return found.id
}
