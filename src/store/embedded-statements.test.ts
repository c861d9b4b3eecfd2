import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyTemplate } from '../../tests/support/databases.ts'
import { until } from '../../tests/support/until.ts'
import type { Database } from './database.ts'
import { openDatabase } from './open-database.ts'

let folder: string
let db: Database
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-statements-'))
  await copyTemplate(folder)
  db = await openDatabase({ dataDir: folder })
})
afterAll(async () => {
  await db.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The first time it is planned for itself, from the second on it is kept. */
const TIMES = [1, 2, 3]

test('a statement answers the same whether it is kept or not', async () => {
  const sql = `select $1::text as text, $2::int as number, $3::bigint as large, $4::numeric as exact, $5::boolean as yes,
    $6::timestamptz as at, $7::jsonb as data, $8::text[] as list, $9::bytea as bytes, $10::uuid as id, $11::text as nothing, $12::float8 as share`
  const row = {
    ...{
      text: `it's "so" {1}, \\ and ü`,
      number: -3,
      large: 2 ** 52,
      exact: 0.25,
      yes: true,
      nothing: null,
      share: 1.5,
    },
    ...{
      at: new Date('2026-01-31T12:00:00.123Z'),
      data: { a: [1, null, 'x"y'] },
      bytes: Buffer.from([0, 1, 254, 255]),
    },
    ...{ list: ['', 'a,b', '"q" \\ {x}', 'null'], id: '0f0e0d0c-0b0a-4908-8706-050403020100' },
  }
  const { text, number, large, exact, yes, at, data, list, bytes, id, nothing, share } = row
  const params = [text, number, large, exact, yes, at, JSON.stringify(data), list, bytes, id, nothing, share]
  for (const time of TIMES) expect(await db.query(sql, params), `time ${time}`).toEqual([row])
})

test('a statement that is refused says why, each time, and the next one works', async () => {
  for (const time of TIMES) {
    await expect(db.query('select 1 / $1::int as n', [0]), `time ${time}`).rejects.toMatchObject({ code: '22012' })
    expect(await db.query('select 1 / $1::int as n', [1])).toEqual([{ n: 1 }])
    await expect(db.query('select nothing from nowhere')).rejects.toMatchObject({ code: '42P01' })
  }
})

test('what fails in a transaction takes all of it back', async () => {
  await db.query('create table kept_rows (n int primary key)')
  const insert = (n: number) =>
    db.transaction(async (tx) => {
      await tx.query('insert into kept_rows (n) values ($1)', [n])
      await tx.query('insert into kept_rows (n) values ($1)', [n])
    })
  for (const time of TIMES) await expect(insert(time)).rejects.toMatchObject({ code: '23505' })
  expect(await db.query('select n from kept_rows')).toEqual([])
})

test('a table that is changed is read as it is now', async () => {
  await db.query('create table changing (a int)')
  await db.query('insert into changing (a) values (1)')
  for (const _ of TIMES) expect(await db.query('select * from changing')).toEqual([{ a: 1 }])
  await db.query(`alter table changing add column b text default 'two'`)
  for (const _ of TIMES) expect(await db.query('select * from changing')).toEqual([{ a: 1, b: 'two' }])
})

test('who listens hears what a kept statement says', async () => {
  const heard: string[] = []
  const stop = await db.listen('run_events', (payload) => heard.push(payload))
  for (const time of TIMES) await db.query(`select pg_notify('run_events', $1)`, [String(time)])
  await until(() => heard.length === TIMES.length, 5_000)
  expect(heard).toEqual(['1', '2', '3'])
  await stop()
})

test('more statements than are kept are answered as well', async () => {
  const texts = Array.from({ length: 400 }, (_, n) => `select ${n} + $1::int as n`)
  for (const _ of TIMES)
    for (const [n, text] of texts.entries()) expect(await db.query(text, [1])).toEqual([{ n: n + 1 }])
  const [kept] = await db.query<{ count: number }>(
    `select count(*) as count from pg_prepared_statements where name ~ '^s'`,
  )
  expect(kept?.count).toBeGreaterThan(100)
  expect(kept?.count).toBeLessThan(200)
})
