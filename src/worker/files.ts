/** Writes files of a run: reserved in the database first, written, then read back and compared. */
import { randomUUID } from 'node:crypto'
import { PassThrough, type Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { type FileBody, keepFile, runFileKey } from '../artifacts/keep.ts'
import type { ArtifactKind } from '../contract/artifact.ts'
import {
  type ArtifactRecord,
  EVIDENCE_ARCHIVE,
  listArtifacts,
  type NewArtifact,
  type StoredArtifact,
} from '../store/artifacts.ts'
import type { Queryable } from '../store/database.ts'
import { readAuditTexts } from '../store/events.ts'
import { RunFailed, Stopped, StorageAway } from './failures.ts'
import type { Storage } from './options.ts'

export interface FileToStore {
  readonly id?: string
  readonly kind: ArtifactKind
  readonly module?: string
  readonly filename: string
  readonly contentType: string
  readonly body: FileBody
  readonly pageCount?: number
  /** Rendering of the report that it belongs to; absent for what has none. */
  readonly version?: number
}

/** A file that was written. */
export interface WrittenFile extends StoredArtifact, Pick<FileToStore, 'kind' | 'filename'> {}

/** How files are reserved: under a lease, or after the run's end. */
export type Reserve = (artifact: NewArtifact) => Promise<void>

export interface FilePolicy {
  readonly runId: string
  readonly retentionDays: number
  readonly watermark: boolean
}

const AUDIT_BATCH = 2_000
/** What carries the mark of a plan that has one. */
const MARKED: readonly ArtifactKind[] = ['report_pdf', 'report_tex', 'report_html', 'report_md']

/** Carries out one write; what waits for a storage that is away does it more than once. */
export type Write = <T>(work: () => Promise<T>) => Promise<T>

/** Throws `RunFailed` with `storage_failed` when the storage did not keep exactly these bytes; else as `carryOut`. */
export const storeFile = async (
  storage: Storage,
  reserve: Reserve,
  policy: FilePolicy,
  file: FileToStore,
  carryOut: Write = (work) => work(),
): Promise<WrittenFile> => {
  const artifact = artifactOf(policy, file)
  await reserve(artifact)
  return written(storage, artifact, file, carryOut)
}

/** Files that come together: reserved at once, then as `storeFile`, one after the other. */
export const storeFiles = async (
  storage: Storage,
  reserve: (artifacts: readonly NewArtifact[]) => Promise<void>,
  policy: FilePolicy,
  files: readonly FileToStore[],
  carryOut: Write,
): Promise<WrittenFile[]> => {
  const reserved = files.map((file) => ({ file, artifact: artifactOf(policy, file) }))
  if (reserved.length > 0) await reserve(reserved.map(({ artifact }) => artifact))
  const kept: WrittenFile[] = []
  for (const { file, artifact } of reserved) kept.push(await written(storage, artifact, file, carryOut))
  return kept
}

const artifactOf = (policy: FilePolicy, file: FileToStore): NewArtifact => {
  const id = file.id ?? randomUUID()
  return {
    id,
    kind: file.kind,
    module: file.module ?? null,
    filename: file.filename,
    contentType: file.contentType,
    objectKey: runFileKey(policy.runId, id, file.filename),
    // The audit log is kept as long as the row.
    retentionDays: file.kind === 'audit_log' ? null : policy.retentionDays,
    watermarked: policy.watermark && MARKED.includes(file.kind),
    ...(file.version === undefined ? {} : { version: file.version }),
  }
}

const written = async (
  storage: Storage,
  { id, objectKey }: NewArtifact,
  file: FileToStore,
  carryOut: Write,
): Promise<WrittenFile> => {
  const { size, sha256 } = await keep(file, () =>
    carryOut(() => keepFile(storage, objectKey, file.body, file.contentType)),
  )
  const { kind, filename, pageCount = null } = file
  return { id, kind, filename, sizeBytes: size, sha256, pageCount }
}

const keep = async <T>(file: FileToStore, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof StorageAway || cause instanceof Stopped) throw cause
    throw new RunFailed('storage_failed', `The file ${file.filename} could not be stored.`, { cause })
  }
}

/** The lines with their exact texts, so that the chain of hashes can be checked. Null when there are none. */
export const auditLog = async (db: Queryable, runId: string): Promise<FileToStore | null> => {
  const parts: string[] = []
  for (let after = 0; ; ) {
    const lines = await readAuditTexts(db, runId, after, AUDIT_BATCH)
    const last = lines.at(-1)
    if (!last) break
    parts.push(lines.map(({ text }) => `${text}\n`).join(''))
    after = last.seq
  }
  if (parts.length === 0) return null
  return {
    kind: 'audit_log',
    filename: 'audit-log.jsonl',
    contentType: 'application/jsonl',
    body: Buffer.from(parts.join('')),
  }
}

/** All evidence in one archive, read from the storage as it is written. Null when there is none. */
export const evidenceArchive = async (db: Queryable, storage: Storage, runId: string): Promise<FileToStore | null> => {
  const files = (await listArtifacts(db, runId)).filter(isEvidenceFile)
  if (files.length === 0) return null
  return {
    kind: 'evidence',
    filename: EVIDENCE_ARCHIVE,
    contentType: 'application/zip',
    body: () => openArchive(storage, files),
  }
}

const openArchive = (storage: Storage, files: readonly ArtifactRecord[]): Readable => {
  const zip = new ZipFile()
  const body = new PassThrough()
  zip.on('error', (error: Error) => body.destroy(error))
  const names = evidenceNames(files)
  for (const file of files) {
    // The file's own time, so that the same evidence gives the same archive.
    zip.addReadStreamLazy(
      names.get(file.id) ?? file.id,
      { mtime: new Date(file.created_at), mode: 0o100644 },
      (ready) => {
        storage.get(file.objectKey).then(
          ({ stream }) => ready(null, stream),
          (error: unknown) => ready(error, undefined as never),
        )
      },
    )
  }
  zip.outputStream.pipe(body)
  zip.end()
  return body
}

export const isEvidenceFile = (file: ArtifactRecord): boolean =>
  file.kind === 'evidence' && file.module !== null && !file.deleted

/** What each is called in the archive, by its id. */
export const evidenceNames = (
  files: readonly Pick<ArtifactRecord, 'id' | 'filename'>[],
): ReadonlyMap<string, string> => {
  const taken = new Set<string>()
  return new Map(files.map((file) => [file.id, uniqueName(file, taken)]))
}

const uniqueName = ({ filename, id }: Pick<ArtifactRecord, 'id' | 'filename'>, taken: Set<string>): string => {
  const name = filename.replace(/[/\\]+/g, '-')
  const chosen = taken.has(name) ? `${id}-${name}` : name
  taken.add(chosen)
  return chosen
}
