import type { Artifact, ArtifactKind } from '../../contract/artifact.ts'
import { ProblemError } from '../../contract/problem.ts'
import { type ArtifactRecord, artifactOfKind, getArtifact, listArtifacts } from '../../store/artifacts.ts'
import { answer, bind, type Route } from '../route.ts'
import type { Services } from '../services.ts'
import { callersRun } from './scans.ts'

export const artifactRoutes = (services: Services): readonly Route[] => [
  bind('listArtifacts', async ({ params, caller }) => {
    const run = await callersRun(services, caller, params.id)
    return answer(200, { items: (await listArtifacts(services.db, run.id)).map(view) })
  }),

  bind('signArtifactUrl', async ({ params, query, caller }) => {
    const run = await callersRun(services, caller, params.id)
    const artifact = await find(services, run.id, params.kind, query.artifact_id)
    if (artifact === null) throw new ProblemError('artifact_not_found', `The run has no such ${params.kind}.`)
    presentArtifact(artifact)
    const { url, expiresAt } = await services.storage.signedUrl(artifact.objectKey, {
      filename: artifact.filename,
      contentType: artifact.content_type,
      expiresIn: query.expires_in,
      now: new Date(),
    })
    const { filename, watermarked } = artifact
    return answer(200, { url, expires_at: expiresAt.toISOString(), filename, watermarked })
  }),
]

/** Throws artifact_expired once retention is over, whether the object was swept already or not. */
export const presentArtifact = ({ deleted, expires_at }: ArtifactRecord): void => {
  if (!deleted && (expires_at === null || Date.parse(expires_at) > Date.now())) return
  throw new ProblemError('artifact_expired', 'The file was deleted after its retention ended.')
}

const find = async (
  { db }: Services,
  runId: string,
  kind: ArtifactKind,
  id: string | undefined,
): Promise<ArtifactRecord | null> => {
  if (id === undefined) return artifactOfKind(db, runId, kind)
  const artifact = await getArtifact(db, runId, id)
  return artifact?.kind === kind ? artifact : null
}

const view = (record: ArtifactRecord): Artifact => {
  const { runId: _r, module: _m, objectKey: _k, watermarked: _w, ...artifact } = record
  return artifact
}
