import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { askFor } from './on-demand.ts'

/** A fresh, empty database on the test run's PostgreSQL. Fails with the package to install when there is none. */
export const createPostgresDatabase = async (): Promise<{ url: string; drop: () => Promise<void> }> => {
  const server = await askFor(inject('postgresSocket'))
  const name = `t_${randomBytes(8).toString('hex')}`
  await execute(server, `create database ${name}`)
  return {
    url: server.replace('/postgres?', `/${name}?`),
    drop: () => execute(server, `drop database ${name} with (force)`),
  }
}

/**
 * Settings of a service on a database of its own there: a start and a query cost a fraction of the embedded engine's. For tests of
 * what a service does, on whichever database.
 */
export const onPostgres = async (): Promise<{
  readonly url: string
  readonly settings: Readonly<Record<'DATABASE_URL' | 'SONDE_SECRET_KEY', string>>
  readonly drop: () => Promise<void>
}> => {
  const { url, drop } = await createPostgresDatabase()
  return { url, settings: { DATABASE_URL: url, SONDE_SECRET_KEY: randomBytes(32).toString('base64') }, drop }
}

const execute = async (url: string, sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
