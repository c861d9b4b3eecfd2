/**
 * The processes that scan: each run has one of its own, which ends with it. While runs come, one more is started beforehand and waits
 * for the next, so that this one need not wait for a start.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Logger, ScanOptions } from './options.ts'

/** A started process that was told nothing yet. */
export interface ScanProcess {
  readonly child: ChildProcess
  /** Why it could not be started; null where it was. */
  readonly failure: () => Error | null
  /** Whether it was started before its run came. */
  readonly waited: boolean
  /** Its folder for temporary files goes. Never rejects. */
  readonly removeFolder: () => Promise<void>
}

export interface ScanProcesses {
  /** One for a run: the one that waits where there is one, else a fresh one. */
  readonly take: () => Promise<ScanProcess>
  /** One that has not waited. */
  readonly fresh: () => Promise<ScanProcess>
  /** Starts the one that waits, or ends it, whichever is due; `busy`: runs are at work. Asked now and then. */
  readonly keep: (busy: boolean) => Promise<void>
  /** None waits any more. */
  readonly close: () => Promise<void>
}

const MEBIBYTE = 1024 * 1024
/** Bytes that have to be free for one to wait: itself, beside the largest run. */
const ROOM = 1_024 * MEBIBYTE
const SETTLE = 1_000
const MEMORY_MB = 1_024
const SCAN_SCRIPT = new URL('../engine/run-scan.ts', import.meta.url)
/** Linux frees the child with who started it, even one that spins and never notices the closed channel. */
export const SETPRIV = '/usr/bin/setpriv'

type Options = Pick<
  ScanOptions,
  'logger' | 'childMemoryMb' | 'childEnv' | 'childFolder' | 'scanScript' | 'freeMemory' | 'spareSeconds'
>

/** `settle`: milliseconds that a run has the machine for itself when it begins. */
export const createScanProcesses = (options: Options, settle = SETTLE): ScanProcesses => {
  const { spareSeconds = 0, freeMemory = () => process.availableMemory() } = options
  let spare: (ScanProcess & { readonly script: string }) | null = null
  let closed = false
  /** When the last run was seen, and when the last one began; none yet. */
  let seen = Number.NEGATIVE_INFINITY
  let begun = Number.NEGATIVE_INFINITY

  const start = async (waited: boolean) => {
    const script = await scriptOf(options)
    return { ...(await startProcess(options, script, waited)), script: script.href }
  }
  const end = async (): Promise<void> => {
    const ended = spare
    spare = null
    if (ended !== null) await discard(ended)
  }
  /** One that died meanwhile is nobody's; so is one of sources that were built anew. */
  const usable = async (): Promise<typeof spare> => {
    const { href } = await scriptOf(options)
    if (spare === null || (!hasEnded(spare.child) && spare.child.connected && spare.script === href)) return spare
    await end()
    return null
  }
  return {
    take: async () => {
      seen = begun = performance.now()
      await usable()
      // Nothing is waited for between here and the return: of two runs one has it.
      const taken = spare
      spare = null
      return taken ?? start(false)
    },
    fresh: () => start(false),
    keep: async (busy) => {
      const now = performance.now()
      if (busy) seen = now
      const wanted = !closed && now - seen < spareSeconds * 1_000 && freeMemory() >= ROOM
      if (!wanted) return end()
      if (now - begun < settle || (await usable()) !== null) return
      spare = await start(true)
      if (closed) await end()
    },
    close: async () => {
      closed = true
      await end()
    },
  }
}

const scriptOf = async ({ scanScript }: Options): Promise<URL> => (await scanScript?.()) ?? SCAN_SCRIPT

const startProcess = async (options: Options, script: URL, waited: boolean): Promise<ScanProcess> => {
  const folder = await options.childFolder?.()
  const child = startChild({
    script,
    memoryMb: options.childMemoryMb ?? MEMORY_MB,
    env: { ...(folder ? { TMPDIR: folder.path } : {}), ...options.childEnv },
  })
  let failure: Error | null = null
  child.on('error', (error) => {
    if (child.pid === undefined) failure = error
  })
  return { child, waited, failure: () => failure, removeFolder: () => removed(folder, options.logger) }
}

const removed = async (folder: { remove: () => Promise<void> } | undefined, logger: Logger): Promise<void> => {
  try {
    await folder?.remove()
  } catch (error) {
    logger.warn({ err: error }, 'temporary files of a scan are left for the next start')
  }
}

/** Ends one that no run was given to, and waits until it is gone. */
export const discard = async ({ child, removeFolder }: ScanProcess): Promise<void> => {
  killGroup(child)
  if (!hasEnded(child)) await once(child, 'exit', { signal: AbortSignal.timeout(EXIT_GRACE) }).catch(() => undefined)
  await removeFolder()
}
/** Milliseconds for a killed process to be gone. */
const EXIT_GRACE = 3_000

/**
 * MiB for what lives shortly, from the beginning on: a passive run without a browser then ends before anything is collected. What it does not use
 * it does not take.
 */
const YOUNG = '--min-semi-space-size=64'
/**
 * Whenever it waits for a site after it has collected, V8 would mark and compact all that lives on, to give memory back: up to four times in a
 * run of 13 s, a fifth of its processor time, for a process that ends with its run. What bounds its memory stays.
 */
const NOT_WHILE_WAITING = '--no-memory-reducer'
/**
 * Flags of V8 for a scan process: such alone as leave `v8.cachedDataVersionTag()` what it is without them. Under others Node takes no code of its own
 * modules as it was built, and compiles each that is loaded from its text.
 */
export const scanFlags = (memoryMb: number): readonly string[] => [
  `--max-old-space-size=${memoryMb}`,
  YOUNG,
  NOT_WHILE_WAITING,
]

/** Starts one, in a process group of its own. */
export const startChild = ({
  script,
  memoryMb,
  env,
}: {
  readonly script: URL
  readonly memoryMb: number
  readonly env: Readonly<Record<string, string>>
}): ChildProcess => {
  const options = ['--disable-warning=ExperimentalWarning', ...scanFlags(memoryMb)]
  const command = [process.execPath, ...options, fileURLToPath(script)]
  const [file = '', ...args] = existsSync(SETPRIV) ? [SETPRIV, '--pdeathsig', 'KILL', ...command] : command
  return spawn(file, args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    serialization: 'advanced',
    env: { ...harmlessEnvironment(), ...env },
  })
}

/**
 * Of glibc's memory (mallopt(3), "Tunables" in its manual). What the service gives back at 128 KiB (scripts/start-node.sh) a process that ends
 * with its run asks for again at once, page by page: it takes 4 MiB at a time and gives back what is more than 16, and the kernel may give it
 * large pages where it gives them at all. Other C libraries know none of these.
 */
const MALLOC = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_TOP_PAD_: String(4 * MEBIBYTE),
  MALLOC_TRIM_THRESHOLD_: String(16 * MEBIBYTE),
  MALLOC_MMAP_THRESHOLD_: String(MEBIBYTE),
  GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1',
} as const

/** The child handles what a hostile site sends, so it gets no keys and no addresses of ours. */
const harmlessEnvironment = (): Record<string, string> => {
  const names = [
    'PATH',
    'HOME',
    'LANG',
    'LC_ALL',
    'TZ',
    'TMPDIR',
    'NODE_COMPILE_CACHE',
    'NODE_EXTRA_CA_CERTS',
    // The operator's choice of a browser: the scan looks for it by itself.
    'SONDE_CHROMIUM',
  ]
  const given = names.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...MALLOC, ...Object.fromEntries(given) }
}

/** Or was never started. */
export const hasEnded = ({ pid, exitCode, signalCode }: ChildProcess): boolean =>
  pid === undefined || exitCode !== null || signalCode !== null

export const killGroup = (child: ChildProcess): void => {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
