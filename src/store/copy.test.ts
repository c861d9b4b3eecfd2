import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openEmbeddedDatabase, openPostgresDatabase, type TestDatabase } from '../../tests/support/databases.ts'
import { everything, fillEverything, TABLES } from '../../tests/support/full-database.ts'
import { seedDomain, take } from '../../tests/support/seed.ts'
import { authenticate } from './api-keys.ts'
import { copyDatabase } from './copy.ts'

describe('copy from the embedded database to PostgreSQL', () => {
  let from: TestDatabase
  let to: TestDatabase
  beforeEach(async () => {
    ;[from, to] = await Promise.all([openEmbeddedDatabase(), openPostgresDatabase()])
  })
  afterEach(async () => {
    await from.drop()
    await to.drop()
  })

  test('every row of every table arrives unchanged, and the service goes on there', async () => {
    const secret = await fillEverything(from.db)
    const copied = await copyDatabase(from.db, to.db)
    expect(copied.map(({ table }) => table)).toEqual(TABLES)
    expect(copied.every(({ rows }) => rows > 0)).toBe(true)
    expect(await everything(to.db)).toEqual(await everything(from.db))
    expect(await authenticate(to.db, secret)).not.toBeNull()
    expect(await take(to.db)).not.toBeNull()
  })

  test('a target with rows is refused and left as it was', async () => {
    await fillEverything(from.db)
    await seedDomain(to.db)
    const before = await everything(to.db)
    await expect(copyDatabase(from.db, to.db)).rejects.toThrow(/not empty: it has rows in organisations/)
    expect(await everything(to.db)).toEqual(before)
  })

  test('a table that a later version added is not left behind silently', async () => {
    await from.db.query('create table surprise (n int primary key)')
    await expect(copyDatabase(from.db, to.db)).rejects.toThrow(/does not know how to copy surprise/)
  })

  test('different points of migration are refused', async () => {
    await to.db.query(`delete from schema_migrations where name like '0002%'`)
    await expect(copyDatabase(from.db, to.db)).rejects.toThrow(/same point/)
  })
})
