/** Pictures of the run's evidence that its report shows, within bounds. */
import { buffer } from 'node:stream/consumers'
import type { FindingsFile } from '../contract/findings-file.ts'
import { listArtifacts } from '../store/artifacts.ts'
import { evidenceNames, isEvidenceFile } from './files.ts'
import type { WorkerOptions } from './options.ts'
import type { EvidencePicture } from './report-writer.ts'

/** Bytes of one: a picture of a window has a tenth of it. */
const LARGEST = 1024 ** 2
/** Bytes of all, and how many: the page holds them as text. */
const MOST_BYTES = 12 * 1024 ** 2
const MOST = 60

/** Those that the findings name, in their order, as far as they are still kept. @throws where the storage is away */
export const reportPictures = async (
  { db, storage }: Pick<WorkerOptions, 'db' | 'storage'>,
  runId: string,
  { findings }: Pick<FindingsFile, 'findings'>,
): Promise<readonly EvidencePicture[]> => {
  const named = [...new Set(findings.flatMap(({ evidence }) => evidence))]
  if (named.length === 0) return []
  const files = (await listArtifacts(db, runId)).filter(isEvidenceFile)
  const names = evidenceNames(files)
  const byId = new Map(files.map((file) => [file.id, file]))
  const pictures: EvidencePicture[] = []
  let bytes = 0
  for (const id of named) {
    const file = byId.get(id)
    if (file === undefined || file.content_type !== 'image/png' || (file.size_bytes ?? LARGEST + 1) > LARGEST) continue
    bytes += file.size_bytes ?? 0
    if (bytes > MOST_BYTES || pictures.length === MOST) break
    const body = await buffer((await storage.get(file.objectKey)).stream)
    pictures.push({ id, name: names.get(id) ?? id, body })
  }
  return pictures
}
