import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ENGINES, type TestDatabase } from '../../tests/support/databases.ts'
import { until } from '../../tests/support/until.ts'
import { DatabaseError } from './database.ts'
import { appliedMigrations, migrate, migrationFiles } from './migrate.ts'

describe.each(ENGINES)('database on $kind', ({ open }) => {
  let t: TestDatabase
  beforeAll(async () => {
    t = await open()
  })
  afterAll(() => t.drop())

  test('rows have the same JavaScript types', async () => {
    const [row] = await t.db.query(
      `select 7::int2 as a, 8::int4 as b, 9::int8 as c, count(*) as d, true as e, null as f, 'x' as g,
              '2026-01-31 12:00:00.123+00'::timestamptz as h, '\\x00ff'::bytea as i, '{"a":[1]}'::jsonb as j,
              '{"b":"\\u0000"}'::json as k, array['p','q,"r'] as l, 1.5::float8 as m, 2.5::numeric as n,
              '1e40'::text as o, gen_random_uuid() as p`,
      [],
    )
    expect(row).toEqual({
      a: 7,
      b: 8,
      c: 9,
      d: 1,
      e: true,
      f: null,
      g: 'x',
      h: new Date('2026-01-31T12:00:00.123Z'),
      i: Buffer.of(0, 255),
      j: { a: [1] },
      k: { b: '\0' },
      l: ['p', 'q,"r'],
      m: 1.5,
      n: 2.5,
      o: '1e40',
      p: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(Buffer.isBuffer((row as { i: unknown }).i)).toBe(true)
  })

  test('parameters of every kind arrive', async () => {
    const at = new Date('2026-02-03T04:05:06.789Z')
    const [row] = await t.db.query(
      `select $1::timestamptz as a, $2::bytea as b, $3::text[] as c, $4::int as d, $5::boolean as e, $6::text as f,
              $7::json as g, $8::jsonb as h`,
      [at, Buffer.from('äö'), ['x', 'y"z'], 3, false, null, JSON.stringify([1]), JSON.stringify({ z: 'ü' })],
    )
    expect(row).toEqual({
      a: at,
      b: Buffer.from('äö'),
      c: ['x', 'y"z'],
      d: 3,
      e: false,
      f: null,
      g: [1],
      h: { z: 'ü' },
    })
  })

  test('a NUL in text and a lone surrogate are stored, not refused', async () => {
    expect(await t.db.query(`select $1::text as a, $2::json as b`, ['x\0y\ud800', JSON.stringify('\0\ud800')])).toEqual(
      [{ a: 'x\uFFFDy\uFFFD', b: '\0\ud800' }],
    )
  })

  test('a number beyond 2^53 is refused instead of rounded', async () => {
    await expect(t.db.query(`select 9007199254740993::int8 as n`, [])).rejects.toThrow(/2\^53/)
    expect(await t.db.query('select 1 as n', [])).toEqual([{ n: 1 }])
  })

  test('an error has its SQLSTATE', async () => {
    await expect(t.db.query('select 1/0', [])).rejects.toMatchObject({ name: 'DatabaseError', code: '22012' })
    await expect(t.db.query('nonsense')).rejects.toBeInstanceOf(DatabaseError)
  })

  test('a transaction that throws leaves nothing, and the next one works', async () => {
    await t.db.query('create table tried (n int)')
    await expect(
      t.db.transaction(async (tx) => {
        await tx.query('insert into tried values (1)')
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    await expect(t.db.transaction((tx) => tx.query('insert into tried values (1/0)'))).rejects.toThrow()
    await t.db.transaction((tx) => tx.query('insert into tried values ($1)', [2]))
    expect(await t.db.query('select n from tried')).toEqual([{ n: 2 }])
  })

  test('a transaction without a statement is one, and its first statements may be asked at once', async () => {
    expect(await t.db.transaction(async () => 'nothing')).toBe('nothing')
    await expect(t.db.transaction(() => Promise.reject(new Error('before')))).rejects.toThrow('before')
    await expect(
      t.db.transaction(async (tx) => {
        await Promise.all([3, 4].map((n) => tx.query('insert into tried values ($1)', [n])))
        throw new Error('after')
      }),
    ).rejects.toThrow('after')
    expect(await t.db.query('select n from tried where n > 2')).toEqual([])
  })

  test('statements of two transactions never mix', async () => {
    await t.db.query('create table mixed (who int, n int)')
    const writer = (who: number) =>
      t.db.transaction(async (tx) => {
        for (let n = 0; n < 5; n += 1) await tx.query('insert into mixed values ($1, $2)', [who, n])
        if (who % 2) throw new Error('odd')
      })
    const results = await Promise.allSettled(Array.from({ length: 10 }, (_, who) => writer(who)))
    expect(results.filter((result) => result.status === 'rejected')).toHaveLength(5)
    const rows = await t.db.query('select who, count(*) as n from mixed group by who order by who')
    expect(rows).toEqual([0, 2, 4, 6, 8].map((who) => ({ who, n: 5 })))
  })

  test('a notification arrives after the commit, and never after a rollback', async () => {
    const seen: string[] = []
    const stop = await t.db.listen('run_cancel', (payload) => seen.push(payload))
    await t.db
      .transaction(async (tx) => {
        await tx.query(`select pg_notify('run_cancel', 'rolled back')`)
        throw new Error('no')
      })
      .catch(() => undefined)
    await t.db.transaction((tx) => tx.query(`select pg_notify('run_cancel', 'kept')`))
    await until(() => seen.length > 0)
    expect(seen).toEqual(['kept'])
    await stop()
    const again: string[] = []
    await t.db.listen('run_cancel', (payload) => again.push(payload))
    await t.db.query(`select pg_notify('run_cancel', 'second')`)
    await until(() => again.length > 0)
    expect(seen).toEqual(['kept'])
  })

  test('migrating again applies nothing, and a newer database is refused', async () => {
    expect(await migrate(t.db)).toEqual([])
    expect(await appliedMigrations(t.db)).toEqual(migrationFiles())
    await t.db.query(`insert into schema_migrations (name) values ('9999-future.sql')`)
    await expect(migrate(t.db)).rejects.toThrow(/newer than this version.*9999-future/)
    await t.db.query(`delete from schema_migrations where name = '9999-future.sql'`)
  })
})
