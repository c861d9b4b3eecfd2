import { createHash } from 'node:crypto'
import pg from 'pg'
import { type Database, DatabaseError, type Queryable } from './database.ts'
import { cleanParameters, OID, parseNumber, parseTimestamp } from './values.ts'

const CONNECT_TIMEOUT = 10_000
const STATEMENT_TIMEOUT = 60_000
const RECONNECT_AFTER = 500

/** `postgres://user:password@host:port/name`, with pg's usual query parameters (`sslmode`, `host` for a socket folder). */
export const openPostgres = async (url: string): Promise<Database> => {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    statement_timeout: STATEMENT_TIMEOUT,
    // A process that hangs inside a transaction must not hold its locks for ever.
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT,
    application_name: 'sonde',
    types,
  })
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', ignoreIdleFailure)
  const [first] = await rowsOf<{ version: number }>(
    pool,
    "select current_setting('server_version_num')::int as version",
  ).catch(async (error: unknown) => {
    await pool.end()
    throw error
  })
  if (!first || first.version < 150_000) {
    await pool.end()
    throw new Error('PostgreSQL 15 or newer is needed')
  }
  const hub = createListener(url)

  return {
    kind: 'postgres',
    query: (sql, params) => rowsOf(pool, sql, params),
    transaction: async (work) => {
      const client = await pool.connect()
      let broken: Error | undefined
      // Between two statements nobody waits for an answer that could carry the failure.
      const onError = (error: Error): void => {
        broken = error
      }
      client.on('error', onError)
      try {
        await rowsOf(client, 'begin')
        const result = await work(queryable(client))
        await commit(client)
        return result
      } catch (error) {
        // A failed rollback means a dead connection, which the pool must not hand out again.
        await rowsOf(client, 'rollback').catch((cause: unknown) => {
          broken = new Error('rollback failed', { cause })
        })
        throw error
      } finally {
        client.off('error', onError)
        client.release(broken)
      }
    },
    listen: hub.listen,
    snapshot: null,
    close: async () => {
      await hub.close()
      await pool.end()
    },
  }
}

const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === OID.int8 || oid === OID.numeric) return parseNumber
    if (oid === OID.timestamptz) return parseTimestamp
    return pg.types.getTypeParser(oid, format as 'text')
  }) as pg.CustomTypesConfig['getTypeParser'],
}

const rowsOf = async <Row>(
  client: pg.Pool | pg.ClientBase,
  sql: string,
  params?: readonly unknown[],
): Promise<Row[]> => {
  try {
    const result: unknown = params ? await client.query(statement(sql, params)) : await client.query(sql)
    const last = Array.isArray(result) ? result.at(-1) : result
    return (last as { rows: Row[] }).rows
  } catch (error) {
    if (error instanceof pg.DatabaseError) {
      throw new DatabaseError(error.code ?? 'XX000', error.message, { cause: error })
    }
    throw error
  }
}

/** A connection that broke here leaves open whether it was done: SQLSTATE transaction_resolution_unknown. */
const commit = async (client: pg.ClientBase): Promise<void> => {
  try {
    await rowsOf(client, 'commit')
  } catch (cause) {
    if (cause instanceof DatabaseError) throw cause
    throw new DatabaseError('08007', 'The connection broke at the commit', { cause })
  }
}

const statement = (sql: string, params: readonly unknown[]): pg.QueryConfig => ({
  ...(prepared(sql) ?? { text: sql }),
  values: cleanParameters(params),
})

/**
 * Statements with parameters are prepared once a connection: planning cost more than running them. The name is made of
 * the text, so that processes behind one pooler never mean two statements by one name. Past the bound, which only
 * statements put together from filters could reach, they run unprepared.
 */
const prepared = (sql: string): Prepared | undefined => {
  const known = statements.get(sql)
  if (known !== undefined || statements.size >= MAX_STATEMENTS) return known
  const name = createHash('sha256').update(sql).digest('base64url').slice(0, 22)
  // The same object each time, whoever put the text together anew: pg compares it with the one that it prepared.
  const made = { name, text: sql }
  statements.set(sql, made)
  return made
}

interface Prepared {
  readonly name: string
  readonly text: string
}
const MAX_STATEMENTS = 500
const statements = new Map<string, Prepared>()

const queryable = (client: pg.ClientBase): Queryable => ({ query: (sql, params) => rowsOf(client, sql, params) })

const ignoreIdleFailure = (): void => undefined

/** One connection of its own for all channels, made again when it breaks. */
const createListener = (url: string): Pick<Database, 'listen' | 'close'> => {
  const callbacks = new Map<string, Set<(payload: string) => void>>()
  let client: Promise<pg.Client> | null = null
  let retry: NodeJS.Timeout | null = null
  let closed = false
  let last: Promise<unknown> = Promise.resolve()

  const connect = async (): Promise<pg.Client> => {
    const fresh = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_TIMEOUT,
      application_name: 'sonde listen',
      keepAlive: true,
    })
    fresh.on('notification', ({ channel, payload }) => {
      for (const callback of callbacks.get(channel) ?? []) callback(payload ?? '')
    })
    fresh.on('error', () => lost(fresh))
    fresh.on('end', () => lost(fresh))
    await fresh.connect()
    for (const channel of callbacks.keys()) await fresh.query(`listen ${channel}`)
    current = fresh
    return fresh
  }
  let current: pg.Client | null = null

  const lost = (which: pg.Client): void => {
    if (closed || which !== current) return
    current = null
    client = null
    reconnectSoon()
  }
  const reconnectSoon = (): void => {
    retry ??= setTimeout(() => {
      retry = null
      if (closed) return
      client = connect()
      client.then(
        () => {
          for (const set of callbacks.values()) for (const callback of set) callback('')
        },
        () => {
          client = null
          reconnectSoon()
        },
      )
    }, RECONNECT_AFTER)
  }

  return {
    listen: async (channel, onMessage) => {
      const known = callbacks.get(channel)
      if (known) known.add(onMessage)
      else callbacks.set(channel, new Set([onMessage]))
      if (!client) {
        client = connect()
        // Not swallowed: awaited below. A later caller must get a new try, not this failure again.
        client.catch(() => {
          client = null
        })
        await client
      } else {
        const connection = await client
        // One after the other: a connection has one statement at a time.
        if (!known) {
          last = Promise.allSettled([last]).then(() => connection.query(`listen ${channel}`))
          await last
        }
      }
      return async () => {
        callbacks.get(channel)?.delete(onMessage)
      }
    },
    close: async () => {
      closed = true
      if (retry) clearTimeout(retry)
      const open = await client?.catch(() => null)
      await open?.end()
    },
  }
}
