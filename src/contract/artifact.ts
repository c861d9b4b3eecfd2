import { z } from 'zod'
import { queryInteger, queryIntegerOr } from './query.ts'
import { Uuid } from './run.ts'
import { Timestamp } from './time.ts'

export const ARTIFACT_KINDS = [
  'report_pdf',
  'findings_json',
  'audit_log',
  'report_tex',
  'evidence',
  'branding_logo',
  'report_html',
  'report_md',
  'signature',
] as const
export const ArtifactKind = z.enum(ARTIFACT_KINDS)
export type ArtifactKind = z.infer<typeof ArtifactKind>

/** Made anew with each rendering of the report; the others belong to the run. */
export const VERSIONED_KINDS: readonly ArtifactKind[] = [
  'report_pdf',
  'report_html',
  'report_md',
  'findings_json',
  'report_tex',
  'branding_logo',
  'signature',
]

const Version = z.int().min(1).nullable().describe('Rendering of the report that it belongs to; null for what has none')

/** Interface part 2.4. */
export const Artifact = z.strictObject({
  id: Uuid,
  kind: ArtifactKind,
  filename: z.string(),
  content_type: z.string(),
  size_bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  page_count: z.int().min(1).nullable(),
  version: Version,
  created_at: Timestamp,
  expires_at: Timestamp.nullable().describe('The stored object is deleted then; this record stays'),
  deleted: z.boolean(),
})
export type Artifact = z.infer<typeof Artifact>

/** Interface part 2.5. */
export const SignedUrl = z.strictObject({
  url: z.url(),
  expires_at: Timestamp,
  filename: z.string(),
  watermarked: z.boolean(),
  version: Version,
})
export type SignedUrl = z.infer<typeof SignedUrl>

export const SignedUrlQuery = z.strictObject({
  artifact_id: Uuid.optional().describe('One evidence file; without it the answer is evidence.zip'),
  version: queryInteger(1, 2 ** 31 - 1)
    .optional()
    .describe('Rendering of the report; without it the newest that has such a file'),
  expires_in: queryIntegerOr(300, 30, 3_600).describe('Seconds'),
})
export type SignedUrlQuery = z.infer<typeof SignedUrlQuery>
