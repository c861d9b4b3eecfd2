import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../tests/support/databases.ts'
import { seedDomain } from '../../tests/support/seed.ts'
import { until } from '../../tests/support/until.ts'
import { memoryStorage, workerOptions } from '../../tests/support/worker.ts'
import type { Database, Queryable } from '../store/database.ts'
import { startWorker } from './loop.ts'

let t: TestDatabase
beforeAll(async () => {
  t = await openTestDatabase()
})
afterAll(() => t.drop())

test('a worker that has nothing to do asks two questions: what waits, and what is due', async () => {
  await seedDomain(t.db)
  const asked: string[] = []
  const noting = (inner: Queryable): Queryable => ({
    query: (sql, params) => {
      asked.push(sql)
      return inner.query(sql, params)
    },
  })
  const db: Database = {
    ...{ ...t.db, ...noting(t.db) },
    transaction: (work) => t.db.transaction((tx) => work(noting(tx))),
  }
  const options = workerOptions(db, memoryStorage(), {})
  const timing = { ...options.timing, poll: 50, reap: 50, sweep: 60_000 }
  const worker = await startWorker({ ...options, timing })
  const isRound = (sql: string): boolean => sql.includes('as erasures')
  /** In the last ten rounds; empty where there were fewer. */
  const lately = (): readonly string[] => {
    const from = asked.flatMap((sql, index) => (isRound(sql) ? [index] : [])).at(-10)
    const kinds = asked.slice(from ?? asked.length).map((sql) => sql.trim().split('\n')[0]?.slice(0, 40) ?? '')
    return [...new Set(kinds)].toSorted()
  }
  try {
    // What it does when it begins, retention among it, is behind it then.
    await until(() => lately().length === 2, 60_000)
    expect(lately()).toEqual(['select alone, scanned, batch from what_w', 'with clock as materialized (select clock'])
  } finally {
    await worker.drain()
  }
})
