/** The problems of an organisation's domains over all runs: lists, and what people change of them. */
import type {
  ChangeFields,
  DomainFinding,
  DomainFindingEvent,
  DomainFindingGroup,
  ListDomainFindings,
  ProblemFilters,
} from '../contract/domain-finding.ts'
import { SEVERITIES } from '../contract/finding.ts'
import type { ProblemKey } from './adoption.ts'
import type { Database, Queryable } from './database.ts'
import type { NewFinding } from './findings.ts'
import { tellMentions } from './mentions.ts'
import { OVERDUE, type ProblemRow, SELECT_PROBLEMS, toDomainFinding } from './problem-row.ts'
import { columnsOf, record, tell } from './problem-states.ts'
import { iso } from './time.ts'
import { type Decision, decideAll } from './triage.ts'

/** Values of the order, as text, from the first column to the last. */
export type ProblemPosition = readonly string[]

interface Order {
  readonly columns: readonly (readonly [column: string, type: string])[]
  readonly way: 'asc' | 'desc'
  readonly positionOf: (row: ProblemRow) => readonly string[]
}

const ORDERS: Readonly<Record<ListDomainFindings['sort'], Order>> = {
  severity: {
    columns: [
      ['gravity', 'smallint'],
      ['first_seen', 'timestamptz'],
    ],
    way: 'desc',
    positionOf: (row) => [String(4 - SEVERITIES.indexOf(row.severity ?? row.seen_severity)), iso(row.first_seen)],
  },
  last_seen: { columns: [['last_seen', 'timestamptz']], way: 'desc', positionOf: (row) => [iso(row.last_seen)] },
  due: { columns: [['due_order', 'date']], way: 'asc', positionOf: (row) => [row.due_order] },
}

/** Conditions of a statement with their parameters; only what is asked for stands in it, so that an index of it can serve. */
class Where {
  readonly params: unknown[]
  readonly #conditions: string[]

  constructor(organisationId: string, filters: Searched) {
    this.params = [organisationId]
    this.#conditions = ['p.organisation_id = $1', 'p.superseded_at is null']
    const { domain_id, severity, module, check_id, state, since, assignee, due_before, kev, cwe, q } = filters
    if (domain_id !== undefined) this.add('p.domain_id =', domain_id, 'uuid')
    if (severity !== undefined) this.add('p.gravity = any', severity.map(gravityOf), 'smallint[]')
    if (module !== undefined) this.add('p.module =', module, 'text')
    if (check_id !== undefined) this.add('p.check_id =', check_id, 'text')
    if (state !== undefined) this.#state(state)
    if (since !== undefined) this.add('p.first_seen >=', new Date(since), 'timestamptz')
    if (assignee === '') this.raw('p.assignee is null')
    else if (assignee !== undefined) this.add('p.assignee =', assignee, 'text')
    if (due_before !== undefined) this.add('p.due_order <', due_before, 'date')
    if (kev !== undefined) this.raw(kev ? 'p.kev' : 'not p.kev')
    if (cwe !== undefined) this.add('p.cwe =', cwe, 'int')
    if (q !== undefined) this.#words(q, filters.named ?? [])
  }

  /** `condition` ends where its one parameter stands. */
  add(condition: string, value: unknown, type: string): void {
    this.params.push(value)
    this.#conditions.push(`${condition} ($${this.params.length}::${type})`)
  }

  raw(condition: string): void {
    this.#conditions.push(condition)
  }

  get text(): string {
    return this.#conditions.join(' and ')
  }

  /** Both open states together are a column of their own: they are what is looked at every day. */
  #state(states: readonly string[]): void {
    if (states.length === 2 && states.includes('open') && states.includes('reopened')) this.raw('p.open')
    else this.add('p.state = any', states, 'text[]')
  }

  /** The beginnings of words, in the letters and digits by which they were indexed. */
  #words(q: string, named: readonly NamedChecks[]): void {
    const { plain = [], titled = [] } = Object.groupBy(wordsOf(q), (word) =>
      named.some((one) => one.word === word && one.checks.length > 0) ? 'titled' : 'plain',
    )
    if (plain.length > 0) this.add('p.words @@ to_tsquery', plain.map((word) => `${word}:*`).join(' & '), 'text')
    for (const word of titled) {
      this.params.push(`${word}:*`, named.find((one) => one.word === word)?.checks ?? [])
      const last = this.params.length
      this.raw(`(p.words @@ to_tsquery($${last - 1}::text) or p.check_id = any ($${last}::text[]))`)
    }
  }
}

/** Checks whose title has a word in the language of the reader: titles are stored in English. */
export interface NamedChecks {
  readonly word: string
  readonly checks: readonly string[]
}
/** What a list is asked for. */
export type Searched = ProblemFilters & { readonly named?: readonly NamedChecks[] }

/** Of a search, as they are looked for. */
export const wordsOf = (q: string): readonly string[] => q.match(/[\p{L}\p{N}]+/gu) ?? []

const gravityOf = (severity: DomainFinding['severity']): number => 4 - SEVERITIES.indexOf(severity)

export interface ListedProblem {
  readonly finding: DomainFinding
  readonly position: ProblemPosition
}

/** The statement of a list, for whoever explains it. */
export const listStatement = (
  organisationId: string,
  filters: Searched,
  {
    sort,
    after,
    limit,
  }: { readonly sort: ListDomainFindings['sort']; readonly after: ProblemPosition | null; readonly limit: number },
): readonly [sql: string, params: readonly unknown[]] => {
  const where = new Where(organisationId, filters)
  const { columns, way } = ORDERS[sort]
  const all = [...columns, ['domain_id', 'uuid'], ['fingerprint', 'text']] as const
  if (after !== null) {
    const places = all.map(([, type], i) => {
      where.params.push(after[i])
      return `$${where.params.length}::${type}`
    })
    where.raw(
      `(${all.map(([column]) => `p.${column}`).join(', ')}) ${way === 'asc' ? '>' : '<'} (${places.join(', ')})`,
    )
  }
  const order = all.map(([column]) => `p.${column} ${way}`).join(', ')
  return [`${SELECT_PROBLEMS} where ${where.text} order by ${order} limit ${limit}`, where.params]
}

/** `after` is the position of the last one of the page before. */
export const listProblems = async (
  db: Queryable,
  organisationId: string,
  filters: Searched,
  page: { readonly sort: ListDomainFindings['sort']; readonly after: ProblemPosition | null; readonly limit: number },
): Promise<ListedProblem[]> => {
  const rows = await db.query<ProblemRow>(...listStatement(organisationId, filters, page))
  return rows.map((row) => ({
    finding: toDomainFinding(row),
    position: [...ORDERS[page.sort].positionOf(row), row.domain_id, row.fingerprint],
  }))
}

/** By check, the gravest and then the largest first. */
export const groupProblems = async (
  db: Queryable,
  organisationId: string,
  filters: Searched,
): Promise<DomainFindingGroup[]> => {
  const where = new Where(organisationId, filters)
  const rows = await db.query<Omit<DomainFindingGroup, 'severity'> & { readonly gravity: number }>(
    `select p.check_id, min(p.title) as title, max(p.gravity) as gravity, count(*) as findings,
            count(distinct p.domain_id) as domains, count(*) filter (where ${OVERDUE}) as overdue
       from problems p where ${where.text}
      group by p.check_id order by gravity desc, findings desc, p.check_id limit 1000`,
    where.params,
  )
  return rows.map(({ gravity, ...group }) => ({ ...group, severity: SEVERITIES[4 - gravity] ?? 'info' }))
}

/** By its present fingerprint or one that an earlier version gave it; null where the organisation has none such. */
export const getProblem = async (
  db: Queryable,
  organisationId: string,
  domainId: string,
  fingerprint: string,
): Promise<{ readonly finding: DomainFinding; readonly names: readonly string[] } | null> => {
  const [row] = await db.query<ProblemRow>(
    `${SELECT_PROBLEMS}
      where p.organisation_id = $1 and p.domain_id = $2 and p.superseded_at is null
        and (p.fingerprint = $3 or $3 = any (p.formerly))
      order by p.fingerprint = $3 desc limit 1`,
    [organisationId, domainId, fingerprint],
  )
  return row ? { finding: toDomainFinding(row), names: [row.fingerprint, ...row.formerly] } : null
}

export type ProblemChange = Omit<ChangeFields, 'state' | 'owner' | 'expires_at'> & {
  /** Null takes a decision back; undefined leaves it. */
  readonly decision?: Decision | null
}

/**
 * Changes these problems in the same way, each or, where the organisation lacks one of them, none (null). What was that way
 * already stays without a trace. Receivers are told once.
 */
export const changeProblems = (
  db: Database,
  organisationId: string,
  keys: readonly ProblemKey[],
  change: ProblemChange,
  by: string,
): Promise<DomainFinding[] | null> =>
  db.transaction(async (tx) => {
    const wanted = [...new Map(keys.map((key) => [`${key.domain_id} ${key.fingerprint}`, key])).values()]
    const locked = await tx.query<ProblemKey & { readonly finding_id: string }>(
      `select p.domain_id, p.fingerprint, p.finding_id from problems p
        where p.organisation_id = $3 and p.superseded_at is null and (p.domain_id, p.fingerprint) in (
          select domain_id, fingerprint from unnest($1::uuid[], $2::text[]) as k (domain_id, fingerprint))
        order by p.domain_id, p.fingerprint`,
      [...columnsOf(wanted), organisationId],
    )
    if (locked.length < wanted.length) return null
    if (change.decision !== undefined) await decideAbout(tx, locked, change.decision, by)
    await changeFields(tx, locked, change, by)
    await tell(tx, 'finding.changed', locked, null)
    return readAll(tx, locked)
  })

const decideAbout = async (
  tx: Queryable,
  keys: readonly (ProblemKey & { readonly finding_id: string })[],
  decision: Decision | null,
  by: string,
): Promise<void> => {
  const findings = await tx.query<{ id: string; body: NewFinding }>(
    'select id, body from findings where id = any ($1::uuid[])',
    [keys.map((key) => key.finding_id)],
  )
  const bodies = new Map(findings.map(({ id, body }) => [id, body]))
  const decided = keys.flatMap(({ domain_id, fingerprint, finding_id }) => {
    const body = bodies.get(finding_id)
    return body ? [{ domainId: domain_id, finding: { ...body, id: finding_id, fingerprint } }] : []
  })
  await decideAll(tx, decided, decision, by)
}

const changeFields = async (
  tx: Queryable,
  keys: readonly ProblemKey[],
  { severity, reason, assignee, due, comment }: ProblemChange,
  by: string,
): Promise<void> => {
  const note = { actor: by, runId: null, at: null }
  if (severity !== undefined) {
    const put = severity === null ? [null, null, null] : [severity, reason ?? '', by]
    const changed = await set(
      tx,
      keys,
      `severity = $3, severity_reason = $4, severity_by = $5, severity_at = case when $3::text is null then null else clock_timestamp() end`,
      'p.severity is distinct from $3 or p.severity_reason is distinct from $4',
      put,
    )
    const data = { severity, ...(reason === undefined ? {} : { reason }) }
    await record(tx, changed, { kind: 'severity', ...note, data: () => data })
  }
  if (assignee !== undefined) {
    const changed = await set(tx, keys, 'assignee = $3', 'p.assignee is distinct from $3', [assignee])
    await record(tx, changed, { kind: 'assigned', ...note, data: () => ({ assignee }) })
  }
  if (due !== undefined) {
    const changed = await set(tx, keys, 'due = $3::date', 'p.due is distinct from $3::date', [due])
    await record(tx, changed, { kind: 'due', ...note, data: () => ({ due }) })
  }
  if (comment !== undefined) {
    const mentions = await tellMentions(tx, keys, comment, by)
    const data = { text: comment, ...(mentions.length === 0 ? {} : { mentions }) }
    await record(tx, keys, { kind: 'comment', ...note, data: () => data })
  }
}

const set = (
  tx: Queryable,
  keys: readonly ProblemKey[],
  assignments: string,
  condition: string,
  params: readonly unknown[],
): Promise<ProblemKey[]> =>
  tx.query(
    `update problems p set ${assignments}
       from unnest($1::uuid[], $2::text[]) as k (domain_id, fingerprint)
      where p.domain_id = k.domain_id and p.fingerprint = k.fingerprint and (${condition})
     returning p.domain_id, p.fingerprint`,
    [...columnsOf(keys), ...params],
  )

const readAll = async (tx: Queryable, keys: readonly ProblemKey[]): Promise<DomainFinding[]> => {
  const rows = await tx.query<ProblemRow>(
    `${SELECT_PROBLEMS} where (p.domain_id, p.fingerprint) in (
        select domain_id, fingerprint from unnest($1::uuid[], $2::text[]) as k (domain_id, fingerprint))
      order by p.gravity desc, p.first_seen desc, p.domain_id desc, p.fingerprint desc`,
    columnsOf(keys),
  )
  return rows.map(toDomainFinding)
}

/** What happened to a problem under any of its names, the latest first; `after` is the last one of the page before. */
export const listProblemEvents = async (
  db: Queryable,
  domainId: string,
  names: readonly string[],
  after: { readonly createdAt: Date; readonly id: string } | null,
  limit: number,
): Promise<DomainFindingEvent[]> => {
  const rows = await db.query<Omit<DomainFindingEvent, 'at'> & { readonly at: Date }>(
    `select id, at, kind, actor, run_id, data from problem_events
      where domain_id = $1 and fingerprint = any ($2::text[]) and ($3::timestamptz is null or (at, id) < ($3, $4::uuid))
      order by at desc, id desc limit $5`,
    [domainId, names, after?.createdAt ?? null, after?.id ?? null, limit],
  )
  return rows.map((row) => ({ ...row, at: iso(row.at) }))
}
