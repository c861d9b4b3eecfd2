/** Feeds that are looked up by a key: KEV, EPSS, the Debian tracker, retire.js, endoflife. One SQLite file each. */
import { DatabaseSync } from 'node:sqlite'
import { dataFile, readActive } from './active.ts'
import type { FeedId } from './feed.ts'

export interface Item {
  readonly key: string
  /** Plain JSON. */
  readonly value: unknown
}

/** @returns how many were written. A key that comes twice keeps the last value, or joins objects by their members. */
export const writeItems = (path: string, items: Iterable<Item>, joins = false): number => {
  const db = new DatabaseSync(path)
  try {
    db.exec('pragma journal_mode = off; pragma synchronous = off')
    db.exec('create table item (key text primary key, value text not null) without rowid; begin')
    const value = joins ? 'json_patch(value, excluded.value)' : 'excluded.value'
    const add = db.prepare(
      `insert into item (key, value) values (?, ?) on conflict (key) do update set value = ${value}`,
    )
    for (const item of items) add.run(item.key, JSON.stringify(item.value))
    db.exec('commit')
    return Number(db.prepare('select count(*) as n from item').get()?.n)
  } finally {
    db.close()
  }
}

export interface OpenFeed {
  readonly version: string
  /** Null where the key is unknown. */
  readonly get: (key: string) => unknown
  /** Values of all keys that begin so, in order of the keys; at most a thousand. */
  readonly startingWith: (prefix: string) => readonly Item[]
  readonly close: () => void
}

/** Null when the feed was never imported. */
export const openFeed = (folder: string, feed: FeedId): OpenFeed | null => {
  const active = readActive(folder, feed)
  if (active === null) return null
  const db = new DatabaseSync(dataFile(folder, feed, active.version), { readOnly: true })
  const one = db.prepare('select value from item where key = ?')
  const some = db.prepare('select key, value from item where key >= ? and key < ? order by key limit 1000')
  return {
    version: active.version,
    get: (key) => {
      const row = one.get(key)
      return row === undefined ? null : (JSON.parse(String(row.value)) as unknown)
    },
    startingWith: (prefix) =>
      some
        .all(prefix, `${prefix}\u{10ffff}`)
        .map((row) => ({ key: String(row.key), value: JSON.parse(String(row.value)) as unknown })),
    close: () => db.close(),
  }
}
