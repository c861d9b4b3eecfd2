/**
 * Runs of an organisation, newest first, and those whose name or id holds what is sought. Keyset paging: the depth of a page costs
 * nothing. Only what a list shows is read: a page has up to a hundred rows.
 */
import type { RunStatus, Tier } from '../contract/run.ts'
import type { Queryable } from './database.ts'
import { LIST_ITEM } from './run-row.ts'

export interface RunFilters {
  readonly domainId?: string | undefined
  readonly status?: readonly RunStatus[] | undefined
  readonly tier?: Tier | undefined
  /** Inclusive. */
  readonly from?: Date | undefined
  /** Exclusive. */
  readonly to?: Date | undefined
  /** Part of the domain, or beginning of the id. */
  readonly q?: string | undefined
}

export interface After {
  readonly createdAt: Date
  readonly id: string
}

/**
 * Newest runs that a search looks through before it asks the indexes of names and ids: what is frequent is found among them. The planner is
 * not told how many: where most organisations have fewer, it would read and sort all that the largest has.
 */
const LOOKED_THROUGH = 1_000
/**
 * Letters of the beginning of an id up to which one is met soon on the way through the newest, with two of them one in 256; however many
 * runs there are. Those that begin with three are so many fewer that finding all is less than that way.
 */
const FREQUENT_BEGINNING = 2
const ITEM = `${LIST_ITEM} as item`
const NEWEST = 'order by r.created_at desc, r.id desc'

/** Each a `RunListItem`, written as JSON already. `after` is the last one of the page before. */
export const listRuns = async (
  db: Queryable,
  organisationId: string,
  filters: RunFilters,
  after: After | null,
  limit: number,
): Promise<string[]> => {
  const ask = async (make: (list: List) => string): Promise<string[]> => {
    const list = new List(organisationId, filters, after)
    return (await db.query<{ item: string }>(make(list), list.params)).map(({ item }) => item)
  }
  const q = filters.q?.toLowerCase() ?? ''
  if (q === '') return ask((list) => list.newest(ITEM, list.bind(limit)))
  const among = await ask((list) => list.among(q, limit))
  return among.length === limit ? among : ask((list) => list.sought(q, limit))
}

/** Who asks for a page without a filter, and where it begins. */
export interface NewestAsked {
  readonly organisationId: string
  readonly after: After | null
}

/** Rows of a page of the usual length, and one that tells whether there is another page. */
export const USUAL_PAGE = 26

/** What `listRuns` gives each without a filter, as many as `USUAL_PAGE`; in the order in which they are asked for. */
export const listNewest = async (db: Queryable, asked: readonly NewestAsked[]): Promise<string[][]> => {
  const lists = asked.map((): string[] => [])
  const rows = await db.query<{ n: number; item: string }>(NEWEST_OF, [
    JSON.stringify(
      asked.map(({ organisationId: organisation, after }, n) => ({
        ...{ n, organisation, at: after?.createdAt ?? 'infinity', id: after?.id ?? LAST_ID },
      })),
    ),
  ])
  for (const { n, item } of rows) lists[n]?.push(item)
  return lists
}

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Neither how many ask nor how long a page is is part of its plan: see `LOOKED_THROUGH`. */
const NEWEST_OF = `
  select asked.n, found.item
    from jsonb_to_recordset($1::jsonb) as asked (n integer, organisation uuid, at timestamptz, id uuid)
   cross join lateral (
     select ${ITEM}, r.created_at, r.id from runs r
      where r.organisation_id = asked.organisation and (r.created_at, r.id) < (asked.at, asked.id) ${NEWEST} limit (select ${USUAL_PAGE})) as found
   order by asked.n, found.created_at desc, found.id desc`

/** One statement with its parameters, `$1` the organisation. */
class List {
  readonly params: unknown[] = []
  readonly #where: readonly string[]
  readonly #status: readonly RunStatus[]
  readonly #domain: string | null

  constructor(organisationId: string, filters: RunFilters, after: After | null) {
    const where = [`r.organisation_id = ${this.bind(organisationId)}`]
    this.#status = [...new Set(filters.status)]
    this.#domain = filters.domainId ? this.bind(filters.domainId) : null
    if (this.#domain) where.push(`r.domain_id = ${this.#domain}`)
    if (this.#status.length === 1) where.push(`r.status = ${this.bind(this.#status[0])}`)
    if (filters.tier) where.push(`r.tier = ${this.bind(filters.tier)}`)
    if (filters.from) where.push(`r.created_at >= ${this.bind(filters.from)}`)
    if (filters.to) where.push(`r.created_at < ${this.bind(filters.to)}`)
    if (after) {
      where.push(`(r.created_at, r.id) < (${this.bind(after.createdAt)}::timestamptz, ${this.bind(after.id)}::uuid)`)
    }
    this.#where = where
  }

  bind(value: unknown): string {
    return `$${this.params.push(value)}`
  }

  /** Of several states the newest of each: of states that are rare, all others would be looked through. */
  newest(columns: string, limit: string): string {
    if (this.#status.length < 2) return `select ${columns} from runs r where ${this.#all()} ${NEWEST} limit ${limit}`
    return `select ${columns} from unnest(${this.bind(this.#status)}::text[]) as s (status) cross join lateral (
              select * from runs r where ${this.#all()} and r.status = s.status ${NEWEST} limit ${limit}) as r
             ${NEWEST} limit ${limit}`
  }

  /** Those of the newest that hold it. */
  among(q: string, limit: number): string {
    const ids = this.#ids(q)
    const like = this.#like(q)
    return `select ${ITEM} from (${this.newest('r.*', this.bind(LOOKED_THROUGH))}) as r
             where ${like}${ids ? ` or ${ids}` : ''} ${NEWEST} limit ${this.bind(limit)}`
  }

  /** By the indexes of names and ids: first which, and of these the newest. */
  sought(q: string, limit: number): string {
    const most = this.bind(limit)
    const like = this.#like(q)
    const pieces = `name_pieces(r.organisation_id, r.domain) @> sought_pieces($1, ${this.bind(q)})`
    const frequent = q.length <= FREQUENT_BEGINNING
    const ids = this.#ids(q, frequent)
    const matching = this.#all(true)
    const of = (domain: string, limit: string): string =>
      `lateral (select r.created_at, r.id from runs r where r.domain_id = ${domain} and ${matching} ${NEWEST} limit ${limit})`
    const found = [
      // Of as many domains as there are runs to be found, whose newest are the newest: no other has any of them.
      `select f.created_at, f.id from (
         select named.id from named cross join ${of('named.id', '1')} as r ${NEWEST} limit ${most}) as likely
       cross join ${of('likely.id', most)} as f`,
      // Whose domain was removed.
      `(select r.created_at, r.id from runs r where r.domain_id is null and ${pieces} and ${like} and ${matching} ${NEWEST} limit ${most})`,
      // A limit within would have the planner walk by time until it met as many.
      ...(ids
        ? [
            `(select * from (select r.created_at, r.id from runs r where ${ids} and ${matching} ${frequent ? '' : 'offset 0'}) as r
               ${NEWEST} limit ${most})`,
          ]
        : []),
    ]
    // The pieces are of the organisation: its index of names would be read whole beside theirs.
    return `with named as materialized (
              select r.id from domains r where r.organisation_id is not distinct from $1 and ${pieces} and ${like}
              ${this.#domain ? `and r.id = ${this.#domain}` : ''}
            ), found as (
              select distinct created_at, id from (${found.join(' union all ')}) as r
               order by created_at desc, id desc limit ${most}
            )
            select ${ITEM} from found join runs r on r.id = found.id ${NEWEST}`
  }

  #all(withStatus = false): string {
    const several = withStatus && this.#status.length > 1
    return [...this.#where, ...(several ? [`r.status = any (${this.bind(this.#status)}::text[])`] : [])].join(' and ')
  }

  #like(q: string): string {
    return `r.domain like ${this.bind(`%${escapeLike(q)}%`)}`
  }

  /** `walked`: in words that no index of ids is asked for. */
  #ids(q: string, walked = false): string | null {
    const ids = idsFrom(q)
    if (ids === null) return null
    const [first, last] = [`${this.bind(ids.first)}::uuid`, `${this.bind(ids.last)}::uuid`]
    return walked ? `uuid_ge(r.id, ${first}) and uuid_le(r.id, ${last})` : `r.id between ${first} and ${last}`
  }
}

/** The ids that begin so, null where none can. A comparison of ids costs a tenth of one of their texts. */
const idsFrom = (beginning: string): { readonly first: string; readonly last: string } | null => {
  const [first, last] = ['0', 'f'].map((digit) => {
    const rest = '00000000-0000-0000-0000-000000000000'.slice(beginning.length)
    return beginning + rest.replaceAll('0', digit)
  })
  return first && last && /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/.test(first) ? { first, last } : null
}

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')
