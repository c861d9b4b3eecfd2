/** What the server of agents works with, and how a tool is declared. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js'
import type { z } from 'zod'
import type { ArtifactKind } from '../contract/artifact.ts'
import type { Client } from '../contract/client-core.ts'
import { answered, failed, sentenceOf } from './answer.ts'

export interface StoredFile {
  readonly filename: string
  readonly contentType: string
  /** Bytes of the whole. */
  readonly size: number
  /** Both ends inclusive; what lies beyond the file is left out. */
  readonly read: (start: number, end: number) => Promise<Buffer>
}

export interface McpParts {
  readonly version: string
  /** The interface as the caller's key may use it: every refusal comes from there. */
  readonly client: Client
  /** A file of a run that the caller may read; asks the interface first. @throws ApiError */
  readonly file: (scanId: string, kind: ArtifactKind, artifactId?: string) => Promise<StoredFile>
  /** A fault of ours, for the operator's log. */
  readonly fault: (error: unknown, tool: string) => void
}

/** Of one call. */
export interface Calling {
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal
  /** Percent, and what is being done; goes nowhere where nobody asked for it. */
  readonly progress: (percent: number, message: string) => Promise<void>
}

interface Declared<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly title: string
  readonly description: string
  readonly input: Input
  readonly output: Output
  /** `reads` changes nothing; `asks` sends requests to a site; `ends` stops something. */
  readonly does: 'reads' | 'asks' | 'ends'
}

const HINTS: Readonly<Record<Declared<z.ZodObject, z.ZodObject>['does'], ToolAnnotations>> = {
  reads: { readOnlyHint: true, openWorldHint: false },
  asks: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  ends: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
}

/** A refusal is the answer of the tool, in a sentence; a fault of ours is told to the operator. */
export const declare = <Input extends z.ZodObject, Output extends z.ZodObject>(
  server: McpServer,
  { fault }: Pick<McpParts, 'fault'>,
  name: string,
  { title, description, input, output, does }: Declared<Input, Output>,
  run: (input: z.output<Input>, calling: Calling) => Promise<z.input<Output> | CallToolResult>,
): void => {
  server.registerTool<z.ZodObject, z.ZodObject>(
    name,
    { title, description, inputSchema: input, outputSchema: output, annotations: { title, ...HINTS[does] } },
    async (given, { signal, _meta, sendNotification }) => {
      const token = _meta?.progressToken
      const progress: Calling['progress'] = async (percent, message) => {
        if (token === undefined) return
        const params = { progressToken: token, progress: percent, total: 100, message }
        await sendNotification({ method: 'notifications/progress', params })
      }
      try {
        const came = await run(given as z.output<Input>, { signal, progress })
        return isResult(came) ? came : answered(came)
      } catch (error) {
        if (signal.aborted) throw error
        const sentence = sentenceOf(error)
        if (sentence === null) fault(error, name)
        return failed(sentence ?? 'Something failed on our side; the operator’s log has it.')
      }
    },
  )
}

const isResult = (came: object): came is CallToolResult => 'content' in came && Array.isArray(came.content)
