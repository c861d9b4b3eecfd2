import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgresDatabase, type TestDatabase } from '../../tests/support/databases.ts'
import { until } from '../../tests/support/until.ts'
import { openDatabase } from './open-database.ts'

describe('PostgreSQL', () => {
  let t: TestDatabase
  let other: TestDatabase['db']
  beforeAll(async () => {
    t = await openPostgresDatabase()
    other = await openDatabase(t.where)
  })
  afterAll(async () => {
    await other.close()
    await t.drop()
  })

  /** As a restart of the server does to each connection; 'sonde%' spares the one that asks. */
  const breakConnections = (name: string) =>
    other.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = $1 and pid <> pg_backend_pid()`,
      [name],
    )

  test('a broken listener comes back, says that something may have been missed, and hears again', async () => {
    const heard: string[] = []
    await t.db.listen('run_events', (payload) => heard.push(payload))
    await breakConnections('sonde listen')
    await until(() => heard.includes(''))
    await other.query(`select pg_notify('run_events', 'after')`)
    await until(() => heard.includes('after'))
    expect(heard.filter((payload) => payload === 'after')).toHaveLength(1)
  })

  test('channels that are listened to at once are asked for one after the other', async () => {
    const warned: string[] = []
    const note = ({ message }: Error): void => void warned.push(message)
    process.on('warning', note)
    const heard: string[] = []
    const channels = ['runs_queued', 'deliveries', 'login_tests', 'reports_due'] as const
    await Promise.all(channels.map((channel) => t.db.listen(channel, () => heard.push(channel))))
    await other.query(`select pg_notify('reports_due', '')`)
    await until(() => heard.length > 0)
    process.off('warning', note)
    expect([heard, warned]).toEqual([['reports_due'], []])
  })

  test('broken idle connections are replaced', async () => {
    await Promise.all(Array.from({ length: 4 }, () => t.db.query('select pg_sleep(0.05)')))
    await breakConnections('sonde')
    await until(async () => {
      try {
        return (await t.db.query('select 1')).length === 1
      } catch {
        return false
      }
    })
    expect(await t.db.query('select 1 as n')).toEqual([{ n: 1 }])
  })

  test('a connection that breaks inside a transaction fails the transaction alone', async () => {
    await expect(
      t.db.transaction(async (tx) => {
        await tx.query('select 1')
        await breakConnections('sonde')
        await tx.query('select 2')
      }),
    ).rejects.toThrow()
    expect(await t.db.transaction((tx) => tx.query('select 3 as n'))).toEqual([{ n: 3 }])
  })

  test('messages cross processes: one database object hears the other', async () => {
    const heard: string[] = []
    await t.db.listen('run_cancel', (payload) => heard.push(payload))
    await other.query(`select pg_notify('run_cancel', 'x')`)
    await until(() => heard.length > 0)
    expect(heard).toEqual(['x'])
  })

  test('a server that does not answer: an error at once, with the cause', async () => {
    await expect(openDatabase({ url: 'postgres://x@127.0.73.1:1/none' })).rejects.toThrow(/ECONNREFUSED/)
  })
})
