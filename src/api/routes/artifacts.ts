import { type Artifact, type ArtifactKind, type SignedUrlQuery, VERSIONED_KINDS } from '../../contract/artifact.ts'
import { ProblemError } from '../../contract/problem.ts'
import { hasEnded } from '../../contract/run.ts'
import {
  type ArtifactAsked,
  type ArtifactRecord,
  artifactOfKind,
  listArtifacts,
  ownArtifacts,
  type SignableArtifact,
} from '../../store/artifacts.ts'
import { askReport, MAX_VERSIONS } from '../../store/reports.ts'
import type { RunRecord } from '../../store/run-row.ts'
import { gathered } from '../gathered.ts'
import { answer, bind, type Route } from '../route.ts'
import type { Services } from '../services.ts'
import { callersRun } from './scans.ts'

export const artifactRoutes = (services: Services): readonly Route[] => {
  const ownArtifact = gathered((asked: readonly ArtifactAsked[]) => ownArtifacts(services.db, asked))
  return [
    bind('listArtifacts', async ({ params, caller }) => {
      const run = await callersRun(services, caller, params.id)
      return answer(200, { items: (await listArtifacts(services.db, run.id)).map(view) })
    }),

    bind('signArtifactUrl', async ({ params, query, caller }) => {
      const artifact = await ownArtifact({
        ...{ organisationId: caller.organisation.id, runId: params.id },
        ...{ kind: params.kind, id: query.artifact_id, version: query.version },
      })
      if (artifact === null) {
        const run = await callersRun(services, caller, params.id)
        throw new ProblemError('artifact_not_found', whyMissing(run, params.kind, query))
      }
      if (isGone(artifact)) throw gone()
      const { url, expiresAt } = await services.storage.signedUrl(artifact.objectKey, {
        filename: artifact.filename,
        contentType: artifact.content_type,
        expiresIn: query.expires_in,
        now: new Date(),
      })
      const { filename, watermarked, version } = artifact
      return answer(200, { url, expires_at: expiresAt.toISOString(), filename, watermarked, version })
    }),

    bind(
      'makeReport',
      async ({ params, body, caller }) => {
        const run = await callersRun(services, caller, params.id)
        const findings = await artifactOfKind(services.db, run.id, 'findings_json')
        if (findings !== null) presentArtifact(findings)
        const asked = await askReport(services.db, run.id, body)
        if (asked === 'not_done') throw new ProblemError('scan_not_reportable', `The run is ${run.status}, not done.`)
        if (asked === 'full') {
          throw new ProblemError(
            'scan_not_reportable',
            `The run has ${MAX_VERSIONS} renderings, as many as there may be.`,
          )
        }
        return answer(202, asked)
      },
      // A rendering costs what a short run costs.
      () => [{ limit: 'starts' }],
    ),
  ]
}

/** Throws artifact_expired once retention is over, whether the object was swept already or not. */
export const presentArtifact = ({ deleted, expires_at }: ArtifactRecord): void => {
  if (isGone({ deleted, expiresAt: expires_at === null ? null : new Date(expires_at) })) throw gone()
}

const isGone = ({ deleted, expiresAt }: Pick<SignableArtifact, 'deleted' | 'expiresAt'>): boolean =>
  deleted || (expiresAt !== null && expiresAt.getTime() <= Date.now())

const gone = (): ProblemError => new ProblemError('artifact_expired', 'The file was deleted after its retention ended.')

/** A sentence that lets the person act. */
const whyMissing = (
  { status, report }: RunRecord,
  kind: ArtifactKind,
  { artifact_id: id, version }: Pick<SignedUrlQuery, 'artifact_id' | 'version'>,
): string => {
  const none = `The run has no such ${kind}`
  if (id !== undefined) return `${none}.`
  if (!VERSIONED_KINDS.includes(kind)) return version === undefined ? `${none}.` : `${none}: it has no versions.`
  if (!hasEnded(status)) return `${none} yet: it is ${status}.`
  if (status !== 'done') return `${none}: it ended ${status}, and only a done run has a report.`
  if (version !== undefined && version !== report.version) return `${none} of version ${version}.`
  if (report.state === 'pending') return `${none} yet: the report is being made.`
  if (kind === 'signature') return `${none} yet: it is signed within a minute, unless the operator’s log says why not.`
  if (kind === 'report_md') return `${none}: it was made before there were any. POST /v1/scans/{id}/report makes one.`
  if (kind === 'branding_logo') return `${none}: the report carries no logo of the organisation.`
  if (report.state === 'failed') return `${none}: ${report.reason}`
  if (kind === 'report_pdf' || report.state === 'none') {
    return `${none}: it was not asked for. POST /v1/scans/{id}/report makes it.`
  }
  return kind === 'report_tex' ? `${none}: the browser printed the PDF.` : `${none}.`
}

const view = (record: ArtifactRecord): Artifact => {
  const { runId: _r, module: _m, objectKey: _k, watermarked: _w, ...artifact } = record
  return artifact
}
