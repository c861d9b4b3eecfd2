import { json } from 'node:stream/consumers'
import { z } from 'zod'
import { FILE_FORMATS, type Finding, type ListFindings, Severity } from '../../contract/finding.ts'
import type { FindingsFile } from '../../contract/findings-file.ts'
import { ProblemError } from '../../contract/problem.ts'
import { openCounts, UNDECIDED } from '../../contract/triage.ts'
import { findingIn } from '../../knowledge/texts/localise.ts'
import { translator } from '../../knowledge/texts/texts.ts'
import { artifactOfKind } from '../../store/artifacts.ts'
import { allFindings, getFinding, listFindings } from '../../store/findings.ts'
import { pageOf } from '../page.ts'
import { answer, bind, type Route, rawAnswer } from '../route.ts'
import type { Services } from '../services.ts'
import { presentArtifact } from './artifacts.ts'
import { callersRun } from './scans.ts'

const Position = z.strictObject({ severity: Severity, check_id: z.string(), fingerprint: z.string(), id: z.string() })

export const findingRoutes = (services: Services): readonly Route[] => [
  bind('listFindings', async ({ params, query, caller, request }) => {
    refuseFilters(query.format, request.query as object)
    const run = await callersRun(services, caller, params.id)
    if (query.format !== 'json') {
      const file = await findingsFile(services, run.id, query.version ?? null)
      return rawAnswer(200, services.render[query.format](file), { 'Content-Type': FILE_FORMATS[query.format].type })
    }
    const { limit, cursor, language, format: _f, version: _v, ...filters } = query
    const texts = translator(language)
    const scope = ['findings', run.id, filters]
    const after = cursor === undefined ? null : Position.parse(services.cursors.open(scope, cursor))
    const found = await listFindings(services.db, run.id, filters, after, limit + 1)
    const page = pageOf(found, limit, ({ severity, check_id, fingerprint, id }) =>
      services.cursors.seal(scope, { severity, check_id, fingerprint, id }),
    )
    return answer(200, { ...page, items: page.items.map((finding) => findingIn(texts, finding)) })
  }),

  bind('readFinding', async ({ params, query: { language }, caller }) => {
    const run = await callersRun(services, caller, params.id)
    return answer(200, findingIn(translator(language), await callersFinding(services, run.id, params.finding_id)))
  }),
]

/** `runId`: of a run that is the caller's. */
export const callersFinding = async (services: Services, runId: string, id: string): Promise<Finding> => {
  const finding = await getFinding(services.db, runId, id)
  if (finding === null) throw new ProblemError('finding_not_found', 'The run has no such finding.')
  return finding
}

/** A file format shows the whole run, and only a file has versions: a parameter that is not obeyed would be a lie. */
const refuseFilters = (format: ListFindings['format'], given: object): void => {
  const errors = Object.keys(given)
    .filter((name) => (format === 'json' ? name === 'version' : name !== 'format' && name !== 'version'))
    .map((path) => ({
      path,
      message:
        format === 'json'
          ? 'goes with a file format only: the list is as things stand now'
          : `does not go with format=${format}, which is always the whole run`,
    }))
  if (errors.length > 0) throw new ProblemError('validation_failed', 'The format takes no such parameter.', { errors })
}

/**
 * A stored findings.json: what the report shows, not a second truth made from the tables. Of a rendering that is asked
 * for as it is; otherwise the newest, with what the owners have decided since as it stands now.
 */
const findingsFile = async (services: Services, runId: string, version: number | null): Promise<FindingsFile> => {
  const file = await storedFile(services, runId, version)
  if (version !== null) return file
  const decided = new Map((await allFindings(services.db, runId)).map(({ id, triage }) => [id, triage]))
  const findings = file.findings.map((finding) => ({ ...finding, triage: decided.get(finding.id) ?? UNDECIDED }))
  return { ...file, findings, open_counts: openCounts(findings) }
}

/** As it was when it was made; the newest unless one is named. */
export const storedFile = async (
  services: Services,
  runId: string,
  version: number | null = null,
): Promise<FindingsFile> => {
  const artifact = await artifactOfKind(services.db, runId, 'findings_json', version)
  if (artifact === null) {
    throw new ProblemError(
      'artifact_not_found',
      version === null
        ? 'The run has no findings file: only a done run has one.'
        : `The run has no findings file of version ${version}.`,
    )
  }
  presentArtifact(artifact)
  const { stream } = await services.storage.get(artifact.objectKey)
  return (await json(stream)) as FindingsFile
}
