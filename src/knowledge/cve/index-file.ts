/**
 * The compiled index: one SQLite file, read by page, so that opening costs nothing and a product is found without
 * loading the rest. Ranges are sorted by a coarse number of their end; the comparator has the last word.
 */
import { DatabaseSync } from 'node:sqlite'
import { coarse } from '../versions/coarse.ts'
import type { Scheme } from '../versions/version.ts'
import { affects } from './affects.ts'
import type { Affected, CveMatch, CveRecord, CveSource, WithdrawnCve } from './record.ts'

const SCHEMA = `
create table cve (id integer primary key, data text not null);
create table withdrawn (id text primary key) without rowid;
create table product (id integer primary key, name text not null unique);
create table affected (
  product integer not null, high real not null, n integer not null, low real not null,
  cve integer not null, rank integer not null, scheme text not null, first text, last text, flags integer not null,
  primary key (product, rank desc, high, n)
) without rowid;
`

/** The gravest of one product and version that are read in full; beyond it nobody reads on. */
const MOST = 200

export interface IndexCounts {
  readonly records: number
  readonly ranges: number
}

/** Writes a whole index; records of one id are merged by whoever reads. The file must not exist. */
export const writeIndex = (path: string, records: Iterable<CveRecord | WithdrawnCve>): IndexCounts => {
  const db = new DatabaseSync(path)
  try {
    // A half-written file is thrown away, so nothing has to survive a crash while it grows.
    db.exec(`pragma journal_mode = off; pragma synchronous = off; pragma page_size = 8192; ${SCHEMA} begin`)
    const addCve = db.prepare('insert into cve (id, data) values (?, ?)')
    const addProduct = db.prepare('insert into product (id, name) values (?, ?)')
    const addAffected = db.prepare('insert into affected values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
    const products = new Map<string, number>()
    const idOf = (name: string): number => {
      const known = products.get(name)
      if (known !== undefined) return known
      products.set(name, products.size + 1)
      addProduct.run(products.size, name)
      return products.size
    }
    let count = 0
    let ranges = 0
    const addWithdrawn = db.prepare('insert or ignore into withdrawn (id) values (?)')
    for (const one of records) {
      if ('withdrawn' in one) {
        addWithdrawn.run(one.id)
        continue
      }
      const { affected, ...record } = one
      count += 1
      addCve.run(count, JSON.stringify(record))
      for (const statement of affected) {
        ranges += 1
        const [low, high] = bounds(statement)
        const { key, scheme, range } = statement
        const place = [idOf(key), high, ranges, low, count, rankOf(record)]
        addAffected.run(...place, scheme, range.start, range.end, flagsOf(statement))
      }
    }
    db.exec('commit; pragma optimize')
    return { records: count, ranges }
  } finally {
    db.close()
  }
}

const FOREVER = Number.MAX_SAFE_INTEGER

const bounds = ({ range, anyUpdate }: Affected): readonly [low: number, high: number] => [
  range.start === null ? 0 : coarse(range.start),
  range.end === null ? FOREVER : anyUpdate ? coarse(range.start ?? range.end) : coarse(range.end),
]

/** The exploited first, then by score; a CVE without a score stands in the middle. */
const rankOf = ({ exploitedSince, score }: Pick<CveRecord, 'exploitedSince' | 'score'>): number =>
  (exploitedSince === null ? 0 : 1_000) + Math.round((score ?? 5) * 10)

const flagsOf = ({ range, anyUpdate, conditional }: Affected): number =>
  +range.startIncluded + 2 * +range.endIncluded + 4 * +anyUpdate + 8 * +conditional

/** In the order of the query's columns: arrays are read faster than objects, and there may be thousands. */
type Row = readonly [cve: number, scheme: Scheme, first: string | null, last: string | null, flags: number]

const affectedOf = (key: string, [, scheme, first, last, flags]: Row): Affected => ({
  key,
  scheme,
  range: { start: first, startIncluded: (flags & 1) > 0, end: last, endIncluded: (flags & 2) > 0 },
  anyUpdate: (flags & 4) > 0,
  conditional: (flags & 8) > 0,
})

export interface CveIndex extends CveSource {
  readonly close: () => void
}

/** @throws when the file is no index */
export const openIndex = (path: string, feed: string, version: string): CveIndex => {
  const db = new DatabaseSync(path, { readOnly: true })
  // The gravest first, so that what is beyond the gravest is neither compared nor handed over.
  const ranges = db.prepare(
    `select cve, scheme, first, last, flags from affected a
     where a.product = (select id from product where name = ?) and a.high >= ? and a.low <= ?
     order by rank desc, high, n`,
  )
  ranges.setReturnArrays(true)
  // Of many records one text: each row that is handed over costs more than what is in it.
  const records = db.prepare(
    `select '[' || group_concat(c.data, ',' order by wanted.key) || ']'
     from json_each(?) wanted join cve c on c.id = wanted.value`,
  )
  records.setReturnArrays(true)
  const gone = db.prepare('select 1 from withdrawn where id = ?')
  const product = db.prepare('select 1 from product where name = ?')
  // Records begin with their number. Only what would be certain is asked for.
  const held = db.prepare(
    `select 1 from affected a join cve c on c.id = a.cve
     where a.product = (select id from product where name = ?) and c.data like ? limit 1`,
  )
  const find = (key: string, wanted: string): readonly CveMatch[] => {
    const place = coarse(wanted)
    const found = new Map<number, Affected>()
    for (const row of ranges.iterate(key, place, place) as unknown as Iterable<Row>) {
      const [cve] = row
      if (found.has(cve)) continue
      const affected = affectedOf(key, row)
      if (affects(affected, wanted)) found.set(cve, affected)
      if (found.size === MOST) break
    }
    if (found.size === 0) return []
    const [text] = records.get(JSON.stringify([...found.keys()])) as unknown as readonly [string]
    const read = JSON.parse(text) as readonly Omit<CveRecord, 'affected'>[]
    return [...found.values()].map((affected, index) => ({ ...read[index], affected }) as CveMatch)
  }
  return {
    ...{ feed, version, find },
    follows: (key) => product.get(key) !== undefined,
    holds: (key, id) => held.get(key, `{"id":"${id}",%`) !== undefined,
    isWithdrawn: (id) => gone.get(id) !== undefined,
    close: () => db.close(),
  }
}
