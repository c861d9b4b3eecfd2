/** Files that prove a finding, in parts that fit a conversation. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { answered, fenced, NOTICE, ToolError } from '../answer.ts'
import { declare, type McpParts, type StoredFile } from '../parts.ts'
import { GivenId, ScanId } from '../waiting.ts'

/** Bytes of a part of a text, and of a whole picture. */
const PART = 16_000
const PICTURE = 700_000

const Part = z.object({
  filename: z.string(),
  content_type: z.string(),
  size: z.int().describe('Bytes of the whole file'),
  next_offset: z.int().nullable().describe('Where the next part begins; null at the end'),
  from_target: z.object({ text: z.string().nullable().describe('Null of a picture, which follows as an image') }),
  notice: z.string(),
})

export const evidenceTools = (server: McpServer, parts: McpParts): void => {
  declare(
    server,
    parts,
    'read_evidence',
    {
      title: 'Read a file of evidence',
      description:
        'Requests and answers, or a screenshot, that prove a finding. Texts come in parts of 16,000 bytes; pictures whole, as an image.',
      input: z.strictObject({
        scan_id: ScanId,
        artifact_id: GivenId.describe('One of evidence of a finding'),
        offset: z.int().min(0).default(0).describe('Bytes; next_offset of the part before'),
      }),
      output: Part,
      does: 'reads',
    },
    async ({ scan_id, artifact_id, offset }) => {
      const file = await parts.file(scan_id, 'evidence', artifact_id)
      return /^image\/(?:png|jpeg|webp)\b/.test(file.contentType) ? pictureOf(file) : partOf(file, offset)
    },
  )
}

const partOf = async (file: StoredFile, offset: number): Promise<z.input<typeof Part>> => {
  if (!/^text\/|json|xml|html|javascript|yaml/.test(file.contentType)) {
    throw new ToolError(
      `${file.filename} is a file of ${file.contentType}, which is no text: a person can download it.`,
    )
  }
  if (offset > 0 && offset >= file.size)
    throw new ToolError(`${file.filename} has ${file.size} bytes, and no part at ${offset}.`)
  const bytes = file.size === 0 ? Buffer.alloc(0) : await file.read(offset, offset + PART - 1)
  const end = offset + bytes.length
  return {
    ...aboutOf(file),
    next_offset: end < file.size ? end : null,
    from_target: { text: fenced(bytes.toString('utf8'), PART) },
  }
}

const pictureOf = async (file: StoredFile) => {
  if (file.size > PICTURE)
    throw new ToolError(`${file.filename} has ${file.size} bytes: too large a picture for a conversation.`)
  const bytes = await file.read(0, PICTURE - 1)
  const about = answered({ ...aboutOf(file), next_offset: null, from_target: { text: null } })
  const mimeType = file.contentType.split(';')[0] ?? file.contentType
  return { ...about, content: [...about.content, { type: 'image' as const, data: bytes.toString('base64'), mimeType }] }
}

const aboutOf = ({ filename, contentType, size }: StoredFile) => ({
  filename,
  content_type: contentType,
  size,
  notice: NOTICE,
})
