/**
 * Temporary files, all of them: in a folder that names its process, so that what a killed process left behind is told
 * from what a living one uses, and goes at the next start. Nobody else calls `mkdtemp` or `tmpdir`.
 */
import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'

/** Bytes of a path below which programs may make sockets: these have 107 at most, and their own names need half. */
const SHORT = 56
/** Milliseconds after which what another machine or container left is nobody's. */
const FORGOTTEN = 7 * 24 * 3_600_000
/** `<machine>-<pid>-<ticks>`, with the time at which the process started. */
const MARKED = /^([0-9a-f]{8})-(\d+)-(\d+)$/

interface Roots {
  readonly own: string
  /** Where programs of other users may go, and paths are short. */
  readonly shared: string
}
let claimed: Roots | null = null

export interface Claim {
  /** A folder for one child process, whose `TMPDIR` it has to be; `remove` once the child is gone. */
  readonly childFolder: () => Promise<{ readonly path: string; readonly remove: () => Promise<void> }>
  /** Removes what this process made. */
  readonly close: () => void
}

/**
 * From here on this process keeps its temporary files in `tmp` of the data folder, and what dead ones left there goes.
 * `alone`: the caller holds the folder's lock, so whatever is there is dead. As root, and where the folder's path is
 * long, children get theirs below the system's temporary folder: a browser of another user has no way into ours.
 */
export const claimTemporary = (dataDir: string, alone: boolean): Claim => {
  const parent = join(dataDir, 'tmp')
  mkdirSync(parent, { recursive: true, mode: 0o700 })
  const own = processFolder(parent, 0o700)
  const apart = isRoot() || Buffer.byteLength(own) > SHORT
  const system = tmpdir()
  const shared = apart ? processFolder(systemRoot(system), 0o711) : own
  sweep(parent, alone)
  if (apart) sweep(systemRoot(system), false)
  claimed = { own, shared }
  // For libraries that make temporary files themselves.
  process.env.TMPDIR = own
  return {
    childFolder: async () => {
      const path = await makeIn(shared, 'run')
      // The browser's user passes through it to the profile, which is all that it may read.
      if (isRoot()) await chmod(path, 0o711)
      return { path, remove: () => remove(path) }
    },
    close: () => {
      claimed = null
      process.env.TMPDIR = system
      for (const root of new Set([own, shared])) rmSync(root, { recursive: true, force: true })
    },
  }
}

/** A new folder of mode 0700. `shared`: its owner may be changed to another user, who finds the way. */
export const temporaryFolder = (purpose: string, { shared = false } = {}): Promise<string> => {
  const roots = claimed ?? inherited() ?? unclaimed()
  return makeIn(shared ? roots.shared : roots.own, purpose)
}

/** Programs that are being ended may still write; what is left after that is the sweep's. */
const remove = (path: string): Promise<void> =>
  rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })

const makeIn = async (root: string, purpose: string): Promise<string> => {
  await mkdir(root, { recursive: true })
  return mkdtemp(join(root, `sonde-${purpose}-`))
}

/** A child of a process that has claimed: its folder is that process's to remove. */
const inherited = (): Roots | null => {
  const system = tmpdir()
  return system.split('/').some((part) => MARKED.test(part)) ? { own: system, shared: system } : null
}

/** A command that ends soon. */
const unclaimed = (): Roots => {
  const parent = systemRoot(tmpdir())
  sweep(parent, false)
  const own = processFolder(parent, 0o711)
  process.once('exit', () => rmSync(own, { recursive: true, force: true }))
  claimed = { own, shared: own }
  return claimed
}

const isRoot = (): boolean => process.getuid?.() === 0

/** Whoever may write to the system's folder could have made one of this name before: then it is not used. */
const systemRoot = (system: string): string => {
  const root = join(system, `sonde-${process.getuid?.() ?? 0}`)
  mkdirSync(root, { recursive: true, mode: 0o711 })
  const found = lstatSync(root)
  if (!found.isDirectory() || found.uid !== (process.getuid?.() ?? found.uid)) {
    throw new Error(`${root} belongs to somebody else; remove it, or set TMPDIR`)
  }
  // Whatever the umask was.
  chmodSync(root, 0o711)
  return root
}

const processFolder = (parent: string, mode: number): string => {
  const path = join(parent, ownMark())
  mkdirSync(path, { recursive: true })
  chmodSync(path, mode)
  return path
}

/** Names this process among those of this machine, for a folder that it leaves to nobody. */
export const ownMark = (): string => `${machine()}-${process.pid}-${startOf(process.pid) ?? 0}`

/** Whether the process of a mark is dead; of another machine's, once it has not touched the folder for so many milliseconds. */
export const isDeadMark = (mark: string, path: string, silence: number): boolean => {
  const [, where, pid = '', start] = MARKED.exec(mark) ?? []
  if (where === undefined) return false
  return where === machine() ? startOf(Number(pid)) !== start : ageOf(path) > silence
}

/** Processes are told apart by their numbers only where these are the same space: one host, one container. */
const machine = (): string => {
  const space = readOr(() => readlinkSync('/proc/self/ns/pid'), '')
  return createHash('sha256').update(`${hostname()} ${space}`).digest('hex').slice(0, 8)
}

/** When the process started, in ticks since the machine did; null when there is no such process. */
const startOf = (pid: number): string | null => {
  const stat = readOr(() => readFileSync(`/proc/${pid}/stat`, 'utf8'), null)
  // The program's name is in brackets and may hold anything; the time is the 20th field behind it.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
}

const readOr = <T>(read: () => string, otherwise: T): string | T => {
  try {
    return read()
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) {
      return otherwise
    }
    throw error
  }
}

const sweep = (parent: string, alone: boolean): void => {
  for (const name of readdirSync(parent)) {
    const path = join(parent, name)
    if (isDead(name, path, alone)) rmSync(path, { recursive: true, force: true })
  }
}

const isDead = (name: string, path: string, alone: boolean): boolean => {
  const ofOthers = alone && MARKED.test(name) && !name.startsWith(machine())
  return ofOthers || isDeadMark(name, path, FORGOTTEN)
}

const ageOf = (path: string): number => {
  const at = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  return at === undefined ? 0 : Date.now() - at
}
