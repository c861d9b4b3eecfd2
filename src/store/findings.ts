import {
  type Confidence,
  type Coverage,
  type Finding,
  type ResolvedFinding,
  SEVERITIES,
  type Severity,
} from '../contract/finding.ts'
import type { Queryable } from './database.ts'
import { answeredBy } from './gone.ts'
import { PROOF_RULE, proofHash } from './proof-hash.ts'
import { IDENTITY_RULE } from './succession.ts'
import { TRIAGE_COLUMNS, type TriageRow, toTriage } from './triage-row.ts'

/** For `update runs r set …`: its counts, all and open, by the findings that it has now. */
export const COUNTED = `
  counts = (
    select jsonb_build_object(
      'critical', count(*) filter (where severity = 'critical'),
      'high', count(*) filter (where severity = 'high'),
      'medium', count(*) filter (where severity = 'medium'),
      'low', count(*) filter (where severity = 'low'),
      'info', count(*) filter (where severity = 'info'))
      from findings f where f.run_id = r.id),
  open_counts = open_counts(r.id)`

/** A finding as it was judged; the store gives it its id, its status against the domain's last finished run, and triage. */
export type NewFinding = Omit<Finding, 'id' | 'status' | 'triage'>

interface Row extends TriageRow {
  readonly id: string
  readonly status: Finding['status']
  readonly proof_hash: string
  readonly body: NewFinding
}

/** `Row`s of findings `f`. */
const SELECT = `select f.id, f.status, coalesce(f.proof_hash, '') as proof_hash, f.body, ${TRIAGE_COLUMNS}
  from findings f
  join runs r on r.id = f.run_id
  left join triage t on t.domain_id = r.domain_id and t.fingerprint = f.fingerprint`

/** Fingerprints of what a judgement of the same run came to beside the one before. */
export interface Revised {
  readonly added: readonly string[]
  /** By what a decision rests on: severity, confidence, CVEs, proof. */
  readonly changed: readonly string[]
  readonly gone: readonly string[]
}

/** A module, and what it found. */
export interface Judged {
  readonly module: string
  readonly findings: readonly NewFinding[]
}

/** Inside a transaction that holds the lease: replaces what these modules reported before. What is found again keeps its id. */
export const reviseFindings = async (tx: Queryable, runId: string, judged: readonly Judged[]): Promise<Revised> => {
  if (judged.length === 0) return { added: [], changed: [], gone: [] }
  const stored = await tx.query<Pick<Row, 'id' | 'body'> & Own>(
    'select id, module, body from findings where run_id = $1 and module = any ($2::text[]) for update',
    [runId, judged.map(({ module }) => module)],
  )
  const nameOf = (module: string, { check_id, fingerprint }: NewFinding): string =>
    `${module} ${check_id} ${fingerprint}`
  const before = new Map(stored.map((row) => [nameOf(row.module, row.body), row]))
  const found = judged.flatMap(({ module, findings }) =>
    findings.map((finding) => ({ module, finding, was: before.get(nameOf(module, finding)) })),
  )
  const kept = found.flatMap(({ finding, was }) => (was === undefined ? [] : [{ finding, was }]))
  const added = found.filter(({ was }) => was === undefined)
  const names = new Set(found.map(({ module, finding }) => nameOf(module, finding)))
  const gone = stored.filter(({ module, body }) => !names.has(nameOf(module, body)))
  if (gone.length > 0) await tx.query('delete from findings where id = any ($1::uuid[])', [gone.map(({ id }) => id)])
  await rewrite(tx, kept)
  await insertFindings(tx, runId, added)
  return {
    added: added.map(({ finding }) => finding.fingerprint),
    changed: kept
      .filter(({ finding, was }) => proofHash(finding) !== proofHash(was.body))
      .map(({ finding }) => finding.fingerprint),
    gone: gone.map(({ body }) => body.fingerprint),
  }
}

/** Whose it is. */
type Own = Pick<Judged, 'module'>

const rewrite = async (
  tx: Queryable,
  kept: readonly { readonly finding: NewFinding; readonly was: Pick<Row, 'id'> }[],
): Promise<void> => {
  if (kept.length === 0) return
  await tx.query(
    `update findings f
        set severity = n.severity, rank = n.rank, confidence = n.confidence, proof_hash = n.proof_hash, proof_rule = ${PROOF_RULE},
            body = n.body::json
       from unnest($1::uuid[], $2::text[], $3::int[], $4::text[], $5::text[], $6::text[])
              as n (id, severity, rank, confidence, proof_hash, body)
      where f.id = n.id`,
    [
      kept.map(({ was }) => was.id),
      kept.map(({ finding }) => finding.severity),
      kept.map(({ finding }) => SEVERITIES.indexOf(finding.severity)),
      kept.map(({ finding }) => finding.confidence),
      kept.map(({ finding }) => proofHash(finding)),
      kept.map(({ finding }) => JSON.stringify(finding)),
    ],
  )
}

const insertFindings = async (
  tx: Queryable,
  runId: string,
  added: readonly (Own & { readonly finding: NewFinding })[],
): Promise<void> => {
  if (added.length === 0) return
  const findings = added.map(({ finding }) => finding)
  await tx.query(
    `insert into findings (run_id, module, check_id, severity, rank, confidence, fingerprint, formerly, identity_rule, proof_hash, proof_rule, status, body)
     select r.id, f.module, f.check_id, f.severity, f.rank, f.confidence, f.fingerprint, was.formerly, ${IDENTITY_RULE}, f.proof_hash, ${PROOF_RULE},
            case when exists (
              select 1 from findings b
               where b.run_id = r.baseline_run_id and b.fingerprint = any (f.fingerprint || was.formerly)
                 and (b.fingerprint = f.fingerprint or b.identity_rule < ${IDENTITY_RULE})
            ) then 'recurring' else 'new' end,
            f.body::json
       from runs r,
            unnest($2::text[], $3::text[], $4::text[], $5::int[], $6::text[], $7::text[], $8::text[],
                   $9::text[], $10::text[])
              as f (module, check_id, severity, rank, confidence, fingerprint, proof_hash, body, formerly),
            lateral (
              select coalesce(array_agg(one), '{}') as formerly from json_array_elements_text(f.formerly::json) as one) was
      where r.id = $1`,
    [
      runId,
      added.map(({ module }) => module),
      findings.map((finding) => finding.check_id),
      findings.map((finding) => finding.severity),
      findings.map((finding) => SEVERITIES.indexOf(finding.severity)),
      findings.map((finding) => finding.confidence),
      findings.map((finding) => finding.fingerprint),
      findings.map(proofHash),
      findings.map((finding) => JSON.stringify(finding)),
      findings.map(({ formerly = [] }) => JSON.stringify(formerly)),
    ],
  )
}

export interface FindingFilters {
  readonly severity?: Severity | undefined
  readonly module?: string | undefined
  readonly confidence?: Confidence | undefined
}
export type FindingCursor = Pick<Finding, 'severity' | 'check_id' | 'fingerprint' | 'id'>

/** Gravest first, then by check and fingerprint. `after` is the last one of the page before. */
export const listFindings = async (
  db: Queryable,
  runId: string,
  filters: FindingFilters,
  after: FindingCursor | null,
  limit: number,
): Promise<Finding[]> => {
  const rows = await db.query<Row>(
    `${SELECT}
      where f.run_id = $1
        and ($2::text is null or f.severity = $2)
        and ($3::text is null or f.module = $3)
        and ($4::text is null or f.confidence = $4)
        and ($5::int is null or (f.rank, f.check_id, f.fingerprint, f.id) > ($5::int, $6, $7, $8::uuid))
      order by f.rank, f.check_id, f.fingerprint, f.id
      limit $9`,
    [
      runId,
      filters.severity ?? null,
      filters.module ?? null,
      filters.confidence ?? null,
      after ? SEVERITIES.indexOf(after.severity) : null,
      after?.check_id ?? null,
      after?.fingerprint ?? null,
      after?.id ?? null,
      limit,
    ],
  )
  return rows.map(toFinding)
}

/** All of a run, or of one of its modules, in the order of the list: the report shows exactly these. */
export const allFindings = async (db: Queryable, runId: string, module: string | null = null): Promise<Finding[]> =>
  (
    await db.query<Row>(
      `${SELECT} where f.run_id = $1 and ($2::text is null or f.module = $2) order by f.rank, f.check_id, f.fingerprint, f.id`,
      [runId, module],
    )
  ).map(toFinding)

export const getFinding = async (db: Queryable, runId: string, id: string): Promise<Finding | null> => {
  const [row] = await db.query<Row>(`${SELECT} where f.run_id = $1 and f.id = $2`, [runId, id])
  return row ? toFinding(row) : null
}

/**
 * What the domain's last finished run had found and this one has not, where the check ran again to an answer
 * (see gone.ts): a check that could not look at all of it resolves nothing, nor does a run without a login after one with. A
 * hypothesis has asked one place.
 */
export const resolvedFindings = async (
  db: Queryable,
  runId: string,
  coverage: readonly Coverage[],
): Promise<ResolvedFinding[]> => {
  const answered = answeredBy(coverage)
  const rows = await db.query<Pick<Row, 'body'>>(
    `select b.body
       from runs r
       join runs before on before.id = r.baseline_run_id and (r.signed_in or not before.signed_in)
       join findings b on b.run_id = before.id
      where r.id = $1 and r.options->'hypothesis' is null
        and not exists (
          select 1 from known_as f
           where f.run_id = r.id and f.fingerprint = b.fingerprint and b.identity_rule < f.before_rule)
      order by b.rank, b.check_id, b.fingerprint, b.id`,
    [runId],
  )
  return rows
    .map(({ body: { check_id, title, severity, location, fingerprint } }) => ({
      check_id,
      title,
      severity,
      location,
      fingerprint,
    }))
    .filter(({ check_id }) => answered.has(check_id))
}

const toFinding = ({ id, status, proof_hash, body, ...decision }: Row): Finding => ({
  id,
  ...body,
  status,
  triage: toTriage(decision, proof_hash),
})
