/** A PostgreSQL of our own on a socket: Debian's packages, a cluster in a temporary folder, gone when closed. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { type Sql, SqlError } from './sql.ts'

const run = promisify(execFile)
const DEBIAN = '/usr/lib/postgresql'
const START_TIMEOUT = 60_000

export const startPostgres = async (): Promise<Sql> => {
  const newest = existsSync(DEBIAN) ? readdirSync(DEBIAN).toSorted((a, b) => Number(b) - Number(a))[0] : undefined
  if (!newest) throw new Error('PostgreSQL is needed for these pages: apt-get install postgresql')
  const bin = join(DEBIAN, newest, 'bin')
  const folder = mkdtempSync(join(tmpdir(), 'sonde-web-pg-'))
  chmodSync(folder, 0o711)
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  const owner = await unprivileged()
  if (owner) for (const path of [folder, data]) chownSync(path, owner.uid, owner.gid)
  const initdb = ['-D', data, '-U', 'shop', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync']
  await run(join(bin, 'initdb'), initdb, { ...owner, timeout: START_TIMEOUT, cwd: '/' })
  const options = ['-c', 'listen_addresses=', '-c', 'fsync=off', '-c', 'max_connections=10', '-c', 'shared_buffers=8MB']
  const server = spawn(join(bin, 'postgres'), ['-D', data, '-k', folder, ...options], {
    ...owner,
    cwd: '/',
    stdio: 'ignore',
  })
  const stop = async (): Promise<void> => {
    if (server.exitCode === null) {
      const ended = once(server, 'exit')
      server.kill('SIGQUIT')
      await ended
    }
    rmSync(folder, { recursive: true, force: true })
  }
  const pool = new pg.Pool({ host: folder, user: 'shop', database: 'postgres', max: 6 })
  const deadline = Date.now() + START_TIMEOUT
  for (;;) {
    try {
      await pool.query('select 1')
      break
    } catch (error) {
      if (server.exitCode !== null || Date.now() > deadline) {
        await pool.end()
        await stop()
        throw new Error('PostgreSQL did not start', { cause: error })
      }
      await delay(100)
    }
  }
  const ask = async (text: string, values?: unknown[]): Promise<Record<string, unknown>[]> => {
    try {
      // Without values the simple protocol is used, which takes several statements at once.
      const result: unknown = await (values ? pool.query(text, values) : pool.query(text))
      const first = Array.isArray(result) ? result[0] : result
      return (first as { rows: Record<string, unknown>[] }).rows
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      throw new SqlError(`ERROR: ${message}`, 'postgres', { cause: error })
    }
  }
  return {
    kind: 'postgres',
    run: (text) => ask(text),
    bind: (text, values) => {
      let index = 0
      return ask(
        text.replace(/\?/g, () => `$${++index}`),
        values,
      )
    },
    close: async () => {
      await pool.end()
      await stop()
    },
  }
}

/** PostgreSQL refuses to run as root; Debian's package brings the user. */
const unprivileged = async (): Promise<{ uid: number; gid: number } | null> => {
  if (process.getuid?.() !== 0) return null
  const id = async (flag: string): Promise<number> => Number((await run('id', [flag, 'postgres'])).stdout)
  return { uid: await id('-u'), gid: await id('-g') }
}
