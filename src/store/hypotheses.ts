/** Runs of one place: how they are made, and what they came to. */
import type { Coverage, Finding } from '../contract/finding.ts'
import type { Hypothesis, Verdict } from '../contract/hypothesis.ts'
import type { Plan } from '../contract/organisation.ts'
import type { PlaceOfRequest, Supposed } from '../contract/place.ts'
import { hasEnded, type RunOptions } from '../contract/run.ts'
import { SWITCH_DEFAULTS } from '../contract/run-switches.ts'
import { DRAWN, type Weakness, weaknessOf } from '../contract/weaknesses.ts'
import type { Database, Queryable } from './database.ts'
import { allFindings } from './findings.ts'
import { isAnswer } from './gone.ts'
import { loadModuleEnds, type ModuleRecord } from './modules.ts'
import type { RunRecord } from './run-row.ts'
import { type CreateRunResult, createRun, getRun } from './runs.ts'

/** An active run of the one module, refused as every start is. `leftOut`: what of the request was replaced. */
export const createHypothesis = (
  db: Database,
  plans: readonly Plan[],
  of: { readonly organisationId: string; readonly domainId: string },
  supposed: Supposed & { readonly left_out: string[] },
  login: { readonly sealed: Buffer | null } & Pick<RunOptions, 'auth_stored' | 'identities'>,
): Promise<CreateRunResult> =>
  createRun(db, plans, {
    ...of,
    ...SWITCH_DEFAULTS,
    ...{ active: true, privacy: false, make_pdf: false, context: null, idempotency: null },
    ...{ only: weaknessOf(supposed.weakness).module, hypothesis: supposed },
    ...{ sealedCredentials: login.sealed, auth_stored: login.auth_stored, identities: login.identities },
  })

/** Null where the run is none of one place. */
export const readHypothesis = async (db: Queryable, run: RunRecord): Promise<Hypothesis | null> => {
  const { hypothesis } = run.options
  if (hypothesis === undefined) return null
  const { left_out = [], ...supposed } = hypothesis
  const { id, domain, status, created_at, finished_at } = run
  const about = { ...supposed, id, domain, status, left_out, created_at, finished_at }
  const ends = await loadModuleEnds(db, id)
  const asking = ends.find(({ module }) => module === weaknessOf(supposed.weakness).module)
  const requests = asking?.outcome.requests ?? 0
  if (!hasEnded(status)) return { ...about, requests, verdict: null, reason: null, finding: null }
  return { ...about, requests, ...verdictOf(supposed, run, ends, await allFindings(db, id)) }
}

/** Newest first; `after` is the last one of the page before. */
export const listHypotheses = async (
  db: Queryable,
  organisationId: string,
  of: {
    readonly domainId?: string | undefined
    readonly after: { readonly createdAt: Date; readonly id: string } | null
    readonly limit: number
  },
): Promise<Hypothesis[]> => {
  const rows = await db.query<{ id: string }>(
    `select r.id from runs r
      where r.organisation_id = $1 and r.options->'hypothesis' is not null and ($2::uuid is null or r.domain_id = $2)
        and ($3::timestamptz is null or (r.created_at, r.id) < ($3::timestamptz, $4::uuid))
      order by r.created_at desc, r.id desc
      limit $5`,
    [organisationId, of.domainId ?? null, of.after?.createdAt ?? null, of.after?.id ?? null, of.limit],
  )
  const found: Hypothesis[] = []
  for (const { id } of rows) {
    const run = await getRun(db, organisationId, id)
    const read = run === null ? null : await readHypothesis(db, run)
    if (read !== null) found.push(read)
  }
  return found
}

type Came = Pick<Hypothesis, 'verdict' | 'reason' | 'finding'>

const verdictOf = (
  { weakness, point }: Supposed,
  run: RunRecord,
  ends: readonly Omit<ModuleRecord, 'facts'>[],
  findings: readonly Finding[],
): Came => {
  const { title, module, asks, asksOfQuery = [], proves, beyond } = weaknessOf(weakness)
  const isOfPlace = ({ check_id, location }: Finding): boolean =>
    !isDrawn(check_id) || (point.in === 'query' && location.parameter === point.name)
  const signs = findings.filter((finding) => proves.includes(finding.check_id) && isOfPlace(finding))
  const proven = signs.find(({ confidence }) => confidence === 'confirmed')
  if (proven) return { verdict: 'confirmed', reason: proven.detail, finding: proven }
  const end = ends.find((one) => one.module === module)
  const requests = end?.outcome.requests ?? 0
  const [sign] = signs
  if (sign) return { verdict: 'inconclusive', reason: `There is a sign, and no proof: ${sign.detail}`, finding: sign }
  const all = [...asks, ...(point.in === 'query' ? asksOfQuery : [])]
  const open = all.flatMap((id) => whyOpen(id, end?.coverage ?? []))
  const [why] = open
  if (run.status === 'done' && why === undefined && requests > 0) return refuted(title, point, requests, beyond)
  const verdict: Verdict = requests > 0 ? 'inconclusive' : 'not_asked'
  return { verdict, reason: sentence(whyNot(run, end, ends) ?? why ?? NOTHING_SAID), finding: null }
}

/** Found at whatever the scripts of the page read, of which the place is one. */
const isDrawn = (id: string): boolean => DRAWN.some((one) => one === id)

const NOTHING_SAID = 'the run ended before it came to the place'

const refuted = (title: string, point: PlaceOfRequest, requests: number, beyond?: string): Came => ({
  verdict: 'refuted',
  reason: `${title} was asked for in full at ${nameOf(point)}, with ${requests} requests, and nothing proved it.${beyond ? ` ${beyond}` : ''}`,
  finding: null,
})

/** Why a check came to no answer about the place; nothing where it did. */
const whyOpen = (id: string, coverage: readonly Coverage[]): readonly string[] => {
  const row = coverage.find(({ check_id }) => check_id === id)
  if (row === undefined) return [NOTHING_SAID]
  if (isAnswer(row)) return []
  return [row.reasons?.[0]?.reason ?? row.reason ?? NOTHING_SAID]
}

/** What kept the module itself from asking: the run, what it needs, or its own end. */
const whyNot = (
  { status, error_detail }: RunRecord,
  end: Omit<ModuleRecord, 'facts'> | undefined,
  ends: readonly Omit<ModuleRecord, 'facts'>[],
): string | null => {
  if (status === 'canceled') return 'the run was cancelled'
  if (status === 'failed') return error_detail ?? 'the run failed'
  if (end?.outcome.state === 'completed') return null
  return end?.outcome.reason ?? ends.find(({ outcome }) => outcome.state !== 'completed')?.outcome.reason ?? null
}

const sentence = (text: string): string => {
  const trimmed = text.trim()
  // A name of a host at the beginning stays as it is.
  const first = /^\S*\.\S/.test(trimmed) ? trimmed.slice(0, 1) : trimmed.slice(0, 1).toUpperCase()
  return `${first}${trimmed.slice(1)}${/[.!?]$/.test(trimmed) ? '' : '.'}`
}

/** As people call a place. */
const nameOf = ({ in: place, name }: PlaceOfRequest): string => {
  if (place === 'path') return `segment ${name} of the path`
  if (place === 'query') return `query parameter ${name}`
  if (place === 'form') return `field ${name}`
  return place === 'header' || place === 'cookie' ? `${place} ${name}` : `${name} in the body`
}

export const supposedIn = (weakness: Weakness, point: PlaceOfRequest): string =>
  `${weaknessOf(weakness).title} at ${nameOf(point)}`
