/** What is built of the sources: a folder named by their hash, so that a build is never stale nor half there. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { HOME } from './version.ts'

export const ROOT = fileURLToPath(HOME)
/** Milliseconds for a build on a slow machine, and for waiting for somebody else's. */
const BUILD_TIMEOUT = 120_000

export interface Build {
  /** Of the present sources; one file of it is `entry`. */
  readonly folder: string
  readonly entry: string
  /** Below `src/main`; makes the folder. */
  readonly builder: string
}

/** Builds where the present sources have no build. Null, with the reason told, where that cannot be done. */
export const ensureBuild = async (build: Build, tell: (reason: string) => void): Promise<string | null> => {
  const isThere = (): boolean => existsSync(join(build.folder, build.entry))
  if (isThere()) return build.folder
  if (!isInstalled('vite')) {
    tell('vite, which builds it, is not installed')
    return null
  }
  const problem = await run(build.builder)
  if (problem === null && isThere()) return build.folder
  tell(problem ?? 'its sources changed meanwhile')
  return null
}

/** In a process of its own: a bundler takes hundreds of megabytes that the service has no further use for. */
const run = async (builder: string): Promise<string | null> => {
  const script = join(ROOT, 'src/main', builder)
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script], {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 2 * BUILD_TIMEOUT,
    killSignal: 'SIGKILL',
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = `${said}${text}`.slice(-2_000)
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code === 0) return null
  return /^\w*Error: .*$/m.exec(said)?.[0] ?? (said.trim() || `the build ended with ${code}`)
}

const isInstalled = (name: string): boolean => {
  try {
    createRequire(import.meta.url).resolve(name)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return false
    throw error
  }
}

/**
 * For a builder: `make` fills a folder, which is put in place whole. Of two builders one builds and the other waits for it; the
 * lock is SQLite's and ends with its process.
 */
export const buildInto = async (folder: string, make: (making: string) => Promise<void>): Promise<void> => {
  mkdirSync(LOCK_FOLDER, { recursive: true })
  const lock = new DatabaseSync(join(LOCK_FOLDER, 'lock.db'), { timeout: BUILD_TIMEOUT })
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive')
    if (existsSync(folder)) return
    mkdirSync(dirname(folder), { recursive: true })
    removeOld(dirname(folder))
    const making = mkdtempSync(join(dirname(folder), MAKING))
    try {
      await make(making)
      chmodSync(making, 0o755)
      renameSync(making, folder)
    } finally {
      rmSync(making, { recursive: true, force: true })
    }
  } finally {
    lock.close()
  }
}

const LOCK_FOLDER = join(ROOT, 'dist')

const MAKING = '.making-'

/**
 * What a killed builder left goes, and builds but the last and those that processes were started from: one older than the sources may still load
 * files of its own, as a scan does that is under way.
 */
const removeOld = (builds: string): void => {
  const age = (name: string): number => (name.startsWith(MAKING) ? 0 : statSync(join(builds, name)).mtimeMs)
  const names = readdirSync(builds).sort((a, b) => age(b) - age(a))
  const whole = names.filter((name) => !name.startsWith(MAKING))
  const started = commandLines()
  const kept = new Set([...whole.slice(0, OLD_BUILDS), ...whole.filter((name) => started.includes(join(builds, name)))])
  for (const name of names) if (!kept.has(name)) rmSync(join(builds, name), { recursive: true, force: true })
}

/** Of all processes that this one may see; nothing where the system does not tell. */
const commandLines = (): string =>
  existsSync('/proc/self/cmdline')
    ? readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .map(commandLine)
        .join('\n')
    : ''

const commandLine = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1')
  } catch (error) {
    // It has ended meanwhile, or is another's.
    if (
      error instanceof Error &&
      'code' in error &&
      ['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(String(error.code))
    )
      return ''
    throw error
  }
}

const OLD_BUILDS = 2

/** Of names and contents: of all below a folder whose paths match, and of single files. */
export const hashOf = (folders: readonly (readonly [string, RegExp])[], files: readonly string[]): string => {
  const hash = createHash('sha256')
  const add = (file: string): void => void hash.update(`${file}\n`).update(readFileSync(join(ROOT, file)))
  for (const [folder, wanted] of folders) {
    const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    for (const name of names.filter((one) => wanted.test(one)).sort()) add(join(folder, name))
  }
  for (const file of files) add(file)
  return hash.digest('hex').slice(0, 16)
}
