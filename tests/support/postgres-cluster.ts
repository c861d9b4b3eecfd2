import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { onDemand } from './on-demand.ts'

const run = promisify(execFile)
const DEBIAN = '/usr/lib/postgresql'
const START_TIMEOUT = 100_000

export interface Cluster {
  readonly socket: string
  readonly close: () => Promise<void>
}

/** Started when the first test asks for it; each is told a URL. */
export const createCluster = async (): Promise<Cluster> => {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-pg-'))
  chmodSync(folder, 0o711)
  const socket = join(folder, 'ask.sock')
  const close = await onDemand(socket, async () => {
    const { url, process } = await startPostgres(folder)
    return { told: url, stop: () => stop(process) }
  })
  return {
    socket,
    close: async () => {
      await close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const startPostgres = async (folder: string): Promise<{ url: string; process: ChildProcess }> => {
  const bin = findBinaries()
  const data = join(folder, 'data')
  const sockets = join(folder, 'sockets')
  mkdirSync(data, { mode: 0o700 })
  mkdirSync(sockets, { mode: 0o755 })
  const owner = await unprivileged()
  if (owner) for (const path of [data, sockets]) chownSync(path, owner.uid, owner.gid)

  const initdb = ['-D', data, '-U', 'sonde', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync']
  await run(join(bin, 'initdb'), initdb, { ...owner, timeout: START_TIMEOUT, cwd: '/' })
  // Durability is not what these tests test, and what is tidied up is gone before; port 0 is not possible, the socket is the way in.
  const settings = [
    ...['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'wal_level=minimal', 'max_wal_senders=0'],
    ...['autovacuum=off', 'jit=off', 'wal_writer_delay=5s', 'bgwriter_delay=5s', 'max_connections=200'],
  ]
  const args = ['-D', data, '-k', sockets, '-c', 'listen_addresses=', ...settings.flatMap((value) => ['-c', value])]
  const process = spawn(join(bin, 'postgres'), args, { ...owner, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] })
  let log = ''
  process.stderr?.on('data', (chunk) => {
    log = `${log}${chunk}`.slice(-4000)
  })
  const url = `postgres://sonde@/postgres?host=${encodeURIComponent(sockets)}`
  const deadline = Date.now() + START_TIMEOUT
  while (!(await answers(url))) {
    if (process.exitCode !== null || Date.now() > deadline) throw new Error(`PostgreSQL did not start: ${log}`)
    await delay(50)
  }
  return { url, process }
}

const findBinaries = (): string => {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).filter((name) => Number(name) >= 15) : []
  const newest = versions.sort((a, b) => Number(b) - Number(a))[0]
  if (!newest) throw new Error('PostgreSQL 15 or newer is needed for this test: apt-get install postgresql')
  return join(DEBIAN, newest, 'bin')
}

/** PostgreSQL refuses to run as root; Debian's package brings the user. */
const unprivileged = async (): Promise<{ uid: number; gid: number } | null> => {
  if (process.getuid?.() !== 0) return null
  const id = async (flag: string): Promise<number> => Number((await run('id', [flag, 'postgres'])).stdout)
  return { uid: await id('-u'), gid: await id('-g') }
}

const answers = async (url: string): Promise<boolean> => {
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return false
  }
}

/** SIGQUIT is the immediate shutdown: nothing of the cluster is kept. */
const stop = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null) return
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGQUIT')
  await ended
}
