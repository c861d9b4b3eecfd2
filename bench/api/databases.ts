/** Fresh databases on one throw-away PostgreSQL. */
import { createConnection } from 'node:net'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import type { Database } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openDatabase } from '../../src/store/open-database.ts'
import { createCluster } from '../../tests/support/postgres-cluster.ts'

export interface FreshDatabase {
  readonly url: string
  /** Migrated. */
  readonly db: Database
}

export interface Databases {
  readonly fresh: (name: string) => Promise<FreshDatabase>
  readonly close: () => Promise<void>
}

/** Throws with the package to install when there is no PostgreSQL. */
export const openDatabases = async (): Promise<Databases> => {
  const cluster = await createCluster()
  const server = await text(createConnection(cluster.socket))
  if (server.startsWith('error: ')) {
    await cluster.close()
    throw new Error(server.slice('error: '.length))
  }
  const open: Database[] = []
  return {
    fresh: async (name) => {
      const client = new pg.Client({ connectionString: server })
      await client.connect()
      await client.query(`create database ${name}`)
      await client.end()
      const url = server.replace('/postgres?', `/${name}?`)
      // What fills and tends tables of a hundred million rows takes longer than a statement of the product may.
      const db = await openDatabase({ url: `${url}&statement_timeout=0` })
      open.push(db)
      await migrate(db)
      return { url, db }
    },
    close: async () => {
      for (const db of open) await db.close()
      await cluster.close()
    },
  }
}
