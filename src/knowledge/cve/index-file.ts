/**
 * The compiled index: one SQLite file, read by page, so that opening costs nothing and a product is found without
 * loading the rest. Ranges are sorted by a coarse number of their end; the comparator has the last word.
 */
import { DatabaseSync } from 'node:sqlite'
import { coarse } from '../versions/coarse.ts'
import type { Scheme } from '../versions/version.ts'
import { affects } from './affects.ts'
import type { Affected, CveMatch, CveRecord, CveSource } from './record.ts'

const SCHEMA = `
create table cve (id integer primary key, data text not null);
create table product (id integer primary key, name text not null unique);
create table affected (
  product integer not null, high real not null, n integer not null, low real not null, cve integer not null, data text not null,
  primary key (product, high, n)
) without rowid;
`

export interface IndexCounts {
  readonly records: number
  readonly ranges: number
}

/** Writes a whole index; records of one id are merged by whoever reads. The file must not exist. */
export const writeIndex = (path: string, records: Iterable<CveRecord>): IndexCounts => {
  const db = new DatabaseSync(path)
  try {
    // A half-written file is thrown away, so nothing has to survive a crash while it grows.
    db.exec(`pragma journal_mode = off; pragma synchronous = off; pragma page_size = 8192; ${SCHEMA} begin`)
    const addCve = db.prepare('insert into cve (id, data) values (?, ?)')
    const addProduct = db.prepare('insert into product (id, name) values (?, ?)')
    const addAffected = db.prepare('insert into affected (product, high, n, low, cve, data) values (?, ?, ?, ?, ?, ?)')
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
    for (const { affected, ...record } of records) {
      count += 1
      addCve.run(count, JSON.stringify(record))
      for (const one of affected) {
        ranges += 1
        const [low, high] = bounds(one)
        addAffected.run(idOf(one.key), high, ranges, low, count, packed(one))
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

const packed = ({ scheme, range, anyUpdate, conditional }: Affected): string =>
  JSON.stringify([scheme, range.start, +range.startIncluded, range.end, +range.endIncluded, +anyUpdate, +conditional])

const unpacked = (key: string, text: string): Affected => {
  const [scheme, start, startIncluded, end, endIncluded, anyUpdate, conditional] = JSON.parse(text) as [
    Scheme,
    string | null,
    number,
    string | null,
    number,
    number,
    number,
  ]
  return {
    key,
    scheme,
    range: { start, startIncluded: startIncluded === 1, end, endIncluded: endIncluded === 1 },
    anyUpdate: anyUpdate === 1,
    conditional: conditional === 1,
  }
}

export interface CveIndex extends CveSource {
  readonly close: () => void
}

/** @throws when the file is no index */
export const openIndex = (path: string, feed: string, version: string): CveIndex => {
  const db = new DatabaseSync(path, { readOnly: true })
  const ranges = db.prepare(
    `select a.data as data, a.cve as cve from affected a
     where a.product = (select id from product where name = ?) and a.high >= ? and a.low <= ?`,
  )
  const record = db.prepare('select data from cve where id = ?')
  const find = (key: string, wanted: string): readonly CveMatch[] => {
    const place = coarse(wanted)
    const found = new Map<number, CveMatch>()
    for (const row of ranges.all(key, place, place)) {
      const cve = Number(row.cve)
      if (found.has(cve)) continue
      const affected = unpacked(key, String(row.data))
      if (!affects(affected, wanted)) continue
      const read = JSON.parse(String(record.get(cve)?.data)) as Omit<CveRecord, 'affected'>
      found.set(cve, { ...read, affected })
    }
    return [...found.values()]
  }
  return { feed, version, find, close: () => db.close() }
}
