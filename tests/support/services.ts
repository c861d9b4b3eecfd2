/**
 * Real services from Debian's packages, each a child process with a configuration of its own in a temporary folder,
 * listening on one loopback address at its usual port. Nothing of the system's own configuration is read or changed.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Place {
  readonly address: string
  /** Empty and its own. */
  readonly folder: string
}

export interface RealService {
  readonly id: string
  /** Debian package, said where the program is missing. */
  readonly needs: string
  readonly program: string
  readonly ports: readonly number[]
  /** Writes what it needs, gives the command that stays in the foreground. */
  readonly prepare: (place: Place) => Command
  /** Undoes what `prepare` did outside the folder. */
  readonly cleanup?: (place: Place) => void
  /** What identification has to say; version null where the service does not show it. */
  readonly truth: readonly {
    readonly port: number
    readonly product: RegExp
    readonly version: (() => string) | null
  }[]
}

interface Command {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly user?: string
}

export interface RunningServices {
  readonly started: readonly RealService[]
  readonly close: () => Promise<void>
}

const START_SECONDS = 60

export const isInstalled = ({ program }: RealService): boolean => existsSync(program)

/** Starts all side by side and resolves when every port accepts connections. @throws naming the one that does not */
export const startServices = async (address: string, services: readonly RealService[]): Promise<RunningServices> => {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-services-'))
  chmodSync(folder, 0o755)
  const children: ChildProcess[] = []
  const undone: (() => void)[] = []
  const close = async (): Promise<void> => {
    await Promise.all(children.map(stop))
    for (const undo of undone) undo()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await Promise.all(
      services.map(async (service) => {
        const own = join(folder, service.id)
        mkdirSync(own, { mode: 0o755 })
        const { command, args, env = {}, user } = service.prepare({ address, folder: own })
        const { cleanup } = service
        if (cleanup) undone.push(() => cleanup({ address, folder: own }))
        if (user) giveTo(user, own)
        const [program, rest] = user
          ? ['setpriv', [`--reuid=${user}`, `--regid=${user}`, '--init-groups', command, ...args]]
          : [command, [...args]]
        const child = spawn(program, rest, {
          cwd: own,
          env: { ...process.env, ...env },
          stdio: ['ignore', 'pipe', 'pipe'],
          detached: true,
        })
        children.push(child)
        let said = ''
        const hear = (chunk: Buffer): void => {
          said = (said + chunk.toString()).slice(-2_000)
        }
        child.stdout?.on('data', hear)
        child.stderr?.on('data', hear)
        for (const port of service.ports)
          await listening(address, port, () => (child.exitCode === null ? null : said), service.id)
      }),
    )
  } catch (error) {
    await close()
    throw error
  }
  return { started: services, close }
}

const listening = async (address: string, port: number, ended: () => string | null, id: string): Promise<void> => {
  const until = Date.now() + START_SECONDS * 1000
  while (Date.now() < until) {
    const said = ended()
    if (said !== null) throw new Error(`${id} ended: ${said}`)
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect({ host: address, port })
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
    if (open) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`${id} does not listen on ${address}:${port} after ${START_SECONDS} s`)
}

/** The whole process group, first politely. */
const stop = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    const { pid } = child
    if (pid === undefined || child.exitCode !== null || child.signalCode !== null) {
      resolve()
      return
    }
    const kill = (signal: NodeJS.Signals): void => {
      try {
        process.kill(-pid, signal)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
      }
    }
    const timer = setTimeout(() => kill('SIGKILL'), 5_000)
    child.once('close', () => {
      clearTimeout(timer)
      kill('SIGKILL')
      resolve()
    })
    kill('SIGTERM')
  })

const giveTo = (user: string, folder: string): void => {
  const [uid = 0, gid = 0] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, user], { encoding: 'utf8' })))
  chownSync(folder, uid, gid)
}

/** The first version number in what a program prints about itself. */
export const printed = (program: string, args: readonly string[], pattern: RegExp): string => {
  const out = execFileSync('sh', ['-c', `"$0" "$@" 2>&1 || true`, program, ...args], {
    encoding: 'utf8',
    timeout: 20_000,
  })
  const version = pattern.exec(out)?.[1]
  if (version === undefined) throw new Error(`${program} ${args.join(' ')} prints no version: ${out.slice(0, 200)}`)
  return version
}

export const write = (folder: string, name: string, lines: readonly string[]): string => {
  const path = join(folder, name)
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}

/** A self-signed pair in the folder. */
export const certificate = (folder: string): { readonly key: string; readonly cert: string } => {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=shop.test',
      '-keyout',
      key,
      '-out',
      cert,
    ],
    { stdio: 'ignore' },
  )
  return { key, cert }
}
