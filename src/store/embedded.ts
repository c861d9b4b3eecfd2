import { AsyncLocalStorage } from 'node:async_hooks'
import { constants, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { type Database, DatabaseError, type Queryable } from './database.ts'
import { type FromThread, type ToThread, whyStopped } from './embedded-protocol.ts'
import { ensureCluster } from './new-cluster.ts'
import { cleanParameters } from './values.ts'

/** A first start writes a whole cluster; on a slow disk that takes a while. */
const START_TIMEOUT = 120_000
const CLOSE_TIMEOUT = 10_000

type Request = { [Kind in ToThread['type']]: Omit<Extract<ToThread, { type: Kind }>, 'id'> }[ToThread['type']]
type Rows = Record<string, unknown>[]

/**
 * PostgreSQL in this process, for one machine: safe against a crash of the process, not against power loss (it never
 * calls fsync). The folder is locked before the engine opens it.
 */
export const openEmbedded = async (dataDir: string): Promise<Database> => {
  const lock = lockFolder(dataDir)
  try {
    return await start(dataDir, lock.release)
  } catch (error) {
    lock.release()
    throw error
  }
}

const start = async (dataDir: string, unlock: () => void): Promise<Database> => {
  const callbacks = new Map<string, Set<(payload: string) => void>>()
  const folder = join(dataDir, 'db')
  await ensureCluster(folder, START_TIMEOUT)
  const thread = await startThread(folder, (channel, payload) => {
    for (const callback of callbacks.get(channel) ?? []) callback(payload)
  })
  const queue = createQueue()
  const inTransaction = new AsyncLocalStorage<true>()

  const run = async <Row>(sql: string, params?: readonly unknown[], begins = false): Promise<Row[]> => {
    const first = begins ? ({ begins } as const) : {}
    return (await thread.ask({
      type: 'query',
      sql,
      params: params ? cleanParameters(params) : null,
      ...first,
    })) as Row[]
  }

  const query: Queryable['query'] = (sql, params) => {
    // The one connection is held by the transaction: waiting for it from inside would wait for ever.
    if (inTransaction.getStore()) return Promise.reject(new Error('Inside a transaction, query through its argument'))
    return queue(() => run(sql, params))
  }

  return {
    kind: 'embedded',
    query,
    transaction: (work) => {
      if (inTransaction.getStore()) return Promise.reject(new Error('Transactions do not nest'))
      return queue(async () => {
        // It begins with its first statement: a message less each way.
        let begun = false
        const within: Queryable['query'] = (sql, params) => {
          const begins = !begun
          begun = true
          return run(sql, params, begins)
        }
        try {
          const result = await inTransaction.run(true, () => work({ query: within }))
          if (begun) await run('commit')
          return result
        } catch (error) {
          if (begun) await run('rollback')
          throw error
        }
      })
    },
    listen: async (channel, onMessage) => {
      const known = callbacks.get(channel)
      if (known) known.add(onMessage)
      else callbacks.set(channel, new Set([onMessage]))
      if (!known) await queue(() => thread.ask({ type: 'listen', channel }))
      return async () => {
        callbacks.get(channel)?.delete(onMessage)
      }
    },
    // Between two statements nothing writes; after a checkpoint the copy has nothing to recover.
    snapshot: (folder) =>
      queue(async () => {
        await run('checkpoint')
        await cp(join(dataDir, 'db'), join(folder, 'db'), { recursive: true, mode: constants.COPYFILE_FICLONE })
      }),
    close: async () => {
      try {
        await queue(() => thread.close())
      } finally {
        unlock()
      }
    },
  }
}

interface Thread {
  readonly ask: (message: Request) => Promise<Rows>
  readonly close: () => Promise<void>
}

const startThread = async (folder: string, notify: (channel: string, payload: string) => void): Promise<Thread> => {
  const worker = new Worker(new URL('./embedded-thread.ts', import.meta.url), { workerData: folder })
  const waiting = new Map<number, { resolve: (rows: Rows) => void; reject: (error: Error) => void }>()
  const ready = Promise.withResolvers<void>()
  let failure: Error | null = null
  let nextId = 0

  const fail = (error: Error): void => {
    failure ??= error
    ready.reject(failure)
    for (const { reject } of waiting.values()) reject(failure)
    waiting.clear()
  }
  worker.on('error', (cause) =>
    fail(new Error(`The embedded database stopped: ${whyStopped(cause, folder)}`, { cause })),
  )
  worker.on('exit', () => fail(new Error('The embedded database is closed')))
  worker.on('message', (message: FromThread) => {
    if (message.type === 'ready') return ready.resolve()
    if (message.type === 'notification') return notify(message.channel, message.payload)
    const waiter = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.type === 'rows') waiter?.resolve(withBuffers(message.rows, message.binary))
    else waiter?.reject(message.code ? new DatabaseError(message.code, message.message) : new Error(message.message))
  })

  const timer = setTimeout(() => fail(new Error('The embedded database did not start in time')), START_TIMEOUT)
  try {
    await ready.promise
  } catch (error) {
    await worker.terminate()
    throw error
  } finally {
    clearTimeout(timer)
  }

  const ask: Thread['ask'] = (message) => {
    if (failure) return Promise.reject(failure)
    const { promise, resolve, reject } = Promise.withResolvers<Rows>()
    const id = nextId++
    waiting.set(id, { resolve, reject })
    worker.postMessage({ ...message, id } satisfies ToThread)
    return promise
  }
  return {
    ask,
    close: async () => {
      const late = setTimeout(() => void worker.terminate(), CLOSE_TIMEOUT)
      try {
        if (!failure) await ask({ type: 'close' })
      } finally {
        clearTimeout(late)
        await worker.terminate()
      }
    },
  }
}

/** Bytes cross the thread border as Uint8Array; pg gives Buffers. */
const withBuffers = (rows: Rows, columns: readonly string[]): Rows => {
  for (const row of rows) {
    for (const column of columns) {
      const value = row[column]
      if (value instanceof Uint8Array) row[column] = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    }
  }
  return rows
}

/** Jobs one after the other; a failed one does not stop the next. */
const createQueue = (): (<T>(job: () => Promise<T>) => Promise<T>) => {
  let last: Promise<unknown> = Promise.resolve()
  return (job) => {
    const result = last.then(job, job)
    last = result.catch(() => undefined)
    return result
  }
}

export interface FolderLock {
  readonly release: () => void
}

/** Another process has the data folder. */
export class FolderInUse extends Error {}

/**
 * Takes the data folder for this process, or throws a sentence that says who holds it.
 *
 * PGlite has no lock: two processes on one folder lose acknowledged writes. The lock is SQLite's exclusive file lock
 * (fcntl), which Node brings along: the kernel frees it when the process dies in whatever way, it needs no check of
 * whether a process number is still alive, and it holds between containers that share the folder.
 */
export const lockFolder = (folder: string): FolderLock => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const holder = join(folder, 'lock.pid')
  const lock = new DatabaseSync(join(folder, 'lock.db'), { timeout: 0 })
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive')
  } catch (cause) {
    lock.close()
    if (!isBusy(cause)) throw new Error(`The data folder ${folder} cannot be locked`, { cause })
    throw new FolderInUse(
      `The data folder ${folder} is in use by another Sonde${describe(holder)}. Stop it, or choose another folder.`,
      { cause },
    )
  }
  writeFileSync(holder, `${process.pid}\n`)
  return { release: () => lock.close() }
}

/** SQLITE_BUSY, https://www.sqlite.org/rescode.html#busy */
const isBusy = (error: unknown): boolean => error instanceof Error && 'errcode' in error && error.errcode === 5

/** For the sentence only: the file may be older than the lock. */
const describe = (holder: string): string => {
  try {
    const pid = readFileSync(holder, 'utf8').trim()
    return /^\d+$/.test(pid) ? ` (process ${pid})` : ''
  } catch {
    return ''
  }
}
