/** PHP's own web server and a MariaDB, each with its folder and its end. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

const START = 60_000
const run = promisify(execFile)

export interface Program {
  readonly stop: () => Promise<void>
}

const stopped = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.pid === undefined) return
  const ended = once(child, 'exit')
  process.kill(-child.pid, 'SIGKILL')
  await ended
}

const until = async (what: string, ready: () => Promise<boolean>): Promise<void> => {
  const deadline = Date.now() + START
  while (!(await ready())) {
    if (Date.now() > deadline) throw new Error(`${what} did not start`)
    await delay(100)
  }
}

export const freePort = async (address: string): Promise<number> => {
  const server = createServer().listen(0, address)
  await once(server, 'listening')
  const given = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (given === null || typeof given === 'string') throw new Error('no port')
  return given.port
}

/** Several requests at once; sessions and temporary files in the folder. `more`: settings as in php.ini. */
export const startPhp = async (
  site: string,
  folder: string,
  address: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Program & { readonly port: number }> => {
  const port = await freePort(address)
  const temporary = join(folder, 'tmp')
  await mkdir(temporary, { recursive: true })
  const settings = {
    ...{ 'session.save_path': temporary, sys_temp_dir: temporary, upload_tmp_dir: temporary, display_errors: '0' },
    ...{
      memory_limit: '512M',
      max_execution_time: '60',
      'opcache.enable': '1',
      'opcache.enable_cli': '1',
      'date.timezone': 'UTC',
    },
    ...more,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-d', `${name}=${value}`])
  const child = spawn('php', [...flags, '-S', `${address}:${port}`, '-t', site], {
    env: { ...process.env, PHP_CLI_SERVER_WORKERS: '6', TMPDIR: temporary },
    stdio: 'ignore',
    detached: true,
  })
  await until('php', () =>
    fetch(`http://${address}:${port}/robots.txt`, { signal: AbortSignal.timeout(5_000), redirect: 'manual' }).then(
      () => true,
      () => false,
    ),
  )
  return { port, stop: () => stopped(child) }
}

/** Anybody is root on its socket, and nobody comes by the network. */
export const startDatabase = async (
  folder: string,
): Promise<
  Program & {
    readonly socket: string
    readonly run: (statement: string, database?: string) => Promise<void>
    readonly load: (database: string, file: string) => Promise<void>
  }
> => {
  const data = join(folder, 'mariadb')
  const socket = join(folder, 'sock')
  await mkdir(data, { recursive: true })
  await run('mariadb-install-db', [
    '--no-defaults',
    `--datadir=${data}`,
    '--user=root',
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
  ])
  await writeFile(join(folder, 'init.sql'), "alter user root@localhost identified by 'Adm1n-pass';\n")
  const child = spawn(
    '/usr/sbin/mariadbd',
    [
      ...[
        '--no-defaults',
        `--datadir=${data}`,
        `--socket=${socket}`,
        '--skip-networking',
        '--user=root',
        '--skip-grant-tables',
      ],
      ...[
        '--innodb-flush-log-at-trx-commit=0',
        '--sql-mode=NO_ENGINE_SUBSTITUTION',
        '--lc-messages-dir=/usr/share/mysql',
      ],
    ],
    { stdio: 'ignore', detached: true },
  )
  const ask = async (statement: string, database = ''): Promise<void> => {
    await run('mariadb', [
      '--no-defaults',
      `--socket=${socket}`,
      '-uroot',
      ...(database ? [database] : []),
      '-e',
      statement,
    ])
  }
  await until('mariadbd', () =>
    ask('select 1').then(
      () => true,
      () => false,
    ),
  )
  return { socket, run: ask, load: (database, file) => ask(`source ${file}`, database), stop: () => stopped(child) }
}

export const copied = async (from: string, to: string): Promise<string> => {
  await mkdir(to, { recursive: true })
  // Links that lead nowhere are reported, and nothing is the matter with them.
  await run('cp', ['-rL', '--no-preserve=mode,ownership', `${from}/.`, to], { maxBuffer: 16 * 1024 * 1024 }).catch(
    () => undefined,
  )
  return to
}

export const remove = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true })

/** A browser's cookies, as much of them as a sign-in needs. */
export const visitor = (origin: string) => {
  const cookies = new Map<string, string>()
  const ask = async (path: string, form?: Readonly<Record<string, string>>): Promise<string> => {
    const answer = await fetch(new URL(path, origin), {
      redirect: 'manual',
      headers: { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      if (/=deleted$|max-age=0(?:;|$)/i.test(`${pair}${line}`)) cookies.delete(pair.slice(0, at))
      else cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    const location = answer.headers.get('location')
    const text = await answer.text()
    return location !== null && answer.status < 400 ? ask(new URL(location, new URL(path, origin)).href) : text
  }
  return { ask, cookie: () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
}

/** The value of a hidden field. */
export const hidden = (html: string, name: string): string =>
  new RegExp(`name=["']${name}["'][^>]*value=["']([^"']*)|value=["']([^"']*)["'][^>]*name=["']${name}["']`)
    .exec(html)
    ?.slice(1)
    .find(Boolean) ?? ''
